//! The robot as a player.
//!
//! It has an account a level, `robot-1` to `robot-9`, each with a rating that was measured. It never searches inside a
//! transaction:
//!
//! - Quick levels answer in the same mail. The first try at a letter collects [`Question`]s and rolls back, the robot
//!   answers them as [`PrecomputedMoves`], and the second try plays them.
//! - All other turns wait in the table `robot_turns`. `timer::think_one` leases a turn, searches, and plays if the
//!   board has not changed.
//!
//! A limit of positions bounds each search, and board and ply seed it: every search of a turn finds the same plies.

mod config;
mod precomputed;

pub use config::RobotConfig;
pub use precomputed::{PrecomputedMoves, Question};
pub(crate) use precomputed::{RobotMoves, SWAP};

use jiff::SignedDuration;

/// A lease ends after this time: its worker is gone then.
pub(crate) const LEASE: SignedDuration = SignedDuration::from_mins(10);
