//! Contests: their records (`record`) and tables (`standing`). `groups`, `table`, `movement` and `ladder` compute
//! groups, cross-tables, moves up and down, and ladder places without a store, time, mail or chance.
//!
//! There a player is any key `P` that the caller chooses. Ratings and deviations are in hundredths, as stored.

pub mod admission;
pub mod bracket;
pub(crate) mod correction;
pub mod dutch;
pub mod entries;
pub mod events;
pub mod faults;
pub mod forms;
pub mod groups;
pub mod ladder;
pub mod ladder_games;
pub mod ladder_record;
pub mod league;
pub mod movement;
pub mod organised;
pub mod pairing;
pub mod pairs;
pub mod record;
pub mod seating;
pub mod snapshot;
pub mod standing;
pub mod table;
pub mod teams;
pub mod terms;
pub mod tournament_file;
