//! Composes outgoing mails, so that every server passes them unchanged and every program shows them correctly.
//!
//! People's words in Subjects and bodies cannot become a header, a part, or a line that servers change.

mod dkim;
mod encode;
mod picture;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, SystemTime};

use data_encoding::{HEXLOWER, HEXUPPER};
use lettre::Address;
use lettre::message::header::{ContentDisposition, ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::message::{Mailbox, Message, MultiPart, SinglePart};
use sha2::{Digest, Sha256};
use thiserror::Error;

pub use dkim::{BadKey, Signer};
pub use picture::{HIDDEN, Picture, content_id, place, with_picture};

use super::server_identity::MESSAGE_ID_PREFIX;
use super::{ServerIdentity, clean, ids};
use crate::ids::Identity;

/// A mail before it is rendered. It has one recipient (RFC 3834 3.1.3).
#[derive(Debug, Clone)]
pub struct Draft {
    pub to: String,
    /// The address with the reply token. Without it, replies go to the server's plain address.
    pub reply_to: Option<String>,
    /// Made by [`message_id`].
    pub message_id: String,
    pub in_reply_to: Option<String>,
    /// The thread, oldest first. Long ones are shortened to the first and the last ten.
    pub references: Vec<String>,
    /// In any characters; it becomes one line of at most 200.
    pub subject: String,
    /// UTC.
    pub date: jiff::Timestamp,
    pub mark: AutoSubmitted,
    /// How to unsubscribe from mails of this kind (RFC 2369 3.2).
    pub unsubscribe: Option<ListUnsubscribe>,
    /// Lines end with `\n`.
    pub text: String,
    /// The text as HTML.
    pub html: Option<String>,
    pub files: Vec<AttachedFile>,
}

/// A text that programs read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachedFile {
    /// Its ending decides the media type.
    pub name: String,
    /// Lines end with `\n`.
    pub text: String,
}

impl AttachedFile {
    fn part(&self) -> SinglePart {
        let kind = match self.name.rsplit_once('.') {
            Some((_, "pgn")) => "application/vnd.chess-pgn; charset=utf-8",
            Some((_, "sgf")) => "application/x-go-sgf; charset=utf-8",
            _ => "text/plain; charset=utf-8",
        };
        let kind = ContentType::parse(kind).unwrap_or(ContentType::TEXT_PLAIN);
        let disposition = ContentDisposition::attachment(&self.name);
        SinglePart::builder().header(kind).header(disposition).body(encode::body(&self.text))
    }
}

#[derive(Debug, Clone)]
pub enum ListUnsubscribe {
    /// A mail to an address with a token or, without one, to the server's plain address.
    Mail { address: Option<String>, subject: String },
    /// A page of the server that accepts a POST (RFC 8058).
    Page(String),
}

impl From<String> for ListUnsubscribe {
    /// A command to the server's plain address.
    fn from(subject: String) -> ListUnsubscribe {
        ListUnsubscribe::Mail { address: None, subject }
    }
}

/// The value of Auto-Submitted (RFC 3834 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoSubmitted {
    /// An answer to a mail of the recipient.
    Replied,
    /// Anything else, such as a reminder.
    Generated,
}

impl AutoSubmitted {
    pub fn as_str(self) -> &'static str {
        match self {
            AutoSubmitted::Replied => "auto-replied",
            AutoSubmitted::Generated => "auto-generated",
        }
    }
}

/// Why a draft cannot be composed.
#[derive(Debug, Error)]
pub enum ComposeError {
    #[error("no mail can be sent to this address")]
    Recipient,
    #[error("the reply address is not a mail address")]
    ReplyTo,
    /// The configuration is wrong.
    #[error("the server's own address is not a mail address")]
    OwnAddress,
    #[error("the Message-ID is not well formed")]
    MessageId,
    #[error("the date is before 1970")]
    Date,
    #[error("the mail could not be built: {0}")]
    Library(#[from] lettre::error::Error),
    #[error("the mail could not be built: the library panicked")]
    Panicked,
}

impl ComposeError {
    /// True if the mail itself is the cause, so that no later try succeeds. Otherwise the configuration or the clock
    /// is wrong, and every mail waits until the host repairs it.
    pub fn is_of_this_mail(&self) -> bool {
        match self {
            ComposeError::Recipient | ComposeError::Library(_) | ComposeError::Panicked => true,
            ComposeError::ReplyTo
            | ComposeError::OwnAddress
            | ComposeError::MessageId
            | ComposeError::Date => false,
        }
    }
}

/// The Message-ID of a mail that `letter` causes. It is the same after a crash, so that mail programs show a mail sent
/// twice once. `purpose` separates mails to one recipient. `secret` is the recipient's, so that the letter's sender
/// cannot guess the id and report a bounce.
pub fn message_id(letter: &Identity, recipient: &str, purpose: &str, secret: &[u8], host: &str) -> String {
    let mut hash = Sha256::new();
    for field in [letter.0.as_slice(), recipient.as_bytes(), purpose.as_bytes(), secret] {
        hash.update((field.len() as u64).to_be_bytes());
        hash.update(field);
    }
    format!("<{MESSAGE_ID_PREFIX}{}@{host}>", hex(&hash.finalize(), 20))
}

/// The first `count` octets in hexadecimal.
fn hex(octets: &[u8], count: usize) -> String {
    HEXLOWER.encode(octets.get(..count).unwrap_or(octets))
}

/// True if a mail from [`compose`] is an answer.
pub fn is_answer(mail: &[u8]) -> bool {
    let lines = mail.split(|octet| *octet == b'\n').take_while(|line| !line.trim_ascii_end().is_empty());
    let mark = format!("Auto-Submitted: {}", AutoSubmitted::Replied.as_str());
    lines.map(<[u8]>::trim_ascii_end).any(|line| line == mark.as_bytes())
}

/// No mail program shows longer Subjects.
const MAX_SUBJECT: usize = 200;

pub fn compose(draft: &Draft, server: &ServerIdentity) -> Result<Vec<u8>, ComposeError> {
    // lettre panics on header values that it cannot write. Nothing is left half done.
    catch_unwind(AssertUnwindSafe(|| build(draft, server))).unwrap_or(Err(ComposeError::Panicked))
}

/// A mail split at its first empty line, which belongs to neither.
fn head_and_body(mail: &[u8]) -> (&[u8], &[u8]) {
    const END: &[u8] = b"\r\n\r\n";
    match mail.windows(END.len()).position(|octets| octets == END) {
        Some(end) => (mail.get(..end).unwrap_or_default(), mail.get(end + END.len()..).unwrap_or_default()),
        None => (mail, &[]),
    }
}

/// The boundary of a multipart. No line of a body begins with `--` (see `encode`), so none can pass for it.
fn boundary(id: &str) -> String {
    format!("=_{}", hex(&Sha256::digest(id), 16))
}

fn build(draft: &Draft, server: &ServerIdentity) -> Result<Vec<u8>, ComposeError> {
    let own = address(&server.address).ok_or(ComposeError::OwnAddress)?;
    let name: String = clean::line(&server.name).chars().take(64).collect();
    // lettre writes an empty name as `From:  <a@b>`.
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
        // One id a line keeps every line below 998 characters (RFC 5322 2.1.1).
        mail = mail.raw_header(field("References", thread.join("\r\n ")));
    }
    match &draft.unsubscribe {
        None => {}
        Some(ListUnsubscribe::Mail { address: at, subject }) => {
            let at = match at {
                Some(at) => address(at).ok_or(ComposeError::ReplyTo)?,
                None => own.clone(),
            };
            let value = format!("<mailto:{at}?subject={}>", percent_encoded(subject, b""));
            mail = mail.raw_header(field("List-Unsubscribe", value));
        }
        Some(ListUnsubscribe::Page(page)) => {
            mail = mail
                .raw_header(field("List-Unsubscribe", format!("<{page}>")))
                .raw_header(field("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
    }
    mail = mail
        .raw_header(field("Auto-Submitted", draft.mark.as_str().to_owned()))
        .raw_header(field("X-Loop", own.to_string()))
        .raw_header(field("X-Auto-Response-Suppress", "All".to_owned()));

    let text = || part(ContentType::TEXT_PLAIN, &draft.text);
    // RFC 2046 5.1.4: the best part comes last.
    let both = draft.html.as_ref().map(|html| {
        let both = MultiPart::alternative().boundary(boundary(&id)).singlepart(text());
        both.singlepart(part(ContentType::TEXT_HTML, html))
    });
    let built = match (both, draft.files.as_slice()) {
        // Not a `SinglePart`: lettre would end it with an empty line.
        (None, []) => {
            mail.header(MIME_VERSION_1_0).header(ContentType::TEXT_PLAIN).body(encode::body(&draft.text))?
        }
        (Some(both), []) => mail.multipart(both)?,
        (both, files) => {
            let mixed = MultiPart::mixed().boundary(boundary(&format!("files {id}")));
            let mixed = match both {
                Some(both) => mixed.multipart(both),
                None => mixed.singlepart(text()),
            };
            mail.multipart(files.iter().map(AttachedFile::part).fold(mixed, MultiPart::singlepart))?
        }
    };
    Ok(built.formatted())
}

/// Percent-encodes text for a mailto URI (RFC 6068 2), except the characters of `plain`.
pub fn percent_encoded(text: &str, plain: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    for octet in text.bytes() {
        if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) || plain.contains(&octet) {
            encoded.push(char::from(octet));
        } else {
            encoded.push('%');
            HEXUPPER.encode_append(&[octet], &mut encoded);
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

/// The Message-ID, if `text` is exactly one.
fn one_id(text: &str) -> Option<String> {
    ids::scan(text).into_iter().next().filter(|id| id == text)
}

/// An ASCII field that is folded already. lettre would encode odd Message-IDs, which RFC 2047 5 forbids.
fn field(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

fn system_time(date: jiff::Timestamp) -> Option<SystemTime> {
    let seconds = u64::try_from(date.as_second()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}
