//! The line with which a mail program introduces a quote: `On 3 Apr 2026, at 16:19, Ann <ann@x.org> wrote:`.
//!
//! Long ones are folded, in front of an address as a rule, and some leave an empty line there.

use super::{Line, quotes_follow, words};

/// One goes over no more lines than this,
const LINES: usize = 6;
/// and has no more octets.
const LENGTH: usize = 600;

/// How many lines from the first on are an attribution, if they are one.
pub(super) fn at(lines: &[Line<'_>]) -> Option<usize> {
    let first = lines.first()?;
    let open = may_be_folded(&first.plain);
    let mut joined = String::new();
    for (number, line) in lines.iter().take(LINES).enumerate() {
        if number > 0 {
            let inside = joined.matches('<').count() > joined.matches('>').count();
            let next = lines.get(number + 1).is_some_and(|next| next.plain.starts_with('<'));
            let fits = if line.is_blank() {
                next
            } else {
                inside || !line.plain.starts_with('>') && (has_verb(&first.plain) || !begins(&line.plain))
            };
            if !open || !fits {
                return None;
            }
            joined.push(' ');
        }
        joined.push_str(&line.plain);
        if joined.len() > LENGTH {
            return None;
        }
        let below = lines.get(number + 1..).unwrap_or_default();
        if is_whole(&joined) || is_dated_address(&joined, below) || is_weak(&joined) && quotes_follow(below) {
            return Some(number + 1);
        }
    }
    None
}

/// Whether a first line may go on in the next: it begins as attributions do, or breaks off at an address.
fn may_be_folded(plain: &str) -> bool {
    begins(plain) || plain.contains('<') || plain.contains('@') && has_verb(plain)
}

/// Whether a line begins as an attribution with a date does.
fn begins(plain: &str) -> bool {
    let plain = trimmed(plain);
    let (first, rest) = plain.split_once(' ').unwrap_or((plain, ""));
    let dated = rest.chars().any(|c| c.is_ascii_digit());
    (words::LEADS.contains(&first.trim_end_matches([',', '.'])) && dated)
        || plain.starts_with(|c: char| c.is_ascii_digit())
        || plain.starts_with('\u{5728}')
}

/// With its verb, its colon, and a date or an address. `---- On … wrote ----` does without the colon.
fn is_whole(joined: &str) -> bool {
    let plain = trimmed(joined);
    let ruled = joined.starts_with("--") && joined.ends_with("--");
    let closed = ruled || plain.ends_with([':', '\u{FF1A}']);
    closed && (has_verb(plain) && (is_dated(plain) || has_address(plain)) || is_cited(plain))
}

/// Only where quoted lines follow: `On Friday Ann wrote:`, for people write so too; and a date with an address
/// and a colon, in whatever language.
fn is_weak(joined: &str) -> bool {
    let plain = trimmed(joined);
    let Some(rest) = plain.strip_suffix([':', '\u{FF1A}']).filter(|_| plain.len() <= 200) else {
        return false;
    };
    let rest = rest.trim_end();
    words::VERBS.iter().any(|verb| rest.ends_with(verb)) || is_dated(rest) && has_address(rest)
}

/// `2026-10-24 15:36 GMT+02:00 Ann <ann@x.org>:`: Gmail writes some languages without a verb.
fn is_dated_address(joined: &str, below: &[Line<'_>]) -> bool {
    let plain = trimmed(joined);
    if !begins(plain) || !is_dated(plain) {
        return false;
    }
    let year: String = plain.chars().take_while(char::is_ascii_digit).collect();
    let rest = plain.get(year.len()..).unwrap_or_default();
    let year = year.len() == 4 && rest.starts_with(['-', '/', '.', '\u{5E74}']);
    let address = has_address(plain) && plain.trim_end_matches(':').trim_end().ends_with('>');
    // Without an address its line is not known to be whole; the time zone shows that a program wrote it.
    let zone = plain.contains(" gmt+") || plain.contains(" gmt-") || plain.contains(" utc+");
    address && (year || plain.ends_with(':'))
        || year && zone && !plain.contains('<') && below.first().is_none_or(Line::is_blank)
}

/// `Quoting Ann <ann@x.org>:`
fn is_cited(plain: &str) -> bool {
    words::CITING.iter().any(|start| plain.starts_with(start)) && plain.contains('@')
}

fn trimmed(plain: &str) -> &str {
    plain.trim_matches(['-', '*', '_', ' ', '\u{2014}'])
}

/// A verb of writing as a word of its own; scripts without blanks have no words.
fn has_verb(plain: &str) -> bool {
    words::VERBS.iter().any(|verb| {
        plain.match_indices(verb).any(|(at, _)| {
            let before = plain.get(..at).and_then(|before| before.chars().next_back());
            let after = plain.get(at + verb.len()..).and_then(|after| after.chars().next());
            let spaced = verb.starts_with(|c: char| c < '\u{2E80}');
            !spaced || !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

fn has_address(plain: &str) -> bool {
    plain.split_once('@').is_some_and(|(local, domain)| {
        local.ends_with(|c: char| c.is_alphanumeric())
            && domain.starts_with(|c: char| c.is_alphanumeric() || c == '[')
    }) || plain.contains("mailto:")
}

/// A year, a time of day, or a date in figures.
fn is_dated(plain: &str) -> bool {
    let mut number = 0_usize;
    let mut before = ' ';
    for c in plain.chars().chain([' ']) {
        if c.is_ascii_digit() {
            number += 1;
            continue;
        }
        if number == 4 && !before.is_alphanumeric() || matches!(c, ':' | '.' | '/' | '\u{6642}') && number > 0
        {
            return true;
        }
        number = 0;
        before = c;
    }
    false
}
