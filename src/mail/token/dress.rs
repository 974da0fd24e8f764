//! Reads a text as the programs between two people would show it, and keeps where each character stands in it.
//!
//! A token is passed on in many dresses: percent-encoded in a link, quoted-printable or as entities in a copied source,
//! wrapped by a mail program and quoted by the next. Each pass undoes one layer, since links are encoded in links.

use std::ops::Range;

use crate::mail::clean;

/// No program wraps an address in more layers.
const LAYERS: usize = 5;

/// A character, in lower case, and the bytes it takes in the text.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub c: char,
    pub span: Range<usize>,
    /// What stood before it and was left out.
    pub gap: Gap,
}

/// What parts two characters that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    /// The end of a line, with the marks of a quote at the beginning of the next.
    Line,
    /// Blanks within a line.
    Blanks,
}

/// The visible characters of a text.
pub(super) fn undress(text: &str) -> Vec<Seen> {
    let chars = text.char_indices();
    let mut seen: Vec<Seen> =
        chars.map(|(at, c)| Seen { c, span: at..at + c.len_utf8(), gap: Gap::None }).collect();
    for _ in 0..LAYERS {
        let before = seen.len();
        seen = take_off(&seen);
        if seen.len() == before {
            break;
        }
    }
    close_up(&seen)
}

/// Undoes one layer. Encodings of characters beyond ASCII vanish: no token has any.
fn take_off(dressed: &[Seen]) -> Vec<Seen> {
    let mut out: Vec<Seen> = Vec::with_capacity(dressed.len());
    let mut rest = dressed;
    while let [first, after @ ..] = rest {
        let (length, c) = match first.c {
            '%' | '=' => {
                let line_end =
                    (first.c == '=').then(|| soft_end(after)).flatten().map(|length| (1 + length, None));
                line_end.or_else(|| octet(first.c, after)).unwrap_or((1, Some(first.c)))
            }
            '&' => entity(after).map_or((1, Some('&')), |(length, c)| (1 + length, c)),
            '<' => tag(after).map_or((1, Some('<')), |(length, c)| (1 + length, c)),
            '\\' => escape(after).map_or((1, Some('\\')), |(length, c)| (1 + length, c)),
            c => (1, plain(c)),
        };
        let (used, left) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        if let (Some(c), Some(last)) = (c, used.last()) {
            out.push(Seen { c, span: first.span.start..last.span.end, gap: Gap::None });
        }
        rest = left;
    }
    out
}

/// The ASCII character of a code; `None` for what vanishes.
fn ascii(code: u32) -> Option<char> {
    char::from_u32(code).and_then(plain).filter(char::is_ascii)
}

/// The number of so many hexadecimal digits.
fn hex(after: &[Seen], digits: usize) -> Option<u32> {
    after.get(..digits)?.iter().try_fold(0, |code, seen| Some(code * 16 + seen.c.to_digit(16)?))
}

/// The character behind `%` or `=`, and how long it is. Octets of UTF-8 vanish together; others are no encoding:
/// `=b1.` begins a token.
fn octet(mark: char, after: &[Seen]) -> Option<(usize, Option<char>)> {
    if mark == '%' && after.first().is_some_and(|seen| seen.c == 'u' || seen.c == 'U') {
        return Some((6, ascii(hex(after.get(1..)?, 4)?)));
    }
    let code = hex(after, 2)?;
    if code < 0x80 {
        return Some((3, ascii(code)));
    }
    let following = |at: usize| {
        let next = after.get(at..)?;
        let code = next.first().filter(|seen| seen.c == mark).and_then(|_| hex(next.get(1..)?, 2))?;
        (0x80..0xC0).contains(&code).then_some(())
    };
    let octets = (0..3).take_while(|n| following(2 + 3 * n).is_some()).count();
    (code >= 0xC2 && octets > 0).then_some((3 + 3 * octets, None))
}

/// The rest of a line behind a soft line end of quoted-printable (RFC 2045 6.7), with the next line's quote marks.
fn soft_end(after: &[Seen]) -> Option<usize> {
    let blanks = after.iter().take(80).take_while(|seen| seen.c == ' ' || seen.c == '\r').count();
    if after.get(blanks)?.c != '\n' {
        return None;
    }
    let marks = after.iter().skip(blanks + 1).take(80).take_while(|seen| matches!(seen.c, '>' | ' ')).count();
    Some(blanks + 1 + marks)
}

/// A character reference of HTML, with or without its semicolon.
fn entity(after: &[Seen]) -> Option<(usize, Option<char>)> {
    const LONGEST: usize = 32;
    let name: String = after
        .iter()
        .take(LONGEST)
        .map(|seen| seen.c)
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '#')
        .collect::<String>()
        .to_ascii_lowercase();
    if let Some(number) = name.strip_prefix('#') {
        // Without a semicolon what follows may look like its digits; ours has two.
        let (digits, radix, before) = match number.strip_prefix('x') {
            Some(digits) => (digits, 16, 2),
            None => (number, 10, 1),
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let is_closed = after.get(before + end).is_some_and(|seen| seen.c == ';');
        let end = if is_closed { end } else { end.min(2) };
        let code = u32::from_str_radix(digits.get(..end)?, radix).ok()?;
        return Some((before + end + usize::from(is_closed), ascii(code)));
    }
    let (_, c) = ENTITIES.iter().find(|(known, _)| *known == name)?;
    (after.get(name.len())?.c == ';').then_some((name.len() + 1, *c))
}

/// The names of what stands in addresses, and of what is not seen.
const ENTITIES: [(&str, Option<char>); 18] = [
    ("amp", Some('&')),
    ("plus", Some('+')),
    ("period", Some('.')),
    ("commat", Some('@')),
    ("percnt", Some('%')),
    ("equals", Some('=')),
    ("num", Some('#')),
    ("semi", Some(';')),
    ("lt", Some('<')),
    ("gt", Some('>')),
    ("bsol", Some('\\')),
    ("nbsp", Some(' ')),
    ("newline", Some('\n')),
    ("tab", Some(' ')),
    ("shy", None),
    ("zwj", None),
    ("zwnj", None),
    ("zerowidthspace", None),
];

/// A tag that only changes how a text looks, or a short comment: a copied source has them within words. A longer tag
/// may hold a token itself.
fn tag(after: &[Seen]) -> Option<(usize, Option<char>)> {
    const LONGEST: usize = 20;
    const LOOKS: [&str; 16] = [
        "b", "i", "u", "s", "em", "strong", "span", "font", "tt", "code", "wbr", "big", "small", "sub",
        "sup", "mark",
    ];
    let inside: String = after.iter().take(LONGEST).map(|seen| seen.c).take_while(|c| *c != '>').collect();
    let length = inside.chars().count();
    (after.get(length)?.c == '>').then_some(())?;
    let inside = inside.to_ascii_lowercase();
    let name = inside.trim_matches(|c: char| c == '/' || c.is_whitespace());
    let c = match name {
        "br" | "p" | "div" => Some('\n'),
        name if LOOKS.contains(&name) || name.starts_with("!--") => None,
        _ => return None,
    };
    Some((length + 1, c))
}

/// `\u002b`, `\u{2b}`, `\x2b`, `\053` and `\+`, as programs write them in strings and Markdown.
fn escape(after: &[Seen]) -> Option<(usize, Option<char>)> {
    match after.first()?.c {
        'u' | 'U' if after.get(1).is_some_and(|seen| seen.c == '{') => {
            let digits = after.iter().skip(2).take(6).take_while(|seen| seen.c.is_ascii_hexdigit()).count();
            (after.get(2 + digits)?.c == '}').then_some(())?;
            Some((3 + digits, ascii(hex(after.get(2..)?, digits)?)))
        }
        '0'..='1' => {
            let digit = |seen: &Seen| seen.c.to_digit(8);
            let code = after.get(..3)?.iter().try_fold(0, |code, seen| Some(code * 8 + digit(seen)?))?;
            Some((3, ascii(code)))
        }
        'u' | 'U' => Some((5, ascii(hex(after.get(1..)?, 4)?))),
        'x' | 'X' => Some((3, ascii(hex(after.get(1..)?, 2)?))),
        c if c.is_ascii_punctuation() => Some((0, None)),
        _ => None,
    }
}

/// A character as it is compared: letters of full width are letters, and what is not seen goes.
fn plain(c: char) -> Option<char> {
    match c {
        '\n' | '\r' => Some('\n'),
        '\u{300}'..='\u{36F}' | '\u{FE00}'..='\u{FE0F}' | '\u{115F}' | '\u{1160}' | '\u{3164}' => None,
        '\u{FF01}'..='\u{FF5E}' => {
            char::from_u32(u32::from(c) - 0xFEE0).map(|plain| plain.to_ascii_lowercase())
        }
        '\u{2024}' | '\u{3002}' | '\u{FF61}' => Some('.'),
        // Letters and figures in bold, in italics, in circles and in squares.
        '\u{1D400}'..='\u{1D6A3}' => letter(c, 0x1D400, 52),
        '\u{1D7CE}'..='\u{1D7FF}' => char::from_digit((u32::from(c) - 0x1D7CE) % 10, 10),
        '\u{24B6}'..='\u{24E9}' => letter(c, 0x24B6, 26),
        '\u{1F130}'..='\u{1F149}' => letter(c, 0x1F130, 26),
        '\u{1F150}'..='\u{1F169}' => letter(c, 0x1F150, 26),
        '\u{1F170}'..='\u{1F189}' => letter(c, 0x1F170, 26),
        c if c.is_whitespace() => Some(' '),
        c if c.is_control() || clean::is_invisible(c) => None,
        c => Some(c.to_ascii_lowercase()),
    }
}

/// The letter of an alphabet of so many that begins at `first`.
fn letter(c: char, first: u32, letters: u32) -> Option<char> {
    let number = (u32::from(c) - first) % letters % 26;
    char::from_digit(number + 10, 36)
}

/// Leaves out blanks and line ends, the marks that people put around and between words, and quote marks at the
/// beginning of lines.
fn close_up(seen: &[Seen]) -> Vec<Seen> {
    let mut out: Vec<Seen> = Vec::with_capacity(seen.len());
    let (mut gap, mut quoted) = (Gap::None, false);
    let mut rest = seen;
    while let [seen, after @ ..] = rest {
        rest = after;
        match seen.c {
            '\n' => (gap, quoted) = (Gap::Line, true),
            '>' | '|' | ':' | '#' if quoted => {}
            _ if quoted && initials(seen, after) > 0 => {
                rest = after.get(initials(seen, after)..).unwrap_or_default();
            }
            ' ' | '*' | '_' | '~' | '`' | '"' | '\'' | ',' | '+' | '=' | '(' | ')' | '[' | ']' | '{'
            | '}' => {
                if gap == Gap::None {
                    gap = Gap::Blanks;
                }
            }
            _ => {
                out.push(Seen { gap, ..seen.clone() });
                (gap, quoted) = (Gap::None, false);
            }
        }
    }
    out
}

/// How many characters follow in the initials that some programs quote with: `AB> `.
fn initials(first: &Seen, after: &[Seen]) -> usize {
    const LONGEST: usize = 4;
    if !first.c.is_alphabetic() {
        return 0;
    }
    let more = after.iter().take(LONGEST).take_while(|seen| seen.c.is_alphabetic()).count();
    if after.get(more).is_some_and(|seen| seen.c == '>') { more + 1 } else { 0 }
}
