//! Transports. Each sends one mail to one recipient and says whether to try again.

mod directory;
mod sendmail;
mod smtp;

pub use directory::{Directory, Memory, Sent};
pub use sendmail::Sendmail;
pub use smtp::{Smtp, SmtpLogin, SmtpSettings, Tls};

use thiserror::Error;

/// The envelope of an outgoing mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutEnvelope {
    /// The return path for bounces; `None` is the null sender `<>`.
    pub from: Option<String>,
    pub to: String,
    /// The number in the outbox, if the mail has one.
    pub number: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SendError {
    /// No mail can leave at all: the server is not reachable or refuses the login. This says nothing about the mail.
    #[error("no mail leaves: {0}")]
    Down(String),
    /// A later try can succeed.
    #[error("not sent for now: {0}")]
    Temporary(String),
    /// The recipient's side refuses this mail.
    #[error("refused for good: {0}")]
    Permanent(String),
}

pub trait Transport: Send {
    /// Hands a mail over. After `Ok` the next server is responsible for it. After an error it can still have been
    /// taken, so a second try uses the same Message-ID.
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError>;

    /// Closes kept connections, because no mail is expected for a while.
    fn disconnect(&self) {}

    /// False if no person reads the mails. They are then sent without pictures, which take most of the time.
    fn has_viewers(&self) -> bool {
        true
    }
}
