//! The robot as a player.
//!
//! It has an account a level, `robot-1` to `robot-9`, each with a rating of its own: a rating means something only if
//! whoever has it always plays alike. Its plies are plies like any other. It never thinks inside a transaction:
//!
//! - A letter after which it is the robot's turn is undone, the robot [thinks](Foresight), and the letter is carried
//!   out anew with what the robot found, in one transaction and one mail; so for the levels that are quick. A letter
//!   that has nothing to do with the robot pays nothing for that.
//! - Everything else waits in the table `robot_turns`, whose rows are written and removed with those of the boards.
//!   [`think_one`] takes a turn on lease, thinks, and plays if the board still stands where it stood.
//!
//! Thinking is bounded by positions and seeded by board and ply: whoever thinks about a turn finds the same plies.

pub(super) mod analysis;
mod config;
pub(super) mod context;
mod precomputed;
mod turn;

pub use analysis::{Analysed, AnalysisView, Made, analyse_one, analysis_of, view};
pub use config::RobotConfig;
pub(super) use context::RobotMoves;
pub use precomputed::{PrecomputedMoves, Question};
pub use turn::{Turn, Turned, think_one};

use jiff::SignedDuration;

/// A turn or an analysis that somebody has taken is another's after so long: whoever took it is gone then.
const LEASE: SignedDuration = SignedDuration::from_mins(10);
