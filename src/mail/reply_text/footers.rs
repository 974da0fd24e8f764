//! Recognises the lines that phones and mail programs add below a text: `Sent from my iPhone`.
//!
//! Such a line says that something was sent and names a device or a program, and nothing else. A writer's sentence with
//! the same beginning continues: `Sent from my desk, is much easier than my phone.`

use std::sync::LazyLock;

use super::line::TextLine;
use crate::mail::phrases::{self, Phrases, section};

static STARTS: Phrases = LazyLock::new(|| section(phrases::FOOTERS, "footers"));
static WHOLE: Phrases = LazyLock::new(|| section(phrases::FOOTERS, "whole"));
static PRODUCTS: Phrases = LazyLock::new(|| section(phrases::FOOTERS, "products"));
static PROSE: Phrases = LazyLock::new(|| section(phrases::FOOTERS, "prose"));
static APOLOGIES: Phrases = LazyLock::new(|| section(phrases::FOOTERS, "apologies"));

/// Limits of a footer, in octets and in words. Longer lines are written by a person.
const LONGEST: usize = 200;
const WORDS: usize = 14;

pub(super) fn is_footer(line: &TextLine<'_>) -> bool {
    let plain = line.plain.trim_matches(|c: char| "()<>[]{}*_~-\u{2013}\u{2014}.|\"'!\u{3002} ".contains(c));
    if plain.is_empty() || line.plain.len() > LONGEST {
        return false;
    }
    if WHOLE.contains(&plain) {
        return true;
    }
    let (plain, rest) = sentence(plain);
    let apology = |rest: &str| APOLOGIES.iter().any(|start| rest.trim_start().starts_with(start));
    if !rest.is_empty() && !apology(rest) {
        return false;
    }
    let said = plain.split_once(", ").is_none_or(|(_, more)| names_product(more) || apology(more));
    said && !is_prose(plain)
        && (is_advertisement(plain) || is_sent(plain) && names_product(plain) || is_short(plain))
}

/// `Sent from my TI-85`, `Bob from mobile`: there are too many devices to list.
fn is_short(plain: &str) -> bool {
    let (plain, _) = plain.split_once(", ").unwrap_or((plain, ""));
    let words = plain.split(' ').count();
    let ends = ["from mobile", "from my mobile", "from my phone", "from phone"];
    words <= 6 && plain.starts_with("sent from my ")
        || words <= 4 && ends.iter().any(|end| plain.ends_with(end))
}

/// `Get Outlook for Android<https://aka.ms/x>`, in any language.
fn is_advertisement(plain: &str) -> bool {
    let system = ["ios", "android", "aka.ms", "mac"].iter().any(|name| plain.contains(name));
    plain.contains("outlook") && system && plain.split(' ').count() <= 8
}

fn is_sent(plain: &str) -> bool {
    STARTS.iter().any(|footer| {
        let (start, end) = footer.split_once('…').unwrap_or((footer, ""));
        plain.strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
    })
}

fn names_product(plain: &str) -> bool {
    PRODUCTS.iter().any(|name| plain.contains(name))
}

/// True for words that footers do not have.
fn is_prose(plain: &str) -> bool {
    let words = || plain.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    plain.ends_with('?')
        || plain.contains("? ")
        || plain.contains("; ")
        || words().count() > WORDS
        || words().any(|word| PROSE.contains(&word))
}

/// The first sentence, and the rest.
fn sentence(plain: &str) -> (&str, &str) {
    let end = [". ", "! ", "\u{3002}"].iter().filter_map(|end| plain.find(end)).min();
    match end.and_then(|end| plain.split_at_checked(end)) {
        Some((first, rest)) => (first, rest.trim_start_matches(['.', '!', '\u{3002}', ' '])),
        None => (plain, ""),
    }
}
