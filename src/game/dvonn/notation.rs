//! Plies as players write them.
//!
//! `F3` places; `A3-B4` moves; `pass` passes. Letters in either case; blanks round the dash, `A3:B4`, `A3xB4` and
//! `A3B4` are read too, and in the stacking phase `A3 B4`. All are written back as `A3-B4`.

use std::fmt;

use super::position::{Move, Phase};
use super::space::{COLUMNS, Space, column_letter};
use crate::game::Unreadable;

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

/// Reads the first ply in `text`, and gives back what is left behind it.
pub(super) fn read(text: &str, phase: Phase) -> Result<(Move, &str), Unreadable> {
    let (ply, rest) = if let Some((from, rest)) = scan(text) {
        let from = from.on_board()?;
        match target(rest, phase) {
            Target::None => (Move::Place(from), rest),
            Target::Missing(rest) => {
                return Err(unreadable(
                    first_word(rest),
                    "The space that the stack moves to is missing: a move is written like A3-B4.",
                ));
            }
            Target::Space(to, rest) => (Move::Stack(from, to.on_board()?), rest),
        }
    } else if let Some(rest) = pass(text) {
        (Move::Pass, rest)
    } else {
        return Err(unreadable(first_word(text), expected(phase)));
    };
    // `A3-B44`, `F3you` or `A3-B4-C5` are not a ply with something behind it: better no ply than another one.
    match rest.chars().next() {
        Some(next) if !(next.is_whitespace() || next == ',' || next == '#') => Err(unreadable(
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

fn pass(text: &str) -> Option<&str> {
    let word = text.get(..4)?;
    if word.eq_ignore_ascii_case("pass") { text.get(4..) } else { None }
}

/// A letter and digits: it is written like a space, whether or not the board has it.
struct Name<'t> {
    letter: u8,
    digits: &'t str,
    word: &'t str,
}

/// Reads a letter and all the digits behind it.
fn scan(text: &str) -> Option<(Name<'_>, &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let length = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    // The letter and the digits are one byte each, so these cuts fall between characters.
    let (word, rest) = text.split_at_checked(1 + length)?;
    let digits = word.get(1..).filter(|digits| !digits.is_empty())?;
    Some((Name { letter: letter.to_ascii_uppercase(), digits, word }, rest))
}

impl Name<'_> {
    fn on_board(&self) -> Result<Space, Unreadable> {
        let column = i32::from(self.letter) - i32::from(b'A');
        if column >= COLUMNS {
            let last = column_letter(COLUMNS - 1);
            let why = format!("There is no such space: the columns of the board are A to {last}.");
            return Err(unreadable(self.word, why));
        }
        // One digit without a sign: `A01` or `A+1` would be a second way to write A1.
        let row = if self.digits.len() == 1 { self.digits.parse().unwrap_or_default() } else { 0 };
        Space::at(column, row).ok_or_else(|| {
            let spaces: Vec<String> = Space::of_column(column).map(|space| space.to_string()).collect();
            let why =
                format!("There is no such space: column {} has {}.", column_letter(column), listed(&spaces));
            unreadable(self.word, why)
        })
    }
}

enum Target<'t> {
    None,
    Missing(&'t str),
    Space(Name<'t>, &'t str),
}

/// What stands behind the first space of a ply: the sign for "moves to" and a second space, or none of that.
fn target(text: &str, phase: Phase) -> Target<'_> {
    let after_blanks = text.trim_start();
    if let Some(rest) = after_blanks.strip_prefix(is_dash) {
        return match scan(rest.trim_start()) {
            Some((to, rest)) => Target::Space(to, rest),
            None => Target::Missing(rest),
        };
    }
    // An x is the sign only when a space follows it.
    let captured = after_blanks.strip_prefix(['x', 'X']).and_then(|rest| scan(rest.trim_start()));
    let plain = || {
        let touching = after_blanks.len() == text.len();
        if touching || phase == Phase::Stacking { scan(after_blanks) } else { None }
    };
    match captured.or_else(plain) {
        Some((to, rest)) => Target::Space(to, rest),
        None => Target::None,
    }
}

/// The dash of the keyboard, those that mail programs make of it, and the colon.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | ':' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// `A1, A2 and A3`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [all_but_last @ .., last] => format!("{} and {last}", all_but_last.join(", ")),
    }
}
