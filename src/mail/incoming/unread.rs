//! Why a mail is not read. An [`Unread`] mail is answered with the reason; an [`Ignored`] one gets no answer.

use std::fmt;
use std::sync::LazyLock;

use super::automatic::Mark;
use super::message::{BodyPart, TooMuch};
use crate::ids::Identity;
use crate::mail::Letter;
use crate::mail::bounce::Report;
use crate::mail::phrases::{BANNERS, Phrases, section};

static CONFIDENTIAL: Phrases = LazyLock::new(|| section(BANNERS, "confidential"));

/// Why a mail is answered without being read. The text quotes nothing from the mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    TooMuch(TooMuch),
    /// From has no address that mail can be sent to.
    NoSender,
    SeveralSenders,
    /// OpenPGP, or S/MIME enveloped-data.
    Encrypted,
    /// S/MIME signed-data, whose text is inside the signature.
    Opaque,
    /// Gmail's confidential mode: the mail has only a link to its text.
    Confidential,
    /// Outlook's own format, alone or with an empty text.
    Winmail {
        with_text: bool,
    },
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::TooMuch(why) => {
                write!(f, "{why}. A command needs one line; send it without attachments")
            }
            Unread::NoSender => f.write_str(
                "its From field holds no mail address that can be answered. Set your address in your mail program",
            ),
            Unread::SeveralSenders => {
                f.write_str("it names several senders in From. Send it from one address, in one From field")
            }
            Unread::Encrypted => f.write_str(
                "it is encrypted, and this server has no key. Send it again without encryption; a signature does no \
                 harm",
            ),
            Unread::Opaque => f.write_str(
                "its text is inside an S/MIME signature (smime.p7m). Send it again unsigned, or signed in clear text",
            ),
            Unread::Confidential => f.write_str(
                "it was sent in the confidential mode of Gmail, which keeps the text with Google. Send it again with \
                 that mode switched off",
            ),
            Unread::Winmail { .. } => f.write_str(
                "its text is only in winmail.dat, which Outlook alone reads. Send it again as plain text or HTML",
            ),
        }
    }
}

/// Why the text cannot be read; `None` if it can. `text` is the text of the readable parts.
pub(super) fn closed(parts: &[BodyPart<'_>], text: &str) -> Option<Unread> {
    // Gateways add notices to an encrypted part, so the first part decides. Outlook puts its own format last.
    let first = parts.iter().find_map(sealed);
    let leads = parts.first().is_some_and(|part| sealed(part).is_some());
    if let Some(why) = first.filter(|_| leads || text.trim().is_empty()) {
        return Some(why);
    }
    let is_link = |part: &BodyPart<'_>| {
        let octets = part.octets();
        let shown = String::from_utf8_lossy(&octets);
        CONFIDENTIAL.iter().any(|link| shown.contains(link))
    };
    if parts.iter().filter(|part| part.kind.mimetype.starts_with("text/")).any(is_link) {
        return Some(Unread::Confidential);
    }
    let armoured = text.trim_start().starts_with("-----BEGIN PGP MESSAGE-----");
    let winmail = text.trim().is_empty() && parts.iter().any(is_winmail);
    let with_text = parts.iter().any(|part| part.kind.mimetype.starts_with("text/"));
    armoured.then_some(Unread::Encrypted).or(winmail.then_some(Unread::Winmail { with_text }))
}

fn sealed(part: &BodyPart<'_>) -> Option<Unread> {
    let smime_type = || part.kind.params.get("smime-type").map(|kind| kind.trim().to_ascii_lowercase());
    match part.kind.mimetype.as_str() {
        "application/pgp-encrypted" => Some(Unread::Encrypted),
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => Some(match smime_type().as_deref() {
            Some("signed-data" | "certs-only" | "compressed-data") => Unread::Opaque,
            Some(_) => Unread::Encrypted,
            // RFC 8551 3.2.2 makes the parameter optional; the content tells.
            None if is_signed_data(part) => Unread::Opaque,
            None => Unread::Encrypted,
        }),
        // Some programs give the type of any file.
        "application/octet-stream" if part.file_name().as_deref() == Some("smime.p7m") => {
            Some(if is_signed_data(part) { Unread::Opaque } else { Unread::Encrypted })
        }
        _ => None,
    }
}

/// True if the part's CMS content type is signed-data (RFC 5652 5.1), which is near the front.
fn is_signed_data(part: &BodyPart<'_>) -> bool {
    const SIGNED_DATA: [u8; 11] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02];
    let octets = part.octets();
    let front = octets.get(..32).unwrap_or(&octets);
    front.windows(SIGNED_DATA.len()).any(|window| window == SIGNED_DATA)
}

fn is_winmail(part: &BodyPart<'_>) -> bool {
    matches!(part.kind.mimetype.as_str(), "application/ms-tnef" | "application/vnd.ms-tnef")
        || part.file_name().as_deref() == Some("winmail.dat")
}

/// Why a mail is ignored. The text quotes nothing from the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ignored {
    Automatic(Mark),
    /// A delivery report. It counts if it is about one of the server's mails.
    Report {
        mark: Mark,
        report: Box<Report>,
    },
    /// No From field with a valid address.
    NoSender,
    SeveralSenders,
    /// No header, or a panic while reading.
    Unreadable,
    /// A mail of the server to itself, with its code.
    RoundTrip(String),
}

impl Ignored {
    /// The mark, if a person may have written the mail nevertheless.
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

/// What an ignored mail claims about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub identity: Identity,
    pub message_id: Option<String>,
    /// The address in From. A claim.
    pub sender: Option<String>,
}

impl Origin {
    pub fn of(letter: &Letter) -> Origin {
        Origin {
            identity: letter.identity,
            message_id: letter.message_id.clone(),
            sender: letter.sender.clone(),
        }
    }
}
