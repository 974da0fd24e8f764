//! Reads a mail of ours back.

use mailparse::ParsedMail;

/// The header as it stands and the texts decoded, to look something up in them.
pub fn readable(mail: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(mail).into_owned();
    if let Ok(parsed) = mailparse::parse_mail(mail) {
        let body = |part: &ParsedMail<'_>| part.get_body().unwrap_or_default();
        text.extend(parsed.parts().map(body));
    }
    text
}

/// The text of a mail, without the header.
pub fn text(mail: &[u8]) -> String {
    let Ok(parsed) = mailparse::parse_mail(mail) else { return String::new() };
    let first = parsed.parts().find(|part| part.ctype.mimetype == "text/plain");
    first.and_then(|part| part.get_body().ok()).unwrap_or_default().replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::{readable, text};

    #[test]
    fn what_a_soft_line_break_parts_is_read_as_one() {
        let mail = b"To: x@y.example\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nto ann=\r\n@example.org\r\n";
        assert!(readable(mail).contains("ann@example.org"));
        assert_eq!(text(mail), "to ann@example.org\n");
    }
}
