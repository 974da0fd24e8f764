//! Line ends, and where the header of a message ends, in mail that keeps neither rule of RFC 5322 2.1.

use std::borrow::Cow;
use std::ops::Range;

/// Gives every line one `\n` or `\r\n`. Gateways end lines with CR CR LF, some old programs with CR alone, and mail
/// that passed both kinds mixes them.
pub(super) fn normal(bytes: &[u8]) -> Cow<'_, [u8]> {
    let odd = |pair: &[u8]| matches!(pair, [b'\r', next] if *next != b'\n');
    if !bytes.windows(2).any(odd) && !bytes.ends_with(b"\r") {
        return Cow::Borrowed(bytes);
    }
    // CR CR LF is one end, but two where the mail's lines end with CR alone.
    let first = bytes.iter().position(|b| matches!(b, b'\r' | b'\n')).unwrap_or(0);
    let alone = matches!(bytes.get(first..), Some([b'\r', next, ..]) if !matches!(next, b'\r' | b'\n'));
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [octet, after @ ..] = rest {
        if *octet != b'\r' {
            out.push(*octet);
            rest = after;
            continue;
        }
        let crs = rest.iter().take_while(|b| **b == b'\r').count();
        rest = rest.get(crs..).unwrap_or_default();
        let ends = match rest.strip_prefix(b"\n") {
            Some(after) => {
                rest = after;
                if alone { crs } else { 1 }
            }
            None => crs,
        };
        out.resize(out.len() + ends, b'\n');
    }
    Cow::Owned(out)
}

/// A message or part, divided.
pub(super) struct Divided {
    /// The header's fields with their folded lines; what is no field is left out.
    pub fields: Vec<Range<usize>>,
    /// The length of the header.
    pub header: usize,
    pub body: usize,
}

/// Divides at the first empty line. Where lines without a colon stand before it and no field below them, the empty
/// line is missing and they begin the body, as mail servers take it; elsewhere such lines are passed over.
pub(super) fn divide(bytes: &[u8]) -> Divided {
    let mut divided = Divided { fields: Vec::new(), header: bytes.len(), body: bytes.len() };
    // The first line that is no field, behind the last field.
    let mut stray = None;
    let mut in_field = false;
    let mut offset = 0;
    let mut lines = bytes.split_inclusive(|b| *b == b'\n').peekable();
    while let Some(line) = lines.next() {
        let start = offset;
        offset += line.len();
        if matches!(line, b"\n" | b"\r\n") {
            divided.header = start;
            divided.body = offset;
            break;
        }
        if is_blank(line) && lines.peek().is_some_and(|next| !continues(next) && !is_field(next)) {
            // An empty line to everybody but RFC 5322 2.2.3.
            divided.header = start;
            divided.body = offset;
            break;
        }
        let folded = starts_blank(line);
        if folded && start > 0 {
            if let Some(field) = divided.fields.last_mut().filter(|_| in_field) {
                field.end = offset;
            }
        } else if is_field(line.trim_ascii_start()) {
            divided.fields.push(start..offset);
            (in_field, stray) = (true, None);
        } else {
            in_field = false;
            // mbox files have such lines anywhere in a header.
            let mbox = line.starts_with(b"From ") || line.starts_with(b">From ");
            stray = stray.or((!mbox).then_some(start));
        }
    }
    if let Some(stray) = stray {
        (divided.header, divided.body) = (stray, stray);
    }
    divided
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

fn starts_blank(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ' | b'\t'))
}

/// True for a folded line, and for an empty one, behind which nothing is left to decide.
fn continues(line: &[u8]) -> bool {
    starts_blank(line) || is_blank(line)
}

/// True for `Name: value`, also `Name : value`. A name has visible ASCII alone (RFC 5322 2.2); control characters in
/// it are damage.
fn is_field(line: &[u8]) -> bool {
    let Some(colon) = line.iter().position(|b| *b == b':') else { return false };
    let name = line.get(..colon).unwrap_or_default().trim_ascii_end();
    name.iter().any(u8::is_ascii_alphanumeric)
        && name.iter().all(|b| b.is_ascii() && !matches!(b, b' ' | b'\t' | b'\n' | b'>' | b'<'))
}

#[cfg(test)]
mod tests {
    use super::{divide, normal};

    #[test]
    fn every_line_ends_once() {
        let cases: [(&[u8], &[u8]); 9] = [
            (b"a\r\nb\n\r\nc", b"a\r\nb\n\r\nc"),
            (b"a\rb\r\rc\r", b"a\nb\n\nc\n"),
            (b"a\r\r\nb\r\r\n\r\r\nc\r\r\n", b"a\nb\n\nc\n"),
            (b"a\nb\r\rc\r\r\n", b"a\nb\n\nc\n"),
            (b"a\rb\r\r\nc\r\n", b"a\nb\n\nc\n"),
            (b"a\r\nb\rc\r\n\r\nd", b"a\nb\nc\n\nd"),
            (b"a\r\r\r\nb", b"a\nb"),
            (b"\r", b"\n"),
            (b"", b""),
        ];
        for (input, expected) in cases {
            let normal = normal(input);
            assert_eq!(*normal, *expected, "{}", input.escape_ascii());
        }
    }

    #[test]
    fn the_header_ends_where_people_see_its_end() {
        for (message, fields, body) in [
            ("A: b\n c\nD: e\n\nx\n", vec!["A: b\n c\n", "D: e\n"], "x\n"),
            ("A: b\njunk\n folded\nD: e\n\nx\n", vec!["A: b\n", "D: e\n"], "x\n"),
            ("A: b\n>From me\nFrom a Mon 1\n\nx\n", vec!["A: b\n"], "x\n"),
            ("A: b\nx\ny\n\nz\n", vec!["A: b\n"], "x\ny\n\nz\n"),
            ("A: b\nx", vec!["A: b\n"], "x"),
            ("x\n\ny", vec![], "x\n\ny"),
            ("A: b\n \nx y\n\nz", vec!["A: b\n"], "x y\n\nz"),
            ("A: b\n \nC: d\n\nz", vec!["A: b\n \n", "C: d\n"], "z"),
            (" A: b\nC : d\nE\t: f\n\nz", vec![" A: b\n", "C : d\n", "E\t: f\n"], "z"),
            ("\nx: y\n", vec![], "x: y\n"),
        ] {
            let divided = divide(message.as_bytes());
            let found: Vec<&str> = divided.fields.into_iter().map(|field| &message[field]).collect();
            assert_eq!((found, &message[divided.body..]), (fields, body), "{message:?}");
        }
    }
}
