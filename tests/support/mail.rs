//! A mail that came out. Read by the tests with real mail servers too.

use mailparse::{DispositionType, MailHeaderMap, ParsedContentDisposition, ParsedMail, parse_mail};

/// A mail that came out, with what tests ask about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mail {
    /// Whom the envelope names.
    pub to: String,
    /// All of it.
    pub bytes: Vec<u8>,
    /// Its Subject, decoded.
    pub subject: String,
    /// Its Message-ID.
    pub id: String,
    /// Its In-Reply-To, empty where it has none.
    pub in_reply_to: String,
    /// The ids of its References, the oldest first.
    pub references: Vec<String>,
    /// Its text, decoded, lines ended by `\n`.
    pub text: String,
}

impl Mail {
    /// A mail from its bytes. It is held to the rules that all our mails keep.
    pub fn read(to: &str, bytes: &[u8]) -> Mail {
        let parsed = parse_mail(bytes).unwrap();
        let field = |name: &str| parsed.headers.get_first_value(name).unwrap_or_default();
        let mail = Mail {
            to: to.to_owned(),
            bytes: bytes.to_vec(),
            subject: field("Subject"),
            id: field("Message-ID"),
            in_reply_to: field("In-Reply-To"),
            references: field("References").split_whitespace().map(str::to_owned).collect(),
            text: plain_part(&parsed).get_body().unwrap().replace("\r\n", "\n"),
        };
        mail.assert_sound();
        assert_eq!(field("To"), to);
        mail
    }

    /// Its bytes as text, lines ended by `\n`.
    pub fn raw(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap().replace("\r\n", "\n")
    }

    /// Its attached files, each with its media type, name and text.
    pub fn files(&self) -> Vec<[String; 3]> {
        let mail = parse_mail(&self.bytes).unwrap();
        let parts = mail.parts().map(|part| (part, part.get_content_disposition()));
        let files = parts.filter(|(_, placed)| placed.disposition == DispositionType::Attachment);
        let file = |(part, placed): (&ParsedMail<'_>, ParsedContentDisposition)| {
            let text = part.get_body().unwrap().replace("\r\n", "\n");
            [part.ctype.mimetype.clone(), placed.params["filename"].clone(), text]
        };
        files.map(file).collect()
    }

    /// The first line of its text: what inboxes show.
    pub fn first_line(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    /// Octets are of 7 bits unless the address is not ASCII (RFC 6532). Lines end as in RFC 5322. Text has 78 columns, and no
    /// blanks at the ends of lines.
    fn assert_sound(&self) {
        assert!(self.bytes.is_ascii() || !self.to.is_ascii(), "8-bit octets to {}", self.to);
        let raw = String::from_utf8_lossy(&self.bytes);
        assert!(raw.ends_with("\r\n") && !raw.replace("\r\n", "").contains(['\r', '\n']), "{raw:?}");
        let files = self.files();
        for line in self.text.lines() {
            // A link is never cut, and a line of a file neither.
            let whole = line.contains("://") || files.iter().any(|[.., text]| text.contains(line));
            assert!(whole || line.chars().count() <= 78, "wider than 78 columns: {line:?}");
            assert!(line == "-- " || !line.ends_with([' ', '\t']), "a blank at the end of {line:?}");
        }
    }
}

fn plain_part<'m, 'b>(mail: &'m ParsedMail<'b>) -> &'m ParsedMail<'b> {
    mail.subparts.first().map_or(mail, plain_part)
}
