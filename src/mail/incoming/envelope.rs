//! The envelope of a mail, apart from the mail itself.

use super::headers::Headers;
use crate::mail::{ServerIdentity, clean};

/// The sender and the recipient, as far as the transport told them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The return path; `None` when unknown.
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
    /// Reads `<>`, `<ann@example.org>` or `ann@example.org`. Empty text and the name `mailer-daemon` of
    /// Postfix and mbox files mean the null sender.
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
            // A literal is kept, though no answer can be written to it: the operator sees that one was set aside.
            Some(EnvelopeSender::Address(path)) => {
                clean::address(path).or_else(|| clean::is_literal(path).then(|| path.clone()))
            }
            Some(EnvelopeSender::Null) | None => None,
        }
    }

    /// Fills the gaps from the topmost trace fields, which our own mail server wrote, then from an mbox line,
    /// and last from our address in To and Cc.
    pub(super) fn completed(
        &self,
        headers: &Headers<'_>,
        mbox: Option<String>,
        server: &ServerIdentity,
    ) -> Self {
        let sender = || Some(EnvelopeSender::read(&headers.raw("return-path").next().or(mbox)?));
        let trace = || {
            let fields = ["x-original-to", "delivered-to", "envelope-to"];
            fields.iter().find_map(|name| headers.raw(name).next()).and_then(|value| address(&value))
        };
        let visible = || {
            let mut seen = headers.addresses("to");
            seen.extend(headers.addresses("cc"));
            seen.into_iter().find(|address| server.is_ours(address))
        };
        Envelope {
            sender: self.sender.clone().or_else(sender),
            recipient: self.recipient.as_deref().and_then(address).or_else(trace).or_else(visible),
        }
    }
}

fn address(text: &str) -> Option<String> {
    clean::address(text.trim().trim_matches(['<', '>']))
}
