//! Encodes outgoing text for transfer (RFC 2045 6.7). lettre would use base64 for text with little ASCII, and would
//! leave trailing spaces, `From ` and `.` to be changed on the way.

use std::borrow::Cow;

use lettre::message::Body;
use lettre::message::header::ContentTransferEncoding;

/// RFC 2045 6.7 (5): an encoded line has at most 76 characters with its soft line break.
const WIDTH: usize = 76;

/// Leaves safe text as it is, and encodes the rest as quoted-printable. Line ends become CR LF; control characters are
/// removed.
pub(super) fn body(text: &str) -> Body {
    let text = normal(text);
    match as_it_is(&text) {
        Some(plain) => Body::dangerous_pre_encoded(plain, ContentTransferEncoding::SevenBit),
        None => {
            Body::dangerous_pre_encoded(quoted_printable(&text), ContentTransferEncoding::QuotedPrintable)
        }
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

/// The text with CR LF, if every line is safe.
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

/// True for a short, printable line without a trailing space or a beginning that servers change.
fn is_safe(line: &str) -> bool {
    line.len() <= WIDTH + 2
        && line.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~'))
        && !line.ends_with(' ')
        && !is_harmed_at_start(line.as_bytes())
}

/// mbox files put `>` before `From `. Some servers drop or double a leading dot (RFC 5321 4.5.2). Delimiters begin with
/// `--`.
fn is_harmed_at_start(rest: &[u8]) -> bool {
    rest.starts_with(b"From ") || rest.starts_with(b".") || rest.starts_with(b"--")
}

fn quoted_printable(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.extend_from_slice(b"\r\n");
        }
        // Most lines need no encoding.
        if is_safe(line) && line.len() <= WIDTH && !line.contains('=') {
            out.extend_from_slice(line.as_bytes());
        } else {
            encode_line(line.as_bytes(), &mut out);
        }
    }
    out
}

fn encode_line(line: &[u8], out: &mut Vec<u8>) {
    let (mut rest, mut column) = (line, 0);
    while let Some((octet, behind)) = rest.split_first() {
        let literal = if column == 0 && is_harmed_at_start(rest) { 0 } else { literals(rest) };
        let encoded = if literal == 0 { 3 } else { 0 };
        // The last octet of a line needs no room for a soft line break.
        let is_last = literal == rest.len() || behind.is_empty();
        let room = if is_last && column + literal + encoded <= WIDTH { WIDTH } else { WIDTH - 1 } - column;
        if encoded.max(1) > room {
            out.extend_from_slice(b"=\r\n");
            column = 0;
        } else if encoded > 0 {
            out.extend_from_slice(&[b'=', hex(octet >> 4), hex(octet & 0xF)]);
            (rest, column) = (behind, column + encoded);
        } else {
            let (fits, other) = rest.split_at_checked(literal.min(room)).unwrap_or((rest, &[]));
            out.extend_from_slice(fits);
            (rest, column) = (other, column + fits.len());
        }
    }
}

/// The number of octets at the beginning that need no encoding.
fn literals(rest: &[u8]) -> usize {
    let printable = |octet: &&u8| matches!(octet, b'\t' | b' '..=b'<' | b'>'..=b'~');
    let run = rest.iter().take_while(printable).count();
    // RFC 2045 6.7 (3): a trailing space can be lost on the way.
    let ends_blank = run == rest.len() && rest.last().is_some_and(|octet| matches!(octet, b' ' | b'\t'));
    run - usize::from(ends_blank)
}

fn hex(digit: u8) -> u8 {
    if digit < 10 { b'0' + digit } else { b'A' + digit - 10 }
}
