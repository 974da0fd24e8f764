//! How a mail program treats elements, by their names.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

/// Elements without an end tag.
pub(super) const VOID: [&str; 13] =
    ["area", "base", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements that begin and end a line.
pub(super) const BLOCKS: [&str; 28] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "section",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "caption",
    "option",
    "select",
];
/// Elements with an empty line around them.
pub(super) const PARAGRAPHS: [&str; 11] =
    ["h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"];
/// Elements whose content is not shown.
pub(super) const DROPPED: [&str; 13] = [
    "audio", "canvas", "datalist", "iframe", "noembed", "noframes", "rp", "script", "style", "svg",
    "template", "title", "video",
];
/// Elements whose text the writer has struck out.
pub(super) const STRUCK: [&str; 3] = ["s", "strike", "del"];
/// Elements that continue after the end of the element in which they were left open.
pub(super) const FORMATTING: [&str; 13] =
    ["a", "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"];

pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name) || PARAGRAPHS.contains(&name)
}

pub(super) fn attribute(tag: &StartTag<()>, name: &str) -> String {
    tag.attributes
        .get(name.as_bytes())
        .map(|value| String::from_utf8_lossy(value).into_owned())
        .unwrap_or_default()
}

pub(super) fn tokens(html: &str) -> impl Iterator<Item = Token<()>> {
    let mut emitter = DefaultEmitter::default();
    // Tags within a script or a title are text.
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).map(|Ok(token)| token)
}
