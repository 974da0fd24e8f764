//! What the notations of games have in common: places named by a letter and digits, a dash between two, words in place
//! of a ply. A game says which places its board has, and what is said of others.

use super::Unreadable;

/// A letter and digits: it is written like a place, whether or not the board has it.
pub struct Name<'t> {
    /// Of the letter, in either case: 0 for A.
    pub column: i32,
    /// At least one.
    pub digits: &'t str,
    /// As it is written.
    pub word: &'t str,
}

/// Reads a letter and all the digits behind it, and gives back what is left.
pub fn name(text: &str) -> Option<(Name<'_>, &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let length = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    // The letter and the digits are one byte each, so these cuts fall between characters.
    let (word, rest) = text.split_at_checked(1 + length)?;
    let digits = word.get(1..).filter(|digits| !digits.is_empty())?;
    let column = i32::from(letter.to_ascii_lowercase() - b'a');
    Some((Name { column, digits, word }, rest))
}

/// What stands behind the first place of a ply.
pub enum Target<'t> {
    /// No other place.
    None,
    /// A dash, and no place behind it.
    Missing(&'t str),
    /// Another place, and what is left behind it.
    Place(Name<'t>, &'t str),
}

/// Looks behind the first place of a ply for the sign for "moves to" and a second place. Without a sign the two must
/// touch, unless they may stand `apart`.
pub fn target(text: &str, apart: bool) -> Target<'_> {
    let after_blanks = text.trim_start();
    if let Some(rest) = after_blanks.strip_prefix(is_dash) {
        return match name(rest.trim_start()) {
            Some((to, rest)) => Target::Place(to, rest),
            None => Target::Missing(rest),
        };
    }
    // An x is the sign only when a place follows it.
    let captured = after_blanks.strip_prefix(['x', 'X']).and_then(|rest| name(rest.trim_start()));
    match captured.or_else(|| name(if apart { after_blanks } else { text })) {
        Some((to, rest)) => Target::Place(to, rest),
        None => Target::None,
    }
}

/// The dash of the keyboard, those that mail programs make of it, and the colon.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | ':' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Reads `word` in either case, and gives back what is left.
pub fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

/// Whether a ply may end in front of this.
pub fn ends_a_ply(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == '#'
}

/// The word with which `text` begins.
pub fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The word that goes on at byte `place`.
pub fn word_at(text: &str, place: usize) -> &str {
    let before = text.get(..place).unwrap_or_default();
    let start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    first_word(text.get(start..).unwrap_or_default())
}

/// Why `word` cannot be read.
pub fn unreadable(word: &str, why: impl Into<String>) -> Unreadable {
    Unreadable { word: word.to_owned(), why: why.into() }
}

/// `A1, A2 and A3`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [all_but_last @ .., last] => format!("{} and {last}", all_but_last.join(", ")),
    }
}
