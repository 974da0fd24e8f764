//! Finds the line that introduces a quote: `On 3 Apr 2026, at 16:19, Ann <ann@x.org> wrote:`.
//!
//! Long attributions are folded, usually before an address, and some continue after an empty line. Programs write the
//! year, the hour and the address; people's sentences of this kind have fewer parts and often the word "I".

use super::line::{TextLine, quotes_follow};
use super::when::When;
use super::words;

/// The most lines of an attribution.
const LINES: usize = 6;
/// The most octets of an attribution.
const LENGTH: usize = 600;

/// The number of lines of the attribution at the start, if there is one.
pub(super) fn at(lines: &[TextLine<'_>]) -> Option<usize> {
    running(lines).or_else(|| stacked(lines))
}

fn running(lines: &[TextLine<'_>]) -> Option<usize> {
    let first = lines.first()?;
    let open = may_be_folded(&first.plain);
    let mut joined = String::new();
    for (number, line) in lines.iter().take(LINES).enumerate() {
        if number > 0 {
            let inside = joined.matches('<').count() > joined.matches('>').count();
            let next = lines.get(number + 1).is_some_and(|next| next.plain.starts_with('<'));
            let fits = if line.is_blank() { next } else { inside || !line.plain.starts_with('>') };
            if !open || !fits || stands_alone(lines.get(number..).unwrap_or_default()) {
                return None;
            }
            joined.push(' ');
        }
        joined.push_str(&line.plain);
        if joined.len() > LENGTH {
            return None;
        }
        if is_attribution(&joined, lines.get(number + 1..).unwrap_or_default()) {
            return Some(number + 1);
        }
    }
    None
}

/// `On Mon, Nov 16, 2026 at 17:02, Ann<ann@x.org> wrote: Your move`: Yahoo on a phone begins the earlier mail in the
/// same line.
pub(super) fn runs_on(line: &TextLine<'_>) -> bool {
    let plain = trimmed(&line.plain);
    if !plain.contains('@') || !begins(plain) {
        return false;
    }
    plain.match_indices(": ").take(LINES).any(|(at, _)| {
        let head = plain.get(..at).unwrap_or_default();
        let when = When::of(head);
        (when.year || when.date)
            && when.time
            && has_address(head)
            && (ends_with_verb(head) || head.ends_with('>'))
            && says(head)
    })
}

/// The place in a line at which an attribution begins after the writer's words: `Nice game! On Mon, 16 Nov
/// 2026 at 17:02, Ann <ann@x.org> wrote:`. `rest` is the text from the line on.
pub(super) fn begins_inside(line: &str, rest: &str) -> Option<usize> {
    const TRIES: usize = 8;
    const LOOK_AT: usize = 400;
    // Almost no line has an attribution inside.
    if !line.contains(['@', '<']) || begins(&TextLine::new(line).plain) {
        return None;
    }
    let words = line.match_indices(' ').map(|(at, _)| at + 1).take_while(|at| *at < LOOK_AT);
    let leads = words.filter(|at| {
        let first = line.get(*at..).and_then(|tail| tail.split([' ', ',', '.']).next()).unwrap_or_default();
        words::leads(&first.to_lowercase())
    });
    leads.take(TRIES).find(|at| {
        let head = TextLine::new(line.get(..*at).unwrap_or_default()).plain;
        let tail = rest.get(*at..).unwrap_or_default();
        let lines: Vec<TextLine<'_>> = tail.split_inclusive('\n').take(LINES).map(TextLine::new).collect();
        let length = running(&lines).unwrap_or(0);
        let joined: String = lines.iter().take(length).map(|line| line.plain.as_str()).collect();
        let when = When::of(&joined);
        let is_whole = (when.year || when.date) && when.time && has_address(&joined) && says(&joined);
        is_whole && head.contains(char::is_alphanumeric) && !head.contains(['@', '<', '>']) && !says(&head)
    })
}

/// True if a separate attribution begins here: the line above is then no part of it.
fn stands_alone(lines: &[TextLine<'_>]) -> bool {
    let mut joined = String::new();
    for (number, line) in lines.iter().take(3).enumerate() {
        if number == 0 && !(begins(&line.plain) && (When::of(&line.plain).any() || line.plain.contains('<')))
        {
            return false;
        }
        if number > 0 {
            joined.push(' ');
        }
        joined.push_str(&line.plain);
        if joined.len() > LENGTH {
            return false;
        }
        // A time alone is not enough: it can end an attribution that begins with a name in the line above.
        if !joined.ends_with([':', '\u{FF1A}']) {
            continue;
        }
        let when = When::of(&joined);
        if (when.year || when.date) && has_subject(&joined) && is_attribution(&joined, &[]) {
            return true;
        }
    }
    false
}

/// True if a verb or an address tells whose words follow.
fn has_subject(joined: &str) -> bool {
    has_address(joined) || says(joined)
}

/// Date, name and verb on separate lines, the verb alone.
fn stacked(lines: &[TextLine<'_>]) -> Option<usize> {
    const LONGEST: usize = 80;
    const ABOVE: usize = 3;
    let verb =
        lines.iter().take(ABOVE + 1).position(|line| is_bare_verb(&line.plain)).filter(|at| *at > 0)?;
    let above = lines.get(..verb)?;
    let short = |line: &TextLine<'_>| {
        !line.is_blank()
            && line.plain.len() <= LONGEST
            && !line.plain.starts_with('>')
            && !line.plain.ends_with('.')
    };
    // The first line has a date or an address, or it is a name and the next line has one.
    let tells = |line: &TextLine<'_>| When::of(&line.plain).any() || has_address(&line.plain);
    let whole = above.iter().all(short) && above.iter().take(2).any(tells);
    let (first, below) = (above.first()?, lines.get(1..)?);
    let alone = || running(below).is_some() || !tells(first) && stacked(below).is_some();
    (whole && (has_address(&first.plain) || !alone())).then_some(verb + 1)
}

fn is_bare_verb(plain: &str) -> bool {
    const LONGEST: usize = 40;
    let bare = uncolon(plain).filter(|bare| bare.len() <= LONGEST).map(trimmed);
    bare.is_some_and(|bare| bare.len() > 1 && words::is_verb(bare))
}

/// True if the next line can continue this one: it begins as an attribution, or breaks off at an address.
fn may_be_folded(plain: &str) -> bool {
    begins(plain) || plain.contains('<') || plain.contains('@') || When::of(plain).any()
}

/// True if the line begins with a date or the word before one.
fn begins(plain: &str) -> bool {
    let plain = trimmed(plain);
    let (first, rest) = plain.split_once([' ', '\u{60C}', '\u{3001}']).unwrap_or((plain, ""));
    let first = first.trim_end_matches([',', '.']);
    let dated = rest.chars().any(|c| c.is_ascii_digit());
    dated && words::leads(first)
        || plain.starts_with(|c: char| c.is_ascii_digit())
        || plain.starts_with(['\u{5728}', '\u{65BC}', '\u{4E8E}'])
}

fn is_attribution(joined: &str, below: &[TextLine<'_>]) -> bool {
    let plain = trimmed(joined);
    if plain.rsplit(' ').next().is_some_and(|word| word.contains("://") && !word.contains('<')) {
        return false;
    }
    let ruled = joined.starts_with("--") && joined.ends_with("--");
    let Some(rest) = uncolon(plain).or_else(|| ruled.then_some(plain)) else {
        return is_open(plain, below);
    };
    let when = When::of(plain);
    let address = has_address(plain);
    if (when.any() || address) && says(rest) || is_cited(plain) {
        return true;
    }
    // `ann via Some List wrote:`
    if rest.contains(" via ") && ends_with_verb(rest) && rest.split(' ').count() <= 10 && says(rest) {
        return true;
    }
    // In any language: year, hour and address together are enough.
    let marked = begins(plain) || plain.contains(['<', '[']);
    if (when.year || when.date) && when.time && address && marked {
        return true;
    }
    // `Monday, 16 November 2026 from play@turnpost.example:`
    let named = rest.ends_with(['>', ')', ']']) || ends_with_address(rest);
    if (when.year || when.date) && address && named && begins(plain) && !plain.contains(" i ") {
        return true;
    }
    is_weak(rest, when, address, below) || is_dated_address(plain, below)
}

/// Forms that count only before quoted lines, because people write them too: `On Friday Ann wrote:`, or a
/// date with an address and a colon in any language.
fn is_weak(rest: &str, when: When, address: bool, below: &[TextLine<'_>]) -> bool {
    const LONGEST: usize = 200;
    rest.len() <= LONGEST
        && quotes_follow(below)
        && (ends_with_verb(rest) || when.any() && address || when.time && (when.year || when.date))
}

/// An attribution without a colon: `On Mon, 16 Nov 2026 at 17:02 Ann <ann@x.org> wrote`.
fn is_open(plain: &str, below: &[TextLine<'_>]) -> bool {
    // The rest of the attribution can be in the next line.
    let ends = below.first().is_none_or(|next| next.is_blank() || next.plain.starts_with('>'));
    if !ends || !begins(plain) && !plain.contains('@') {
        return false;
    }
    let when = When::of(plain);
    if !when.any() {
        return false;
    }
    let full = (when.year || when.date) && (when.time || has_address(plain));
    let verb =
        (full || quotes_follow(below)) && (ends_with_verb(plain) || full && names_last(plain)) && says(plain);
    verb || is_dated_address(plain, below)
}

/// `… schrieb Turnpost`: the verb, followed by a name or an address.
fn names_last(plain: &str) -> bool {
    let last = |verb: &str| plain.rsplit_once(verb).map(|(_, name)| name.trim());
    words::NAMES_LAST
        .iter()
        .filter_map(|verb| last(verb))
        .any(|name| (1..=4).contains(&name.split(' ').count()) && !name.ends_with(['.', '!', '?', ',']))
}

/// `2026-10-24 15:36 GMT+02:00 Ann <ann@x.org>:`: Gmail writes some languages without a verb.
fn is_dated_address(plain: &str, below: &[TextLine<'_>]) -> bool {
    if !begins(plain) || !When::of(plain).any() {
        return false;
    }
    let year: String = plain.chars().take_while(char::is_ascii_digit).collect();
    let rest = plain.get(year.len()..).unwrap_or_default();
    let year = year.len() == 4 && rest.starts_with(['-', '/', '.', '\u{5E74}']);
    let address = has_address(plain) && uncolon(plain).unwrap_or(plain).ends_with('>');
    // Without an address the line may be cut. The time zone shows that a program wrote it.
    let zone = plain.contains(" gmt+") || plain.contains(" gmt-") || plain.contains(" utc+");
    address && (year || plain.ends_with(':'))
        || year && zone && !plain.contains('<') && below.first().is_none_or(TextLine::is_blank)
}

/// `Quoting Ann <ann@x.org>:`
fn is_cited(plain: &str) -> bool {
    plain.contains('@') && words::CITING.iter().any(|start| plain.starts_with(start))
}

/// The text without its final colon and the spaces before it; `None` if there is no colon.
fn uncolon(plain: &str) -> Option<&str> {
    plain.strip_suffix([':', '\u{FF1A}']).map(|rest| rest.trim_end_matches([' ', '-', ',']))
}

fn trimmed(plain: &str) -> &str {
    plain.trim_matches(['-', '*', '_', '|', ' ', '\u{2014}', '\u{2010}'])
}

fn ends_with_verb(rest: &str) -> bool {
    words::VERBS.iter().chain(words::CLOSINGS.iter()).any(|verb| rest.ends_with(verb))
}

/// True if a verb of writing is a whole word, its subject is not the writer, and only what a program writes
/// follows it. Scripts without spaces have no word borders.
fn says(rest: &str) -> bool {
    words::VERBS.iter().any(|verb| {
        rest.match_indices(verb).any(|(at, _)| {
            let (before, after) =
                (rest.get(..at).unwrap_or_default(), rest.get(at + verb.len()..).unwrap_or_default());
            let spaced = verb.starts_with(|c: char| c < '\u{2E80}');
            let word = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
            let mine = |word: Option<&str>| word.is_some_and(|word| words::MINE.contains(&word));
            let name = |c: char| !c.is_alphanumeric();
            let own =
                mine(before.trim_end().rsplit(name).next()) || mine(after.trim_start().split(name).next());
            (!spaced || word) && !own && is_tail(after)
        })
    })
}

/// True if nothing, a few words, a name with its address, or a date follows the verb.
fn is_tail(after: &str) -> bool {
    const WORDS: usize = 4;
    const LONGEST: usize = 160;
    let when = || When::of(after);
    after.split_whitespace().count() <= WORDS
        || after.len() <= LONGEST && (has_address(after) || when().date || when().year && when().time)
}

fn ends_with_address(rest: &str) -> bool {
    rest.rsplit(' ').next().is_some_and(has_address)
}

fn has_address(plain: &str) -> bool {
    plain.match_indices('@').take(4).any(|(at, _)| {
        let (local, domain) = (plain.get(..at).unwrap_or_default(), plain.get(at + 1..).unwrap_or_default());
        local.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+'))
            && domain.starts_with(|c: char| c.is_alphanumeric() || c == '[')
    }) || plain.contains("mailto:")
}
