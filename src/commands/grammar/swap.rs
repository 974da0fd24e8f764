//! Changing seats after ply 1. The word may stand in place of a move.
//!
//! ```text
//! game swap board userid password
//! ```

use crate::commands::{Command, Entry};
use crate::language::{InReply, ON_BOARD, Offered, WriterPlace};

pub(crate) const SWAP: Entry = Entry {
    summary: "answers ply 1 by changing seats, on a board started with --swap",
    details: "The second player takes over the first seat with the ply played there; no ply is played.",
    example: "GAME swap 1 bob dunlin-7",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::ForMove(Command::Swap),
    offered: Offered::MaySwap,
    done: Some("You have changed seats."),
    ..Entry::of_game("swap", ON_BOARD, |args| Ok(Command::Swap(args.on_board()?)))
};
