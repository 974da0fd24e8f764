//! Recognises quotes, signatures, and the headers of earlier mails.

use super::line::TextLine;
use super::when::When;
use super::{attribution, words};
use words::HeaderField;

/// A quoted line: `>` or a name with `>` at its beginning (`Ann> …`).
pub(super) fn is_quoted(line: &TextLine<'_>) -> bool {
    let plain = line.plain.as_str();
    if plain.starts_with(['>', '\u{FF1E}', '\u{203A}']) || plain.starts_with("&gt;") {
        return true;
    }
    let Some((name, rest)) = plain.split_once('>') else { return false };
    let letters = !name.is_empty() && name.len() <= 12 && name.chars().all(char::is_alphabetic);
    letters && (rest.is_empty() || rest.starts_with(' '))
}

/// True if an earlier mail begins here without an attribution. `ruled` is true if the line above is a rule.
pub(super) fn earlier_mail(lines: &[TextLine<'_>], ruled: bool) -> bool {
    let Some(line) = lines.first() else { return false };
    is_separator(&line.plain)
        || is_header_line(&line.plain)
        || is_header_block(lines, ruled)
        || attribution::runs_on(line)
}

const RULES: &str =
    "-*_=+~<>[]\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{2500}\u{2501}\u{FF0D}";

/// `-----Original Message-----`, `---------- Forwarded message ---------`, `Begin forwarded message:`.
fn is_separator(plain: &str) -> bool {
    const WORDS: usize = 6;
    let is_rule = |c: char| RULES.contains(c) || c == ' ';
    let inner = plain.trim_matches(is_rule);
    if inner.starts_with("original message processed by ") {
        return true;
    }
    if inner.len() == plain.len() {
        return inner
            .strip_suffix([':', '\u{FF1A}'])
            .is_some_and(|inner| words::FORWARDS.contains(&inner.trim_end()));
    }
    let bare = plain.trim_start_matches(['*', ' ']);
    let ruled =
        bare.starts_with(|c: char| RULES.contains(c) && !matches!(c, '*' | '<' | '>' | '[' | ']' | '+'));
    let inner = inner.trim_end_matches([':', '\u{FF1A}']).trim_end();
    if ruled && (words::ORIGINALS.contains(&inner) || words::FORWARDS.contains(&inner)) {
        return true;
    }
    // Unlisted phrases count too: a few words between two rules, one with a stem for `original` or `forwarded`.
    let rules = |side: &str| side.chars().filter(|c| RULES.contains(*c)).count() >= 3;
    let start = plain.len() - plain.trim_start_matches(is_rule).len();
    let end = plain.trim_end_matches(is_rule).len();
    let both = rules(plain.get(..start).unwrap_or_default()) && rules(plain.get(end..).unwrap_or_default());
    let few = inner.split(' ').count() <= WORDS && !inner.contains(['.', '!', '?']);
    both && few && words::STEMS.iter().any(|stem| inner.contains(stem))
}

/// `-------- Original message --------From: Ann <ann@x.org> Date: …`: Samsung writes the whole header in one line.
fn is_header_line(plain: &str) -> bool {
    let is_rule = |c: char| RULES.contains(c) || c == ' ';
    let ruled = plain.trim_start_matches(is_rule);
    let Some((words, header)) = ruled.split_once("---").filter(|_| ruled.len() < plain.len()) else {
        return false;
    };
    let name = header.trim_start_matches(is_rule).split([':', '\u{FF1A}']).next().unwrap_or_default();
    is_separator(&format!("---{words}---")) && words::field(name.trim_end()).is_some()
}

/// The header block of an earlier mail: From, Date, To and Subject in any order, each on a line that can be
/// folded. People write such lines too, so a block also needs an address, a date or bold names.
fn is_header_block(lines: &[TextLine<'_>], ruled: bool) -> bool {
    let mut found = HeaderBlock { bold: ruled, ..HeaderBlock::default() };
    let Some(first) = lines.first() else { return false };
    let Some((kind, _)) = header(first).filter(|(kind, _)| *kind != HeaderField::Other) else { return false };
    let mut folded = 0;
    for line in lines.iter().take(14) {
        match header(line) {
            Some((kind, value)) => {
                folded = 0;
                found.add(kind, value, line);
            }
            // Some programs put empty lines between the fields.
            None => {
                folded += 1;
                found.address |= is_address(&line.plain);
            }
        }
        if found.is_whole(kind) {
            return true;
        }
        if folded > 3 {
            return false;
        }
    }
    false
}

#[derive(Default)]
struct HeaderBlock {
    kinds: Vec<HeaderField>,
    address: bool,
    dated: bool,
    bold: bool,
}

impl HeaderBlock {
    fn add(&mut self, kind: HeaderField, value: &str, line: &TextLine<'_>) {
        if kind != HeaderField::Other && !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
        let when = When::of(value);
        self.dated |= kind == HeaderField::Date && (when.any() || value.chars().any(|c| c.is_ascii_digit()));
        self.address |= is_address(value) && kind != HeaderField::Subject;
        self.bold |= line.plain.starts_with('*');
    }

    fn is_whole(&self, first: HeaderField) -> bool {
        let shown = self.address || self.dated || self.bold;
        match self.kinds.len() {
            0 | 1 => false,
            2 => {
                let both = self.kinds.contains(&HeaderField::From) && self.kinds.contains(&HeaderField::Date);
                self.address
                    && (both && self.dated
                        || first == HeaderField::From && self.kinds.contains(&HeaderField::Subject))
                    || self.bold && self.address
            }
            3 => shown,
            _ => true,
        }
    }
}

fn is_address(value: &str) -> bool {
    value.contains("mailto:")
        || value.split_once('@').is_some_and(|(local, domain)| {
            local.ends_with(|c: char| !c.is_whitespace()) && domain.starts_with(char::is_alphanumeric)
        })
}

/// The header field in a line, and its value: `From: …`, `*Von:* …`.
fn header<'l>(line: &'l TextLine<'_>) -> Option<(HeaderField, &'l str)> {
    const LONGEST: usize = 40;
    let plain = line.plain.trim_start_matches(['*', '_', '|', ' ']);
    let (name, value) = plain.split_once([':', '\u{FF1A}'])?;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.trim_end_matches(['*', '_', ' ']);
    words::field(name).map(|kind| (kind, value))
}

/// The start of a signature (RFC 3676 4.3, even without its trailing space), a list footer or a disclaimer.
pub(super) fn is_signature(line: &TextLine<'_>) -> bool {
    let plain = line.plain.as_str();
    let all = |marks: &[char]| !plain.is_empty() && plain.chars().all(|c| marks.contains(&c));
    plain == "--"
        || plain.len() >= 2 && all(&['_'])
        || all(&['\u{2013}'])
        || all(&['\u{2014}', '\u{2015}'])
        || words::DISCLAIMERS.iter().any(|start| plain.starts_with(start))
}

/// A line drawn with rule characters. U+1427 is from a tracking program.
pub(in crate::mail) fn is_rule(line: &TextLine<'_>) -> bool {
    line.plain.chars().all(|c| RULES.contains(c) || "#* \u{1427}".contains(c))
}
