//! Moves as people write them in a reply. They put moves in quotes and brackets, after `my move:`, with arrows and
//! full stops.
//!
//! This module knows the ways to dress a move; [`super::move_finder`] finds the move in what is left.

use std::sync::LazyLock;

use crate::mail::phrases::{GREETINGS, Phrases, section};

/// Words that people write before a move.
static PREFIXES: Phrases = LazyLock::new(|| section(GREETINGS, "before a move"));

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
        if !lead && let Some(rest) = without_lead(line) {
            (line, lead) = (rest, true);
        }
        if line == before {
            return line.to_owned();
        }
    }
}

/// A line in which arrows, dashes and letters are the plain ones.
pub(crate) fn plain_signs(line: &str) -> String {
    arrows(&super::token::plain(&narrow(line))).trim().to_owned()
}

/// Replaces full-width letters and signs, and blanks of any width, with the plain ones. Removes characters without
/// width.
pub(super) fn narrow(line: &str) -> String {
    line.chars().filter_map(narrowed).collect()
}

pub(super) fn narrowed(c: char) -> Option<char> {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0),
        '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}' | '\u{AD}' => None,
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
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
    let line = SMILEYS.iter().find_map(|smiley| line.strip_suffix(smiley)).unwrap_or(line);
    line.trim_end_matches(|c: char| matches!(c, '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}'))
}

/// A line without the bullet or number of a list.
fn without_bullet(line: &str) -> &str {
    if let Some(rest) = line.strip_prefix(['-', '+', '\u{2013}']) {
        return if rest.starts_with(char::is_whitespace) { rest.trim_start() } else { line };
    }
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match behind.strip_prefix(['.', ')']) {
        Some(rest) if line.len() - behind.len() <= 3 && line != behind && rest.starts_with(' ') => {
            rest.trim_start()
        }
        _ => line,
    }
}

/// The rest of a line after `my move:` or similar words.
fn without_lead(line: &str) -> Option<&str> {
    PREFIXES.iter().find_map(|lead| {
        let (head, rest) = line.split_at_checked(lead.len())?;
        let parted = rest.starts_with([' ', ':', '=', '-']);
        let rest = rest.trim_start_matches([' ', ':', '=']);
        let rest = rest.strip_prefix("- ").unwrap_or(rest);
        (head.eq_ignore_ascii_case(lead) && parted).then_some(rest)
    })
}
