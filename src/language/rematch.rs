//! A new game with the same players and options, sides changed.
//!
//! ```text
//! game rematch board userid password
//! ```

use super::Command;
use super::entry::{Entry, Scope};
use super::login::ON_BOARD;

pub(super) const REMATCH: Entry = Entry {
    word: "rematch",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "starts a new game with the same opponent and options, sides changed",
    details: "The old game must be over.",
    example: "GAME rematch 1 ann plover-42",
    read: |args| Ok(Command::Rematch(args.on_board()?)),
};
