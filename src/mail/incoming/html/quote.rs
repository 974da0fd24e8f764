//! How mail programs mark quotes in HTML.

use std::sync::LazyLock;

use html5gum::StartTag;

use super::elements::attribute;
use crate::mail::phrases::{Phrases, QUOTES, section};

/// The role of an element in a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// An earlier mail, its attribution, or a signature.
    Quote,
    /// Contains an attribution and the quote as a `blockquote`, and sometimes the writer's words below. Without a
    /// `blockquote` all of it is a quote.
    Container,
    /// The earlier mail begins here and follows in the next siblings of this element.
    Mark,
}

/// Classes and ids of quotes, of the lines above them, and of signatures.
static QUOTED: Phrases = LazyLock::new(|| section(QUOTES, "classes of quotes"));
static OWN: Phrases = LazyLock::new(|| section(QUOTES, "classes of own words"));
static CONTAINERS: Phrases = LazyLock::new(|| section(QUOTES, "classes of containers"));
static MARKS: Phrases = LazyLock::new(|| section(QUOTES, "classes of marks"));

pub(super) fn role(name: &str, tag: &StartTag<()>) -> Role {
    let style = attribute(tag, "style").to_lowercase().replace(char::is_whitespace, "");
    if name == "blockquote" {
        // Gmail, Apple Mail and Outlook indent the writer's own words with this element.
        let bare = ["border:none", "border:medium", "border:0"].iter().any(|bare| style.contains(bare));
        let indent = bare && !style.contains("border-left");
        let marked = ["type", "itemtype"].map(|name| attribute(tag, name).to_lowercase());
        let cited = marked.iter().any(|mark| mark == "cite" || mark.ends_with("quotedtext"));
        // Compares whole class names: a class with a prefix belongs to an earlier mail.
        let is_own =
            attribute(tag, "class").to_lowercase().split_whitespace().any(|class| OWN.contains(&class));
        let is_plain = is_own || indent && names(tag).is_empty();
        return if is_plain && !cited { Role::Plain } else { Role::Quote };
    }
    let names = names(tag);
    let is = |words: &[&str]| names.iter().any(|name| words.contains(&name.as_str()));
    if is(&MARKS) || starts_outlook_header(name, &style) {
        return Role::Mark;
    }
    let named = attribute(tag, "name").to_lowercase();
    let zimbra = attribute(tag, "data-marker").eq_ignore_ascii_case("__QUOTED_TEXT__");
    let yahoo = names.iter().any(|name| name.contains("yahoo_quoted"));
    // GMX and web.de name their quotes; other programs draw a line on the left of a quote.
    let lined = name == "div" && style.contains("border-left:") && style.contains("solid");
    if is(&QUOTED) || zimbra || yahoo || lined || matches!(named.as_str(), "quote" | "quoted-content") {
        return Role::Quote;
    }
    if is(&CONTAINERS) { Role::Container } else { Role::Plain }
}

/// The line above the header of the earlier mail, as Outlook, Outlook on the web and Windows Mail draw it.
fn starts_outlook_header(name: &str, style: &str) -> bool {
    let outlook = style.contains("border-top:solid") && style.contains("padding:3.0pt0");
    let page = style.contains("border-style:solidnonenone") && style.contains("padding:3pt0");
    let windows = style.contains("border-top-width:1px") && style.contains("border-top-style:solid");
    name == "div" && (outlook || page || windows)
}

/// Classes and id in lower case, without the prefixes that programs add to those of a quoted mail.
fn names(tag: &StartTag<()>) -> Vec<String> {
    let both = format!("{} {}", attribute(tag, "class"), attribute(tag, "id")).to_lowercase();
    let bare = |name: &str| {
        let mut name = name;
        while let Some(rest) = name.strip_prefix("x_").or_else(|| name.strip_prefix("ecx")) {
            name = rest;
        }
        name.to_owned()
    };
    both.split_whitespace().map(bare).collect()
}
