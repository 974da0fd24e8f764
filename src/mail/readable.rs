//! A mail of ours as a person reads it: header and plain text, without the tokens in them.

use mailparse::{MailHeaderMap, ParsedMail};

use super::{clean, token};

pub struct Readable {
    /// The fields in their order, decoded.
    pub headers: Vec<(String, String)>,
    pub text: String,
}

/// Reads the bytes of a stored mail; `None` when they are no mail. `is_ours` tells which words of 26 letters are codes,
/// as in [`token::mask`].
pub fn readable(bytes: &[u8], mut is_ours: impl FnMut(&str) -> bool) -> Option<Readable> {
    let mail = mailparse::parse_mail(bytes).ok()?;
    let mut mask = |text: &str| token::mask(text, &mut is_ours);
    let fields = mail.headers.iter();
    let headers = fields.map(|field| (field.get_key(), mask(&clean::line(&field.get_value())))).collect();
    let text = plain(&mail).and_then(|part| part.get_body().ok()).unwrap_or_default();
    Some(Readable { headers, text: mask(&clean::lines(&text)) })
}

/// The first part of plain text that is no attachment.
fn plain<'m, 'b>(mail: &'m ParsedMail<'b>) -> Option<&'m ParsedMail<'b>> {
    if mail.subparts.is_empty() {
        let attached = mail
            .headers
            .get_first_value("Content-Disposition")
            .is_some_and(|value| value.starts_with("attachment"));
        return (mail.ctype.mimetype == "text/plain" && !attached).then_some(mail);
    }
    mail.subparts.iter().find_map(plain)
}
