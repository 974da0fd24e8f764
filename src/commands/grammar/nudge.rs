//! Reminding the opponent of a game.
//!
//! ```text
//! game nudge board userid password
//! ```

use crate::commands::{Command, Entry};
use crate::language::{InReply, ON_BOARD};

pub(crate) const NUDGE: Entry = Entry {
    summary: "reminds your opponent of the game, once a day",
    details: "Your opponent gets the board once more, with a word from you. It must have been their turn for 24 hours, \
              and nobody is nudged on vacation.",
    example: "GAME nudge 1 bob dunlin-7",
    in_reply: InReply::Alone(Command::Nudge),
    ..Entry::of_game("nudge", ON_BOARD, |args| Ok(Command::Nudge(args.on_board()?)))
};
