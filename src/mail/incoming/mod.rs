//! Reads bytes into a [`Letter`], or gives the reason to ignore them.
//!
//! The order is: header, envelope, automatic mail, size, and then the text. No message can cause a panic,
//! hang, excessive memory, or a header of ours.
//!
//! Reading order: [`Envelope`], `headers`, `automatic`, `message`, `text`, `identity`.

mod automatic;
mod charset;
mod envelope;
mod flowed;
mod headers;
mod html;
mod identity;
mod message;
mod prose;
mod report;
mod text;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use automatic::Mark;
pub use envelope::{Envelope, EnvelopeSender};
pub use message::{MAX_DEPTH, MAX_MESSAGE, MAX_PARTS, TooMuch};

use crate::clock::work;
use crate::mail::bounce::{self, Report};
use crate::mail::{AnswerBy, Letter, Proof, ServerIdentity, authentication, ids, token};
use headers::{Headers, Senders};
use message::Entity;

/// The result of reading a mail.
#[derive(Debug, Clone)]
pub enum Incoming {
    Letter(Box<Letter>),
    /// A letter over a limit. Its text is empty; it is answered once, with the reason.
    Refused {
        /// Names whom to answer, and the thread.
        letter: Box<Letter>,
        why: TooMuch,
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
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ignored::Automatic(mark) | Ignored::Report { mark, .. } => write!(f, "automatic mail: {mark}"),
            Ignored::NoSender => f.write_str("it does not say who sent it"),
            Ignored::SeveralSenders => f.write_str("it names several senders"),
            Ignored::Unreadable => f.write_str("it cannot be read"),
        }
    }
}

/// Reads a mail.
///
/// A caller that stops reading after [`MAX_MESSAGE`] passes one more byte, so that the mail is refused and
/// not read in part.
pub fn read(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Incoming {
    work::count(bytes.len());
    // mailparse has panicked on crafted mail (its issues 4 and 41). A panic would leave the mail with the
    // mail server, to return for days. The closure only reads, so nothing is left half done.
    catch_unwind(AssertUnwindSafe(|| take(bytes, envelope, server)))
        .unwrap_or(Incoming::Ignored(Ignored::Unreadable))
}

fn take(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Incoming {
    let (bytes, mbox) = message::strip_front(bytes);
    let root = Entity::parse(bytes);
    if root.headers.names().next().is_none() {
        return Incoming::Ignored(Ignored::Unreadable);
    }
    let envelope = envelope.completed(&root.headers, mbox, server);
    let mark = automatic::by_header(&root.headers, &envelope, server);
    let to_verp = envelope.recipient.as_deref().is_some_and(|recipient| bounce::is_verp(server, recipient));
    if let Some(mark) = mark.or(to_verp.then_some(Mark::Report)) {
        return Incoming::Ignored(automatic_mail(mark, root, &envelope, server));
    }
    let sender = match root.headers.from() {
        Ok(sender) => sender,
        Err(Senders::None) => return Incoming::Ignored(Ignored::NoSender),
        Err(Senders::Several) => return Incoming::Ignored(Ignored::SeveralSenders),
    };
    let mut letter = Box::new(letter(&root, sender, &envelope, server));
    if bytes.len() > MAX_MESSAGE || root.cut {
        return Incoming::Refused { letter, why: TooMuch::Bytes };
    }
    let text = message::parts(root).map(|parts| match automatic::by_parts(&parts) {
        Some(mark) => Err(mark),
        None => Ok(text::choose(&parts)),
    });
    match text {
        // Parsed again, since splitting consumes the root.
        Ok(Err(mark)) => Incoming::Ignored(automatic_mail(mark, Entity::parse(bytes), &envelope, server)),
        Ok(Ok(Ok(text))) => {
            letter.token = letter.token.or_else(|| token::in_text(&text));
            letter.text = text;
            Incoming::Letter(letter)
        }
        Err(why) | Ok(Ok(Err(why))) => Incoming::Refused { letter, why },
    }
}

fn automatic_mail(mark: Mark, root: Entity<'_>, envelope: &Envelope, server: &ServerIdentity) -> Ignored {
    match report::read(root, envelope, server) {
        Some(report) => Ignored::Report { mark, report: Box::new(report) },
        None => Ignored::Automatic(mark),
    }
}

/// The letter without its text.
fn letter(root: &Entity<'_>, sender: String, envelope: &Envelope, server: &ServerIdentity) -> Letter {
    let headers = &root.headers;
    let message_id = first_id(headers, "message-id");
    let recipient = envelope.recipient.as_deref();
    Letter {
        identity: identity::identity(message_id.as_deref(), &sender, &server.address, headers, root.body),
        message_id,
        references: references(headers),
        proof: proof(headers, &sender, server),
        sender: Some(sender),
        return_path: envelope.return_path(),
        token: recipient.and_then(|recipient| server.token(recipient)).or_else(|| {
            let thread = headers.raw("in-reply-to").chain(headers.raw("references"));
            token::in_ids(thread, server)
        }),
        subject: headers.first("subject").unwrap_or_default(),
        text: String::new(),
        answer: AnswerBy::Mail,
    }
}

/// The result of the host's mail server about the sender.
fn proof(headers: &Headers<'_>, sender: &str, server: &ServerIdentity) -> Proof {
    match &server.authserv_id {
        Some(id) if authentication::proves(headers.pairs(), id, sender) => Proof::Sender,
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
