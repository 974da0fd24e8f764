//! Ways out of the machine. Each takes one finished mail to one recipient, and says whether to try again.

mod directory;
mod memory;
mod sendmail;
mod smtp;

pub use directory::Directory;
pub use memory::{Memory, Sent};
pub use sendmail::Sendmail;
pub use smtp::{Login, Smtp, SmtpSettings, Tls};

use thiserror::Error;

/// Who sends a mail to whom, for the transport; nothing of it is read out of the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutEnvelope {
    /// The return path, which takes the bounces; `None` is the null sender `<>`.
    pub from: Option<String>,
    /// The one recipient.
    pub to: String,
    /// The number of the mail in the outbox, where it has one.
    pub number: Option<u64>,
}

/// Why a mail did not leave.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SendError {
    /// Worth another try later.
    #[error("not sent for now: {0}")]
    Temporary(String),
    /// The recipient's side will not take this mail.
    #[error("refused for good: {0}")]
    Permanent(String),
}

/// A way out.
pub trait Transport: Send {
    /// Hands a mail over. When this returns `Ok`, somebody else has taken responsibility for it; after an error
    /// it may nevertheless have been taken, which is why a second try sends the same Message-ID.
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError>;

    /// Lets go of what is kept for the next mail, such as a connection: there will be none for a while.
    fn rest(&self) {}
}
