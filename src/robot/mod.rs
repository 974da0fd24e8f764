//! The robot.

pub mod advice;
pub mod codecup;
pub mod duel;
pub mod dvonn;
pub mod hexmeister;
pub mod levels;
pub mod limits;
pub mod mind;
mod order;
pub mod search;
pub mod table;
mod worker;

pub use advice::{Advice, ROBOTS, Robot, find};
pub use limits::{Limits, Techniques};
pub use mind::{Judged, Mind};
pub use search::{Thought, think, think_with};
