//! Converts HTML to text, for a mail whose text part is missing or does not quote the mail that it answers.
//!
//! The tokenizer tells tags from text. This module tracks the open elements, as far as a letter needs it: the ends of quotes
//! and lines, the depth, and what is hidden. Quoted lines begin with `>`, as in text mails, so that one
//! reader of replies serves both.

mod elements;
mod lines;
mod quote;
mod style;

use std::panic::{AssertUnwindSafe, catch_unwind};

use html5gum::{StartTag, Token};

use super::message::TooMuch;
use elements::{BLOCKS, FORMATTING, PARAGRAPHS, VOID, is_block, tokens};
use lines::Lines;
use quote::Role;
use style::{Hidden, Sheet};

/// No mail program nests deeper.
const MAX_DEPTH: usize = 200;
/// No letter has more tags.
const MAX_TAGS: usize = 10_000;

/// The text that a reader would see.
pub(super) fn to_text(html: &str) -> Result<String, TooMuch> {
    if html.bytes().filter(|b| *b == b'<').count() > MAX_TAGS {
        return Err(TooMuch::Parts);
    }
    // html5gum is a library for arbitrary web pages. If it panics, the mail has no text.
    catch_unwind(AssertUnwindSafe(|| render(html))).unwrap_or_else(|_| Ok(String::new()))
}

fn render(html: &str) -> Result<String, TooMuch> {
    let mut page = HtmlPage { sheet: Sheet::of(html), ..HtmlPage::default() };
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) => page.start(&tag)?,
            Token::EndTag(tag) => page.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => page.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    Ok(page.finish())
}

#[derive(Default)]
struct OpenElement {
    name: String,
    /// The number of list items so far.
    items: u32,
    hidden: Hidden,
    role: Option<Role>,
    /// The row in which its text begins, and the length of the text before it.
    row: usize,
    begins: usize,
    /// The row from which the rest of the element is an earlier mail.
    tail: Option<usize>,
    /// True if a quote is a direct child of the element.
    cites: bool,
}

impl OpenElement {
    fn is_block(&self) -> bool {
        is_block(&self.name)
    }
}

#[derive(Default)]
struct HtmlPage {
    sheet: Sheet,
    open: Vec<OpenElement>,
    /// How the body itself is hidden.
    root: Hidden,
    lines: Lines,
    /// The row from which everything is an earlier mail.
    tail: Option<usize>,
}

impl HtmlPage {
    fn start(&mut self, tag: &StartTag<()>) -> Result<(), TooMuch> {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        match name.as_str() {
            // Opens no element, because text after the end tag of `body` still belongs to it.
            "head" => return Ok(()),
            "html" | "body" => {
                self.root = self.sheet.hides(&name, tag, self.hidden());
                return Ok(());
            }
            "br" => {
                if !self.hidden().any() {
                    self.lines.begin_word();
                    self.lines.end_line();
                }
                return Ok(());
            }
            _ => {}
        }
        self.end_implied(&name);
        let role = quote::role(&name, tag);
        let hidden = self.sheet.hides(&name, tag, self.hidden());
        if !hidden.any() {
            self.edge(&name);
        }
        if role == Role::Mark && !hidden.any() {
            self.begin_tail();
        }
        // HTML has no self-closing `div`, so the text after a hidden one is hidden.
        if VOID.contains(&name.as_str()) || tag.self_closing && !hidden.any() {
            return Ok(());
        }
        let item = self.open.last_mut().filter(|_| name == "li").map(|list| {
            list.items += 1;
            if list.name == "ol" { format!("{}. ", list.items) } else { "* ".to_owned() }
        });
        if matches!(role, Role::Quote | Role::Container) && !hidden.any() {
            self.begin_quote(&name);
        }
        if !hidden.any() {
            self.text(&item.unwrap_or_default());
        }
        let (row, begins) = (self.lines.next_row(), self.lines.len());
        self.open.push(OpenElement { name, hidden, role: Some(role), row, begins, ..OpenElement::default() });
        if self.open.len() > MAX_DEPTH {
            return Err(TooMuch::Depth);
        }
        Ok(())
    }

    fn hidden(&self) -> Hidden {
        self.open.last().map_or(self.root, |open| open.hidden)
    }

    /// Begins the lines of a quote. Text of a container above its first quote is the attribution, and becomes a quote.
    fn begin_quote(&mut self, name: &str) {
        self.lines.need(1);
        let row = self.lines.next_row();
        let Some(parent) = self.open.last_mut() else { return };
        if name == "blockquote" && parent.role == Some(Role::Container) && !parent.cites {
            parent.cites = true;
            let begins = parent.row;
            self.lines.add_quote(begins, row);
        }
    }

    /// Marks the start of the earlier mail. It ends with the innermost element that also contains the writer's words.
    fn begin_tail(&mut self) {
        self.lines.need(1);
        let row = self.lines.next_row();
        let written = self.lines.words_end();
        let tail = match self.open.iter_mut().rev().find(|open| open.begins < written) {
            Some(open) => &mut open.tail,
            None => &mut self.tail,
        };
        tail.get_or_insert(row);
    }

    /// Closes elements without end tags when an element begins that cannot be inside them.
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
        // A cell ends with the next one, even if elements in it are open.
        let cell = matches!(begins, "td" | "th" | "tr");
        let stops = |open: &OpenElement| match cell {
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
        if !self.hidden().any() {
            self.edge(name);
        }
        let barrier = |open: &OpenElement| match name {
            "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" => open.name == "table",
            block if is_block(block) => ["table", "td", "th"].contains(&open.name.as_str()),
            _ => open.is_block(),
        };
        if let Some(last) = self.open.iter().rposition(|open| open.name == name || barrier(open))
            && self.open.get(last).is_some_and(|open| open.name == name)
        {
            let open = self.open.get(last + 1..).unwrap_or_default().iter();
            let hiding = open.filter(|open| open.hidden.any() && FORMATTING.contains(&open.name.as_str()));
            let again: Vec<String> = hiding.map(|open| open.name.clone()).collect();
            self.close(last);
            for name in again {
                let hidden = Hidden { gone: true, ..self.hidden() };
                self.open.push(OpenElement { name, hidden, ..OpenElement::default() });
            }
        }
    }

    /// Closes an element and everything open in it.
    fn close(&mut self, at: usize) {
        while self.open.len() > at {
            let Some(open) = self.open.pop() else { return };
            let shown = !open.hidden.any();
            let quote = match open.role {
                Some(Role::Quote) => Some(open.row),
                Some(Role::Container) if !open.cites => Some(open.row),
                _ => open.tail,
            };
            if let Some(from) = quote.filter(|_| shown) {
                self.lines.need(1);
                self.lines.add_quote(from, self.lines.next_row());
            }
        }
    }

    /// Begins or ends an element's lines.
    fn edge(&mut self, name: &str) {
        let line_ends = match name {
            "td" | "th" => {
                self.lines.need_blank();
                0
            }
            name if PARAGRAPHS.contains(&name) => 2,
            name => usize::from(BLOCKS.contains(&name)),
        };
        self.lines.need(line_ends);
    }

    fn text(&mut self, text: &str) {
        if self.hidden().any() {
            return;
        }
        if self.open.iter().any(|open| open.name == "pre") {
            if !text.is_empty() {
                self.lines.begin_word();
                self.lines.push(text);
            }
            return;
        }
        // Not `char::is_whitespace`: a no-break space is a normal character.
        for piece in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = piece.trim_end_matches(|c: char| c.is_ascii_whitespace());
            if !word.is_empty() {
                self.lines.begin_word();
                self.lines.push(word);
            }
            if word.len() < piece.len() {
                self.lines.need_blank();
            }
        }
    }

    fn finish(mut self) -> String {
        self.close(0);
        if let Some(from) = self.tail {
            self.lines.quote_rest(from);
        }
        self.lines.finish()
    }
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
            ("a<blockquote>no<p>no</blockquote>b", "a\n> no\n\n> no\nb\n"),
            (
                "a<div class='x Gmail_Quote'><font><div>no</font>no</div>no</p>no</div>b",
                "a\n> nono\n> no\n\n> no\nb\n",
            ),
            ("<div>a<hr><div id=divRplyFwdMsg>no</div><div>no</div></div>b", "a\n> no\n> no\nb\n"),
            ("a<table><tr><td><blockquote>no<td>b</table>", "a\n\n> no\nb\n"),
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
