//! Line ends and the end of the header, in mail that breaks the rules of RFC 5322 2.1.

use std::borrow::Cow;
use std::ops::Range;

/// Gives every line one `\n` or `\r\n`. Gateways end lines with CR CR LF, some old programs with CR alone, and some mail mixes them.
pub(super) fn normal(bytes: &[u8]) -> Cow<'_, [u8]> {
    let odd = |pair: &[u8]| matches!(pair, [b'\r', next] if *next != b'\n');
    if !bytes.windows(2).any(odd) && !bytes.ends_with(b"\r") {
        return Cow::Borrowed(bytes);
    }
    // CR CR LF is one line end, but two in a mail whose lines end with CR alone.
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

/// A message or part, divided into header and body.
pub(super) struct Divided {
    /// The header's fields with their folded lines. Other lines are left out.
    pub fields: Vec<Range<usize>>,
    /// The length of the header.
    pub header: usize,
    pub body: usize,
}

/// Divides at the first empty line. If lines without a colon are above it and no field is below them, the empty line is
/// missing and they begin the body, as mail servers read it. Other such lines are skipped.
pub(super) fn divide(bytes: &[u8]) -> Divided {
    let mut divided = Divided { fields: Vec::new(), header: bytes.len(), body: bytes.len() };
    // The first line after the last field that is not a field itself.
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
            // Every program reads a line of white space as an empty line, although RFC 5322 2.2.3 does not.
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

/// True for a folded line or an empty one: neither decides where the header ends.
fn continues(line: &[u8]) -> bool {
    starts_blank(line) || is_blank(line)
}

/// True for `Name: value`, also `Name : value`. A name has only visible ASCII (RFC 5322 2.2); control characters in it
/// are damage.
fn is_field(line: &[u8]) -> bool {
    let Some(colon) = line.iter().position(|b| *b == b':') else { return false };
    let name = line.get(..colon).unwrap_or_default().trim_ascii_end();
    name.iter().any(u8::is_ascii_alphanumeric)
        && name.iter().all(|b| b.is_ascii() && !matches!(b, b' ' | b'\t' | b'\n' | b'>' | b'<'))
}

#[cfg(test)]
mod tests {
    use super::divide;

    #[test]
    fn the_header_ends_at_the_visible_end() {
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
