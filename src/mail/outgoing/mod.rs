//! A mail of ours, as octets that every server carries unharmed and every program shows right.
//!
//! Words of people stand in Subjects and bodies: none of them can become a header, a part, or a line that a
//! server on the way changes.

mod dkim;
mod encode;

use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;
use lettre::Address;
use lettre::message::header::{
    ContentTransferEncoding, ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0,
};
use lettre::message::{Body, Mailbox, Message, MultiPart, SinglePart};
use sha2::{Digest, Sha256};
use thiserror::Error;

pub use dkim::{BadKey, Signer};

use super::server_identity::MESSAGE_ID_PREFIX;
use super::{ServerIdentity, clean, ids};
use crate::ids::Identity;

/// A mail before it is written out. One recipient: two players are two mails (RFC 3834 3.1.3).
#[derive(Debug, Clone)]
pub struct Draft {
    /// The address of the one recipient.
    pub to: String,
    /// Where answers go, when not to our own address: the one with the reply token.
    pub reply_to: Option<String>,
    /// Our Message-ID, by [`message_id`].
    pub message_id: String,
    /// The mail this one answers.
    pub in_reply_to: Option<String>,
    /// The thread, oldest first, the mail answered last. Of a long one the first and the last ten are written.
    pub references: Vec<String>,
    /// The Subject, in any characters; one line of at most 200 is made of it.
    pub subject: String,
    /// The Date field, shown in UTC.
    pub date: jiff::Timestamp,
    /// Which kind of automatic mail this is.
    pub mark: AutoSubmitted,
    /// The Subject of the mail to us that ends mails of this kind (RFC 2369 3.2), for those who never asked by name.
    pub unsubscribe: Option<String>,
    /// The text, lines ended by `\n`.
    pub text: String,
    /// The same as HTML, for programs that show it.
    pub html: Option<String>,
}

/// The value of Auto-Submitted (RFC 3834 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoSubmitted {
    /// A direct answer to a mail of the recipient's.
    Replied,
    /// Anything else: to the opponent, reminders.
    Generated,
}

impl AutoSubmitted {
    /// As the field has it.
    pub fn as_str(self) -> &'static str {
        match self {
            AutoSubmitted::Replied => "auto-replied",
            AutoSubmitted::Generated => "auto-generated",
        }
    }
}

/// Why no mail can be made of a draft.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// Mail cannot be sent there.
    #[error("the recipient's address is not one that mail can be sent to")]
    Recipient,
    /// The reply address is none.
    #[error("the reply address is not a mail address")]
    ReplyTo,
    /// The server's own address is none: the configuration is wrong.
    #[error("the server's own address is not a mail address")]
    OwnAddress,
    /// The Message-ID is not of the form RFC 5322 3.6.4 asks for.
    #[error("the Message-ID is not well formed")]
    MessageId,
    /// The date is before 1970.
    #[error("the date is before 1970")]
    Date,
    /// The mail library refused.
    #[error("the mail could not be built: {0}")]
    Library(#[from] lettre::error::Error),
}

/// Our Message-ID for the mail to `recipient` that a letter causes: the same for the same letter, so that one
/// sent twice over a crash is shown once. `purpose` keeps apart several mails to one recipient. `secret` is the
/// recipient's: whoever sent the letter could else name the mail, and say that it came back.
pub fn message_id(letter: &Identity, recipient: &str, purpose: &str, secret: &[u8], host: &str) -> String {
    let mut hash = Sha256::new();
    for field in [letter.0.as_slice(), recipient.as_bytes(), purpose.as_bytes(), secret] {
        hash.update((field.len() as u64).to_be_bytes());
        hash.update(field);
    }
    format!("<{MESSAGE_ID_PREFIX}{}@{host}>", hex(&hash.finalize(), 20))
}

/// The first `count` octets, in digits.
fn hex(octets: &[u8], count: usize) -> String {
    HEXLOWER.encode(octets.get(..count).unwrap_or(octets))
}

/// Whether a mail that [`compose`] wrote answers a mail, and does not tell somebody else of it.
pub fn is_answer(mail: &[u8]) -> bool {
    let lines = mail.split(|octet| *octet == b'\n').take_while(|line| !line.trim_ascii_end().is_empty());
    let mark = format!("Auto-Submitted: {}", AutoSubmitted::Replied.as_str());
    lines.map(<[u8]>::trim_ascii_end).any(|line| line == mark.as_bytes())
}

/// Longer Subjects are shown by nothing.
const MAX_SUBJECT: usize = 200;

/// Writes the mail out, ready to be sent and stored.
pub fn compose(draft: &Draft, server: &ServerIdentity) -> Result<Vec<u8>, ComposeError> {
    compose_signed(draft, server, None)
}

/// The same with a signature, where there is somebody to sign.
pub fn compose_signed(
    draft: &Draft,
    server: &ServerIdentity,
    signer: Option<&Signer>,
) -> Result<Vec<u8>, ComposeError> {
    let own = address(&server.address).ok_or(ComposeError::OwnAddress)?;
    let name: String = clean::line(&server.name).chars().take(64).collect();
    // lettre writes an empty name as one: `From:  <a@b>`.
    let name = Some(name).filter(|name| !name.is_empty());
    let to = address(&draft.to).ok_or(ComposeError::Recipient)?;
    let id = one_id(&draft.message_id).ok_or(ComposeError::MessageId)?;
    let subject: String = clean::line(&draft.subject).chars().take(MAX_SUBJECT).collect();

    let mut mail = Message::builder()
        .from(Mailbox::new(name, own.clone()))
        .to(Mailbox::new(None, to))
        .subject(subject)
        .date(system_time(draft.date).ok_or(ComposeError::Date)?);
    if let Some(reply_to) = &draft.reply_to {
        let reply_to = address(reply_to).ok_or(ComposeError::ReplyTo)?;
        mail = mail.reply_to(Mailbox::new(None, reply_to));
    }
    mail = mail.raw_header(field("Message-ID", id.clone()));
    if let Some(parent) = draft.in_reply_to.as_deref().and_then(one_id) {
        mail = mail.raw_header(field("In-Reply-To", parent));
    }
    let thread = ids::shorten(draft.references.iter().filter_map(|id| one_id(id)).collect());
    if !thread.is_empty() {
        // One a line: with 250 characters each, no line comes near 998 (RFC 5322 2.1.1).
        mail = mail.raw_header(field("References", thread.join("\r\n ")));
    }
    if let Some(subject) = &draft.unsubscribe {
        let value = format!("<mailto:{own}?subject={}>", percent_encoded(subject));
        mail = mail.raw_header(field("List-Unsubscribe", value));
    }
    mail = mail
        .raw_header(field("Auto-Submitted", draft.mark.as_str().to_owned()))
        .raw_header(field("X-Loop", own.to_string()))
        .raw_header(field("X-Auto-Response-Suppress", "All".to_owned()));

    let mut built = match &draft.html {
        // Not as a single part: lettre ends those with an empty line.
        None => {
            mail.header(MIME_VERSION_1_0).header(ContentType::TEXT_PLAIN).body(encode::body(&draft.text))?
        }
        Some(html) => {
            // No line of a body begins with `--` (see `encode`), so that none can pass for the delimiter.
            let boundary = format!("=_{}", hex(&Sha256::digest(&id), 16));
            // RFC 2046 5.1.4: the last is the best.
            let both = MultiPart::alternative()
                .boundary(boundary)
                .singlepart(part(ContentType::TEXT_PLAIN, &draft.text))
                .singlepart(part(ContentType::TEXT_HTML, html));
            // lettre signs no Content-Type of a mail with parts: it keeps that beside the other fields.
            let kind = both.headers().get::<ContentType>().unwrap_or(ContentType::TEXT_PLAIN);
            let bytes = both.formatted();
            let start = bytes.windows(4).position(|octets| octets == b"\r\n\r\n").map_or(0, |end| end + 4);
            let body = bytes.get(start..).unwrap_or_default().to_vec();
            let body = Body::dangerous_pre_encoded(body, ContentTransferEncoding::SevenBit);
            mail.header(MIME_VERSION_1_0).header(kind).body(body)?
        }
    };
    if let Some(signer) = signer {
        signer.sign(&mut built);
    }
    Ok(built.formatted())
}

/// Text as a part of a mailto URI (RFC 6068 2): everything but letters, digits and four marks as `%XX`.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for octet in text.bytes() {
        if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) {
            encoded.push(char::from(octet));
        } else {
            encoded.push_str(&format!("%{octet:02X}"));
        }
    }
    encoded
}

fn part(kind: ContentType, text: &str) -> SinglePart {
    SinglePart::builder().header(kind).body(encode::body(text))
}

fn address(text: &str) -> Option<Address> {
    clean::address(text)?.parse().ok()
}

/// The one Message-ID that `text` is.
fn one_id(text: &str) -> Option<String> {
    ids::scan(text).into_iter().next().filter(|id| id == text)
}

/// A field whose value is ASCII and folded already; lettre would make encoded words of Message-IDs that look odd
/// to it, and RFC 2047 5 allows none there.
fn field(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

fn system_time(date: jiff::Timestamp) -> Option<SystemTime> {
    let seconds = u64::try_from(date.as_second()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}
