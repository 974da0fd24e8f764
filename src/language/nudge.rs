//! Reminding the opponent of a game.
//!
//! ```text
//! game nudge board userid password
//! ```

use super::Command;
use super::entry::{Entry, Scope};
use super::login::ON_BOARD;

pub(super) const NUDGE: Entry = Entry {
    word: "nudge",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "reminds your opponent of the game, once a day",
    details: "Your opponent gets the board once more, with a word from you. It must have been their turn for 24 hours, \
              and nobody is nudged on vacation.",
    example: "GAME nudge 1 bob dunlin-7",
    read: |args| Ok(Command::Nudge(args.on_board()?)),
};
