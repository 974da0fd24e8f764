//! The words of a mail: which part holds them, and how they are decoded.

use data_encoding::BASE64_MIME_PERMISSIVE;
use mailparse::ParsedContentType;
use mailparse::body::Body;

use super::message::{Entity, Part, TooMuch};
use super::{charset, flowed, html};
use crate::mail::clean;

/// The text of the first text/plain that is no attachment; where there is none, or an empty one, that of the
/// first text/html. Parts come in the order they are written.
pub(super) fn choose(parts: &[Part<'_>]) -> Result<String, TooMuch> {
    let single = parts.len() == 1;
    let first = |kind: &str| {
        parts.iter().find(|part| {
            part.kind.mimetype == kind && !part.entity.cut && (single || !part.entity.is_attachment())
        })
    };
    let plain = first("text/plain").map(plain).unwrap_or_default();
    let mut text = match first("text/html") {
        Some(part) if plain.trim().is_empty() => clean::lines(&html::to_text(&decode(part))?),
        _ => plain,
    };
    // Every line is ended, and none is empty after the last.
    text.truncate(text.trim_end_matches('\n').len());
    if !text.is_empty() {
        text.push('\n');
    }
    Ok(text)
}

fn plain(part: &Part<'_>) -> String {
    let text = clean::lines(&decode(part));
    let parameter = |name: &str| part.kind.params.get(name).map(|value| value.trim().to_ascii_lowercase());
    if parameter("format").as_deref() != Some("flowed") {
        return text;
    }
    flowed::unfold(&text, parameter("delsp").as_deref() == Some("yes"))
}

fn decode(part: &Part<'_>) -> String {
    let bytes = octets(&part.entity, &part.kind);
    charset::decode(&bytes, part.kind.params.get("charset").map(String::as_str))
}

/// The body without its transfer encoding (RFC 2045 6). Of damaged base64 the sound beginning is kept.
fn octets(entity: &Entity<'_>, kind: &ParsedContentType) -> Vec<u8> {
    match entity.encoding().as_str() {
        "base64" => {
            let packed: Vec<u8> = entity.body.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
            base64_prefix(&packed)
        }
        "quoted-printable" => match Body::new(entity.body, kind, &Some("quoted-printable".to_owned())) {
            Body::QuotedPrintable(body) => body.get_decoded().unwrap_or_else(|_| entity.body.to_vec()),
            _ => entity.body.to_vec(),
        },
        _ => entity.body.to_vec(),
    }
}

fn base64_prefix(packed: &[u8]) -> Vec<u8> {
    let mut out = vec![0; packed.len() / 4 * 3 + 3];
    let decode = |input: &[u8], out: &mut [u8]| {
        let room = BASE64_MIME_PERMISSIVE.decode_len(input.len()).ok()?;
        match BASE64_MIME_PERMISSIVE.decode_mut(input, out.get_mut(..room)?) {
            Ok(written) => Some(written),
            Err(partial) => Some(partial.written),
        }
    };
    // Four characters make three octets; a tail of two or three still holds one or two.
    let mut whole = packed.to_vec();
    match packed.len() % 4 {
        2 => whole.extend(b"=="),
        3 => whole.push(b'='),
        left => whole.truncate(packed.len() - left),
    }
    let written = decode(&whole, &mut out).unwrap_or(0);
    out.truncate(written);
    out
}
