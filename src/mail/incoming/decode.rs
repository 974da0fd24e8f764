//! Removes the transfer encoding of a part (RFC 2045 6). Of damaged base64 it keeps the valid beginning.

use data_encoding::BASE64_MIME_PERMISSIVE;

/// The octets of a body. `is_utf8` is true if they should be text in UTF-8.
pub(super) fn octets(body: &[u8], encoding: &str, is_utf8: bool) -> Vec<u8> {
    let encoding: String = encoding.chars().filter(char::is_ascii_alphanumeric).collect();
    match encoding.as_str() {
        "base64" => unpack(body, is_utf8),
        "quotedprintable" => unquote(body),
        _ => body.to_vec(),
    }
}

/// Decodes base64 up to the first line of words, such as the footer of a list. Other characters are skipped (RFC
/// 2045 6.8). A body that begins with words, or does not decode to text, has a wrong label and stays as it is.
fn unpack(body: &[u8], is_utf8: bool) -> Vec<u8> {
    let mut code = Vec::new();
    let (mut longest, mut is_padded) = (0, false);
    for line in body.split(|b| *b == b'\n').map(<[u8]>::trim_ascii) {
        // An empty line after the padding ends the code: a footer follows.
        match line {
            [] if is_padded => break,
            [] => continue,
            line if is_words(line) && code.is_empty() => return body.to_vec(),
            line if is_words(line) => break,
            line => code.extend(line.iter().copied().filter(is_code)),
        }
        longest = longest.max(line.len());
        is_padded = line.ends_with(b"=");
    }
    let octets = base64_prefix(&code);
    if is_utf8 && longest < LONG && !is_text(&octets) { body.to_vec() } else { octets }
}

/// No word has this length.
const LONG: usize = 40;

fn is_code(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
}

/// True for a line that is not encoded: it has words, their punctuation, or too many other characters.
fn is_words(line: &[u8]) -> bool {
    let first = line.iter().position(is_code).unwrap_or(line.len());
    let last = line.iter().rposition(is_code).map_or(first, |last| last + 1);
    let inner = line.get(first..last).unwrap_or_default();
    let odd = inner.iter().filter(|b| !is_code(b)).count();
    let has_words = inner.contains(&b' ') && inner.split(|b| *b == b' ').all(|word| word.len() < LONG);
    inner.is_empty()
        || has_words
        || odd * 8 > inner.len()
        || inner.iter().any(|b| b"@.,:;'\"-_?()<>".contains(b))
}

/// True for text: UTF-8, or mostly ASCII, without control characters.
fn is_text(octets: &[u8]) -> bool {
    let shifts = octets.windows(3).any(|escape| escape == b"\x1B$)");
    let is_control = |b: &u8| {
        b.is_ascii_control()
            && !matches!(b, b'\t' | b'\n' | b'\r' | 12 | 27)
            && !(shifts && matches!(b, 14 | 15))
    };
    let is_wide = octets.starts_with(b"\xFF\xFE") || octets.starts_with(b"\xFE\xFF");
    let ascii = octets.iter().filter(|b| b.is_ascii()).count();
    let is_utf8 = std::str::from_utf8(octets).map_or_else(|why| why.error_len().is_none(), |_| true);
    is_wide || !octets.iter().any(is_control) && (is_utf8 || ascii * 4 >= octets.len() * 3)
}

/// Decodes quoted-printable (RFC 2045 6.7) and keeps everything that is not valid. mailparse's decoder drops eight-bit
/// octets, which some programs send.
pub(super) fn unquote(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|b| *b == b'\n') {
        // 6.7 (3): trailing spaces were added on the way.
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

pub(super) fn base64_prefix(packed: &[u8]) -> Vec<u8> {
    let mut out = vec![0; packed.len() / 4 * 3 + 3];
    let decode = |input: &[u8], out: &mut [u8]| {
        let room = BASE64_MIME_PERMISSIVE.decode_len(input.len()).ok()?;
        match BASE64_MIME_PERMISSIVE.decode_mut(input, out.get_mut(..room)?) {
            Ok(written) => Some(written),
            Err(partial) => Some(partial.written),
        }
    };
    // Four characters make three octets; the last two or three still hold one or two.
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
    use super::unquote;

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
}
