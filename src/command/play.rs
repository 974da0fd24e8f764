//! Playing on a board.
//!
//! ```text
//! game move board userid password move[#ply] ...
//! game resign board userid password
//! ```

use super::args::{Args, Expected};
use super::offer::{Offer, Word};
use super::table::{Entry, Scope};
use super::{Command, Seated};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "move",
        aliases: &["mvoe", "board"],
        scope: Scope::Game,
        arguments: "board userid password move[#ply] ...",
        summary: "plays a move, or several when you have several in a row",
        details: "How a move is written is on the game's help page. `#` and a number behind a move mean: only if this is \
                  that ply. Several moves of one command are played together or not at all. `resign`, `propose`, `undo`, \
                  `accept`, `reject`, `swap` and `decline` may stand in place of a move.",
        example: "GAME move 1 ann plover-42 F3#1",
        read: read_move,
    },
    Entry {
        word: "resign",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board userid password",
        summary: "gives the game up",
        details: "The opponent wins at once. A game that has ended cannot be resigned.",
        example: "GAME resign 1 ann plover-42",
        read: read_resign,
    },
];

fn read_move(args: &mut Args) -> Result<Command, Expected> {
    let at = args.seated()?;
    if args.is_empty() {
        return Err(Expected::at(None, format!("the move is missing at the end ({})", args.game.notation)));
    }
    let plies = args.rest_as_text();
    Ok(moves_or_word(at, plies))
}

/// Moves, or the word that stands in place of one.
pub(super) fn moves_or_word(at: Seated, text: String) -> Command {
    let word = text.trim().trim_end_matches(['.', '!']);
    if word.eq_ignore_ascii_case("resign") {
        return Command::Resign { at };
    }
    if let Some(word) = Word::in_place_of_a_move(word) {
        return Command::Offer(Offer::Word(at, word));
    }
    Command::Move { at, plies: text }
}

fn read_resign(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Resign { at: args.seated()? })
}
