//! Subjects that only programs write: of reports and of absence notes.

use std::sync::LazyLock;

use crate::mail::phrases::{AUTOMATIC, Phrases, first_of, section};
use crate::mail::subject::{bare, folded, untagged};

static REPORTS: Phrases = LazyLock::new(|| section(AUTOMATIC, "reports"));
static ANSWERS: Phrases = LazyLock::new(|| section(AUTOMATIC, "answers"));
static ANSWERS_ALONE: Phrases = LazyLock::new(|| section(AUTOMATIC, "answers alone"));
static NOW: Phrases = LazyLock::new(|| section(AUTOMATIC, "now"));
static UNTIL: Phrases = LazyLock::new(|| section(AUTOMATIC, "until"));

/// True for the Subject of an absence note. A person's answer to one begins with `Re:`.
pub(super) fn is_absence(subject: &str) -> bool {
    let subject = folded(subject);
    let start = untagged(&subject);
    let behind = || NOW.iter().find_map(|now| start.strip_prefix(now));
    let says = |start: &str| {
        first_of(start, &ANSWERS).is_some()
            || ANSWERS_ALONE.iter().any(|begin| start.strip_prefix(begin).is_some_and(ends))
    };
    // `Re: game 1 (Out of office)`; `[Auto-Reply] Re: dvonn 1`.
    let in_brackets = || {
        let pieces = subject.split(['(', '[', '【', '（', '〔']).skip(1);
        pieces.map(str::trim_start).any(|piece| first_of(piece, &ANSWERS).is_some())
    };
    says(start) || behind().is_some_and(says) || in_brackets()
}

pub(super) fn is_report_subject(subject: &str) -> bool {
    let subject = folded(subject);
    let start = untagged(&subject);
    first_of(start, &REPORTS).or_else(|| first_of(&subject, &REPORTS)).is_some()
}

/// True if nothing, or a date, follows.
fn ends(rest: &str) -> bool {
    let rest = rest.trim_start();
    match rest.chars().next() {
        None => true,
        // Not `Absent-minded`.
        Some('-') if rest.chars().nth(1).is_some_and(char::is_alphabetic) => false,
        Some(c) if c.is_ascii_digit() || ":;,.!()[]-–—".contains(c) => true,
        Some(_) if bare(rest).len() < rest.len() => true,
        Some(_) => {
            let word = rest.split_whitespace().next().unwrap_or_default();
            let word = word.split('\'').next().unwrap_or_default();
            UNTIL.contains(&word) && rest.contains(|c: char| c.is_ascii_digit())
        }
    }
}
