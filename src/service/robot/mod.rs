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

mod analysis;
mod config;
mod context;
mod excuse;
mod precomputed;
mod turn;

pub use analysis::{Analysed, AnalysisView, Made, analyse, analyse_one, view};
pub use config::RobotConfig;
pub(super) use context::RobotMoves;
pub use excuse::Excuse;
pub use precomputed::{PrecomputedMoves, Question};
pub use turn::{Turn, Turned, think_one};

use jiff::SignedDuration;
use sha2::{Digest, Sha256};

use crate::ids::Identity;
use crate::mail::Letter;

/// A turn or an analysis that somebody has taken is another's after so long: whoever took it is gone then.
const LEASE: SignedDuration = SignedDuration::from_mins(10);

/// What the robot does is an occasion: noted like a letter, so that it is done once.
fn occasion(what: &str) -> Letter {
    Letter::by_server(Identity(Sha256::digest(what).into()))
}
