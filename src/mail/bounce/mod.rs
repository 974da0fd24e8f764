//! Bounces of our mails: what a delivery report says, and the envelope sender by which it is known to be about one.
//!
//! A report is a mail like any other, and anybody can write one. So each mail of ours leaves with an envelope
//! sender of its own ([`verp`]), which only this server can make: a report counts when it comes back to one
//! ([`read_verp`]), and it counts against the address that mail went to.

mod verp;

use crate::ids::Identity;

pub use verp::{is_verp, read_verp, verp};

/// A delivery report, as far as it could be read. All of it is the claim of whoever sent it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The same for every delivery of the same report.
    pub identity: Identity,
    /// The addresses it names, each once, with what became of the mail there. At most a hundred.
    pub recipients: Vec<(String, Status)>,
    /// The Message-ID of the mail it is about, with its angle brackets, when the report holds its header.
    pub message_id: Option<String>,
    /// The address it came to, when that is an envelope sender as [`verp`] makes them; [`read_verp`] tells whether
    /// this server did.
    pub verp: Option<String>,
    /// Whether it came because somebody does not want the mail (RFC 5965), and not because it did not arrive.
    pub unwanted: bool,
}

/// What became of a mail at an address (RFC 3463, RFC 3464 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It cannot be delivered, now or later: class 5.
    Permanent,
    /// It was not delivered yet, or given up for a reason that may pass: class 4, or `delayed`.
    Temporary,
    /// It was delivered, or handed on to where no reports come from.
    Delivered,
    /// It was delivered, and is not wanted (RFC 5965).
    Unwanted,
}
