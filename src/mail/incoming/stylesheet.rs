//! Finds the style sheet that some programs leave at the start of a mail's text.

use std::sync::LazyLock;

use crate::mail::phrases::{BANNERS, Phrases, first_of, section};

static PROPERTIES: Phrases = LazyLock::new(|| section(BANNERS, "properties of styles"));

/// The text after its leading CSS rules; `None` if it begins with no rule.
pub(super) fn behind(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    let mut has_rules = false;
    loop {
        let rule = rule(rest).or_else(|| group(rest));
        has_rules |= rule.is_some();
        let Some(behind) = rule.or_else(|| mark(rest)) else { break has_rules.then_some(rest) };
        rest = behind.trim_start();
    }
}

/// A comment, or a tag around the rules.
fn mark(text: &str) -> Option<&str> {
    let whole = |begins: &str, ends: &str| Some(text.strip_prefix(begins)?.split_once(ends)?.1);
    let bare = || ["<!--", "-->", "</style>"].iter().find_map(|mark| text.strip_prefix(mark));
    whole("/*", "*/").or_else(|| whole("<style", ">")).or_else(bare)
}

/// `@media screen { … }`
fn group(text: &str) -> Option<&str> {
    let (_, mut rest) = text.strip_prefix("@media")?.split_once('{')?;
    while let Some(behind) = rule(rest.trim_start()) {
        rest = behind;
    }
    rest.trim_start().strip_prefix('}')
}

/// `p.x, li { margin: 0 }`. A person's words never have the form of its selector.
fn rule(text: &str) -> Option<&str> {
    const LONGEST: usize = 400;
    let (selector, body) = text.split_once('{').filter(|(selector, _)| selector.len() <= LONGEST)?;
    let mut lines = selector.trim_end().lines().rev().skip(1);
    let is_one = !selector.trim().is_empty() && lines.all(|line| line.trim_end().ends_with(','));
    let is_selector =
        |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || ".#*:,>-_@\\()[]\"=".contains(c);
    let (declarations, behind) = body.split_once('}')?;
    let (property, _) = declarations.trim_start().split_once(':')?;
    (is_one && selector.chars().all(is_selector) && first_of(property, &PROPERTIES).is_some())
        .then_some(behind)
}
