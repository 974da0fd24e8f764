//! What a person wrote now, found among what was written before.
//!
//! Every mail program quotes in its own way. What is looked for, line by line:
//!
//! - a quoted line begins with `>`, and is never new, wherever it stands;
//! - an attribution (`On … wrote:`, in many languages, folded or not) goes; when quoted lines follow it the text
//!   below them is new (bottom-posted, interleaved), when none do all below it is the earlier mail;
//! - Outlook's rules and headers, forwarded mails and signatures end the new text.
//!
//! In doubt a line is old: a move that is overlooked is asked for again, and one that nobody wrote now would be
//! played. So an attribution with nothing before it and unmarked text below it leaves nothing.
//!
//! Each line is looked at by itself and with at most a dozen below it: the time is linear in the length.

mod attribution;
mod marks;
// One word a line were six hundred lines.
#[rustfmt::skip]
mod words;

use crate::mail::clean;

/// The new text of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplyText {
    /// What was written now: lines of the mail, unchanged and in order. All of it where nothing is old.
    pub new: String,
    /// Whether an earlier mail was taken out.
    pub quoted: bool,
    /// Whether a signature, or the line a telephone puts below a mail, was taken out.
    pub signed: bool,
}

impl ReplyText {
    /// The first line that is not blank: in a reply to the server, what plays.
    pub fn first_line(&self) -> Option<&str> {
        first_line(&self.new)
    }
}

/// The first line of a text in which something can be seen, as it stands, without its line end.
pub fn first_line(text: &str) -> Option<&str> {
    text.lines().find(|line| !clean::line(line).is_empty())
}

/// A line, with what its words are compared by.
struct Line<'a> {
    /// With its line end.
    text: &'a str,
    /// In lower case, white space made one blank, nothing invisible, and no longer than anything looked for.
    plain: String,
}

/// Nothing that is looked for is longer than this, and no longer line is compared to its end.
const LOOK_AT: usize = 400;

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        let end = text.char_indices().nth(LOOK_AT).map_or(text.len(), |(end, _)| end);
        let mut plain = clean::line(text.get(..end).unwrap_or(text));
        match plain.is_ascii() {
            true => plain.make_ascii_lowercase(),
            false => plain = plain.to_lowercase(),
        }
        Line { text, plain }
    }

    fn is_blank(&self) -> bool {
        self.plain.is_empty()
    }
}

/// Finds the new text of a mail. `text` has lines ended by `\n` or CR LF.
pub fn new_text(text: &str) -> ReplyText {
    let lines: Vec<Line<'_>> = text.split_inclusive('\n').map(Line::new).collect();
    let mut found = Found::default();
    let mut rest = lines.as_slice();
    let mut above = None;
    while let [line, below @ ..] = rest {
        if marks::is_quoted(line) || is_wrapped_quote(above, line, below) {
            found.quote();
        } else if let Some(length) = attribution::at(rest) {
            let after = rest.get(length..).unwrap_or_default();
            if !quotes_follow(after) {
                found.quote();
                break;
            }
            found.quote();
            above = None;
            rest = after;
            continue;
        } else if marks::earlier_mail(rest) {
            found.quote();
            break;
        } else if marks::is_signature(line) {
            found.sign();
            break;
        } else {
            found.push(line);
        }
        above = Some(line);
        rest = below;
    }
    found.end(text)
}

/// Whether the first line that is not blank begins with `>`. Of the other marks of quotes none is so common that
/// the text below it were new.
fn quotes_follow(lines: &[Line<'_>]) -> bool {
    lines.iter().find(|line| !line.is_blank()).is_some_and(|line| line.plain.starts_with('>'))
}

/// The rest of a quoted line that was wrapped on its way: it stands right between two quoted ones, of which the
/// upper is long. The end of a row of a drawn board must not be taken for a move.
fn is_wrapped_quote(above: Option<&Line<'_>>, line: &Line<'_>, below: &[Line<'_>]) -> bool {
    const WRAPPED: usize = 64;
    let long = above.is_some_and(|above| marks::is_quoted(above) && above.text.trim_end().len() >= WRAPPED);
    long && !line.is_blank() && below.first().is_some_and(marks::is_quoted)
}

/// The new lines so far, and what was left out between them.
#[derive(Default)]
struct Found<'l, 'a> {
    new: Vec<&'l Line<'a>>,
    /// Whether something was left out since the last line that can be seen.
    gap: bool,
    quoted: bool,
    signed: bool,
}

impl<'l, 'a> Found<'l, 'a> {
    fn push(&mut self, line: &'l Line<'a>) {
        // Of the blank lines above and below a quote one is enough.
        let doubled = self.gap && line.is_blank() && self.new.last().is_some_and(|last| last.is_blank());
        if !doubled {
            self.gap &= line.is_blank();
            self.new.push(line);
        }
    }

    fn quote(&mut self) {
        self.quoted = true;
        self.close();
    }

    fn sign(&mut self) {
        self.signed = true;
        self.close();
    }

    /// Before something that is left out: what mail programs put below a text goes too, and rules drawn there.
    fn close(&mut self) {
        self.gap = true;
        self.strip(true);
    }

    fn strip(&mut self, rules: bool) {
        let mut keep = self.new.len();
        for line in self.new.iter().rev() {
            let device = marks::is_device(line);
            if !(line.is_blank() || device || rules && marks::is_rule(line)) {
                break;
            }
            self.signed |= device;
            keep -= 1;
        }
        if self.signed || self.quoted {
            // One blank line stays, so that paragraphs on both sides of a quote stay apart.
            let blank = self.new.get(keep).is_some_and(|line| line.is_blank());
            self.new.truncate(if blank { keep + 1 } else { keep });
        }
    }

    fn end(mut self, text: &str) -> ReplyText {
        self.strip(self.quoted || self.signed);
        if !self.quoted && !self.signed {
            return ReplyText { new: text.to_owned(), quoted: false, signed: false };
        }
        let first = self.new.iter().position(|line| !line.is_blank()).unwrap_or(self.new.len());
        let last = self.new.iter().rposition(|line| !line.is_blank()).map_or(first, |last| last + 1);
        let new = self.new.get(first..last).unwrap_or_default().iter().map(|line| line.text).collect();
        ReplyText { new, quoted: self.quoted, signed: self.signed }
    }
}
