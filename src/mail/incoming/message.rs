//! Splits a message into its header and parts, within limits.
//!
//! mailparse's `parse_mail` does not do: it limits depth but not number, gives up the whole message for one
//! odd line, and takes `--ab` for the delimiter `--a`.

use std::fmt;

use mailparse::ParsedContentType;

use super::headers::{Headers, MAX_BYTES, without_comments};
use crate::clock::work;

/// The largest message.
pub const MAX_MESSAGE: usize = 1024 * 1024;
/// The most parts, multiparts included.
pub const MAX_PARTS: usize = 100;
/// The deepest nesting of multiparts.
pub const MAX_DEPTH: usize = 20;

/// Which limit a message exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooMuch {
    /// The size of the message or its header.
    Bytes,
    /// The number of its parts, or of tags in its HTML.
    Parts,
    /// The nesting of its parts, or of elements in its HTML.
    Depth,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TooMuch::Bytes => "it is larger than 1 MiB",
            TooMuch::Parts => "it has too many parts, or too many tags in its HTML",
            TooMuch::Depth => "its parts, or the elements of its HTML, are nested too deep",
        })
    }
}

/// A message or a part.
pub(super) struct Entity<'a> {
    pub headers: Headers<'a>,
    /// True when the header was too long and is cut.
    pub cut: bool,
    pub body: &'a [u8],
}

impl<'a> Entity<'a> {
    /// Splits at the first empty line (RFC 5322 2.1).
    pub fn parse(bytes: &'a [u8]) -> Self {
        let (header, body) = divide(bytes);
        let cut = header.len() > MAX_BYTES;
        let header = header.get(..MAX_BYTES).unwrap_or(header);
        Entity { headers: Headers::parse(header), cut, body }
    }

    /// The Content-Type; text/plain when it is missing or unreadable (RFC 2045 5.2).
    pub fn content_type(&self) -> ParsedContentType {
        let value = self.headers.first("content-type").unwrap_or_default();
        let mut parsed = mailparse::parse_content_type(&value);
        parsed.mimetype = without_comments(&parsed.mimetype);
        if !parsed.mimetype.contains('/') {
            parsed.mimetype = "text/plain".to_owned();
        }
        parsed
    }

    pub fn encoding(&self) -> String {
        without_comments(&self.headers.first("content-transfer-encoding").unwrap_or_default())
    }

    /// True for a file that is not the text of the mail.
    pub fn is_attachment(&self) -> bool {
        let value = self.headers.first("content-disposition").unwrap_or_default();
        let parsed = mailparse::parse_content_disposition(&value);
        matches!(parsed.disposition, mailparse::DispositionType::Attachment)
            || parsed.params.contains_key("filename")
    }
}

/// A leaf in the tree of parts.
pub(super) struct Part<'a> {
    pub entity: Entity<'a>,
    pub kind: ParsedContentType,
}

/// The leaves in order. A message/rfc822 is a leaf: a forwarded mail does not play.
pub(super) fn parts(root: Entity<'_>) -> Result<Vec<Part<'_>>, TooMuch> {
    let mut leaves = Vec::new();
    let mut count = 0;
    collect(root, "text/plain", 0, &mut count, &mut leaves)?;
    Ok(leaves)
}

fn collect<'a>(
    entity: Entity<'a>,
    default: &str,
    depth: usize,
    count: &mut usize,
    leaves: &mut Vec<Part<'a>>,
) -> Result<(), TooMuch> {
    *count += 1;
    if *count > MAX_PARTS {
        return Err(TooMuch::Parts);
    }
    let mut kind = entity.content_type();
    if entity.headers.first("content-type").is_none() {
        kind.mimetype = default.to_owned();
    }
    let boundary = kind.params.get("boundary").map(|boundary| boundary.trim_end()).unwrap_or_default();
    if !kind.mimetype.starts_with("multipart/") || boundary.is_empty() {
        leaves.push(Part { entity, kind });
        return Ok(());
    }
    if depth >= MAX_DEPTH {
        return Err(TooMuch::Depth);
    }
    // RFC 2046 5.1.5: the parts of a digest are messages by default.
    let default = if kind.mimetype == "multipart/digest" { "message/rfc822" } else { "text/plain" };
    let found = split(entity.body, boundary)?;
    if found.is_empty() {
        // A multipart without delimiters is text with a wrong label.
        kind.mimetype = "text/plain".to_owned();
        leaves.push(Part { entity, kind });
        return Ok(());
    }
    for part in found {
        collect(Entity::parse(part), default, depth + 1, count, leaves)?;
    }
    Ok(())
}

/// The parts between delimiter lines (RFC 2046 5.1.1). Without a last delimiter the body's end counts.
fn split<'a>(body: &'a [u8], boundary: &str) -> Result<Vec<&'a [u8]>, TooMuch> {
    let mut found = Vec::new();
    let mut start = None;
    work::count(body.len());
    let mut offset = 0;
    for line in body.split_inclusive(|b| *b == b'\n') {
        let end = offset;
        offset += line.len();
        let Some(rest) =
            line.trim_ascii_end().strip_prefix(b"--").and_then(|l| l.strip_prefix(boundary.as_bytes()))
        else {
            continue;
        };
        if !matches!(rest, b"" | b"--") {
            continue;
        }
        if let Some(start) = start {
            found.push(body.get(start..end).unwrap_or_default());
        }
        start = (rest.is_empty()).then_some(offset);
        if start.is_none() {
            return Ok(found);
        }
        if found.len() > MAX_PARTS {
            return Err(TooMuch::Parts);
        }
    }
    found.extend(start.and_then(|start| body.get(start..)));
    Ok(found)
}

fn divide(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut offset = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let start = offset;
        offset += line.len();
        work::count(line.len());
        if matches!(line, b"\n" | b"\r\n") {
            return (bytes.get(..start).unwrap_or_default(), bytes.get(offset..).unwrap_or_default());
        }
    }
    (bytes, &[])
}

/// Removes what pipes and mailboxes put before a message: empty lines, a byte order mark, and the mbox line
/// `From ann@example.org Mon Jan  1 00:00:00 2026`. Gives the sender in that line.
pub(super) fn strip_front(bytes: &[u8]) -> (&[u8], Option<String>) {
    let bytes = bytes.trim_ascii_start();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let Some(rest) = bytes.strip_prefix(b"From ").or_else(|| bytes.strip_prefix(b">From ")) else {
        return (bytes, None);
    };
    let end = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |end| end + 1);
    let (line, rest) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    let sender = line.trim_ascii_start().split(|b| b.is_ascii_whitespace()).next().unwrap_or_default();
    (rest.trim_ascii_start(), Some(String::from_utf8_lossy(sender).into_owned()))
}
