//! Contests: their records (`record`) and tables (`standing`). The rest is arithmetic without a store, time, mail or chance:
//! groups and pairings, cross-tables, moves up and down, places of a ladder.
//!
//! A player is any key `P` of the caller's. Ratings and deviations are hundredths, as they are stored.

pub mod entries;
pub mod events;
pub mod forms;
pub mod groups;
pub mod ladder;
pub mod ladder_games;
pub mod ladder_record;
pub mod league;
pub mod movement;
pub mod pairs;
pub mod record;
pub mod snapshot;
pub mod standing;
pub mod table;
pub mod terms;
