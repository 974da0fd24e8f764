//! Separates the new text of a mail from quotes of earlier mails.
//!
//! - Lines that begin with `>` are quoted.
//! - An attribution (`On … wrote:`, in many languages) is removed. If quoted lines follow, the text below them is new;
//!   otherwise everything below is the earlier mail.
//! - Outlook's rules and headers, forwarded mails and signatures end the new text.
//!
//! In doubt a line counts as old. After a missed move the server asks again, but a quoted move must not be played.
//!
//! Each line is compared with at most a dozen lines below it, so the time is linear.

mod attribution;
mod footers;
mod line;
mod marks;
mod when;
mod words;

pub(super) use line::TextLine;
use line::quotes_follow;
pub(super) use marks::is_rule;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplyText {
    /// The new lines, unchanged and in order.
    pub new: String,
    /// True if an earlier mail was removed.
    pub quoted: bool,
    /// True if a signature or the footer of a phone was removed.
    pub signed: bool,
}

/// Finds the new text. Lines end with `\n` or CR LF.
pub fn new_text(text: &str) -> ReplyText {
    read(&lines(text)).end(text)
}

/// The lines that are not new: quotes, signatures, and what mail programs add.
pub fn old_lines(text: &str) -> Vec<&str> {
    let lines = lines(text);
    let mut found = read(&lines);
    found.close_end();
    if !found.quoted && !found.signed {
        return Vec::new();
    }
    let mut new = found.new.iter().peekable();
    // Compared by address: two lines can have the same words.
    let old = lines.iter().filter(|line| new.next_if(|new| std::ptr::eq(**new, *line)).is_none());
    old.map(|line| line.text).collect()
}

/// The lines of a text. An attribution after words becomes its own line.
fn lines(text: &str) -> Vec<TextLine<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let rest = text.get(at..).unwrap_or_default();
        at += line.len();
        let (words, behind) = line.split_at(attribution::begins_inside(line, rest).unwrap_or(0));
        all.extend([words, behind].into_iter().filter(|part| !part.is_empty()).map(TextLine::new));
    }
    all
}

/// True for a line that a mail program writes: it introduces a quote, or names a device. The next line counts as if it
/// were quoted.
pub fn is_by_a_program(line: &str) -> bool {
    let [line, quote] = [line, ">"].map(TextLine::new);
    footers::is_footer(&line) || attribution::at(&[line, quote]) == Some(1)
}

fn read<'l, 'a>(lines: &'l [TextLine<'a>]) -> NewLines<'l, 'a> {
    let mut found = NewLines::default();
    let mut rest = lines;
    let mut above = None;
    let mut broken = BrokenQuotes::default();
    while let [line, below @ ..] = rest {
        if marks::is_quoted(line) || broken.is_rest(above, line, below, lines, found.wrote) {
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
        } else if marks::earlier_mail(
            rest,
            above.is_some_and(|above| !above.is_blank() && marks::is_rule(above)),
        ) {
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
    found
}

/// Detects the unmarked rest of a quoted line that a program wrapped.
#[derive(Default)]
struct BrokenQuotes {
    /// The longest quoted line, in characters.
    widest: Option<usize>,
    /// True if such a rest was between two quoted lines.
    seen: bool,
    /// True if the line above is such a rest.
    continues: bool,
}

impl BrokenQuotes {
    /// True if `line` is the unmarked rest of the quoted line above. After a shorter quoted line there must be more
    /// evidence: it ends no sentence, and the next word would make it the longest quoted line. Otherwise the end of a
    /// drawn row could be taken for a move, or a quote for the writer's words.
    fn is_rest(
        &mut self,
        above: Option<&TextLine<'_>>,
        line: &TextLine<'_>,
        below: &[TextLine<'_>],
        all: &[TextLine<'_>],
        wrote_above: bool,
    ) -> bool {
        const WRAPPED: usize = 64;
        const BROKEN: usize = 45;
        let continues = std::mem::take(&mut self.continues);
        let Some(above) = above.filter(|above| continues || marks::is_quoted(above)) else { return false };
        let length = above.text.trim_end().len();
        if line.is_blank() || length < BROKEN {
            return false;
        }
        let ends = above.plain.ends_with(['.', '!', '?', ':']);
        let quoted = below.first().is_some_and(marks::is_quoted);
        // A writer who continues below the quote begins a new sentence there.
        let wrote_above = wrote_above && !line.text.trim_start().starts_with(char::is_uppercase);
        let is_one =
            quoted && (length >= WRAPPED || !ends || self.seen) || !ends && (self.seen || wrote_above);
        self.continues = is_one && (quoted && length >= WRAPPED || self.is_full(above, line, all));
        self.seen |= self.continues && quoted;
        self.continues
    }

    /// True if the next word had no room in the line above.
    fn is_full(&mut self, above: &TextLine<'_>, line: &TextLine<'_>, all: &[TextLine<'_>]) -> bool {
        let width = |line: &TextLine<'_>| line.text.trim_end().chars().count();
        let quoted = || all.iter().filter(|line| marks::is_quoted(line)).map(width);
        let widest = *self.widest.get_or_insert_with(|| quoted().max().unwrap_or(0));
        let word = line.text.split_whitespace().next().unwrap_or_default();
        width(above) + 1 + word.chars().count() > widest
    }
}

#[derive(Default)]
struct NewLines<'l, 'a> {
    new: Vec<&'l TextLine<'a>>,
    /// True if one of the new lines is not blank.
    wrote: bool,
    /// True if something was removed since the last visible line.
    gap: bool,
    /// True if nothing was added since the last removed part.
    closed: bool,
    quoted: bool,
    signed: bool,
}

impl<'l, 'a> NewLines<'l, 'a> {
    fn push(&mut self, line: &'l TextLine<'a>) {
        // Keep one of the blank lines around a quote.
        let doubled = self.gap && line.is_blank() && self.new.last().is_some_and(|last| last.is_blank());
        if !doubled {
            self.gap &= line.is_blank();
            self.wrote |= !line.is_blank();
            self.new.push(line);
            self.closed = false;
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

    /// Ends the new text before a removed part. Also removes rules and program footers at that end.
    fn close(&mut self) {
        self.gap = true;
        // A quote has many lines, with nothing new between them.
        if !self.closed {
            self.closed = true;
            self.strip(true);
        }
    }

    fn strip(&mut self, rules: bool) {
        let mut keep = self.new.len();
        for line in self.new.iter().rev() {
            let footer = footers::is_footer(line);
            if !(line.is_blank() || footer || rules && marks::is_rule(line)) {
                break;
            }
            self.signed |= footer;
            keep -= 1;
        }
        if self.signed || self.quoted {
            // One blank line separates the paragraphs around a quote.
            let blank = self.new.get(keep).is_some_and(|line| line.is_blank());
            self.new.truncate(if blank { keep + 1 } else { keep });
        }
    }

    fn close_end(&mut self) {
        self.strip(self.quoted || self.signed);
    }

    fn end(mut self, text: &str) -> ReplyText {
        self.close_end();
        if !self.quoted && !self.signed {
            return ReplyText { new: text.to_owned(), quoted: false, signed: false };
        }
        let first = self.new.iter().position(|line| !line.is_blank()).unwrap_or(self.new.len());
        let last = self.new.iter().rposition(|line| !line.is_blank()).map_or(first, |last| last + 1);
        let mut new = String::new();
        for line in self.new.get(first..last).unwrap_or_default() {
            // Words before an attribution have no line end.
            if !(new.is_empty() || new.ends_with('\n')) {
                new.push('\n');
            }
            new.push_str(line.text);
        }
        ReplyText { new, quoted: self.quoted, signed: self.signed }
    }
}
