//! What the door was told about a mail, apart from the mail.

use super::headers::Headers;
use crate::mail::{ServerIdentity, clean};

/// The sender and the recipient of the transport, as far as the door knows them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The return path; `None` where the door was not told.
    pub sender: Option<EnvelopeSender>,
    /// The address the mail was delivered to, its extension included.
    pub recipient: Option<String>,
}

/// A return path (RFC 5321 4.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnvelopeSender {
    /// `<>`: a report or another mail that must not be answered.
    Null,
    /// Somebody.
    Address(String),
}

impl EnvelopeSender {
    /// Reads `<>`, `<ann@example.org>` or `ann@example.org`; empty is null, and so is the name that Postfix
    /// and mbox files write in its place.
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
    /// Reads the variables with which Postfix, OpenSMTPD and Exim start a program: `SENDER` (set but empty is
    /// the null sender), then `ORIGINAL_RECIPIENT`, `RECIPIENT`, or `LOCAL_PART` between its `LOCAL_PART_PREFIX` and
    /// `LOCAL_PART_SUFFIX` at `DOMAIN`.
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

    /// This envelope, what it lacks taken from `other`.
    pub fn or(self, other: Envelope) -> Envelope {
        Envelope {
            sender: self.sender.or(other.sender),
            recipient: self.recipient.filter(|recipient| !recipient.trim().is_empty()).or(other.recipient),
        }
    }

    /// The address of the return path.
    pub(super) fn return_path(&self) -> Option<String> {
        match &self.sender {
            Some(EnvelopeSender::Address(path)) => clean::address(path),
            Some(EnvelopeSender::Null) | None => None,
        }
    }

    /// This envelope, what it lacks taken from the topmost trace fields (the ones our own mail server wrote),
    /// from an mbox line, and last from those of To and Cc that are ours.
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
