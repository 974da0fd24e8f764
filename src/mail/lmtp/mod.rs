//! The server side of LMTP (RFC 2033): SMTP (RFC 5321) with one answer per recipient after DATA.
//!
//! There are no sockets and no clock here. Octets go in and [`Action`]s come out, so tests can split the octets
//! anywhere. The caller writes replies, carries out [`Action::Deliver`] and writes [`delivered`] for it.
//!
//! Only CR LF ends a line, and only CR LF `.` CR LF ends a mail. A server that accepts a bare LF can be made to see a
//! second mail inside one (SMTP smuggling, 2023).

mod command;
mod data;
mod session;

pub use session::Session;

/// The limits of a session.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The server's name in its greeting.
    pub host: String,
    /// The largest mail, checked by SIZE (RFC 1870) and by its data.
    pub size: usize,
    /// The most recipients of a mail; RFC 5321 4.5.3.1.8 requires a hundred.
    pub recipients: usize,
    /// A session ends after more refused commands than this.
    pub errors: usize,
    /// A session ends after more commands without a mail than this.
    pub idle: usize,
}

impl Settings {
    pub fn new(host: &str, size: usize) -> Self {
        Settings { host: host.to_owned(), size, recipients: 100, errors: 20, idle: 100 }
    }
}

/// What the caller must do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Write these lines.
    Reply(String),
    /// Take this mail, and write [`delivered`] for it.
    Deliver(MailTransaction),
    /// Close the connection after writing; further input is ignored.
    Close,
}

/// A mail with its envelope (RFC 5321 3.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailTransaction {
    /// The return path without angle brackets; empty for `<>`.
    pub sender: String,
    /// At least one.
    pub recipients: Vec<String>,
    /// Lines end with CR LF; dots are unstuffed.
    pub data: Vec<u8>,
}

/// The outcome of a mail for one recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailOutcome {
    Taken,
    /// An error in the server: the mail server tries again.
    Later,
    TooLarge,
}

/// The answers after DATA (RFC 2033 4.2), one for each recipient in order.
pub fn delivered(outcomes: &[MailOutcome]) -> String {
    outcomes
        .iter()
        .map(|outcome| match outcome {
            MailOutcome::Taken => "250 2.0.0 taken\r\n",
            MailOutcome::Later => "451 4.3.0 not now, please come again\r\n",
            MailOutcome::TooLarge => TOO_LARGE,
        })
        .collect()
}

const TOO_LARGE: &str = "552 5.3.4 the message is larger than what is taken here\r\n";
