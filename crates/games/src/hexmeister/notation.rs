//! Plies as players write them.
//!
//! `c1` drops; `c1-d4` moves; `done` declines a bonus; `pass` passes. Letters in either case; blanks round the dash,
//! `c1:d4`, `c1xd4` and `c1d4` are read too, and all are written back as `c1-d4`.
//!
//! A turn may be written in one word. What follows a ply is left to be read in the position it leads to: where a bonus
//! is pending, a `+` stands before the bonus, and one with nothing behind it is `done`. So `d8-c9+c9-f8` reads as
//! `d8-c9` and then `+c9-f8`, and `d8-c9+` as `d8-c9` and then `+`.

use std::fmt;

use super::cells::{Cell, ROWS};
use super::position::Move;
use crate::Unreadable;
use crate::notation::{Name, Target, ends_a_ply, first_word, keyword, name, target, unreadable, word_at};

/// `c1`, `c1-d4`, `done` or `pass`.
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

/// Reads the first ply in `text`, and gives back what is left behind it. `bonus`: whether it may begin with a `+`.
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
    let (ply, rest) = if let Some((from, rest)) = name(text) {
        let from = on_board(&from)?;
        // Without a sign the cells must touch: `c1 d1` is two drops.
        match target(rest, false) {
            Target::None => (Move::Drop(from), rest),
            Target::Missing(rest) => {
                return Err(unreadable(
                    first_word(rest),
                    "The cell that the stone moves to is missing: a move is written like c1-d4.",
                ));
            }
            Target::Place(to, rest) => (Move::Go(from, on_board(&to)?), rest),
        }
    } else if let Some(rest) = keyword(text, "done") {
        (Move::Done, rest)
    } else if let Some(rest) = keyword(text, "pass") {
        (Move::Pass, rest)
    } else {
        return Err(unreadable(
            first_word(text),
            "That is no ply: a drop is written like c1, a move like c1-d4, and a bonus is declined with done.",
        ));
    };
    // `c1-d44`, `c1you` or `c1-d4-e5` are not a ply with something behind it: better no ply than another one.
    match rest.chars().next() {
        Some(next) if !(ends_a_ply(next) || next == '+') => Err(unreadable(
            word_at(text, text.len() - rest.len()),
            "Something stands directly behind the ply; a blank, a comma, # and the number of the ply, or + and a bonus \
             may follow it.",
        )),
        _ => Ok((ply, rest)),
    }
}

pub(super) fn on_board(name: &Name<'_>) -> Result<Cell, Unreadable> {
    // No leading zero: `c01` would be a second way to write c1.
    let row: i32 = if name.digits.starts_with('0') { 0 } else { name.digits.parse().unwrap_or_default() };
    if let Some(cell) = Cell::at(name.column, row) {
        return Ok(cell);
    }
    let ends = Cell::of_row(row).next().zip(Cell::of_row(row).last());
    let why = match ends {
        Some((first, last)) => format!("There is no such cell: row {row} runs from {first} to {last}."),
        None => format!("There is no such cell: the rows of the board are 1 to {ROWS}."),
    };
    Err(unreadable(name.word, why))
}
