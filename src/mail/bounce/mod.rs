//! Bounces: delivery reports about our mails.
//!
//! Anybody can write a report. So each mail leaves with its own envelope sender ([`verp`]), which only this
//! server can make. A report counts when it comes back to such an address ([`read_verp`]), and counts against
//! the recipient of that mail.

mod verp;

use crate::ids::Identity;

pub use verp::{is_verp, read_verp, verp};

/// A delivery report, as far as it is readable. All of it is a claim of its sender.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The same for every delivery of the report.
    pub identity: Identity,
    /// At most a hundred addresses, each once, with what became of the mail there.
    pub recipients: Vec<(String, Status)>,
    /// The Message-ID of the returned mail, with angle brackets, if the report quotes its header.
    pub message_id: Option<String>,
    /// The address the report came to, if it looks like one of [`verp`]; [`read_verp`] verifies it.
    pub verp: Option<String>,
    /// True for a complaint (RFC 5965): the mail arrived and is not wanted.
    pub unwanted: bool,
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
