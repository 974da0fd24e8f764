//! Draws and take-backs, which both players have to want. Each word may stand in place of a move.
//!
//! ```text
//! game propose|undo|accept|reject board userid password
//! game accept seek number userid password      (see `seek`)
//! ```

use super::args::{Args, ArgumentError};
use super::entry::{Entry, Scope};
use super::login::ON_BOARD;
use super::{Command, seek};

pub(super) const PROPOSE: Entry = Entry {
    word: "propose",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "proposes a draw to the opponent",
    details: "The opponent answers with `accept` or `reject`, or by playing on: the next ply lets it lapse. The word \
                  may also stand in place of a move.",
    example: "GAME propose 1 ann plover-42",
    read: |args| Ok(Command::Propose(args.on_board()?)),
};

pub(super) const UNDO: Entry = Entry {
    word: "undo",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "proposes to take your last ply back",
    details: "If the opponent accepts, your last ply and all after it are taken back, and queues on the board are \
                  dropped. The word may also stand in place of a move.",
    example: "GAME undo 1 ann plover-42",
    read: |args| Ok(Command::Undo(args.on_board()?)),
};

pub(super) const ACCEPT: Entry = Entry {
    word: "accept",
    aliases: &[],
    scope: Scope::Game,
    arguments: "board userid password | seek number userid password",
    summary: "agrees to what the opponent proposed, or takes up a seek",
    details: "A seek starts a board at once; lots decide who is first.",
    example: "GAME accept 1 bob dunlin-7",
    read: read_accept,
};

pub(super) const REJECT: Entry = Entry {
    word: "reject",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "turns down what the opponent proposed",
    details: "The game goes on as if nothing had been proposed.",
    example: "GAME reject 1 bob dunlin-7",
    read: |args| Ok(Command::Reject(args.on_board()?)),
};

fn read_accept(args: &mut Args) -> Result<Command, ArgumentError> {
    if args.take("seek") { seek::read_accept(args) } else { Ok(Command::Accept(args.on_board()?)) }
}
