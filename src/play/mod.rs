//! Moves on a board, by a player or the robot: turns, forced passes, queues, and the robot's answers.

pub(crate) mod answers;
pub(crate) mod at_board;
mod budgets;
pub(crate) mod context;
pub(crate) mod decided;
pub(crate) mod dice;
mod ended;
pub(crate) mod marked;
pub(crate) mod plans;
pub(crate) mod plies;
pub(crate) mod renamed;
pub(crate) mod reseat;
pub mod robot;
pub(crate) mod robot_opponent;
mod rollback;
mod suspended;

pub use context::{Context, zone_of};
pub(crate) use ended::{drop_plans, ended, reopened};
pub use rollback::Rollback;
