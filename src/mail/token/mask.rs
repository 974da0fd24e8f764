//! Masks tokens in texts that are shown to other people, who could play with one.
//!
//! A token can be percent-encoded in a link, quoted-printable or entities in a copied source, and wrapped by
//! a mail program. One such layer is undone. Other disguises are not masked, but [`leaves_part`] notices what
//! is left of the code.

use std::ops::Range;

use crate::mail::{clean, look_alikes};

/// The base32 of a token's 128 bits.
pub(super) const CODE: usize = 26;

/// The base32 of the tag in an envelope sender. With the tag, anyone can report that the mail did not arrive.
const TAG: usize = 16;

/// Replaces a token in masked text.
pub(super) const MASK: &str = "***";

/// A code cannot be completed by trying if fewer of its characters than this are known.
const PART: usize = 12;

/// The most gaps within such a part.
const GAPS: usize = 2;

/// The most digits of a board's or account's number.
const NUMBER: usize = 20;

/// A character in lower case, and its bytes in the text.
struct VisibleChar {
    c: char,
    span: Range<usize>,
    /// True after a line end, perhaps with the marks of a quote.
    wrapped: bool,
}

/// Masks every token in `text`. A code that is wrapped and has no digit, or has no number before it, can be prose: it
/// is masked only if `is_ours` is true for it.
pub fn mask(text: &str, mut is_ours: impl FnMut(&str) -> bool) -> String {
    let chars = Chars::of(text);
    let mut masked = String::with_capacity(text.len());
    let (mut at, mut written) = (0, 0);
    while let Some(first) = chars.0.get(at) {
        let length = chars.numbered(at, &mut is_ours).or_else(|| chars.bare(at, &mut is_ours));
        let length = length.or_else(|| chars.spaced(at, &mut is_ours));
        if let Some(last) = length.and_then(|length| chars.0.get(at + length - 1)) {
            masked.push_str(text.get(written..first.span.start).unwrap_or_default());
            masked.push_str(MASK);
            written = last.span.end;
        }
        at += length.unwrap_or(1);
    }
    masked.push_str(text.get(written..).unwrap_or_default());
    masked
}

/// True if a masked text still has enough of a code to complete it by trying. `is_ours` tells whether a code begins or
/// ends with a text.
pub fn leaves_part(masked: &str, mut is_ours: impl FnMut(&str) -> bool) -> bool {
    let mut gap = true;
    let mut run: Vec<(char, bool)> = Vec::new();
    let mut is_part = |run: &[(char, bool)]| {
        let gaps = run.iter().skip(1).filter(|(_, gap)| *gap).count();
        let part: String = run.iter().map(|(c, _)| *c).collect();
        // `is_ours` is slow, so words without digits are checked only if they are long.
        let is_likely = gaps == 0 || gaps <= GAPS && part.contains(|c: char| c.is_ascii_digit());
        run.len() == PART && is_likely && is_ours(&part)
    };
    for VisibleChar { c, wrapped, .. } in Chars::of(masked).0 {
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        if !is_base32(c) {
            run.clear();
            continue;
        }
        run.push((c, gap || wrapped));
        gap = false;
        if run.len() > PART {
            run.remove(0);
        }
        if is_part(&run) {
            return true;
        }
    }
    false
}

/// The visible characters of a text, with one layer of encoding undone.
struct Chars(Vec<VisibleChar>);

impl Chars {
    fn of(text: &str) -> Chars {
        let mut chars: Vec<VisibleChar> = Vec::with_capacity(text.len());
        let (mut at, mut wrapped) = (0, false);
        while let Some((rest, c)) = text.get(at..).and_then(|rest| Some((rest, rest.chars().next()?))) {
            let (length, c) = match c {
                '\r' | '\n' => {
                    let quote = |c: char| c.is_whitespace() || matches!(c, '>' | '|');
                    wrapped = true;
                    (rest.find(|c| !quote(c)).unwrap_or(rest.len()), None)
                }
                '=' if soft_end(rest).is_some() => (soft_end(rest).unwrap_or(1), None),
                '%' | '=' => octet(rest).unwrap_or((1, Some(c))),
                '&' => entity(rest).unwrap_or((1, Some(c))),
                c if c.is_control() || clean::is_invisible(c) => (c.len_utf8(), None),
                // Skip spaces at the end of a line.
                ' ' | '\t' if rest.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']) => (1, None),
                c => (c.len_utf8(), Some(c)),
            };
            for c in c.into_iter().flat_map(look_alikes::plain) {
                chars.push(VisibleChar { c, span: at..at + length, wrapped });
                wrapped = false;
            }
            at += length;
        }
        Chars(chars)
    }

    /// The length of the numbered token that begins here, such as `b42.CODE` or `c7.CODE`, or of the tag of an envelope
    /// sender, `bounce-42.TAG`.
    fn numbered(&self, at: usize, is_ours: &mut impl FnMut(&str) -> bool) -> Option<usize> {
        let (letters, code) = match self.char(at)? {
            'b' if "bounce-".chars().enumerate().all(|(n, c)| self.char(at + n) == Some(c)) => (7, TAG),
            'a' | 'b' | 'c' | 'd' | 'e' | 'i' | 'm' | 'p' | 'r' | 's' | 't' | 'u' | 'w' => (1, CODE),
            _ => return None,
        };
        let is_digit = |n: &usize| self.char(at + letters + n).is_some_and(|c| c.is_ascii_digit());
        let digits = (0..NUMBER).take_while(is_digit).count();
        let start = at + letters + digits + 1;
        let part = self.0.get(start..start + code)?;
        if digits == 0 || self.char(start - 1) != Some('.') || !part.iter().all(|seen| is_base32(seen.c)) {
            return None;
        }
        let token = self.0.get(at..start + code)?;
        let is_whole = !token.iter().skip(1).any(|seen| seen.wrapped)
            || part.iter().any(|seen| seen.c.is_ascii_digit())
            || is_ours(&text_of(part));
        is_whole.then_some(token.len())
    }

    /// The length of a code without its number. Such a code can be an ordinary word, so `is_ours` decides.
    fn bare(&self, at: usize, is_ours: &mut impl FnMut(&str) -> bool) -> Option<usize> {
        let part = self.0.get(at..at + CODE)?;
        let wraps = part.iter().skip(1).filter(|seen| seen.wrapped).count();
        (wraps <= 1 && part.iter().all(|seen| is_base32(seen.c)) && is_ours(&text_of(part))).then_some(CODE)
    }

    /// The length of a code that begins here with more gaps (spaces, line ends, signs) than prose has.
    fn spaced(&self, at: usize, is_ours: &mut impl FnMut(&str) -> bool) -> Option<usize> {
        const GAPS_OF_PROSE: usize = 8;
        const LONGEST: usize = 8 * CODE;
        let (mut code, mut gaps, mut length) = (String::with_capacity(CODE), 0, 0);
        let mut rest = self.0.get(at..)?.iter().take(LONGEST).enumerate();
        while code.len() < CODE {
            let (number, VisibleChar { c, wrapped, .. }) = rest.next()?;
            match c.is_alphanumeric() {
                true if !is_base32(*c) => return None,
                true => code.push(*c),
                false if code.is_empty() => return None,
                false => continue,
            }
            gaps += usize::from(number > length || number > 0 && *wrapped);
            length = number + 1;
        }
        // `is_ours` is slow, and few lines of prose have two digits this close.
        let digits = code.chars().filter(char::is_ascii_digit).count();
        (gaps > if digits > 1 { GAPS } else { GAPS_OF_PROSE } && is_ours(&code)).then_some(length)
    }

    fn char(&self, at: usize) -> Option<char> {
        self.0.get(at).map(|seen| seen.c)
    }
}

fn text_of(chars: &[VisibleChar]) -> String {
    chars.iter().map(|seen| seen.c).collect()
}

fn is_base32(c: char) -> bool {
    matches!(c, 'a'..='z' | '2'..='7')
}

/// The length of a soft line end of quoted-printable (RFC 2045 6.7), with the next line's quote marks.
fn soft_end(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('=')?.trim_start_matches([' ', '\r']).strip_prefix('\n')?;
    Some(rest.len() - after.trim_start_matches(['>', ' ']).len())
}

/// `%2B` or `=2B`. Octets of UTF-8 are dropped together, because no token has one. Others are no encoding: `=b1.`
/// begins a token.
fn octet(rest: &str) -> Option<(usize, Option<char>)> {
    let mark = rest.chars().next()?;
    let code = |at: usize| {
        let digits = rest.get(at..at + 3)?.strip_prefix(mark)?;
        u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
    };
    let first = code(0)?;
    if first.is_ascii() {
        return Some((3, Some(char::from(first)).filter(|c| !c.is_control())));
    }
    let continues = |n: &usize| code(3 * n).is_some_and(|code| (0x80..0xC0).contains(&code));
    let following = (1..4).take_while(continues).count();
    (first >= 0xC2 && following > 0).then_some((3 + 3 * following, None))
}

/// A character reference of HTML.
fn entity(rest: &str) -> Option<(usize, Option<char>)> {
    const LONGEST: usize = 12;
    let end = rest.char_indices().take(LONGEST).find(|(_, c)| *c == ';').map(|(at, _)| at)?;
    let name = rest.get(1..end)?;
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?).filter(char::is_ascii_graphic)
        }
        None => match name {
            "amp" => Some('&'),
            "plus" => Some('+'),
            "period" => Some('.'),
            "commat" => Some('@'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "shy" | "zwj" | "zwnj" => None,
            _ => return None,
        },
    };
    Some((end + 1, c))
}
