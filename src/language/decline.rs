//! Declining a game. The word may stand in place of a move.
//!
//! ```text
//! game decline board userid password
//! ```

use super::Command;
use super::entry::{Entry, Scope};
use super::login::ON_BOARD;

pub(super) const DECLINE: Entry = Entry {
    word: "decline",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "declines a game before the second player's first ply",
    details: "Either player may. The board goes away, unrated.",
    example: "GAME decline 1 bob dunlin-7",
    read: |args| Ok(Command::Decline(args.on_board()?)),
};
