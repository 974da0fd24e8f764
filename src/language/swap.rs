//! Changing seats after ply 1. The word may stand in place of a move.
//!
//! ```text
//! game swap board userid password
//! ```

use super::Command;
use super::entry::{Entry, Scope};
use super::login::ON_BOARD;

pub(super) const SWAP: Entry = Entry {
    word: "swap",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "answers ply 1 by changing seats, on a board started with --swap",
    details: "The second player takes over the first seat with the ply played there; no ply is played.",
    example: "GAME swap 1 bob dunlin-7",
    read: |args| Ok(Command::Swap(args.on_board()?)),
};
