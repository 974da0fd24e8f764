//! Declining a game. The word may stand in place of a move.
//!
//! ```text
//! game decline board userid password
//! ```

use crate::commands::{Command, Entry};
use crate::language::{InReply, ON_BOARD, Offered, WriterPlace};

pub(crate) const DECLINE: Entry = Entry {
    summary: "declines a game before the second player's first ply",
    details: "Either player may. The board goes away, unrated.",
    example: "GAME decline 1 bob dunlin-7",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::ForMove(Command::Decline),
    offered: Offered::Challenged,
    done: Some("You have declined the game."),
    ..Entry::of_game("decline", ON_BOARD, |args| Ok(Command::Decline(args.on_board()?)))
};
