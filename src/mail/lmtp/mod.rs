//! The receiving side of LMTP (RFC 2033), which is SMTP (RFC 5321) with an answer for each recipient behind DATA.
//!
//! No sockets and no clock: octets go in, [`Action`]s come out, so that every split of the same octets can be
//! shown to have the same result. The caller writes the replies, carries out each [`Action::Deliver`], and writes
//! [`delivered`] for it, one answer for each recipient in order.
//!
//! Lines end with CR LF and with nothing else, and a mail with CR LF `.` CR LF: a server that takes a bare LF for
//! a line end can be made to see a second mail inside one (SMTP smuggling, 2023). A command line with a bare CR or
//! LF inside is refused.
//!
//! Reading order: [`Action`], [`Session`], `command`, `data`.

mod command;
mod data;
mod session;

pub use session::Session;

/// What the session announces and allows.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The name of this server in its greeting.
    pub host: String,
    /// Larger mails are refused, by SIZE (RFC 1870) or after their data was read and not kept.
    pub size: usize,
    /// No more recipients for one mail; RFC 5321 4.5.3.1.8 asks for a hundred.
    pub recipients: usize,
    /// So many commands in a session that are refused end it.
    pub errors: usize,
}

impl Settings {
    /// A name, mails up to `size`, a hundred recipients, twenty errors.
    pub fn new(host: &str, size: usize) -> Self {
        Settings { host: host.to_owned(), size, recipients: 100, errors: 20 }
    }
}

/// What the caller is to do, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Write this: whole lines with CR LF.
    Reply(String),
    /// Take this mail, and write [`delivered`] for it.
    Deliver(Mail),
    /// End the connection when all is written; nothing that comes in later counts.
    Close,
}

/// A mail with its envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The return path without its angle brackets; empty for `<>`.
    pub sender: String,
    /// The recipients as given, at least one.
    pub recipients: Vec<String>,
    /// The message, its lines ended by CR LF, dots unstuffed.
    pub data: Vec<u8>,
}

/// What became of a mail for one recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Taken care of.
    Taken,
    /// Something of ours failed: the mail server is to come again.
    Later,
    /// Larger than what is read.
    TooLarge,
}

/// The answers behind DATA (RFC 2033 4.2): one for each recipient, in the order they were named.
pub fn delivered(outcomes: &[Outcome]) -> String {
    outcomes
        .iter()
        .map(|outcome| match outcome {
            Outcome::Taken => "250 2.0.0 taken\r\n",
            Outcome::Later => "451 4.3.0 not now, please come again\r\n",
            Outcome::TooLarge => TOO_LARGE,
        })
        .collect()
}

/// For a mail over the limit, by its SIZE or by its data.
const TOO_LARGE: &str = "552 5.3.4 the message is larger than what is taken here\r\n";
