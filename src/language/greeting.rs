//! Words by which people begin a letter, or ask whether a person reads it.

use std::sync::LazyLock;

use crate::mail::phrases::{GREETINGS, Phrases, section};

static GREETING: Phrases = LazyLock::new(|| section(GREETINGS, "greetings"));
static SMALL_TALK: Phrases = LazyLock::new(|| section(GREETINGS, "small talk"));

/// True for a word, in lower case and without marks, that greets.
pub(crate) fn is_greeting(word: &str) -> bool {
    GREETING.contains(&word)
}

/// True for a text that greets and says nothing else.
pub(crate) fn only_greets(text: &str) -> bool {
    // `:)` says something too.
    text.split_whitespace()
        .map(|word| word.trim_end_matches([',', '.', '!', '?', ':', ';', '-', '\u{2013}', '\u{2014}']))
        .all(|word| word.is_empty() || is_greeting(&word.to_lowercase()))
}

/// True if the first word of a line is small talk, and so no misspelt command.
pub(super) fn is_small_talk(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    is_greeting(bare) || SMALL_TALK.contains(&bare)
}
