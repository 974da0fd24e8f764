//! The HTML of a mail outside its blocks: Subject, picture, and the links of its reply words.

use crate::commands::LANGUAGE;
use crate::mail::outgoing::percent_encoded;

/// The mail that the links of reply words open.
#[derive(Debug, Clone, Copy)]
pub struct Reply<'a> {
    pub address: &'a str,
    pub subject: &'a str,
    /// The line that carries the token if the address does not.
    pub token_line: Option<&'a str>,
}

/// The parts of the HTML of a mail that are not in its blocks.
#[derive(Debug, Clone, Copy, Default)]
pub struct MailFrame<'a> {
    pub subject: &'a str,
    pub reply: Option<Reply<'a>>,
    /// The HTML of the picture, shown at the board that has one.
    pub picture: Option<&'a str>,
    /// The page of the board.
    pub page: Option<&'a str>,
}

impl Reply<'_> {
    /// A link that begins a reply. A word that needs more, such as `chat`, is followed by a blank.
    pub(super) fn mailto(&self, body: &str) -> String {
        let goes_on = LANGUAGE.of_reply(body).is_some_and(|entry| entry.in_reply.goes_on());
        let token = self.token_line.map(|line| format!("\r\n\r\n> {line}")).unwrap_or_default();
        let body = format!("{body}{}{token}", if goes_on { " " } else { "" });
        format!(
            "mailto:{}?subject={}&body={}",
            percent_encoded(self.address, b"@+"),
            percent_encoded(&format!("Re: {}", self.subject), b""),
            percent_encoded(&body, b"")
        )
    }
}
