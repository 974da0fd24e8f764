//! Draws and take-backs, which both players have to want. Each word may stand in place of a move.
//!
//! ```text
//! game propose|undo|accept|reject board userid password
//! game accept seek number userid password      (see `seek`)
//! ```

use super::seek;
use crate::commands::{Command, Entry};
use crate::language::args::{Args, ArgumentError};
use crate::language::{InReply, ON_BOARD, Offered, Seen, WriterPlace};

pub(crate) const PROPOSE: Entry = Entry {
    summary: "proposes a draw to the opponent",
    details: "The opponent answers with `accept` or `reject`, or by playing on: the next ply lets it lapse. The word \
                  may also stand in place of a move.",
    example: "GAME propose 1 ann plover-42",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::ForMove(Command::Propose),
    offered: Offered::MayPropose,
    done: Some("You have proposed a draw."),
    ..Entry::of_game("propose", ON_BOARD, |args| Ok(Command::Propose(args.on_board()?)))
};

pub(crate) const UNDO: Entry = Entry {
    summary: "proposes to take your last ply back",
    details: "If the opponent accepts, your last ply and all after it are taken back, and queues on the board are \
                  dropped. The word may also stand in place of a move.",
    example: "GAME undo 1 ann plover-42",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::ForMove(Command::Undo),
    offered: Offered::HasPlayed,
    done: Some("You have asked to take your last ply back."),
    ..Entry::of_game("undo", ON_BOARD, |args| Ok(Command::Undo(args.on_board()?)))
};

pub(crate) const ACCEPT: Entry = Entry {
    summary: "agrees to what the opponent proposed, or takes up a seek",
    details: "A seek starts a board at once; lots decide who is first.",
    example: "GAME accept 1 bob dunlin-7",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::ForMove(Command::Accept),
    needs: Seen::Proposals,
    offered: Offered::Asked,
    done: Some("You have accepted."),
    ..Entry::of_game("accept", "board userid password | seek number userid password", read_accept)
};

pub(crate) const REJECT: Entry = Entry {
    summary: "turns down what the opponent proposed",
    details: "The game goes on as if nothing had been proposed.",
    example: "GAME reject 1 bob dunlin-7",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::ForMove(Command::Reject),
    needs: Seen::Proposals,
    offered: Offered::Asked,
    done: Some("You have rejected it."),
    ..Entry::of_game("reject", ON_BOARD, |args| Ok(Command::Reject(args.on_board()?)))
};

fn read_accept(args: &mut Args) -> Result<Command, ArgumentError> {
    if args.take("seek") { seek::read_accept(args) } else { Ok(Command::Accept(args.on_board()?)) }
}
