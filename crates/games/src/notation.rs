//! Reading and writing that all notations share: spaces named by a letter and digits, a dash between two spaces,
//! keywords, the colours, and lists in prose. Each game decides which spaces its board has.

use crate::position::Unreadable;
use crate::seat::Seat;

/// A letter and digits, which name a space if the board has it.
pub struct SpaceName<'t> {
    /// The number of the letter, in either case: 0 for A.
    pub column: i32,
    /// One digit or more.
    pub digits: &'t str,
    /// The name as the player wrote it.
    pub word: &'t str,
}

/// Reads a letter and the digits behind it, and returns the rest of the text too.
pub fn space_name(text: &str) -> Option<(SpaceName<'_>, &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let length = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    // The letter and each digit are one byte, so this cuts between characters.
    let (word, rest) = text.split_at_checked(1 + length)?;
    let digits = word.get(1..).filter(|digits| !digits.is_empty())?;
    let column = i32::from(letter.to_ascii_lowercase() - b'a');
    Some((SpaceName { column, digits, word }, rest))
}

/// What follows the first space of a ply.
pub enum Target<'t> {
    /// No second space.
    None,
    /// A dash without a space behind it.
    Missing(&'t str),
    /// A second space, and the rest of the text.
    Space(SpaceName<'t>, &'t str),
}

/// Whether blanks alone may separate the two spaces of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Blanks {
    /// `A3 B4` is one move.
    Join,
    /// `c1 d1` is two plies.
    Part,
}

/// Reads the dash and the second space of a move.
pub fn target(text: &str, blanks: Blanks) -> Target<'_> {
    let after_blanks = text.trim_start();
    if let Some(rest) = after_blanks.strip_prefix(is_dash) {
        return match space_name(rest.trim_start()) {
            Some((to, rest)) => Target::Space(to, rest),
            None => Target::Missing(rest),
        };
    }
    // An x means "moves to" only when a space follows it.
    let captured = after_blanks.strip_prefix(['x', 'X']).and_then(|rest| space_name(rest.trim_start()));
    let adjacent = if blanks == Blanks::Join { after_blanks } else { text };
    match captured.or_else(|| space_name(adjacent)) {
        Some((to, rest)) => Target::Space(to, rest),
        None => Target::None,
    }
}

/// The hyphen, the dashes into which mail programs turn it, and the colon.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | ':' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Reads `word` in any case, and returns the rest of the text.
pub fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

/// True when a ply may end before this character.
pub fn ends_a_ply(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == '#'
}

/// The first word of `text`.
pub fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The word around byte `at`.
pub fn word_at(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    first_word(text.get(start..).unwrap_or_default())
}

/// The error for `word`, with the sentence for the player.
pub fn unreadable(word: &str, why: impl Into<String>) -> Unreadable {
    Unreadable { word: word.to_owned(), why: why.into() }
}

/// A list in prose: `A1, A2 and A3`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [all_but_last @ .., last] => format!("{} and {last}", all_but_last.join(", ")),
    }
}

/// A list in prose that stops after six items: `A1, B1, C1, D1, E1, F1 and 39 more`.
pub fn listed_briefly(items: &[String]) -> String {
    const LISTED: usize = 6;
    match items.get(..LISTED) {
        Some(first) if items.len() > LISTED => {
            format!("{} and {} more", first.join(", "), items.len() - LISTED)
        }
        _ => listed(items),
    }
}

/// `white` or `black`.
pub fn colour(seat: Seat) -> &'static str {
    ["white", "black"][seat.index()]
}

/// `White` or `Black`, to begin a sentence.
pub fn colour_capital(seat: Seat) -> &'static str {
    ["White", "Black"][seat.index()]
}
