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
use crate::game::Unreadable;

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
    let (ply, rest) = if let Some((from, rest)) = scan(text) {
        let from = from.on_board()?;
        match target(rest) {
            Target::None => (Move::Drop(from), rest),
            Target::Missing(rest) => {
                return Err(unreadable(
                    first_word(rest),
                    "The cell that the stone moves to is missing: a move is written like c1-d4.",
                ));
            }
            Target::Cell(to, rest) => (Move::Go(from, to.on_board()?), rest),
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

fn ends_a_ply(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == '#'
}

fn unreadable(word: &str, why: impl Into<String>) -> Unreadable {
    Unreadable { word: word.to_owned(), why: why.into() }
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The word that goes on at byte `place`.
fn word_at(text: &str, place: usize) -> &str {
    let before = text.get(..place).unwrap_or_default();
    let start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    first_word(text.get(start..).unwrap_or_default())
}

fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

/// A letter and digits: it is written like a cell, whether or not the board has it.
pub(super) struct Name<'t> {
    letter: u8,
    digits: &'t str,
    word: &'t str,
}

/// Reads a letter and all the digits behind it.
pub(super) fn scan(text: &str) -> Option<(Name<'_>, &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let length = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    // The letter and the digits are one byte each, so this cut falls between characters.
    let (word, rest) = text.split_at_checked(1 + length)?;
    let digits = word.get(1..).filter(|digits| !digits.is_empty())?;
    Some((Name { letter: letter.to_ascii_lowercase(), digits, word }, rest))
}

impl Name<'_> {
    pub(super) fn on_board(&self) -> Result<Cell, Unreadable> {
        // No leading zero: `c01` would be a second way to write c1.
        let row: i32 = if self.digits.starts_with('0') { 0 } else { self.digits.parse().unwrap_or_default() };
        if let Some(cell) = Cell::at(i32::from(self.letter) - i32::from(b'a'), row) {
            return Ok(cell);
        }
        let ends = Cell::of_row(row).next().zip(Cell::of_row(row).last());
        let why = match ends {
            Some((first, last)) => format!("There is no such cell: row {row} runs from {first} to {last}."),
            None => format!("There is no such cell: the rows of the board are 1 to {ROWS}."),
        };
        Err(unreadable(self.word, why))
    }
}

enum Target<'t> {
    None,
    Missing(&'t str),
    Cell(Name<'t>, &'t str),
}

/// What stands behind the first cell of a ply: the sign for "moves to" and a second cell, or none of that.
fn target(text: &str) -> Target<'_> {
    let after_blanks = text.trim_start();
    if let Some(rest) = after_blanks.strip_prefix(is_dash) {
        return match scan(rest.trim_start()) {
            Some((to, rest)) => Target::Cell(to, rest),
            None => Target::Missing(rest),
        };
    }
    // An x is the sign only when a cell follows it. Without a sign the cells must touch: `c1 d1` is two drops.
    let captured = after_blanks.strip_prefix(['x', 'X']).and_then(|rest| scan(rest.trim_start()));
    match captured.or_else(|| scan(text)) {
        Some((to, rest)) => Target::Cell(to, rest),
        None => Target::None,
    }
}

/// The dash of the keyboard, those that mail programs make of it, and the colon.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | ':' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// `a1, b1 and c1`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [all_but_last @ .., last] => format!("{} and {last}", all_but_last.join(", ")),
    }
}
