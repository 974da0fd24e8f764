//! The robot as a player.
//!
//! Each level has an account, `robot-1` to `robot-9`, with a measured rating. The robot never searches inside
//! a transaction:
//!
//! - Quick levels answer in the same mail. The first try at a letter collects [`Question`]s and rolls back, the robot
//!   answers them as [`PrecomputedMoves`], and the second try plays them.
//! - All other turns wait in the table `robot_turns`. `timer::think_one` leases a turn, searches, and plays if the
//!   board has not changed.
//!
//! Engines that the host seats have accounts too. Their turns always wait, and `timer` asks them outside any transaction.
//!
//! Each search is bounded by a number of positions and seeded by board and ply, so every search of a turn
//! finds the same plies.

mod config;
mod engines;
mod precomputed;
mod shelter;

pub use config::RobotConfig;
pub use engines::{EngineConfig, Engines, SeatedEngine};
pub(crate) use engines::{RESIGN, accounts};
pub use precomputed::{PrecomputedMoves, Question};
pub(crate) use precomputed::{RobotMoves, SWAP};
pub use shelter::missing_shelter;

use jiff::SignedDuration;

/// Duration of a lease. A worker that has not finished by then counts as dead.
pub(crate) const LEASE: SignedDuration = SignedDuration::from_mins(10);
