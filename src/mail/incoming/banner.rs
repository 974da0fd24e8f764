//! Finds the banner that a gateway put above a mail from outside: `CAUTION: This email comes from outside …`.
//!
//! A banner has the phrases of banners within its first three lines. It ends with its paragraph, its bracket or its
//! rules, or before the first line without such a phrase. Only the head of a text is searched.

use std::sync::LazyLock;

use super::stylesheet;
use crate::mail::phrases::{BANNERS, Haystack, Phrases, section};
use crate::mail::reply_text::{TextLine, is_rule};

static WHOLE: Phrases = LazyLock::new(|| section(BANNERS, "whole"));
static LEADS: Phrases = LazyLock::new(|| section(BANNERS, "leads"));
static MARKS: Phrases = LazyLock::new(|| section(BANNERS, "marks"));
static MORE: Phrases = LazyLock::new(|| section(BANNERS, "more"));
static ENDS: Phrases = LazyLock::new(|| section(BANNERS, "ends"));

/// The most banners in a row, and the most lines of one.
const BANNERS_AT_MOST: usize = 4;
const LINES: usize = 12;
/// The number of lines that must show that this is a banner.
const BEGINNING: usize = 3;
/// A line of at least this many characters may have been folded.
const FOLDED: usize = 40;

/// The text without the banners and style sheet above it. `own` are the beginnings of the host's own banners.
pub(super) fn removed(text: String, own: &[String]) -> String {
    let mut rest = text.as_str();
    for _ in 0..BANNERS_AT_MOST {
        let Some(behind) = stylesheet::behind(rest).or_else(|| behind(rest, own)) else { break };
        rest = behind;
    }
    if rest.len() == text.len() { text } else { rest.to_owned() }
}

/// The text after its leading banner; `None` if it has no banner.
fn behind<'a>(text: &'a str, own: &[String]) -> Option<&'a str> {
    let lines: Vec<TextLine<'a>> = text.split_inclusive('\n').take(LINES).map(TextLine::new).collect();
    let start = lines.iter().position(|line| !is_rule(line))?;
    let is_ruled = lines.iter().take(start).any(|line| !line.is_blank());
    let paragraph = lines.get(start..)?.split(TextLine::is_blank).next()?;
    let mut length = begins(paragraph, own)?;
    let closing = paragraph.iter().position(is_rule).filter(|_| is_ruled).unwrap_or(0);
    while let (Some(above), Some(line)) = (paragraph.get(length - 1), paragraph.get(length)) {
        let said = paragraph.get(..length).unwrap_or_default();
        let is_open = text.trim_start().starts_with('[') && !said.iter().any(|line| line.text.contains(']'));
        if !(is_open || length < closing || is_rule(line) || continues(above, line)) {
            break;
        }
        length += 1;
    }
    let octets: usize = lines.iter().take(start + length).map(|line| line.text.len()).sum();
    Some(text.get(octets..)?.trim_start_matches(['\n', ' ']))
}

/// The line without brackets, stars and signs around it.
fn bare<'l>(line: &'l TextLine<'_>) -> &'l str {
    line.plain.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The number of lines of the paragraph that are certainly a banner.
fn begins(paragraph: &[TextLine<'_>], own: &[String]) -> Option<usize> {
    let first = bare(paragraph.first()?);
    // A fast exit: most letters begin with a move, which contains no word.
    if own.is_empty() && first.split(|c: char| !c.is_alphabetic()).all(|word| word.len() < BEGINNING) {
        return None;
    }
    let lead = LEADS.iter().find(|lead| {
        let behind = first.strip_prefix(**lead);
        behind.is_some_and(|behind| !lead.is_ascii() || !behind.starts_with(char::is_alphanumeric))
    });
    let mut joined = String::new();
    for (number, line) in paragraph.iter().take(BEGINNING).enumerate() {
        joined.push_str(bare(line));
        let said = || lead.and_then(|lead| joined.get(lead.len()..)).map(Haystack::new);
        let is_marked = || said().is_some_and(|said| MARKS.iter().any(|mark| said.contains(mark)));
        let is_own = || own.iter().any(|own| joined.starts_with(own.as_str()));
        if is_whole(&joined) || is_marked() || is_own() {
            return Some(number + 1);
        }
        joined.push(' ');
    }
    None
}

/// True for a whole banner of few words, or one followed by a sign and more: `External email - be careful`.
fn is_whole(said: &str) -> bool {
    let ends = |(whole, more): (&str, &str)| {
        more.is_empty() || whole.contains(' ') && !more.trim_start().starts_with(char::is_alphanumeric)
    };
    WHOLE.iter().filter_map(|whole| Some((*whole, said.strip_prefix(whole)?))).any(ends)
}

fn continues(above: &TextLine<'_>, line: &TextLine<'_>) -> bool {
    let shown = above.text.trim_end();
    let ended = shown.ends_with(['.', '!', '?', ':', ']', ')', '。'])
        || ENDS.iter().any(|end| bare(above).ends_with(end));
    let is_folded = !ended && shown.chars().count() >= FOLDED;
    // Neither a move nor `yes please` is prose.
    let is_prose = line.text.trim_start().starts_with(char::is_lowercase)
        && !line.plain.contains(|c: char| c.is_ascii_digit())
        && (line.plain.split(' ').count() >= BEGINNING || line.plain.ends_with('.'));
    let more = MORE.iter().filter(|phrase| line.plain.contains(**phrase)).count();
    is_folded && (more > 0 || is_prose) || more > 1 || MARKS.iter().any(|mark| line.plain.contains(mark))
}
