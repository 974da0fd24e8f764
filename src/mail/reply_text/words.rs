//! The words of mail programs, in lower case.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::mail::phrases::{Phrases, QUOTES, section};

/// Words between rules above an earlier mail.
pub(super) static ORIGINALS: Phrases = LazyLock::new(|| section(QUOTES, "originals"));
/// Words above a forwarded mail; Apple uses no rules.
pub(super) static FORWARDS: Phrases = LazyLock::new(|| section(QUOTES, "forwards"));
/// Parts of the words for `original` and `forwarded`.
pub(super) static STEMS: Phrases = LazyLock::new(|| section(QUOTES, "stems"));
/// Verbs of writing, near the end of an attribution.
pub(super) static VERBS: Phrases = LazyLock::new(|| section(QUOTES, "verbs"));
/// Verbs and nouns that have this meaning only at the very end of an attribution.
pub(super) static CLOSINGS: Phrases = LazyLock::new(|| section(QUOTES, "closings"));
/// Verbs followed by the writer's name.
pub(super) static NAMES_LAST: Phrases = LazyLock::new(|| section(QUOTES, "names last"));
/// Words for "I" and "we": a verb with such a subject is a person's.
pub(super) static MINE: Phrases = LazyLock::new(|| section(QUOTES, "mine"));
/// First words of attributions without a verb.
pub(super) static CITING: Phrases = LazyLock::new(|| section(QUOTES, "citing"));
/// The beginnings of disclaimers.
pub(super) static DISCLAIMERS: Phrases = LazyLock::new(|| section(QUOTES, "disclaimers"));
/// First words of attributions with a date.
static LEADS: Phrases = LazyLock::new(|| section(QUOTES, "leads"));
/// Weekdays, whole and short.
static DAYS: Phrases = LazyLock::new(|| section(QUOTES, "days"));
/// The beginnings of months.
static MONTHS: Phrases = LazyLock::new(|| section(QUOTES, "months"));

/// The fields of a header block inside a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderField {
    From,
    Date,
    To,
    Subject,
    Other,
}

const FIELDS: [(HeaderField, &str); 5] = [
    (HeaderField::From, "field from"),
    (HeaderField::Date, "field date"),
    (HeaderField::To, "field to"),
    (HeaderField::Subject, "field subject"),
    (HeaderField::Other, "field other"),
];

/// The field of a header block with this name.
pub(super) fn field(name: &str) -> Option<HeaderField> {
    static KNOWN: LazyLock<HashMap<&str, HeaderField>> = LazyLock::new(|| {
        // If a name means several fields, the first counts.
        let all = FIELDS.iter().rev();
        all.flat_map(|(kind, name)| section(QUOTES, name).into_iter().map(|name| (name, *kind))).collect()
    });
    KNOWN.get(name).copied()
}

/// True for the first word of an attribution with a date: a preposition, a weekday or a month.
pub(super) fn leads(word: &str) -> bool {
    // Declensions and abbreviations differ, so the beginning of a month counts.
    LEADS.contains(&word) || DAYS.contains(&word) || MONTHS.iter().any(|month| month_is(month, word))
}

/// True if `words` are just a verb of writing.
pub(super) fn is_verb(words: &str) -> bool {
    VERBS.contains(&words) || CLOSINGS.contains(&words)
}

fn month_is(month: &str, word: &str) -> bool {
    word.strip_prefix(month).is_some_and(|rest| rest.len() <= 14 && rest.chars().all(char::is_alphabetic))
}
