//! Why nobody acts on a mail, and what it says of itself.

use std::fmt;

use super::automatic::Mark;
use crate::ids::Identity;
use crate::mail::Letter;
use crate::mail::bounce::Report;

/// Why a mail is ignored. The text quotes nothing from the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ignored {
    /// Automatic mail.
    Automatic(Mark),
    /// A delivery report, to be counted if it is about one of our mails.
    Report { mark: Mark, report: Box<Report> },
    /// No From field with a valid address.
    NoSender,
    /// Several senders.
    SeveralSenders,
    /// No header, or a panic while reading.
    Unreadable,
    /// A mail of ours to ourselves, with its code.
    RoundTrip(String),
}

impl Ignored {
    /// The mark, where a person may have written the mail all the same.
    pub fn leaves_doubt(&self) -> Option<Mark> {
        match self {
            Ignored::Automatic(mark) | Ignored::Report { mark, .. } => {
                Some(*mark).filter(|mark| mark.leaves_doubt())
            }
            Ignored::NoSender | Ignored::SeveralSenders | Ignored::Unreadable | Ignored::RoundTrip(_) => None,
        }
    }

    /// A word for each reason, to count them by.
    pub fn word(&self) -> &'static str {
        match self {
            Ignored::Automatic(mark) | Ignored::Report { mark, .. } => mark.word(),
            Ignored::NoSender => "no_sender",
            Ignored::SeveralSenders => "several_senders",
            Ignored::Unreadable => "unreadable",
            Ignored::RoundTrip(_) => "round_trip",
        }
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ignored::Automatic(mark) | Ignored::Report { mark, .. } => write!(f, "automatic mail: {mark}"),
            Ignored::NoSender => f.write_str("it does not say who sent it"),
            Ignored::SeveralSenders => f.write_str("it names several senders"),
            Ignored::Unreadable => f.write_str("it cannot be read"),
            Ignored::RoundTrip(_) => f.write_str("our own mail came back, as `doctor` wants to see"),
        }
    }
}

/// What a mail that nobody acts on says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub identity: Identity,
    pub message_id: Option<String>,
    /// The address in From. A claim.
    pub sender: Option<String>,
}

impl Origin {
    /// What a letter says of its origin.
    pub fn of(letter: &Letter) -> Origin {
        Origin {
            identity: letter.identity,
            message_id: letter.message_id.clone(),
            sender: letter.sender.clone(),
        }
    }
}
