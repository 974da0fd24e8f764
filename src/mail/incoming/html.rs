//! The text of a mail that has HTML alone.
//!
//! The tokenizer knows what is a tag and what is text. Which elements are open is kept here, as far as a letter needs
//! it: to know where a quote ends, where a line ends, and how deep it goes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

use super::message::TooMuch;
use crate::clock::work;

/// Elements deeper than this are no mail program's.
const MAX_DEPTH: usize = 200;
/// More tags than this are no letter.
const MAX_TAGS: usize = 10_000;

/// Elements without an end tag.
const VOID: [&str; 13] =
    ["area", "base", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements that begin and end a line.
const BLOCKS: [&str; 27] = [
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
/// Those with an empty line around them.
const PARAGRAPHS: [&str; 11] = ["h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"];
/// Elements whose content is not the writer's words, and the classes of those that quote an earlier mail.
const DROPPED: [&str; 5] = ["blockquote", "script", "style", "template", "title"];
const QUOTES: [&str; 4] = ["gmail_quote", "gmail_quote_container", "moz-cite-prefix", "yahoo_quoted"];
/// Outlook writes the earlier mail behind an element of this name, as its sisters.
const MARKS: [&str; 2] = ["divrplyfwdmsg", "appendonsend"];

/// The text that a reader would see, quotes of earlier mails left out.
pub(super) fn to_text(html: &str) -> Result<String, TooMuch> {
    if html.bytes().filter(|b| *b == b'<').count() > MAX_TAGS {
        return Err(TooMuch::Parts);
    }
    // A library for the web at large is not let near the process: a panic there is a mail without text.
    catch_unwind(AssertUnwindSafe(|| render(html))).unwrap_or_else(|_| Ok(String::new()))
}

fn render(html: &str) -> Result<String, TooMuch> {
    let mut emitter = DefaultEmitter::default();
    // Tags within a script or a title are text.
    emitter.naively_switch_states(true);
    let mut page = Page::default();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => page.start(&tag)?,
            Token::EndTag(tag) => page.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => page.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    Ok(page.text.lines().map(|line| format!("{}\n", line.trim_end())).collect())
}

/// An element that is open.
struct Open {
    name: String,
    /// The list items in it so far.
    items: u32,
}

impl Open {
    fn is_block(&self) -> bool {
        is_block(&self.name)
    }
}

#[derive(Default)]
struct Page {
    open: Vec<Open>,
    /// Nothing is shown while so many elements are open.
    hidden: Option<usize>,
    text: String,
    /// The line ends that the next word needs before it, and whether a blank.
    line_ends: usize,
    blank: bool,
}

impl Page {
    fn start(&mut self, tag: &StartTag<()>) -> Result<(), TooMuch> {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        work::count(1 + self.open.len());
        match name.as_str() {
            // Text behind their ends is in the body all the same.
            "html" | "head" | "body" => return Ok(()),
            "br" => {
                if self.hidden.is_none() {
                    self.begin_word();
                    self.text.push('\n');
                }
                return Ok(());
            }
            _ => {}
        }
        self.end_implied(&name);
        self.edge(&name);
        if VOID.contains(&name.as_str()) || tag.self_closing {
            return Ok(());
        }
        if self.hidden.is_none() && has(tag, "id", &MARKS) {
            self.hidden = Some(self.open.len());
        }
        let item = self.open.last_mut().filter(|_| name == "li").map(|list| {
            list.items += 1;
            if list.name == "ol" { format!("{}. ", list.items) } else { "* ".to_owned() }
        });
        self.text(&item.unwrap_or_default());
        self.open.push(Open { name, items: 0 });
        if self.open.len() > MAX_DEPTH {
            return Err(TooMuch::Depth);
        }
        let dropped = self.open.last().is_some_and(|open| DROPPED.contains(&open.name.as_str()));
        if self.hidden.is_none() && (dropped || has(tag, "class", &QUOTES)) {
            self.hidden = Some(self.open.len());
        }
        Ok(())
    }

    /// Ends the elements whose end tags may be left out, where one begins that cannot stand in them.
    fn end_implied(&mut self, begins: &str) {
        let ends: &[&str] = match begins {
            "li" => &["li", "p"],
            "dt" | "dd" => &["dt", "dd", "p"],
            "option" => &["option"],
            "td" | "th" => &["td", "th", "p"],
            "tr" => &["td", "th", "tr", "p"],
            "a" => &["a"],
            block if is_block(block) => &["p"],
            _ => return,
        };
        // A cell ends with the next one, whatever is open in it.
        let cell = matches!(begins, "td" | "th" | "tr");
        let stops = |open: &Open| match cell {
            true => ["td", "th", "tr", "table"].contains(&open.name.as_str()),
            false => open.is_block() || open.name == begins,
        };
        while let Some(last) = self.open.iter().rposition(stops)
            && self.open.get(last).is_some_and(|open| ends.contains(&open.name.as_str()))
        {
            self.close(last);
        }
    }

    fn end(&mut self, name: &str) {
        self.edge(name);
        let barrier = |open: &Open| match name {
            "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" => open.name == "table",
            block if is_block(block) => ["table", "td", "th"].contains(&open.name.as_str()),
            _ => open.is_block(),
        };
        if let Some(last) = self.open.iter().rposition(|open| open.name == name || barrier(open))
            && self.open.get(last).is_some_and(|open| open.name == name)
        {
            self.close(last);
        }
    }

    fn close(&mut self, at: usize) {
        self.open.truncate(at);
        if self.hidden.is_some_and(|hidden| at < hidden) {
            self.hidden = None;
        }
    }

    /// The beginning or end of an element.
    fn edge(&mut self, name: &str) {
        let line_ends = match name {
            "td" | "th" => {
                self.blank = true;
                0
            }
            name if PARAGRAPHS.contains(&name) => 2,
            name => usize::from(BLOCKS.contains(&name)),
        };
        if self.hidden.is_none() {
            self.line_ends = self.line_ends.max(line_ends);
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        if self.open.iter().any(|open| open.name == "pre") {
            self.begin_word();
            self.text.push_str(text);
            return;
        }
        // Not `char::is_whitespace`: a no-break space is a character like any other.
        for piece in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = piece.trim_end_matches(|c: char| c.is_ascii_whitespace());
            if !word.is_empty() {
                self.begin_word();
                self.text.push_str(word);
            }
            self.blank |= word.len() < piece.len();
        }
    }

    fn begin_word(&mut self) {
        let written = self.text.len() - self.text.trim_end_matches('\n').len();
        if !self.text.is_empty() {
            self.text.extend(std::iter::repeat_n('\n', self.line_ends.saturating_sub(written)));
        }
        if self.blank && !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
        (self.line_ends, self.blank) = (0, false);
    }
}

fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name) || PARAGRAPHS.contains(&name)
}

/// Whether an attribute holds one of the words (given in lower case).
fn has(tag: &StartTag<()>, attribute: &str, words: &[&str]) -> bool {
    tag.attributes.get(attribute.as_bytes()).is_some_and(|value| {
        String::from_utf8_lossy(value).to_lowercase().split_whitespace().any(|word| words.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::{TooMuch, to_text};

    #[test]
    fn lines_end_where_a_reader_sees_them_end() {
        let cases = [
            ("<p>dvonn move 1\n ann<p>x<br>y", "dvonn move 1 ann\n\nx\ny\n"),
            ("a<div>b</div><div><br></div>c&nbsp;&amp; <b>d</b>", "a\nb\n\nc\u{A0}& d\n"),
            ("<pre>a\n  b</pre>", "a\n  b\n"),
            ("<ul><li>a<li>b</ul><ol><li>c</li><li>d</li></ol>", "* a\n* b\n\n1. c\n2. d\n"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc\n"),
            ("<head><title>no</title><style>no</style><body>a<script>'<p>no'</script>b", "ab\n"),
        ];
        for (html, text) in cases {
            assert_eq!(to_text(html).unwrap(), text, "{html}");
        }
    }

    #[test]
    fn a_quote_ends_with_its_element_and_not_before() {
        let cases = [
            ("a<blockquote>no<p>no</blockquote>b", "a\nb\n"),
            ("a<div class='x Gmail_Quote'><font><div>no</font>no</div>no</p>no</div>b", "a\nb\n"),
            ("<div>a<hr><div id=divRplyFwdMsg>no</div><div>no</div></div>b", "a\nb\n"),
            ("a<table><tr><td><blockquote>no<td>b</table>", "a\n\nb\n"),
        ];
        for (html, text) in cases {
            assert_eq!(to_text(html).unwrap(), text, "{html}");
        }
    }

    #[test]
    fn elements_that_are_never_ended_are_not_nested() {
        for word in ["<p>", "<li>", "<a name=x>", "<tr><td>", "<br>", "<o:p/>"] {
            assert!(to_text(&word.repeat(500)).is_ok(), "{word}");
        }
        assert_eq!(to_text(&"<div>".repeat(201)), Err(TooMuch::Depth));
    }
}
