//! The arithmetic of contests: groups, tables, up and down, ladders.

mod groups;
mod ladder;
pub mod movement;
mod table;
