//! Writes blocks as HTML.

use super::frame::MailFrame;
use crate::compose::document::{Block, DrawnBoard, Inline, LinkTarget, Source};
use crate::mail::outgoing::HIDDEN;

pub(super) const ACCENT: &str = "#2f7d6b";
pub(super) const RULE: &str = "1px solid rgba(128,128,128,.3)";
const MONOSPACE: &str = "font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace";
/// The style of what is rarely read, such as the signature.
pub(super) const QUIET: &str = "font-size:13px;line-height:1.5;opacity:.7";
const CODE: &str = "padding:2px 6px;border-radius:5px;font-size:.94em;background:rgba(128,128,128,.16)";
/// Code that a tap sends has a ground of the colour of the button.
const TAP: &str =
    "color:inherit;text-decoration:none;padding:2px 0;border-radius:5px;background:rgba(47,140,115,.24)";
const PARAGRAPH: &str = "margin:0 0 14px";
pub(super) const NO_WRAP: &str = ";white-space:nowrap";
/// The longest value that is not broken at the end of a line, such as `1. f4` or a date.
const SHORT: usize = 24;

/// The columns of a drawing, times its pixels, that fit a phone of 360 pixels.
const FITS: usize = 538;

pub(super) struct HtmlWriter<'a> {
    frame: MailFrame<'a>,
    is_mail: bool,
    pub out: String,
    /// Boards as text. They are printed last, because many programs cannot fold them away.
    pub folded: String,
    has_button: bool,
    is_in_reply: bool,
    /// The picture of the board, until it is printed.
    pub picture: Option<String>,
}

impl<'a> HtmlWriter<'a> {
    pub(super) fn new(frame: MailFrame<'a>, is_mail: bool) -> HtmlWriter<'a> {
        let (out, folded) = (String::new(), String::new());
        let picture = frame.picture.map(str::to_owned);
        HtmlWriter { frame, is_mail, out, folded, has_button: false, is_in_reply: false, picture }
    }

    /// A style, in a mail.
    pub(super) fn style(&self, style: &str) -> String {
        if self.is_mail { format!(" style=\"{style}\"") } else { String::new() }
    }

    pub(super) fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(inlines) => self.tagged("p", PARAGRAPH, inlines),
            Block::Heading(inlines) => self.tagged("h2", "margin:24px 0 8px;font-size:17px", inlines),
            Block::Reply(blocks) => {
                self.is_in_reply = true;
                blocks.iter().for_each(|block| self.block(block));
                self.is_in_reply = false;
            }
            Block::Button { to, label } => self.button(to, label),
            Block::List { first, items } => self.list(*first, items),
            Block::Board { title, drawing, key } => self.board(title, drawing, key),
            Block::Words(words) if words.trim().is_empty() => {}
            Block::Words(words) => {
                let style = self
                    .style(&format!("margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid {ACCENT}"));
                self.lines(words, &format!("<blockquote{style}>"), "</blockquote>\n");
            }
            Block::Lines(lines) => {
                let style = self.style(&format!("{PARAGRAPH};padding-left:14px;{MONOSPACE};font-size:13px"));
                self.lines(lines, &format!("<p{style}>"), "</p>\n");
            }
            Block::Echo(line) => {
                let style = self.style(&format!("{PARAGRAPH};{MONOSPACE};{QUIET}"));
                self.lines(line, &format!("<p{style}>"), "</p>\n");
            }
            Block::Table { has_head, rows } => self.table(*has_head, rows),
            Block::BoardPicture => self.picture(),
            Block::File(file) => self.drawing(&file.text, ""),
            Block::Picture(_) | Block::Signature => {}
        }
    }

    fn picture(&mut self) {
        self.out.push_str(&self.picture.take().unwrap_or_default());
    }

    pub(super) fn tagged(&mut self, tag: &str, style: &str, inlines: &[Inline]) {
        let style = self.style(style);
        self.out.push_str(&format!("<{tag}{style}>"));
        self.put(inlines);
        self.out.push_str(&format!("</{tag}>\n"));
    }

    fn lines(&mut self, lines: &str, before: &str, after: &str) {
        self.out.push_str(before);
        for (n, line) in lines.trim_matches('\n').lines().enumerate() {
            self.out.push_str(if n > 0 { "<br>\n" } else { "" });
            escape(line.trim(), &mut self.out);
        }
        self.out.push_str(after);
    }

    pub(super) fn put(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text(text) => escape(text, &mut self.out),
                Inline::Value(value) => self.whole(value),
                Inline::Break => self.out.push_str("<br>\n"),
                Inline::Strong(inner) => {
                    self.out.push_str("<b>");
                    self.put(inner);
                    self.out.push_str("</b>");
                }
                Inline::Code { text, from } => self.code(text, *from),
                Inline::Link { to, label } => self.link(to, label, "color:inherit"),
            }
        }
    }

    /// In a `reply` fence, code is a link that writes the reply.
    fn code(&mut self, code: &str, from: Source) {
        let wrap = if code.len() <= SHORT { NO_WRAP } else { "" };
        match self.frame.reply.filter(|_| self.is_in_reply && from != Source::Sentence) {
            Some(reply) => {
                self.out.push_str("<a href=\"");
                escape(&reply.mailto(code), &mut self.out);
                self.out.push_str(&format!(
                    "\" style=\"{TAP}\"><code style=\"{MONOSPACE};{CODE}{wrap};background:none\">"
                ));
                self.whole(code);
                self.out.push_str("</code></a>");
            }
            None => {
                let style = self.style(&format!("{MONOSPACE};{CODE}{wrap}"));
                self.out.push_str(&format!("<code{style}>"));
                self.whole(code);
                self.out.push_str("</code>");
            }
        }
    }

    fn whole(&mut self, value: &str) {
        let mut escaped = String::new();
        escape(value, &mut escaped);
        self.out.push_str(&if value.len() <= SHORT { escaped.replace(' ', "&nbsp;") } else { escaped });
    }

    /// Prints only the label if there is no address.
    fn link(&mut self, to: &LinkTarget, label: &[Inline], style: &str) {
        let address = match to {
            LinkTarget::BoardPage => self.frame.page,
            LinkTarget::Address(to) => to.as_deref(),
        };
        if let Some(address) = address {
            self.out.push_str("<a href=\"");
            escape(address, &mut self.out);
            let style = self.style(style);
            self.out.push_str(&format!("\"{style}>"));
        }
        self.put(label);
        self.out.push_str(if address.is_some() { "</a>" } else { "" });
    }

    /// Prints the button, for the first link that is a paragraph of its own. Later ones are plain links.
    fn button(&mut self, to: &LinkTarget, label: &[Inline]) {
        let is_linked = match to {
            LinkTarget::BoardPage if self.frame.page.is_none() => return,
            LinkTarget::BoardPage => true,
            LinkTarget::Address(to) => to.is_some(),
        };
        if !self.is_mail || self.has_button || !is_linked {
            let style = self.style(PARAGRAPH);
            self.out.push_str(&format!("<p{style}>"));
            self.link(to, label, "color:inherit");
            self.out.push_str("</p>\n");
            return;
        }
        self.has_button = true;
        // The cell has the colour too, because Outlook does not fill an inline block.
        self.out.push_str(&format!(
            "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"margin:20px 0\">\
            <tr><td bgcolor=\"{ACCENT}\" style=\"border-radius:8px\">"
        ));
        let style = format!(
            "display:inline-block;padding:12px 24px;border-radius:8px;background:{ACCENT};\
            color:#ffffff;font-weight:600;text-decoration:none"
        );
        self.link(to, label, &style);
        self.out.push_str("</td></tr></table>\n");
    }

    fn list(&mut self, first: Option<u64>, items: &[Vec<Block>]) {
        let (open, close) = match first {
            Some(first) => (format!("<ol start=\"{first}\""), "</ol>\n"),
            None => ("<ul".to_owned(), "</ul>\n"),
        };
        let style = self.style("margin:0 0 14px;padding-left:22px");
        self.out.push_str(&format!("{open}{style}>\n"));
        for item in items {
            let style = self.style("margin:0 0 6px");
            self.out.push_str(&format!("<li{style}>"));
            for (n, block) in item.iter().enumerate() {
                match block {
                    Block::Paragraph(inlines) if n == 0 => self.put(inlines),
                    block => self.block(block),
                }
            }
            self.out.push_str("</li>\n");
        }
        self.out.push_str(close);
    }

    fn board(&mut self, title: &str, drawing: &DrawnBoard, key: &[Vec<Inline>]) {
        let is_pictured = self.frame.picture.is_some() && drawing.pictured.is_some();
        if is_pictured {
            self.picture();
        }
        if drawing.in_words {
            let style = self.style(PARAGRAPH);
            return self.lines(&drawing.lines, &format!("<p{style}>"), "</p>\n");
        }
        if !is_pictured {
            self.drawing(&drawing.lines, "");
            return key.iter().for_each(|line| self.tagged("p", PARAGRAPH, line));
        }
        // Screen readers read the text of the picture.
        let above = std::mem::take(&mut self.out);
        self.drawing(drawing.level.as_ref().unwrap_or(&drawing.lines), HIDDEN);
        key.iter().for_each(|line| self.tagged("p", PARAGRAPH, line));
        let board = std::mem::replace(&mut self.out, above);
        let summary = if title.is_empty() { "The board as text" } else { title };
        self.folded.push_str(&format!(
            "<details style=\"margin-top:20px\"><summary style=\"{QUIET};margin-bottom:8px\">"
        ));
        escape(summary, &mut self.folded);
        self.folded.push_str(&format!("</summary>\n{board}</details>\n"));
    }

    fn drawing(&mut self, lines: &str, attributes: &str) {
        let lines = lines.trim_matches('\n');
        if lines.is_empty() {
            return;
        }
        let columns = lines.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        let size = FITS.checked_div(columns).unwrap_or_default().clamp(7, 13);
        let style = match self.is_mail {
            true => self.style(&format!("{PARAGRAPH};{MONOSPACE};font-size:{size}px;line-height:1.25")),
            false => format!(" tabindex=\"0\"{}", if size < 13 { " class=\"broad\"" } else { "" }),
        };
        self.out.push_str(&format!("<pre{attributes}{style}>"));
        escape(lines, &mut self.out);
        self.out.push_str("</pre>\n");
    }
}

pub(super) fn escape(text: &str, page: &mut String) {
    for c in text.chars() {
        match c {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            c => page.push(c),
        }
    }
}
