//! The arithmetic of contests: groups, tables, up and down, ladders.

mod groups;
mod movement;
mod table;
