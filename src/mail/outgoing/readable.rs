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

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn what_a_soft_line_break_parts_is_read_as_one() {
        let mail = b"To: x@y.example\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nto ann=\r\n@example.org\r\n";
        assert!(readable(mail).contains("ann@example.org"));
    }
}
