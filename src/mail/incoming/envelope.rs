//! The envelope of a mail: who sent it, and to which address.

use super::headers::Headers;
use crate::mail::bounce::is_verp;
use crate::mail::{ServerIdentity, clean};

/// The envelope, as far as the transport knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The return path; `None` if unknown.
    pub sender: Option<EnvelopeSender>,
    /// The address with its extension.
    pub recipient: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnvelopeSender {
    /// `<>`: a report or another mail that must not be answered.
    Null,
    Address(String),
}

impl EnvelopeSender {
    /// Reads `<>`, `<ann@example.org>` or `ann@example.org`. Empty text and the name `mailer-daemon` of Postfix and
    /// mbox files mean the null sender.
    pub fn read(text: &str) -> Self {
        let path = clean::line(text);
        let path = path.trim_matches(|c: char| c == '<' || c == '>' || c.is_whitespace());
        if path.is_empty() || path.eq_ignore_ascii_case("mailer-daemon") {
            return EnvelopeSender::Null;
        }
        EnvelopeSender::Address(path.to_owned())
    }
}

impl Envelope {
    /// Reads the variables that Postfix, OpenSMTPD and Exim set: `SENDER` (empty is the null sender), then
    /// `ORIGINAL_RECIPIENT`, `RECIPIENT`, or `LOCAL_PART` with its prefix and suffix at `DOMAIN`.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let filled = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let parts = || {
            let [prefix, suffix] =
                ["LOCAL_PART_PREFIX", "LOCAL_PART_SUFFIX"].map(|name| variable(name).unwrap_or_default());
            Some(format!("{prefix}{}{suffix}@{}", filled("LOCAL_PART")?, filled("DOMAIN")?))
        };
        Envelope {
            sender: variable("SENDER").map(|sender| EnvelopeSender::read(&sender)),
            recipient: filled("ORIGINAL_RECIPIENT").or_else(|| filled("RECIPIENT")).or_else(parts),
        }
    }

    /// Fills the gaps of this envelope from `other`.
    pub fn or(self, other: Envelope) -> Envelope {
        Envelope {
            sender: self.sender.or(other.sender),
            recipient: self.recipient.filter(|recipient| !recipient.trim().is_empty()).or(other.recipient),
        }
    }

    pub(super) fn return_path(&self) -> Option<String> {
        match &self.sender {
            // A literal is kept for the operator to see, though it cannot be answered.
            Some(EnvelopeSender::Address(path)) => {
                clean::address(path).or_else(|| clean::is_literal(path).then(|| path.clone()))
            }
            Some(EnvelopeSender::Null) | None => None,
        }
    }

    /// Fills the gaps from the trace fields, then from an mbox line, and last from the server's address in To and
    /// Cc. An address of the server with a token wins over all others: forwarding mailboxes and servers that drop
    /// the extension write their own address, and a token is verified anyway.
    pub(super) fn completed(
        &self,
        headers: &Headers<'_>,
        mbox: Option<String>,
        server: &ServerIdentity,
    ) -> Self {
        let sender = || Some(EnvelopeSender::read(&headers.raw("return-path").next().or(mbox)?));
        let told = self.recipient.as_deref().and_then(address);
        let traced =
            || TRACE_FIELDS.split(' ').flat_map(|name| headers.raw(name)).filter_map(|to| address(&to));
        let visible = || {
            ["to", "cc", "resent-to", "apparently-to"].into_iter().flat_map(|name| headers.addresses(name))
        };
        let received = || headers.raw("received").filter_map(|by| address(by.split_once(" for ")?.1));
        let is_extended = |to: &String| server.token(to).is_some() || is_verp(server, to);
        let mut all = told.iter().cloned().chain(traced()).chain(visible()).chain(received());
        let extended = all.find(is_extended);
        let plain = || traced().next().or_else(|| visible().find(|to| server.is_ours(to)));
        Envelope {
            sender: self.sender.clone().or_else(sender),
            recipient: extended.or_else(|| told.clone()).or_else(plain),
        }
    }
}

/// The fields in which mail servers note the recipient.
const TRACE_FIELDS: &str = "x-original-to delivered-to envelope-to x-envelope-to x-delivered-to x-original-recipient \
    original-recipient x-forwarded-to x-real-to x-rcpt-to x-recipient";

/// The address in a field of a mail server: alone, in brackets, after a name or `rfc822;`, before `;`.
fn address(text: &str) -> Option<String> {
    let text = text.split_once('<').map_or(text, |(_, inside)| inside);
    let text = text.trim().trim_start_matches("rfc822;").split(['>', ';']).next()?;
    clean::address(text)
}
