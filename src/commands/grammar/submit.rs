//! A move to look at before it counts.
//!
//! ```text
//! game submit board userid password move ...
//! game confirm board userid password
//! ```

use crate::commands::{Command, Entry};
use crate::language::args::{Args, ArgumentError};
use crate::language::dress::{holds_moves_only, undressed};
use crate::language::{InReply, ON_BOARD, OnBoard, Parameters, WriterPlace};

#[derive(Debug, Clone)]
pub struct Submit {
    pub at: OnBoard,
    /// Parted by blanks.
    pub plies: String,
}

impl Parameters for Submit {
    fn at(&self) -> Option<&OnBoard> {
        Some(&self.at)
    }
}

pub(crate) const SUBMIT: Entry = Entry {
    summary: "shows the board after a move, which counts once you confirm it",
    details: "If anything happens on the board in between, it has to be submitted again.",
    example: "GAME submit 1 ann plover-42 F3",
    writer: WriterPlace::BehindBoard(|words| holds_moves_only(&undressed(&words.join(" ")))),
    in_reply: InReply::Begins(read_behind),
    ..Entry::of_game("submit", "board userid password move ...", read)
};

pub(crate) const CONFIRM: Entry = Entry {
    summary: "lets the move you submitted count",
    details: "It is played as if you had sent it with `move`.",
    example: "GAME confirm 1 ann plover-42",
    in_reply: InReply::AsYes,
    ..Entry::of_game("confirm", ON_BOARD, |args| Ok(Command::Confirm(args.on_board()?)))
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    read_behind(at, args)
}

fn read_behind(at: OnBoard, args: &mut Args) -> Result<Command, ArgumentError> {
    let plies = args.rest_as_text();
    if plies.is_empty() {
        return Err(args.no_move_behind(&at));
    }
    Ok(Command::Submit(Submit { at, plies }))
}
