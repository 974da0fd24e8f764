//! The HTML of a paragraph, a drawing or a list of a mail.

use super::html::{Reply, escape};
use super::text::WIDTH;
use crate::commands::LANGUAGE;
use crate::mail::outgoing::percent_encoded;

/// The font size of drawings and tables in pixels, at which every board fits a phone of 360 pixels.
pub(super) const SIZE: usize = 13;

/// A link that opens a mail with the command as its Subject.
pub(super) fn subject_link(command: &str, address: &str, page: &mut String) {
    let (to, subject) = (percent_encoded(address, b"@+"), percent_encoded(command, b""));
    page.push_str(&format!("<p>\n<a href=\"mailto:{to}?subject={subject}\">"));
    escape(command, page);
    page.push_str("</a>\n</p>\n");
}

/// A drawing or table. The font is named, because some programs show `<pre>` in the proportional font of the mail.
pub(super) fn preformatted(lines: &[&str], size: usize, attributes: &str, page: &mut String) {
    page.push_str(&format!(
        "<pre{attributes} style=\"font-family:Consolas,'Courier New',monospace;font-size:{size}px\">\n"
    ));
    for line in lines {
        escape(line, page);
        page.push('\n');
    }
    page.push_str("</pre>\n");
}

/// True if the spaces of a line carry meaning.
pub(super) fn keeps_blanks(line: &str) -> bool {
    line.starts_with(' ') || line.contains("  ")
}

/// The HTML before, between and after lines.
pub(super) const PROSE: [&str; 3] = ["<p>\n", "<br>\n", "</p>\n"];
pub(super) const LIST: [&str; 3] = ["<ul>\n<li>", "<li>", "</ul>\n"];

/// Separates the lines by the second tag, except lines that `folded` joins to the line above.
pub(super) fn flowing(lines: &[&str], tags: [&str; 3], folded: fn(&str, &str) -> bool, page: &mut String) {
    let [before, between, behind] = tags;
    page.push_str(before);
    let mut above: Option<&str> = None;
    let mut code = Code::of(lines);
    for line in lines {
        page.push_str(if above.is_some_and(|above| !folded(above, line)) { between } else { "" });
        code.put(line, page);
        page.push('\n');
        above = Some(line);
    }
    page.push_str(behind);
}

/// A person's words: each line is separate, and nothing in them is markup.
pub(super) fn said(lines: &[&str], page: &mut String) {
    for (n, line) in lines.iter().enumerate() {
        page.push_str(if n > 0 { "<br>\n" } else { "<p>\n" });
        escape(line, page);
        page.push('\n');
    }
    page.push_str("</p>\n");
}

/// Text between backticks, also across line ends.
struct Code {
    is_open: bool,
    /// True if the number of backticks is even.
    is_paired: bool,
}

impl Code {
    fn of(lines: &[&str]) -> Code {
        let ticks: usize = lines.iter().map(|line| line.matches('`').count()).sum();
        Code { is_open: false, is_paired: ticks.is_multiple_of(2) }
    }

    fn put(&mut self, line: &str, page: &mut String) {
        for (n, piece) in line.split('`').enumerate() {
            if n > 0 {
                page.push_str(match (self.is_paired, self.is_open) {
                    (false, _) => "`",
                    (true, false) => "<code>",
                    (true, true) => "</code>",
                });
                self.is_open = !self.is_open;
            }
            escape(piece, page);
        }
    }
}

/// The reply words, as links that begin the reply. They are between backticks, or in a list after a colon.
pub(super) fn linked(text: &str, reply: Reply<'_>, page: &mut String) {
    page.push_str("<p>\n");
    let text = text.trim();
    let listed = text.split_once(": ").filter(|(before, _)| !before.contains('`'));
    for (n, piece) in listed.map_or(text, |(before, _)| before).split('`').enumerate() {
        // Every second piece is between backticks.
        if piece == text {
            link(piece, reply, page);
        } else if n % 2 == 0 {
            escape(piece, page);
        } else {
            page.push_str("<code>");
            link(piece, reply, page);
            page.push_str("</code>");
        }
    }
    for (n, piece) in listed.into_iter().flat_map(|(_, words)| words.split(", ")).enumerate() {
        page.push_str(if n > 0 { ", " } else { ": " });
        let word = piece.trim_end_matches('.');
        link(word, reply, page);
        page.push_str(piece.get(word.len()..).unwrap_or_default());
    }
    page.push_str("\n</p>\n");
}

/// A link, if `word` looks like the word of a command; otherwise plain text.
fn link(word: &str, reply: Reply<'_>, page: &mut String) {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return escape(word, page);
    }
    let goes_on = LANGUAGE.of_reply(word).is_some_and(|entry| entry.in_reply.goes_on());
    let blank = if goes_on { "%20" } else { "" };
    let (address, subject) = (percent_encoded(reply.address, b"@+"), percent_encoded(reply.subject, b""));
    let token = reply.token_line.map(|line| percent_encoded(&format!("\r\n\r\n> {line}"), b""));
    let token = token.unwrap_or_default();
    page.push_str(&format!(
        "<a href=\"mailto:{address}?subject=Re%3A%20{subject}&amp;body={word}{blank}{token}\">{word}</a>"
    ));
}

/// True if `above` was folded because the next word had no room. Lines that end a sentence stay separate: the key of a
/// board and the line about the turn can be as wide as a folded line.
pub(super) fn is_folded(above: &str, line: &str) -> bool {
    let next = line.split(' ').next().unwrap_or_default();
    let room = above.chars().count() + 1 + next.chars().count() <= WIDTH;
    !room && !above.ends_with('.')
}
