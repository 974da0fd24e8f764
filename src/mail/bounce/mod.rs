//! Bounces: delivery reports about our mails.
//!
//! Anybody can write a report. So each mail leaves with its own envelope sender ([`verp`]), which only this
//! server can make. A report counts when it comes back to such an address ([`is_verp_of`]), and counts against
//! the recipient of that mail.

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
    /// At most a hundred addresses, each once, with what became of the mail there.
    pub recipients: Vec<(String, Status)>,
    /// Why it failed, where it failed for good.
    pub cause: Cause,
    /// What the text says of a mail whose recipient it does not name. Only one of our envelope senders says which.
    pub unnamed: Option<Status>,
    /// The Message-ID of the returned mail, with angle brackets, if the report quotes its header.
    pub message_id: Option<String>,
    /// The address the report came to, if it looks like one of [`verp`]; [`is_verp_of`] verifies it.
    pub verp: Option<String>,
    /// The status and the words with which a server refused it, as one short line of theirs.
    pub said: Option<String>,
    /// True for a complaint (RFC 5965): the mail arrived and is not wanted.
    pub unwanted: bool,
}

impl Report {
    /// What became of a mail whose recipient the report does not name: for good only where all it names failed so. An
    /// address that forwards to several takes mail while one of them does.
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

/// What became of a mail at an address (RFC 3463, RFC 3464 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It cannot be delivered: class 5.
    Permanent,
    /// It is delayed, or failed for a passing reason: class 4.
    Temporary,
    /// It was delivered, or relayed to a server that sends no reports.
    Delivered,
    /// It was delivered, and the reader complained (RFC 5965).
    Unwanted,
}

/// Why a mail failed for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cause {
    /// The address does not exist, or nothing better is known.
    #[default]
    Address,
    /// The mailbox is full.
    Full,
    /// A filter, a block or a rule refused the mail.
    Refused,
    /// Our own address or host is not accepted: by our relay, it says nothing of the recipient.
    Ours,
}
