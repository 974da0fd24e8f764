//! A move to look at before it counts.
//!
//! ```text
//! game submit board userid password move ...
//! game confirm board userid password
//! ```

use super::args::{Args, ArgumentError};
use super::entry::{Entry, Scope};
use super::login::ON_BOARD;
use super::{Command, Login, OnBoard, Parameters};
use crate::ids::BoardId;

#[derive(Debug, Clone)]
pub struct Submit {
    pub at: OnBoard,
    /// Parted by blanks.
    pub plies: String,
}

impl Parameters for Submit {
    fn login(&self) -> Option<&Login> {
        Some(&self.at.login)
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

pub(super) const SUBMIT: Entry = Entry {
    word: "submit",
    aliases: &[],
    scope: Scope::Game,
    arguments: "board userid password move ...",
    summary: "shows the board after a move, which counts once you confirm it",
    details: "If anything happens on the board in between, it has to be submitted again.",
    example: "GAME submit 1 ann plover-42 F3",
    read,
};

pub(super) const CONFIRM: Entry = Entry {
    word: "confirm",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "lets the move you submitted count",
    details: "It is played as if you had sent it with `move`.",
    example: "GAME confirm 1 ann plover-42",
    read: |args| Ok(Command::Confirm(args.on_board()?)),
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    let plies = args.rest_as_text();
    if plies.is_empty() {
        return Err(args.no_move_behind(&at));
    }
    Ok(Command::Submit(Submit { at, plies }))
}
