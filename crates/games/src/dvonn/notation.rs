//! Plies as players write them.
//!
//! `F3` places, `A3-B4` moves, `pass` passes, in upper or lower case. Blanks around the dash, `A3:B4`, `A3xB4`, `A3B4`
//! and, in the stacking phase, `A3 B4` are read too and written back as `A3-B4`.

use std::fmt;

use super::position::{Move, Phase};
use super::space::{COLUMNS, Space, column_letter};
use crate::Unreadable;
use crate::notation::{PlyNotation, ReadSpace, ends_a_ply, listed, read_space};

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(space) => space.fmt(f),
            Move::Stack(from, to) => write!(f, "{from}-{to}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// Reads the ply at the start of `text`, and returns the rest of the text too.
pub(super) fn read(text: &str, phase: Phase) -> Result<(Move, &str), Unreadable> {
    let (near, expected) = match phase {
        Phase::Placement => {
            (1, "That is no space of the board: a piece is placed by the name of a space, like F3.")
        }
        Phase::Stacking => {
            (2, "That is no move: a move is written as two spaces with a dash between them, like A3-B4.")
        }
    };
    let named = |spaces: &[Space]| match *spaces {
        [to] => Some(Move::Place(to)),
        [from, to] => Some(Move::Stack(from, to)),
        _ => None,
    };
    let words = &[("pass", Move::Pass)];
    PlyNotation { space: &space, near, named: &named, words, ends: ends_a_ply, expected: &expected }
        .read(text)
}

fn space(text: &str) -> ReadSpace<'_, Space> {
    read_space(text, Space::at, |column, _| {
        let spaces = match column {
            COLUMNS.. => format!("the columns of the board are A to {}", column_letter(COLUMNS - 1)),
            _ => format!("column {} has {}", column_letter(column), listed(Space::of_column(column))),
        };
        format!("There is no such space: {spaces}.")
    })
}
