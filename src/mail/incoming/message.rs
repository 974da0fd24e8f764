//! Splits a message into its header and parts, within limits.
//!
//! mailparse's `parse_mail` is not enough: it limits depth but not number, gives up the whole message for one
//! odd line, and takes `--ab` for the delimiter `--a`.

use std::fmt;

use mailparse::{DispositionType, ParsedContentDisposition, ParsedContentType};

use super::headers::{Headers, MAX_BYTES, without_comments};
use super::{decode, lines};

/// The largest message, in bytes.
pub const MAX_MESSAGE: usize = 1024 * 1024;
/// The most parts, including multiparts.
pub const MAX_PARTS: usize = 100;
/// The deepest nesting of multiparts.
pub const MAX_DEPTH: usize = 20;

/// The limit that a message exceeds.
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

/// The top-level types of RFC 6838 4.2. Any other, such as `plain/text`, is text with a wrong label.
const TYPES: [&str; 9] =
    ["text", "multipart", "message", "application", "image", "audio", "video", "font", "model"];

pub(super) struct Entity<'a> {
    pub headers: Headers<'a>,
    /// True if the header was too long and is cut.
    pub cut: bool,
    pub body: &'a [u8],
}

impl<'a> Entity<'a> {
    pub fn parse(bytes: &'a [u8]) -> Self {
        let divided = lines::divide(bytes);
        let cut = divided.header > MAX_BYTES;
        let fields = divided.fields.into_iter().filter(|field| field.end <= MAX_BYTES);
        let headers = Headers::parse(fields.filter_map(|field| bytes.get(field)));
        Entity { headers, cut, body: bytes.get(divided.body..).unwrap_or_default() }
    }

    /// The Content-Type; text/plain if it is missing or unreadable (RFC 2045 5.2).
    pub fn content_type(&self) -> ParsedContentType {
        let value = self.headers.first("content-type").unwrap_or_default();
        let mut parsed = mailparse::parse_content_type(&value);
        let kind = without_comments(&parsed.mimetype);
        // Some programs forget the `;` before the parameters.
        let (kind, rest) = kind.split_once(char::is_whitespace).unwrap_or((&kind, ""));
        for (name, value) in rest.split_whitespace().filter_map(|word| word.split_once('=')) {
            parsed.params.entry(name.to_owned()).or_insert_with(|| value.trim_matches('"').to_owned());
        }
        let is_known =
            kind.split_once('/').is_some_and(|(top, _)| TYPES.contains(&top) || top.starts_with("x-"));
        // Old mail programs give signed text this type.
        let is_known = is_known && kind != "application/pgp";
        parsed.mimetype = if is_known { kind.to_owned() } else { "text/plain".to_owned() };
        parsed
    }
}

/// A leaf in the tree of parts.
pub(super) struct BodyPart<'a> {
    pub kind: ParsedContentType,
    /// True if its header was too long and is cut.
    pub cut: bool,
    /// The innermost multipart/alternative around the part, identified by the number of its first leaf.
    pub alternative: Option<usize>,
    disposition: ParsedContentDisposition,
    encoding: String,
    body: &'a [u8],
}

impl<'a> BodyPart<'a> {
    fn new(entity: &Entity<'a>, kind: ParsedContentType, alternative: Option<usize>) -> BodyPart<'a> {
        let field = |name: &str| entity.headers.first(name).unwrap_or_default();
        BodyPart {
            kind,
            cut: entity.cut,
            alternative,
            disposition: mailparse::parse_content_disposition(&field("content-disposition")),
            encoding: without_comments(&field("content-transfer-encoding")),
            body: entity.body,
        }
    }

    /// The body without its transfer encoding.
    pub fn octets(&self) -> Vec<u8> {
        let label = self.kind.params.get("charset").map(|label| label.to_ascii_lowercase());
        let is_utf8 = label.is_none_or(|label| label.contains("utf-8") || label.contains("ascii"));
        decode::octets(self.body, &self.encoding, is_utf8 && self.kind.mimetype.starts_with("text/"))
    }

    /// True for a file that is not the text of the mail.
    pub fn is_attachment(&self) -> bool {
        matches!(self.disposition.disposition, DispositionType::Attachment) || self.file_name().is_some()
    }

    /// True if a mail program shows it within the text.
    pub fn is_inline(&self) -> bool {
        !matches!(self.disposition.disposition, DispositionType::Attachment)
    }

    /// The lower-case name.
    pub fn file_name(&self) -> Option<String> {
        let name = self.disposition.params.get("filename").or_else(|| self.kind.params.get("name"));
        name.map(|name| name.trim().to_lowercase())
    }
}

/// The leaves in order. A message/rfc822 is a leaf: a forwarded mail does not play.
pub(super) fn parts<'a>(root: &Entity<'a>) -> Result<Vec<BodyPart<'a>>, TooMuch> {
    let mut leaves = Vec::new();
    let mut count = 0;
    collect(root, "text/plain", (0, None), &mut count, &mut leaves)?;
    Ok(leaves)
}

fn collect<'a>(
    entity: &Entity<'a>,
    default: &str,
    (depth, alternative): (usize, Option<usize>),
    count: &mut usize,
    leaves: &mut Vec<BodyPart<'a>>,
) -> Result<(), TooMuch> {
    *count += 1;
    if *count > MAX_PARTS {
        return Err(TooMuch::Parts);
    }
    let mut kind = entity.content_type();
    if entity.headers.first("content-type").is_none() {
        kind.mimetype = default.to_owned();
    }
    if !kind.mimetype.starts_with("multipart/") {
        leaves.push(BodyPart::new(entity, kind, alternative));
        return Ok(());
    }
    if depth >= MAX_DEPTH {
        return Err(TooMuch::Depth);
    }
    // RFC 2046 5.1.5: the parts of a digest are messages by default.
    let default = if kind.mimetype == "multipart/digest" { "message/rfc822" } else { "text/plain" };
    let boundary = kind.params.get("boundary").map(|boundary| boundary.trim_end()).unwrap_or_default();
    let mut found = if boundary.is_empty() { Vec::new() } else { split(entity.body, boundary)? };
    if found.is_empty()
        && let Some(boundary) = guess_boundary(entity.body)
    {
        found = split(entity.body, &boundary)?;
    }
    if found.is_empty() {
        // A multipart without delimiters is text with a wrong label.
        kind.mimetype = "text/plain".to_owned();
        leaves.push(BodyPart::new(entity, kind, alternative));
        return Ok(());
    }
    let alternative = if kind.mimetype == "multipart/alternative" { Some(leaves.len()) } else { alternative };
    for part in found {
        collect(&Entity::parse(part), default, (depth + 1, alternative), count, leaves)?;
    }
    Ok(())
}

/// The boundary that the body shows if Content-Type gives a wrong one: a line of `--` and more, above the
/// header of a part.
fn guess_boundary(body: &[u8]) -> Option<String> {
    let mut lines = body.split(|b| *b == b'\n').peekable();
    while let Some(line) = lines.next() {
        let boundary = line.trim_ascii_end().strip_prefix(b"--").filter(|rest| !rest.is_empty());
        let is_part =
            |next: &&[u8]| next.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"content-"));
        if let Some(boundary) = boundary.filter(|_| lines.peek().is_some_and(is_part)) {
            return String::from_utf8(boundary.to_vec()).ok();
        }
    }
    None
}

/// The parts between delimiter lines (RFC 2046 5.1.1). If the last delimiter is missing, the body's end counts.
fn split<'a>(body: &'a [u8], boundary: &str) -> Result<Vec<&'a [u8]>, TooMuch> {
    let mut found = Vec::new();
    let mut start = None;
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

/// Removes what pipes and mailboxes put before a message: empty lines, a byte order mark, and the mbox line
/// `From ann@example.org Mon Jan  1 00:00:00 2026`. Gives the sender in that line.
pub(super) fn strip_front(bytes: &[u8]) -> (&[u8], Option<String>) {
    let bytes = bytes.trim_ascii_start();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let is_mbox = |rest: &&[u8]| !rest.trim_ascii_start().starts_with(b":");
    let mbox = bytes.strip_prefix(b"From ").or_else(|| bytes.strip_prefix(b">From ")).filter(is_mbox);
    let Some(rest) = mbox else { return (bytes, None) };
    let end = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |end| end + 1);
    let (line, rest) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    let sender = line.trim_ascii_start().split(|b| b.is_ascii_whitespace()).next().unwrap_or_default();
    (rest.trim_ascii_start(), Some(String::from_utf8_lossy(sender).into_owned()))
}
