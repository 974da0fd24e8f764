//! Plies as players write them.
//!
//! `F3` places, `A3-B4` moves, `pass` passes, in any case. Blanks round the dash, `A3:B4`, `A3xB4`, `A3B4` and, in
//! the stacking phase, `A3 B4` are read too and written back as `A3-B4`.

use std::fmt;

use super::position::{Move, Phase};
use super::space::{COLUMNS, Space, column_letter};
use crate::Unreadable;
use crate::notation::{
    Blanks, SpaceName, Target, ends_a_ply, first_word, keyword, listed, space_name, target, unreadable,
    word_at,
};

/// `F3`, `A3-B4` or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(space) => space.fmt(f),
            Move::Stack(from, to) => write!(f, "{from}-{to}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// Reads the first ply of `text`, and returns the rest of the text too.
pub(super) fn read(text: &str, phase: Phase) -> Result<(Move, &str), Unreadable> {
    let (ply, rest) = if let Some((from, rest)) = space_name(text) {
        let from = on_board(&from)?;
        let blanks = match phase {
            Phase::Placement => Blanks::Part,
            Phase::Stacking => Blanks::Join,
        };
        match target(rest, blanks) {
            Target::None => (Move::Place(from), rest),
            Target::Missing(rest) => {
                return Err(unreadable(
                    first_word(rest),
                    "The space that the stack moves to is missing: a move is written like A3-B4.",
                ));
            }
            Target::Space(to, rest) => (Move::Stack(from, on_board(&to)?), rest),
        }
    } else if let Some(rest) = keyword(text, "pass") {
        (Move::Pass, rest)
    } else {
        return Err(unreadable(first_word(text), expected(phase)));
    };
    // `A3-B44`, `F3you` and `A3-B4-C5` are typing errors: refuse them rather than play `A3-B4` or `F3`.
    match rest.chars().next() {
        Some(next) if !ends_a_ply(next) => Err(unreadable(
            word_at(text, text.len() - rest.len()),
            "Something stands directly behind the move; a blank, a comma, or # and the number of the ply may follow it.",
        )),
        _ => Ok((ply, rest)),
    }
}

fn expected(phase: Phase) -> &'static str {
    match phase {
        Phase::Placement => {
            "That is no space of the board: a piece is placed by the name of a space, like F3."
        }
        Phase::Stacking => {
            "That is no move: a move is written as two spaces with a dash between them, like A3-B4."
        }
    }
}

fn on_board(name: &SpaceName<'_>) -> Result<Space, Unreadable> {
    if name.column >= COLUMNS {
        let last = column_letter(COLUMNS - 1);
        let why = format!("There is no such space: the columns of the board are A to {last}.");
        return Err(unreadable(name.word, why));
    }
    // One digit only: `A01` would be a second way to write A1.
    let row = if name.digits.len() == 1 { name.digits.parse().unwrap_or_default() } else { 0 };
    Space::at(name.column, row).ok_or_else(|| {
        let spaces = listed(Space::of_column(name.column));
        let letter = column_letter(name.column);
        let why = format!("There is no such space: column {letter} has {spaces}.");
        unreadable(name.word, why)
    })
}
