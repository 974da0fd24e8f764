//! The transfer encoding of our texts (RFC 2045 6.7), chosen here: lettre takes base64 for texts with few ASCII
//! letters, leaves blanks at line ends to be stripped on the way, and leaves `From ` and `.` at line beginnings
//! to be changed there.

use std::borrow::Cow;

use lettre::message::Body;
use lettre::message::header::ContentTransferEncoding;

/// RFC 2045 6.7 (5): an encoded line has at most 76 characters, the `=` of a soft line break counted.
const WIDTH: usize = 76;

/// As it is where nothing on the way can harm it, else as quoted-printable. Line ends become CR LF; control
/// characters do not come through.
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
    // Our own texts as a rule. Without an early end the compiler looks at many octets at once.
    if text.bytes().fold(true, |plain, octet| plain & matches!(octet, b'\n' | b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut text = text.replace("\r\n", "\n");
    text.retain(|c| c == '\n' || c == '\t' || !c.is_control());
    Cow::Owned(text)
}

/// The text with the line ends of mail, when all its lines are safe.
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

/// Short, printable, without blanks at its end, and not beginning as a delimiter does.
fn is_safe(line: &str) -> bool {
    line.len() <= WIDTH + 2
        && line.bytes().fold(true, |plain, octet| plain & matches!(octet, b' '..=b'~'))
        && !line.ends_with(' ')
        && !is_harmed_at_start(line.as_bytes())
}

/// mbox files put `>` before `From `; a server that forgets to undo the dots of SMTP (RFC 5321 4.5.2) eats or
/// doubles one; `--` is how a delimiter begins.
fn is_harmed_at_start(rest: &[u8]) -> bool {
    rest.starts_with(b"From ") || rest.starts_with(b".") || rest.starts_with(b"--")
}

fn quoted_printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push_str("\r\n");
        }
        // Most lines of a mail that needs encoding need none.
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
            // 6.7 (3): a blank at the end of a line may be lost on the way.
            let blank = matches!(octet, b' ' | b'\t') && last;
            let printable = matches!(octet, b'\t' | b' '..=b'<' | b'>'..=b'~');
            printable && !blank && !(column == 0 && is_harmed_at_start(rest))
        };
        let width = if literal(column) { 1 } else { 3 };
        // The last octet of a line needs no room for a soft line break after it.
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
