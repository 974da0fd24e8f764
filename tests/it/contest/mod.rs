//! The arithmetic of contests: groups, tables, up and down, ladders.

mod crowd;
mod dutch;
mod forms;
mod groups;
mod ladder;
pub mod movement;
mod table;
