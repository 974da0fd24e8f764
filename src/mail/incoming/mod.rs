//! Reads bytes into a [`Letter`], or gives the reason to ignore them.
//!
//! The order is: header, envelope, automatic mail, size, and then the text. No message can cause a panic,
//! hang, excessive memory, or a header of ours.
//!
//! Reading order: `lines`, `headers`, [`Envelope`], `automatic`, `message`, `text`, `unread`, `identity`.

// rustfmt would write one phrase per line, in hundreds of lines.
#[rustfmt::skip]
mod auto_words;
mod automatic;
mod charset;
mod codes;
mod envelope;
mod flowed;
mod headers;
mod html;
mod identity;
mod lines;
mod message;
mod pgp;
mod prose;
mod report;
mod text;
mod unread;
mod words;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use automatic::Mark;
pub use envelope::{Envelope, EnvelopeSender};
pub use message::{MAX_DEPTH, MAX_MESSAGE, MAX_PARTS, TooMuch};
pub use unread::Unread;

use sha2::{Digest, Sha256};

use crate::ids::Identity;
use crate::mail::bounce::{self, Report};
use crate::mail::{
    AnswerBy, Letter, Proof, ReplyToken, ServerIdentity, authentication, ids, round_trip, token,
};
use headers::{Headers, Senders};
use message::Entity;

/// The result of reading a mail.
#[derive(Debug, Clone)]
pub enum Incoming {
    Letter(Box<Letter>),
    /// A letter that is over a limit or closed to us. Its text is empty; it is answered once, with the reason.
    Refused {
        /// Names whom to answer, and the thread.
        letter: Box<Letter>,
        why: Unread,
    },
    /// Neither answered nor acted on.
    Ignored(Ignored),
}

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
}

impl Ignored {
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

/// What the header of a mail says of its origin, as far as it can be read.
pub fn origin(bytes: &[u8], server: &ServerIdentity) -> Origin {
    let read = || {
        let lines = lines::normal(bytes);
        let Entity { headers, body, .. } = Entity::parse(message::strip_front(&lines).0);
        let (message_id, sender) = (first_id(&headers, "message-id"), headers.from().ok());
        let from = sender.as_deref().unwrap_or_default();
        let identity = identity::identity(message_id.as_deref(), from, &server.address, &headers, body);
        Origin { identity, message_id, sender }
    };
    let by_bytes = || Identity(Sha256::digest(bytes).into());
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Origin {
        identity: by_bytes(),
        message_id: None,
        sender: None,
    })
}

/// Reads a mail.
///
/// A caller that stops reading after [`MAX_MESSAGE`] passes one more byte, so that the mail is refused and
/// not read in part.
pub fn read(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Incoming {
    read_as(bytes, envelope, server, Doubt::SetsAside)
}

/// Reads a mail that [`Ignored::leaves_doubt`] as if a person had written it. The caller decides whether one did.
pub fn read_as_a_persons(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Incoming {
    read_as(bytes, envelope, server, Doubt::Stays)
}

/// The letter in a mail whose token unsubscribes. Mail programs send such mail by themselves, and mark it as they do. Its
/// text is not read, and no answer goes to a program.
pub fn read_unsubscription(
    bytes: &[u8],
    envelope: &Envelope,
    server: &ServerIdentity,
) -> Option<Box<Letter>> {
    let read = || {
        let bytes = lines::normal(bytes);
        let (bytes, mbox) = message::strip_front(&bytes);
        let root = Entity::parse(bytes);
        let envelope = envelope.completed(&root.headers, mbox, server);
        let sender = sender(&root.headers, &envelope).ok();
        let letter = Letter { answer: AnswerBy::Nothing, ..letter(&root, sender, &envelope, server) };
        letter.token.as_ref().is_some_and(ReplyToken::unsubscribes).then(|| Box::new(letter))
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_default()
}

/// What becomes of a mail where only its address or its Subject looks automatic.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    SetsAside,
    Stays,
}

fn read_as(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity, doubt: Doubt) -> Incoming {
    // mailparse has panicked on crafted mail (its issues 4 and 41). A panic would leave the mail with the
    // mail server, to return for days. The closure only reads, so nothing is left half done.
    catch_unwind(AssertUnwindSafe(|| take(bytes, envelope, server, doubt)))
        .unwrap_or(Incoming::Ignored(Ignored::Unreadable))
}

fn take(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity, doubt: Doubt) -> Incoming {
    let size = bytes.len();
    let bytes = lines::normal(bytes);
    let (bytes, mbox) = message::strip_front(&bytes);
    let root = Entity::parse(bytes);
    if bytes.is_empty() {
        return Incoming::Ignored(Ignored::Unreadable);
    }
    let own_code = |id: String| round_trip::code_of(&id, server);
    if let Some(code) = first_id(&root.headers, "message-id").and_then(own_code) {
        return Incoming::Ignored(Ignored::RoundTrip(code));
    }
    let envelope = envelope.completed(&root.headers, mbox, server);
    let mark = automatic::by_header(&root.headers, &envelope, server);
    let to_verp = envelope.recipient.as_deref().is_some_and(|recipient| bounce::is_verp(server, recipient));
    let by_name =
        || (doubt == Doubt::SetsAside).then(|| automatic::by_name(&root.headers, &envelope)).flatten();
    if let Some(mark) = mark.or(to_verp.then_some(Mark::Report)).or_else(by_name) {
        return Incoming::Ignored(automatic_mail(mark, root, &envelope, server));
    }
    let sender = match sender(&root.headers, &envelope) {
        Ok(sender) => sender,
        Err(why) => return nobodys(&root, why, &envelope, server),
    };
    let mut letter = Box::new(letter(&root, Some(sender), &envelope, server));
    if size > MAX_MESSAGE || root.cut {
        return Incoming::Refused { letter, why: Unread::TooMuch(TooMuch::Bytes) };
    }
    let text = message::parts(root).map(|parts| match automatic::by_parts(&parts) {
        Some(mark) => Err(mark),
        None => Ok(text::read(&parts)),
    });
    match text {
        // Parsed again, since splitting consumes the root.
        Ok(Err(mark)) => Incoming::Ignored(automatic_mail(mark, Entity::parse(bytes), &envelope, server)),
        Ok(Ok(Ok((text, token)))) => {
            letter.text = text;
            letter.token = letter.token.or(token);
            Incoming::Letter(letter)
        }
        Ok(Ok(Err(why))) => Incoming::Refused { letter, why },
        Err(why) => Incoming::Refused { letter, why: Unread::TooMuch(why) },
    }
}

/// The address in From. Where there is no From at all, Sender or the envelope claim the letter as well as it would.
fn sender(headers: &Headers<'_>, envelope: &Envelope) -> Result<String, Senders> {
    match headers.from() {
        Err(Senders::None) if !headers.has("from") => {
            let mut senders = headers.addresses("sender").into_iter();
            let claimed = senders.next().filter(|_| senders.next().is_none());
            claimed.or_else(|| envelope.return_path()).ok_or(Senders::None)
        }
        read => read,
    }
}

/// A mail whose From names nobody, or several. It is answered where it came from, if the transport says where.
fn nobodys(root: &Entity<'_>, why: Senders, envelope: &Envelope, server: &ServerIdentity) -> Incoming {
    let letter = Box::new(letter(root, None, envelope, server));
    match (letter.return_path.is_some(), why) {
        (true, Senders::None) => Incoming::Refused { letter, why: Unread::NoSender },
        (true, Senders::Several) => Incoming::Refused { letter, why: Unread::SeveralSenders },
        (false, Senders::None) => Incoming::Ignored(Ignored::NoSender),
        (false, Senders::Several) => Incoming::Ignored(Ignored::SeveralSenders),
    }
}

fn automatic_mail(mark: Mark, root: Entity<'_>, envelope: &Envelope, server: &ServerIdentity) -> Ignored {
    match report::read(root, envelope, server) {
        Some(report) => Ignored::Report { mark, report: Box::new(report) },
        None => Ignored::Automatic(mark),
    }
}

/// The letter without its text.
fn letter(root: &Entity<'_>, sender: Option<String>, envelope: &Envelope, server: &ServerIdentity) -> Letter {
    let headers = &root.headers;
    let message_id = first_id(headers, "message-id");
    let recipient = envelope.recipient.as_deref();
    let from = sender.as_deref().unwrap_or_default();
    let subject = headers.first("subject").unwrap_or_default();
    Letter {
        identity: identity::identity(message_id.as_deref(), from, &server.address, headers, root.body),
        message_id,
        references: references(headers),
        proof: proof(headers, from, server),
        sender,
        return_path: envelope.return_path(),
        token: recipient.and_then(|recipient| server.token(recipient)).or_else(|| {
            let thread = headers.raw("in-reply-to").chain(headers.raw("references"));
            token::in_subject(&subject).or_else(|| token::in_ids(thread, server))
        }),
        subject,
        text: String::new(),
        answer: AnswerBy::Mail,
    }
}

/// The result of the host's mail server about the sender.
fn proof(headers: &Headers<'_>, sender: &str, server: &ServerIdentity) -> Proof {
    match &server.authserv_id {
        // DMARC and DKIM speak of From.
        Some(id) if headers.has("from") && authentication::proves(headers.pairs(), id, sender) => {
            Proof::Sender
        }
        _ => Proof::None,
    }
}

fn first_id(headers: &Headers<'_>, name: &str) -> Option<String> {
    headers.raw(name).find_map(|value| ids::scan(&value).into_iter().next())
}

/// RFC 5322 3.6.4: References, or else In-Reply-To if it names one mail.
fn references(headers: &Headers<'_>) -> Vec<String> {
    let thread: Vec<String> = headers.raw("references").flat_map(|value| ids::scan(&value)).collect();
    if !thread.is_empty() {
        return ids::shorten(thread);
    }
    let parents: Vec<String> = headers.raw("in-reply-to").flat_map(|value| ids::scan(&value)).collect();
    if parents.len() == 1 { parents } else { Vec::new() }
}
