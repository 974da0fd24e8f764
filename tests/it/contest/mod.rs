//! The arithmetic of contests: groups, tables, up and down, ladders.

mod groups;
mod ladder;
mod movement;
mod table;
