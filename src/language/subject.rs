//! Commands in a Subject.

use super::table::Language;
use super::token;
use crate::ids::BoardId;
use turnpost_games::registry;

impl<C> Language<C> {
    /// True when the letter's one command stands in its Subject; its text is then what the player has to say.
    pub(crate) fn is_in_subject(&self, subject: &str) -> bool {
        self.begins_bare_subject(bare_subject(&token::plain(subject)))
    }

    pub(super) fn begins_bare_subject(&self, bare_subject: &str) -> bool {
        let first = bare_subject.split_whitespace().next().unwrap_or_default();
        let known = registry::find(first).is_some() || self.of_server(first).is_some();
        known && !is_thread_subject(bare_subject)
    }
}

/// Marks that mail programs of many languages put in front of the Subject of a reply or a forwarded mail.
const SUBJECT_MARKS: &[&str] = &[
    "re", "aw", "antw", "sv", "vs", "ref", "rv", "res", "fwd", "fw", "wg", "vl", "enc", "tr", "i", "r",
    "rif", "odp", "pd", "ynt", "atb", "bls", "doorst", "reply",
];

/// The Subject without marks such as `Re:`, `Re[2]:`, `AW:` and without list tags such as `[pbm]`.
pub(super) fn bare_subject(subject: &str) -> &str {
    let mut bare = subject.trim();
    loop {
        let before = bare;
        if let Some((_, rest)) = bare.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            bare = rest.trim_start();
        }
        if let Some((mark, rest)) = bare.split_once([':', '\u{FF1A}']) {
            let word = mark.trim_end_matches(|c: char| c.is_ascii_digit() || "[]()^ ".contains(c));
            if SUBJECT_MARKS.iter().any(|known| known.eq_ignore_ascii_case(word)) {
                bare = rest.trim_start();
            }
        }
        if bare.len() == before.len() {
            return bare;
        }
    }
}

/// True for the Subject of our own mails about a board, `dvonn 42, ann v bob`: then the answer is in the body.
fn is_thread_subject(subject: &str) -> bool {
    let mut words = subject.split_whitespace().skip(1);
    words
        .next()
        .and_then(|word| word.strip_suffix(','))
        .is_some_and(|number| number.parse::<BoardId>().is_ok())
}
