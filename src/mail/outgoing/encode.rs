//! Encodes our texts for transfer (RFC 2045 6.7). lettre would use base64 for text with little ASCII, and
//! would leave trailing blanks, `From ` and `.` to be changed on the way.

use std::borrow::Cow;

use lettre::message::Body;
use lettre::message::header::ContentTransferEncoding;

/// RFC 2045 6.7 (5): an encoded line has at most 76 characters with its soft line break.
const WIDTH: usize = 76;

/// Leaves safe text as it is, and encodes the rest as quoted-printable. Line ends become CR LF; control
/// characters are removed.
pub(super) fn body(text: &str) -> Body {
    let text = normal(text);
    match as_it_is(&text) {
        Some(plain) => Body::dangerous_pre_encoded(plain, ContentTransferEncoding::SevenBit),
        None => Body::dangerous_pre_encoded(
            quoted_printable(&text).into_bytes(),
            ContentTransferEncoding::QuotedPrintable,
        ),
    }
}

fn normal(text: &str) -> Cow<'_, str> {
    // The usual case. `fold` has no early exit, so the compiler can vectorise it.
    if text.bytes().fold(true, |plain, octet| plain & matches!(octet, b'\n' | b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut text = text.replace("\r\n", "\n");
    text.retain(|c| c == '\n' || c == '\t' || !c.is_control());
    Cow::Owned(text)
}

/// The text with CR LF, when every line is safe.
fn as_it_is(text: &str) -> Option<Vec<u8>> {
    const LINE: usize = 40;
    let mut plain = Vec::with_capacity(text.len() + text.len() / LINE + 2);
    for (number, line) in text.split('\n').enumerate() {
        if !is_safe(line) {
            return None;
        }
        if number > 0 {
            plain.extend_from_slice(b"\r\n");
        }
        plain.extend_from_slice(line.as_bytes());
    }
    Some(plain)
}

/// Short, printable, no trailing blank, no harmful beginning.
fn is_safe(line: &str) -> bool {
    line.len() <= WIDTH + 2
        && line.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~'))
        && !line.ends_with(' ')
        && !is_harmed_at_start(line.as_bytes())
}

/// mbox files put `>` before `From `. Some servers eat or double a leading dot (RFC 5321 4.5.2). Delimiters
/// begin with `--`.
fn is_harmed_at_start(rest: &[u8]) -> bool {
    rest.starts_with(b"From ") || rest.starts_with(b".") || rest.starts_with(b"--")
}

fn quoted_printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push_str("\r\n");
        }
        // Most lines need no encoding.
        if is_safe(line) && line.len() <= WIDTH && !line.contains('=') {
            out.push_str(line);
        } else {
            encode_line(line.as_bytes(), &mut out);
        }
    }
    out
}

fn encode_line(line: &[u8], out: &mut String) {
    let mut column = 0;
    for (at, octet) in line.iter().enumerate() {
        let rest = line.get(at..).unwrap_or_default();
        let last = rest.len() == 1;
        let literal = |column: usize| {
            // 6.7 (3): a trailing blank may be lost on the way.
            let blank = matches!(octet, b' ' | b'\t') && last;
            let printable = matches!(octet, b'\t' | b' '..=b'<' | b'>'..=b'~');
            printable && !blank && !(column == 0 && is_harmed_at_start(rest))
        };
        let width = if literal(column) { 1 } else { 3 };
        // The last octet needs no room for a soft line break.
        if column + width > if last { WIDTH } else { WIDTH - 1 } {
            out.push_str("=\r\n");
            column = 0;
        }
        if literal(column) {
            out.push(char::from(*octet));
            column += 1;
        } else {
            out.push_str(&format!("={octet:02X}"));
            column += 3;
        }
    }
}
