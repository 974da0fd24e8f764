//! Chooses the part with the text of a mail and decodes it.

use data_encoding::BASE64_MIME_PERMISSIVE;

use super::message::{Entity, Part, TooMuch};
use super::unread::{self, Unread};
use super::{charset, flowed, html, pgp};
use crate::mail::{ReplyToken, clean, reply_text, token};

/// The text of a letter and the token that it quotes, or why the text is closed to us.
pub(super) fn read(parts: &[Part<'_>]) -> Result<(String, Option<ReplyToken>), Unread> {
    let texts = Texts::among(parts);
    let mut chosen = texts.choose().map_err(Unread::TooMuch)?;
    chosen.text = pgp::open(chosen.text);
    if let Some(why) = unread::closed(parts, &chosen.text) {
        return Err(why);
    }
    let token = texts.token(&chosen);
    Ok((chosen.text, token))
}

/// The parts of a mail that may hold its text.
struct Texts<'p, 'a> {
    plain: Option<&'p Part<'a>>,
    html: Option<&'p Part<'a>>,
    /// Text of another kind.
    other: Option<&'p Part<'a>>,
    /// Text with the name of a file: some programs name every part, also the text of the mail.
    named: Option<&'p Part<'a>>,
}

/// The text of a letter.
struct Chosen {
    text: String,
    /// The whole page that it is of, its quotes marked: what marks them in HTML is known here alone.
    page: Option<String>,
}

impl<'p, 'a> Texts<'p, 'a> {
    /// The first of each kind that is no attachment.
    fn among(parts: &'p [Part<'a>]) -> Self {
        let single = parts.len() == 1;
        let first = |is_wanted: &dyn Fn(&str) -> bool| {
            parts.iter().find(|part| {
                is_wanted(&part.kind.mimetype) && !part.entity.cut && (single || !part.entity.is_attachment())
            })
        };
        let is_other = |kind: &str| {
            kind.starts_with("text/") && !matches!(kind, "text/calendar" | "text/html" | "text/plain")
        };
        Texts {
            plain: first(&|kind| kind == "text/plain"),
            html: first(&|kind| kind == "text/html"),
            other: first(&is_other),
            named: parts.iter().find(|part| part.kind.mimetype == "text/plain" && part.entity.is_inline()),
        }
    }

    /// The first kind of text that is not blank: text/plain, then text/html, then any other.
    fn choose(&self) -> Result<Chosen, TooMuch> {
        let as_text = |part: Option<&Part<'_>>| {
            let text = tidy(part.map(plain).unwrap_or_default());
            (!text.trim().is_empty()).then_some(Chosen { text, page: None })
        };
        if let Some(chosen) = as_text(self.plain) {
            return Ok(chosen);
        }
        if let Some(part) = self.html {
            let page = tidy(clean::lines(&html::to_text(&decode(part))?));
            let quotes = page.lines().any(|line| line.starts_with('>'));
            let text = if quotes { tidy(reply_text::new_text(&page).new) } else { page.clone() };
            if !page.trim().is_empty() {
                return Ok(Chosen { text, page: Some(page) });
            }
        }
        let nothing = || Chosen { text: String::new(), page: None };
        Ok(as_text(self.other).or_else(|| as_text(self.named)).unwrap_or_else(nothing))
    }

    /// The token that the mail quotes. Some programs quote in one of the two forms alone.
    fn token(&self, chosen: &Chosen) -> Option<ReplyToken> {
        let in_html = || {
            let html = decode(self.html?);
            let page = html.contains("reply").then(|| html::to_text(&html).ok())??;
            token::in_text(&clean::lines(&page))
        };
        match &chosen.page {
            Some(page) => token::in_text(page),
            None => token::in_text(&chosen.text).or_else(in_html),
        }
    }
}

/// Every line ends with `\n`; there are no empty lines at the end.
fn tidy(mut text: String) -> String {
    text.truncate(text.trim_end_matches('\n').len());
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn plain(part: &Part<'_>) -> String {
    let text = decode(part);
    let parameter = |name: &str| part.kind.params.get(name).map(|value| value.trim().to_ascii_lowercase());
    if parameter("format").as_deref() != Some("flowed") {
        return clean::lines(&text);
    }
    // Before other blanks become U+0020: no other blank continues a line.
    clean::lines(&flowed::unfold(&text, parameter("delsp").as_deref() == Some("yes")))
}

fn decode(part: &Part<'_>) -> String {
    let bytes = octets(&part.entity);
    charset::decode(&bytes, part.kind.params.get("charset").map(String::as_str))
}

/// Removes the transfer encoding (RFC 2045 6). Damaged base64 keeps its sound beginning.
pub(super) fn octets(entity: &Entity<'_>) -> Vec<u8> {
    let mut encoding = entity.encoding();
    encoding.retain(|c| c.is_ascii_alphanumeric());
    match encoding.as_str() {
        "base64" => unpack(entity.body),
        "quotedprintable" => unquote(entity.body),
        _ => entity.body.to_vec(),
    }
}

/// Decodes base64 up to the first line of words, which some list added. Other characters do not count (RFC 2045 6.8).
/// A body that begins with words has a wrong label.
fn unpack(body: &[u8]) -> Vec<u8> {
    let is_code = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    let mut lines =
        body.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).peekable();
    let is_words =
        |line: &&[u8]| line.contains(&b' ') && line.iter().filter(|b| !is_code(b)).count() * 8 > line.len();
    if lines.peek().is_some_and(is_words) {
        return body.to_vec();
    }
    let code = lines.take_while(|line| !is_words(line)).flatten();
    base64_prefix(&code.copied().filter(is_code).collect::<Vec<u8>>())
}

/// Decodes quoted-printable (RFC 2045 6.7) and keeps everything that is not valid. mailparse's decoder drops
/// eight-bit octets, which some programs send.
pub(super) fn unquote(body: &[u8]) -> Vec<u8> {
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

pub(super) fn base64_prefix(packed: &[u8]) -> Vec<u8> {
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
