//! Removes filter tags, and the marks of replies and forwards, from a Subject.

use std::sync::LazyLock;

use crate::mail::phrases::{BANNERS, Phrases, QUOTES, section};

static TAGS: Phrases = LazyLock::new(|| section(BANNERS, "subject tags"));
static MARKS: Phrases = LazyLock::new(|| section(QUOTES, "subject marks"));

const BRACKETS: [(char, char); 7] =
    [('[', ']'), ('{', '}'), ('(', ')'), ('<', '>'), ('【', '】'), ('（', '）'), ('〔', '〕')];

/// The longest text in brackets that is a tag, in octets.
const LONGEST: usize = 100;

/// The Subject without the tags of lists and filters: `[pbm] `, `***SPAM*** `, `{Spam?} `, `EXTERNAL: `. A tag that
/// nothing follows is kept.
pub fn untagged(subject: &str) -> &str {
    let mut rest = subject.trim_start();
    loop {
        let after = bracketed(rest).or_else(|| starred(rest)).or_else(|| named(rest));
        match after.map(str::trim_start) {
            Some(after) if !after.is_empty() => rest = after,
            _ => break rest.trim_start_matches(|c: char| "*!<>\"'#-=.~_ ".contains(c)),
        }
    }
}

/// The Subject without tags and without marks, in any order: `Re: `, `Re[2]: `, `AW: `, `回复：`.
pub fn bare(subject: &str) -> &str {
    let mut rest = untagged(subject);
    while let Some((mark, after)) = rest.split_once([':', '\u{FF1A}']) {
        let word = mark.trim_end_matches(|c: char| c.is_ascii_digit() || "[]()^. ".contains(c));
        if word.len() > LONGEST || !MARKS.contains(&folded(word).as_str()) {
            break;
        }
        rest = untagged(after);
    }
    rest
}

/// The Subject in lower case, with one kind of apostrophe and one of `i`. Lower-casing Turkish capitals changes them.
pub(super) fn folded(subject: &str) -> String {
    let lower = subject.trim().to_lowercase();
    let plain = |c: char| match c {
        '’' | '´' | '`' => Some('\''),
        'ı' => Some('i'),
        '\u{307}' => None,
        '：' => Some(':'),
        c => Some(c),
    };
    lower.chars().filter_map(plain).collect()
}

fn bracketed(subject: &str) -> Option<&str> {
    let (_, close) = BRACKETS.iter().find(|(open, _)| subject.starts_with(*open))?;
    subject.split_once(*close).filter(|(tag, _)| tag.len() <= LONGEST).map(|(_, rest)| rest)
}

/// A word between marks of one kind, several words between two or more marks, or a word followed by two stars.
fn starred(subject: &str) -> Option<&str> {
    let mark = subject.chars().next().filter(|c| "*#~_=!+".contains(*c)).unwrap_or('*');
    let inner = subject.trim_start_matches(mark);
    if inner.len() + 1 < subject.len() {
        let (tag, rest) = inner.split_once(&mark.to_string().repeat(2))?;
        return (tag.len() <= LONGEST).then(|| rest.trim_start_matches(mark));
    }
    let (word, rest) = inner.split_once(' ')?;
    (word.ends_with("**") || inner.len() < subject.len() && word.ends_with(mark)).then_some(rest)
}

fn named(subject: &str) -> Option<&str> {
    TAGS.iter().find_map(|tag| {
        let (begin, rest) = subject.split_at_checked(tag.len())?;
        let is_it = begin.eq_ignore_ascii_case(tag) || !tag.is_ascii() && begin.to_lowercase() == *tag;
        is_it.then_some(rest)
    })
}
