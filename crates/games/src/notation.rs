//! Reading and writing that all notations share: spaces named by a letter and digits, a dash between two spaces,
//! keywords, the colours, lists in prose, and what is legal in a refusal. Each game decides which spaces its board has.

use crate::position::{Position, Unreadable};
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
pub fn listed(items: impl IntoIterator<Item = impl ToString>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => items.concat(),
    }
}

/// A list in prose without repetitions that stops after six: `A1, B1, C1, D1, E1, F1 and 39 more`.
pub fn listed_briefly(items: impl IntoIterator<Item = impl ToString + PartialEq>) -> String {
    const LISTED: usize = 6;
    let mut items: Vec<_> = items.into_iter().collect();
    items.dedup();
    let more = items.len().saturating_sub(LISTED);
    if more == 0 {
        return listed(items);
    }
    let first: Vec<String> = items.iter().take(LISTED).map(ToString::to_string).collect();
    format!("{} and {more} more", first.join(", "))
}

/// Where the plies that begin on the space `from` end; empty when there is none.
pub fn reached<P: Position>(position: &P, from: &str) -> String {
    let ends = position.legal_moves().into_iter().map(|ply| position.ends(ply));
    let ends = ends.filter(|ends| ends.from.as_ref().is_some_and(|space| space.to_string() == from));
    listed_briefly(ends.filter_map(|ends| ends.to))
}

/// What the side to move can do, of which `put` says how a space is named alone, and of these `words`:
/// `drop on a1 and b1, or move from c1`.
pub fn possible<P: Position>(position: &P, put: &str, words: &[P::Move]) -> String {
    let legal = position.legal_moves();
    let ends = || legal.iter().map(|ply| position.ends(*ply));
    let drops = listed_briefly(ends().filter(|ends| ends.from.is_none()).filter_map(|ends| ends.to));
    let starts = listed_briefly(ends().filter_map(|ends| ends.from));
    let spaces = [(put, drops), ("move from", starts)].into_iter().filter(|(_, list)| !list.is_empty());
    let words = words.iter().filter(|word| legal.contains(word)).map(|word| position.write_move(*word));
    let all: Vec<String> = spaces.map(|(what, list)| format!("{what} {list}")).chain(words).collect();
    all.join(", or ")
}

/// `white` or `black`.
pub fn colour(seat: Seat) -> &'static str {
    ["white", "black"][seat.index()]
}

/// `White` or `Black`, to begin a sentence.
pub fn colour_capital(seat: Seat) -> &'static str {
    ["White", "Black"][seat.index()]
}
