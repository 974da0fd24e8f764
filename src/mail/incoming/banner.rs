//! Finds the banner that a gateway put above a mail from outside: `CAUTION: This email comes from outside …`.
//!
//! A banner begins as banners do and says what banners say, within its first three lines; it ends with its paragraph,
//! its bracket or its rules, or where the next line says nothing of the kind. Only the head of a text is looked at.

use std::sync::LazyLock;

use super::stylesheet;
use crate::mail::phrases::{BANNERS, Haystack, Phrases, section};
use crate::mail::reply_text::{TextLine, is_rule};

static WHOLE: Phrases = LazyLock::new(|| section(BANNERS, "whole"));
static LEADS: Phrases = LazyLock::new(|| section(BANNERS, "leads"));
static MARKS: Phrases = LazyLock::new(|| section(BANNERS, "marks"));
static MORE: Phrases = LazyLock::new(|| section(BANNERS, "more"));
static ENDS: Phrases = LazyLock::new(|| section(BANNERS, "ends"));

/// The most banners above each other, and the most lines of one.
const BANNERS_AT_MOST: usize = 4;
const LINES: usize = 12;
/// How many lines say whether a banner begins.
const BEGINNING: usize = 3;
/// A line at least so long may have been folded, in characters.
const FOLDED: usize = 40;

/// The text without the banners and the style sheet above it. `own` are those of the host's gateway, as they begin.
pub(super) fn removed(text: String, own: &[String]) -> String {
    let mut rest = text.as_str();
    for _ in 0..BANNERS_AT_MOST {
        let Some(behind) = stylesheet::behind(rest).or_else(|| behind(rest, own)) else { break };
        rest = behind;
    }
    if rest.len() == text.len() { text } else { rest.to_owned() }
}

/// The text behind the banner with which it begins.
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

/// Without the brackets, stars and signs around it.
fn bare<'l>(line: &'l TextLine<'_>) -> &'l str {
    line.plain.trim_matches(|c: char| !c.is_alphanumeric())
}

/// How many lines of the paragraph are surely a banner.
fn begins(paragraph: &[TextLine<'_>], own: &[String]) -> Option<usize> {
    let first = bare(paragraph.first()?);
    // No move has a word in it, and most letters begin with one.
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

/// True for a banner of few words, also with more behind a mark: `External email - be careful`.
fn is_whole(said: &str) -> bool {
    let ends = |(whole, more): (&str, &str)| {
        more.is_empty() || whole.contains(' ') && !more.trim_start().starts_with(char::is_alphanumeric)
    };
    WHOLE.iter().filter_map(|whole| Some((*whole, said.strip_prefix(whole)?))).any(ends)
}

/// True where a line goes on with the banner above it.
fn continues(above: &TextLine<'_>, line: &TextLine<'_>) -> bool {
    let shown = above.text.trim_end();
    let ended = shown.ends_with(['.', '!', '?', ':', ']', ')', '。'])
        || ENDS.iter().any(|end| bare(above).ends_with(end));
    let is_folded = !ended && shown.chars().count() >= FOLDED;
    // A move is no prose, nor is `yes please`.
    let is_prose = line.text.trim_start().starts_with(char::is_lowercase)
        && !line.plain.contains(|c: char| c.is_ascii_digit())
        && (line.plain.split(' ').count() >= BEGINNING || line.plain.ends_with('.'));
    let more = MORE.iter().filter(|phrase| line.plain.contains(**phrase)).count();
    is_folded && (more > 0 || is_prose) || more > 1 || MARKS.iter().any(|mark| line.plain.contains(mark))
}
