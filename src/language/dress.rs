//! Moves as people write them in a reply. They put moves in quotes and brackets, after `my move:`, with arrows and
//! full stops.
//!
//! This module knows the ways to dress a move; [`super::move_finder`] finds the move in what is left.

use super::phrasebook::behind_lead;
use super::token::narrowed;
use crate::mail::look_alikes;

/// Marks that people write around a move. `+` is no such mark, since a ply can begin or end with it; nor is
/// `~`, since two of them strike a text out.
pub(super) const PUNCTUATION: &[char] = &[
    '"', '\'', '`', '\u{B4}', '\u{201E}', '\u{2039}', '\u{203A}', '*', '_', '(', ')', '[', ']', '{', '}',
    '<', '>', '.', '!', ',', ';', '|', '\u{3001}', '\u{3002}', '\u{300C}', '\u{300D}', '\u{2022}',
    '\u{25CF}', '\u{25E6}', '\u{25AA}', '\u{B7}', '\u{2023}',
];

/// Smileys of letters and signs, longest first.
const SMILEYS: &[&str] = &[
    ":-))", ":-)", ";-)", ":-D", ":-P", ":-p", ":-/", ":-(", ":-]", ":))", ":)", ";)", ":D", ":P", ":p",
    ":(", ":]", "(:", "=)", "=D", "<3", "^^", "xD", "XD",
];

/// A line without what people put around a move: marks, bullets, smileys, words such as `my move:`. Its
/// arrows, dashes and letters are the plain ones.
pub(super) fn peeled(line: &str) -> String {
    let line = plain_signs(line);
    let mut line = line.as_str();
    let mut lead = false;
    loop {
        let before = line;
        line = without_smiley(line.trim()).trim_matches(PUNCTUATION).trim();
        line = without_bullet(line);
        if !lead && let Some(rest) = behind_lead(line) {
            (line, lead) = (rest, true);
        }
        if line == before {
            return line.to_owned();
        }
    }
}

/// A line in which arrows, dashes, digits and the letters of spaces are the plain ones.
pub(crate) fn plain_signs(line: &str) -> String {
    latin(&arrows(&super::token::plain(&narrow(line)))).trim().to_owned()
}

/// Replaces digits of any script, and a letter directly before a digit, with the Latin ones that they look like. Other
/// letters stay: the letter of a piece can be of the writer's language.
fn latin(line: &str) -> String {
    if line.is_ascii() {
        return line.to_owned();
    }
    let mut behind = ' ';
    let plain = |c: char| {
        let mut shown = look_alikes::plain(c);
        let is_part = c.is_numeric()
            || behind.is_ascii_digit()
            || behind == 'x' && c.is_lowercase()
            || matches!(c, '\u{445}' | '\u{425}') && behind.is_ascii_alphabetic();
        let shown =
            shown.next().filter(|one| is_part && one.is_ascii_alphanumeric() && shown.next().is_none());
        behind = shown.filter(|_| !c.is_ascii()).unwrap_or(c);
        behind
    };
    let backwards: String = line.chars().rev().map(plain).collect();
    backwards.chars().rev().collect()
}

/// Replaces full-width letters and signs, and blanks of any width, with the plain ones. Removes characters without
/// width.
pub(super) fn narrow(line: &str) -> String {
    line.chars().filter_map(narrowed).collect()
}

/// Replaces arrows of every kind with a dash, and the multiplication sign with an x.
fn arrows(line: &str) -> String {
    let line: String = line
        .chars()
        .map(|c| match c {
            '\u{2190}'..='\u{21FF}'
            | '\u{27F5}'..='\u{27FF}'
            | '\u{2794}'
            | '\u{2798}'..='\u{27BF}'
            | '\u{30FC}' => '-',
            '\u{D7}' => 'x',
            c => c,
        })
        .collect();
    line.replace("-->", "-").replace("->", "-").replace("=>", "-").replace("--", "-")
}

fn without_smiley(line: &str) -> &str {
    // `bxa8=D` and `exd` end with no smiley.
    let is_apart = |rest: &&str| !rest.ends_with(char::is_alphanumeric);
    let behind = |smiley: &&str| line.strip_suffix(*smiley).filter(|rest| *smiley != "=D" || is_apart(rest));
    let line = SMILEYS.iter().find_map(behind).unwrap_or(line);
    line.trim_end_matches(|c: char| matches!(c, '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}'))
}

/// A line without the bullet or number of a list.
fn without_bullet(line: &str) -> &str {
    if let Some(rest) = line.strip_prefix(['-', '+', '\u{2013}']) {
        return if rest.starts_with(char::is_whitespace) { rest.trim_start() } else { line };
    }
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match behind.strip_prefix(['.', ')']) {
        Some(rest) if line.len() - behind.len() <= 3 && line != behind => rest.trim_start(),
        _ => line,
    }
}
