//! Work that no player's letter starts: clocks, reminders, bounces, robot turns, acts of the host.

pub mod bounce;
mod engine_turn;
pub mod host_acts;
mod robot_turn;
pub mod tick;
mod turned;

pub use engine_turn::hand_over;
pub use robot_turn::think_one;
pub use turned::{TakenTurn, Turned};
