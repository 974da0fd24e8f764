//! Playing on a board.
//!
//! ```text
//! game move board userid password move[#ply] ...
//! game resign board userid password
//! ```

use super::args::{Args, ArgumentError};
use super::entry::{Entry, Scope};
use super::login::ON_BOARD;
use super::{Command, Login, OnBoard, Parameters};
use crate::ids::BoardId;

#[derive(Debug, Clone)]
pub struct Move {
    pub at: OnBoard,
    /// Parted by blanks.
    pub plies: String,
    /// What to answer afterwards: `if K5-K4 then B4-C4; else ask`. Empty: nothing.
    pub conditions: String,
}

impl Parameters for Move {
    fn login(&self) -> Option<&Login> {
        Some(&self.at.login)
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

pub(super) const MOVE: Entry = Entry {
    word: "move",
    aliases: &["mvoe", "board"],
    scope: Scope::Game,
    arguments: "board userid password move[#ply] ...",
    summary: "plays a move, or several when you have several in a row",
    details: "How a move is written is on the game's help page. `#` and a number behind a move mean: only if this is \
                  that ply. Several moves of one command are played together or not at all. `resign`, `propose`, `undo`, \
                  `accept`, `reject`, `swap` and `decline` may stand in place of a move. `A3-B4; if K5-K4 then B4-C4; else ask` \
                  plays A3-B4 and queues the answer, as `queue` does.",
    example: "GAME move 1 ann plover-42 F3#1",
    read: read_move,
};

pub(super) const RESIGN: Entry = Entry {
    word: "resign",
    aliases: &[],
    scope: Scope::Game,
    arguments: ON_BOARD,
    summary: "gives the game up",
    details: "The opponent wins at once. A game that has ended cannot be resigned.",
    example: "GAME resign 1 ann plover-42",
    read: |args| Ok(Command::Resign(args.on_board()?)),
};

fn read_move(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    if args.is_empty() {
        return Err(args.no_move_behind(&at));
    }
    Ok(moves_or_word(at, args.rest_as_text()))
}

/// True for a word that [`moves_or_word`] takes for something else than a move.
pub(super) fn stands_for_a_move(word: &str) -> bool {
    const WORDS: &[&str] = &["resign", "propose", "undo", "accept", "reject", "swap", "decline"];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word.trim_end_matches(['.', '!'])))
}

/// Moves, or the word that stands in place of one.
pub(super) fn moves_or_word(at: OnBoard, text: String) -> Command {
    let word = text.trim().trim_end_matches(['.', '!']).to_ascii_lowercase();
    match word.as_str() {
        "resign" => Command::Resign(at),
        "propose" => Command::Propose(at),
        "undo" => Command::Undo(at),
        "accept" => Command::Accept(at),
        "reject" => Command::Reject(at),
        "swap" => Command::Swap(at),
        "decline" => Command::Decline(at),
        _ => {
            let (plies, conditions) = text.split_once(';').unwrap_or((&text, ""));
            let (plies, conditions) = (plies.trim().to_owned(), conditions.trim().to_owned());
            Command::Move(Move { at, plies, conditions })
        }
    }
}
