//! Bounces: delivery reports about the server's mails.
//!
//! Anyone can write a report. So each mail leaves with its own envelope sender ([`verp`]), which only this server can
//! make. A report counts if it is sent to such an address ([`is_verp_of`]), and only for the recipient of that mail.

mod diagnosis;
mod verp;

use crate::ids::Identity;

pub use diagnosis::{Diagnosis, Voice};
pub use verp::{is_verp, is_verp_of, verp, verp_number};

/// A delivery report, as far as it is readable. All of it is a claim of its sender.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The same for every delivery of the report.
    pub identity: Identity,
    /// At most a hundred addresses, each once, with the status of the mail at each.
    pub recipients: Vec<(String, Status)>,
    /// The cause of a permanent failure.
    pub cause: Cause,
    /// The status of a mail whose recipient the text does not name. Only the envelope sender tells which mail.
    pub unnamed: Option<Status>,
    /// The Message-ID of the returned mail, with angle brackets, if the report quotes its header.
    pub message_id: Option<String>,
    /// The address the report was sent to, if it looks like one of [`verp`]; [`is_verp_of`] verifies it.
    pub verp: Option<String>,
    /// The status and the refusing server's words, as one short line.
    pub said: Option<String>,
    /// True for a complaint (RFC 5965): the mail arrived and is not wanted.
    pub unwanted: bool,
}

impl Report {
    /// The status of a mail whose recipient the report does not name. It is permanent only if all named recipients
    /// failed permanently: an address that forwards to several works while one of them does.
    pub fn overall(&self) -> Option<Status> {
        let mut all = self.recipients.iter().map(|(_, status)| *status);
        let first = all.next().or(self.unnamed)?;
        Some(
            all.find(|status| *status != Status::Permanent)
                .filter(|_| first == Status::Permanent)
                .unwrap_or(first),
        )
    }
}

/// The status of a mail at an address (RFC 3463, RFC 3464 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It cannot be delivered: class 5.
    Permanent,
    /// It is delayed, or failed for a temporary reason: class 4.
    Temporary,
    /// It was delivered, or relayed to a server that sends no reports.
    Delivered,
    /// It was delivered, and the reader complained (RFC 5965).
    Unwanted,
}

/// Why a mail failed permanently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cause {
    /// The address does not exist, or nothing better is known.
    #[default]
    Address,
    Full,
    /// A filter, a block or a rule refused the mail.
    Refused,
    /// The host's relay does not accept the host's own address or server. This says nothing about the recipient.
    Ours,
}
