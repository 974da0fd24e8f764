//! Reads an outgoing mail back.

use mailparse::{MailHeaderMap, ParsedMail};

use super::{clean, token};

/// A mail as its reader sees it, with its tokens masked.
pub struct Readable {
    /// The fields in order, decoded.
    pub headers: Vec<(String, String)>,
    pub text: String,
}

/// Reads a stored mail; `None` if the bytes are no mail. `is_ours` tells which words of 26 letters are codes, as in
/// [`token::mask`].
pub fn readable(bytes: &[u8], mut is_ours: impl FnMut(&str) -> bool) -> Option<Readable> {
    let mail = mailparse::parse_mail(bytes).ok()?;
    let mut mask = |text: &str| token::mask(text, &mut is_ours);
    let fields = mail.headers.iter();
    let headers = fields.map(|field| (field.get_key(), mask(&clean::line(&field.get_value())))).collect();
    Some(Readable { headers, text: mask(&clean::lines(&plain(&mail))) })
}

/// The text of a mail, without the header.
pub fn text(mail: &[u8]) -> String {
    mailparse::parse_mail(mail).map(|mail| plain(&mail).replace("\r\n", "\n")).unwrap_or_default()
}

/// The parts of a mail that can name people: its addresses, Subject and text, decoded. The HTML only repeats the text.
pub fn about_people(mail: &[u8]) -> String {
    const FIELDS: &str = "from to cc reply-to subject list-unsubscribe";
    let Ok(parsed) = mailparse::parse_mail(mail) else { return String::from_utf8_lossy(mail).into_owned() };
    let fields = parsed.headers.iter();
    let named =
        fields.filter(|field| FIELDS.split(' ').any(|name| field.get_key_ref().eq_ignore_ascii_case(name)));
    let mut about: String = named.map(|field| format!("{}\n", field.get_value())).collect();
    about += &plain(&parsed);
    about
}

/// The first part of plain text that is no attachment.
fn plain(mail: &ParsedMail<'_>) -> String {
    let is_attached = |part: &ParsedMail<'_>| {
        let disposition = part.headers.get_first_value("Content-Disposition");
        disposition.is_some_and(|value| value.starts_with("attachment"))
    };
    let plain = mail.parts().find(|part| part.ctype.mimetype == "text/plain" && !is_attached(part));
    plain.and_then(|part| part.get_body().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{about_people, text};

    #[test]
    fn a_word_split_by_a_soft_line_break_is_read_whole() {
        let mail = b"To: x@y.example\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nto ann=\r\n@example.org\r\n";
        assert!(about_people(mail).contains("ann@example.org"));
        assert_eq!(text(mail), "to ann@example.org\n");
    }
}
