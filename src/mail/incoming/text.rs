//! Chooses the part with the text of a mail and decodes it.

use data_encoding::BASE64_MIME_PERMISSIVE;

use super::message::{Entity, Part, TooMuch};
use super::{charset, flowed, html};
use crate::clock::work;
use crate::mail::clean;

/// The first text/plain that is no attachment, or the first text/html when there is none or it is blank.
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
    // Every line ends with `\n`; there are no empty lines at the end.
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
    let bytes = octets(&part.entity);
    charset::decode(&bytes, part.kind.params.get("charset").map(String::as_str))
}

/// Removes the transfer encoding (RFC 2045 6). Damaged base64 keeps its sound beginning.
pub(super) fn octets(entity: &Entity<'_>) -> Vec<u8> {
    work::count(entity.body.len());
    match entity.encoding().as_str() {
        "base64" => {
            let packed: Vec<u8> = entity.body.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
            base64_prefix(&packed)
        }
        "quoted-printable" => unquote(entity.body),
        _ => entity.body.to_vec(),
    }
}

/// Decodes quoted-printable (RFC 2045 6.7) and keeps everything that is not valid. mailparse's decoder drops
/// eight-bit octets, which some programs send.
fn unquote(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|b| *b == b'\n') {
        // 6.7 (3): trailing blanks were added on the way.
        let content = line.trim_ascii_end();
        let soft = content.ends_with(b"=");
        let mut rest = content.strip_suffix(b"=").unwrap_or(content);
        while let [first, after @ ..] = rest {
            let pair = match after {
                [high, low, tail @ ..] if *first == b'=' => {
                    hex(*high).zip(hex(*low)).map(|digits| (digits, tail))
                }
                _ => None,
            };
            match pair {
                Some(((high, low), tail)) => {
                    out.push(high * 16 + low);
                    rest = tail;
                }
                None => {
                    out.push(*first);
                    rest = after;
                }
            }
        }
        if !soft && line.ends_with(b"\n") {
            out.push(b'\n');
        }
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
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
    // Four characters make three octets; a rest of two or three still holds one or two.
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

#[cfg(test)]
mod tests {
    use super::{base64_prefix, unquote};

    #[test]
    fn quoted_printable_with_faults() {
        let cases: [(&[u8], &[u8]); 8] = [
            (b"a=20=\r\nb=3D\r\n", b"a b=\n"),
            (b"caf=C3=A9 f\xC3\xBCr", "café für".as_bytes()),
            (b"x=\xFF=4", b"x=\xFF=4"),
            (b"=zz==", b"=zz="),
            (b"end  \t\r\n", b"end\n"),
            (b"soft= \n\n", b"soft\n"),
            (b"=e9=E9", b"\xE9\xE9"),
            (b"", b""),
        ];
        for (input, expected) in cases {
            assert_eq!(unquote(input), expected, "{}", input.escape_ascii());
        }
    }

    #[test]
    fn base64_with_faults() {
        let cases: [(&[u8], &[u8]); 5] =
            [(b"aGVscA==", b"help"), (b"aGVscA", b"help"), (b"aGVs", b"hel"), (b"aGVs*", b"hel"), (b"", b"")];
        for (input, expected) in cases {
            assert_eq!(base64_prefix(input), expected, "{}", input.escape_ascii());
        }
    }
}
