//! Encoded words (RFC 2047) that mailparse leaves encoded or decodes wrongly: with codes and labels unknown
//! to its library, or with characters that a program cut in two.

use std::borrow::Cow;

use charset::Charset;
use data_encoding::BASE64;

use super::{charset as labels, decode};

/// RFC 2047 2 allows 75; some programs write longer ones.
const MAX_WORD: usize = 1024;

struct EncodedWord<'a> {
    label: &'a str,
    has_language: bool,
    octets: Vec<u8>,
}

/// The field with every such word encoded anew in UTF-8.
pub(super) fn repaired(field: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(start) = find(field, at, b"=?") {
        let Some((first, mut end)) = word(field, start) else {
            at = start + 2;
            continue;
        };
        let mut words = vec![first];
        // Spaces between two words do not count (6.2).
        while let Some((next, after)) = word(field, end + blanks(field, end)) {
            if !words.last().is_some_and(|last| last.label.eq_ignore_ascii_case(next.label)) {
                break;
            }
            words.push(next);
            end = after;
        }
        at = end;
        if words.iter().all(is_sound) {
            continue;
        }
        let label = words.first().map(|word| word.label);
        let octets: Vec<u8> = words.iter().flat_map(|word| word.octets.iter().copied()).collect();
        out.extend_from_slice(field.get(copied..start).unwrap_or_default());
        out.extend_from_slice(b"=?utf-8?B?");
        out.extend_from_slice(BASE64.encode(labels::decode(&octets, label).as_bytes()).as_bytes());
        out.extend_from_slice(b"?=");
        copied = end;
    }
    if copied == 0 {
        return Cow::Borrowed(field);
    }
    out.extend_from_slice(field.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

fn find(field: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    field.get(from..)?.windows(what.len()).position(|window| window == what).map(|found| from + found)
}

fn blanks(field: &[u8], from: usize) -> usize {
    field.get(from..).unwrap_or_default().iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// The word that begins at `start`, and where it ends.
fn word(field: &[u8], start: usize) -> Option<(EncodedWord<'_>, usize)> {
    let rest = field.get(start..)?.strip_prefix(b"=?")?;
    let rest = rest.get(..MAX_WORD).unwrap_or(rest);
    let mut parts = rest.splitn(3, |b| *b == b'?');
    let (label, encoding, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let length = rest.windows(2).position(|window| window == b"?=")?;
    let content = rest.get(..length)?;
    if label.is_empty() || content.contains(&b'?') || content.contains(&b'\n') {
        return None;
    }
    let octets = match encoding {
        b"B" | b"b" => decode::base64_prefix(content),
        b"Q" | b"q" => {
            decode::unquote(&content.iter().map(|b| if *b == b'_' { b' ' } else { *b }).collect::<Vec<u8>>())
        }
        _ => return None,
    };
    // RFC 2231 5: a language may follow the label.
    let written = std::str::from_utf8(label).ok()?;
    let (label, has_language) = written.split_once('*').map_or((written, false), |(label, _)| (label, true));
    let end = start + b"=????=".len() + written.len() + encoding.len() + length;
    Some((EncodedWord { label, has_language, octets }, end))
}

/// True if mailparse decodes the word correctly.
fn is_sound(word: &EncodedWord<'_>) -> bool {
    !word.has_language
        && Charset::for_label_no_replacement(word.label.as_bytes())
            .is_some_and(|charset| !charset.decode_without_bom_handling(&word.octets).1)
}

#[cfg(test)]
mod tests {
    use super::repaired;

    fn subject(value: &str) -> String {
        let field = format!("Subject: {value}");
        let field = repaired(field.as_bytes());
        mailparse::parse_header(&field).unwrap().0.get_value()
    }

    #[test]
    fn words_of_every_code() {
        for (value, expected) in [
            ("=?x-nobody?Q?help_=FC?=", "help ü"),
            ("=?utf-8?Q?h=C3?=\r\n =?UTF-8?Q?=A9lp?= x", "hélp x"),
            ("=?iso-8859-1*en?Q?h=E9lp?=", "hélp"),
            ("=?utf-8?Q?plain?= and =?b?= =?x?y?", "plain and =?b?= =?x?y?"),
        ] {
            assert_eq!(subject(value), expected, "{value}");
        }
    }
}
