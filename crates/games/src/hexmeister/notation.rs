//! Plies as players write them.
//!
//! `c1` drops, `c1-d4` moves, `done` declines a bonus, `pass` passes, in upper or lower case. Blanks around the dash,
//! `c1:d4`, `c1xd4` and `c1d4` are read too and written back as `c1-d4`.
//!
//! A player can write a turn as one word, with a `+` before each bonus: `d8-c9+c9-f8` is read as `d8-c9` and
//! then, in the next position, as `+c9-f8`. A `+` alone means `done`.

use std::fmt;

use super::cells::{Cell, ROWS};
use super::position::Move;
use crate::Unreadable;
use crate::notation::{PlyNotation, ReadSpace, ends_a_ply, first_word, read_space, unreadable};

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Drop(cell) => cell.fmt(f),
            Move::Go(from, to) => write!(f, "{from}-{to}"),
            Move::Done => f.write_str("done"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// Reads the ply at the start of `text`, and returns the rest of the text too. `bonus` is true if a bonus is pending;
/// only then can the ply begin with a `+`.
pub(super) fn read(text: &str, bonus: bool) -> Result<(Move, &str), Unreadable> {
    let Some(behind) = text.strip_prefix('+') else { return read_ply(text) };
    if !bonus {
        return Err(unreadable(
            first_word(text),
            "A + stands before a bonus, and there is none to use here: the turn begins with a drop or a move.",
        ));
    }
    if behind.chars().next().is_none_or(ends_a_ply) { Ok((Move::Done, behind)) } else { read_ply(behind) }
}

fn read_ply(text: &str) -> Result<(Move, &str), Unreadable> {
    let named = |cells: &[Cell]| match *cells {
        [to] => Some(Move::Drop(to)),
        [from, to] => Some(Move::Go(from, to)),
        _ => None,
    };
    let words = &[("done", Move::Done), ("pass", Move::Pass)];
    let ends = |c| ends_a_ply(c) || c == '+';
    let expected =
        &"That is no move: a drop is written like c1, a move like c1-d4, and a bonus is declined with done.";
    PlyNotation { space: &cell, near: 1, named: &named, words, ends, expected }.read(text)
}

pub(super) fn cell(text: &str) -> ReadSpace<'_, Cell> {
    let ends = |row| Cell::of_row(row).next().zip(Cell::of_row(row).last());
    read_space(text, Cell::at, |_, row| {
        let why = match ends(row) {
            Some((first, last)) => format!("row {row} runs from {first} to {last}"),
            None => format!("the rows of the board are 1 to {ROWS}"),
        };
        let rows = (1..=ROWS).filter_map(ends).map(|(first, last)| format!("{first}-{last}"));
        format!("There is no such cell: {why}. The rows are {}.", rows.collect::<Vec<_>>().join(", "))
    })
}
