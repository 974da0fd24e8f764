//! A new game with the same players and options, sides changed.
//!
//! ```text
//! game rematch board userid password
//! ```

use crate::commands::{Command, Entry};
use crate::language::{InReply, ON_BOARD, Offered, Seen, WriterPlace};

pub(crate) const REMATCH: Entry = Entry {
    summary: "starts a new game with the same opponent and options, sides changed",
    details: "The old game must be over.",
    example: "GAME rematch 1 ann plover-42",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::Alone(Command::Rematch),
    needs: Seen::Nothing,
    offered: Offered::Over,
    done: Some("The new game has begun."),
    ..Entry::of_game("rematch", ON_BOARD, |args| Ok(Command::Rematch(args.on_board()?)))
};
