//! Finds the line that introduces a quote: `On 3 Apr 2026, at 16:19, Ann <ann@x.org> wrote:`.
//!
//! Long ones are folded, usually before an address, and some continue after an empty line.

use super::{Line, quotes_follow, words};

/// The most lines of an attribution.
const LINES: usize = 6;
/// The most octets of an attribution.
const LENGTH: usize = 600;

/// The number of lines in the attribution at the start, if there is one.
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

/// True when the next line may continue this one: it begins as an attribution, or breaks off at an address.
fn may_be_folded(plain: &str) -> bool {
    begins(plain) || plain.contains('<') || plain.contains('@') && has_verb(plain)
}

fn begins(plain: &str) -> bool {
    let plain = trimmed(plain);
    let (first, rest) = plain.split_once(' ').unwrap_or((plain, ""));
    let dated = rest.chars().any(|c| c.is_ascii_digit());
    (words::LEADS.contains(&first.trim_end_matches([',', '.'])) && dated)
        || plain.starts_with(|c: char| c.is_ascii_digit())
        || plain.starts_with('\u{5728}')
}

/// A verb, a colon, and a date or an address. `---- On … wrote ----` has no colon.
fn is_whole(joined: &str) -> bool {
    let plain = trimmed(joined);
    let ruled = joined.starts_with("--") && joined.ends_with("--");
    let closed = ruled || plain.ends_with([':', '\u{FF1A}']);
    closed && (has_verb(plain) && (is_dated(plain) || has_address(plain)) || is_cited(plain))
}

/// Forms that count only before quoted lines, since people write them too: `On Friday Ann wrote:`, or a date
/// with an address and a colon in any language.
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
    // Without an address the line may be cut. The time zone shows that a program wrote it.
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

/// True when a verb of writing stands as a word. Scripts without blanks have no word borders.
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

/// True for a year, a time of day, or a date in digits.
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
