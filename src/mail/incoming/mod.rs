//! Reads bytes into a [`Letter`], or gives the reason to ignore them. Each mail is parsed once.
//!
//! The order is: header, envelope, automatic mail, size, and then the text. No message can cause a panic, a hang,
//! excessive memory, or a header in an outgoing mail.
//!
//! Reading order: `lines`, `headers`, [`Envelope`], `automatic`, `message`, `text`, `unread`, `identity`.

mod automatic;
mod banner;
mod charset;
mod decode;
mod envelope;
mod headers;
mod html;
mod identity;
mod lines;
mod message;
mod pgp;
mod report;
mod stylesheet;
mod subjects;
mod text;
mod unread;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use automatic::{Mark, is_robot};
pub use envelope::{Envelope, EnvelopeSender};
pub use message::{MAX_DEPTH, MAX_MESSAGE, MAX_PARTS, TooMuch};
pub use unread::{Ignored, Origin, Unread};

use sha2::{Digest, Sha256};

use crate::ids::Identity;
use crate::mail::{
    AnswerBy, Letter, Proof, ReplyToken, ServerIdentity, authentication, bounce, round_trip, token,
};
use headers::{Headers, Senders};
use message::{BodyPart, Entity};

#[derive(Debug, Clone)]
pub enum Incoming {
    Letter(Box<Letter>),
    /// A letter that exceeds a limit or cannot be read. Its text is empty. It is answered once, with the reason.
    Refused {
        /// Names the recipient and the thread of the answer.
        letter: Box<Letter>,
        why: Unread,
    },
    /// A mail that looks automatic only by an address, a Subject or a field that people's mail can have too. Or a mail
    /// with a token that unsubscribes. The caller decides.
    Doubtful {
        /// The mail as a letter, in case a person wrote it. If its `answer` is `Nothing`, only its token can count.
        letter: Box<Letter>,
        unread: Option<Unread>,
        /// Why the mail is ignored if no person wrote it.
        why: Ignored,
    },
    /// Neither answered nor acted on.
    Ignored {
        why: Ignored,
        origin: Origin,
    },
}

/// Reads a mail.
///
/// A caller that stops reading after [`MAX_MESSAGE`] bytes passes one byte more, so that the mail is refused
/// instead of being read in part.
pub fn read(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Incoming {
    // mailparse has panicked on crafted mail (its issues 4 and 41). A panic would leave the mail with the mail server,
    // which would deliver it again for days. The closure only reads, so nothing is left half done.
    catch_unwind(AssertUnwindSafe(|| take(bytes, envelope, server))).unwrap_or_else(|_| unreadable(bytes))
}

fn unreadable(bytes: &[u8]) -> Incoming {
    let identity = Identity(Sha256::digest(bytes).into());
    let origin = Origin { identity, message_id: None, sender: None };
    Incoming::Ignored { why: Ignored::Unreadable, origin }
}

fn take(bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Incoming {
    let size = bytes.len();
    let bytes = lines::normal(bytes);
    let (bytes, mbox) = message::strip_front(&bytes);
    if bytes.is_empty() {
        return unreadable(bytes);
    }
    let root = Entity::parse(bytes);
    let envelope = envelope.completed(&root.headers, mbox, server);
    let sender = sender(&root.headers, &envelope);
    let mut letter = Box::new(letter(&root, sender.clone().ok(), &envelope, server));
    if let Some(code) = letter.message_id.as_deref().and_then(|id| round_trip::code_of(id, server)) {
        return Incoming::Ignored { why: Ignored::RoundTrip(code), origin: Origin::of(&letter) };
    }
    let parts = if size > MAX_MESSAGE { Err(TooMuch::Bytes) } else { message::parts(&root) };
    let ignored = |mark| {
        let parts = parts.as_deref().unwrap_or_default();
        match report::read(&root, parts, &envelope, server) {
            Some(report) => Ignored::Report { mark, report: Box::new(report) },
            None => Ignored::Automatic(mark),
        }
    };
    let to_verp =
        || envelope.recipient.as_deref().is_some_and(|recipient| bounce::is_verp(server, recipient));
    let by_header = automatic::by_header(&root.headers, &envelope, server);
    let is_sure = by_header.filter(|mark| !mark.yields_to_a_move());
    if let Some(mark) = is_sure.or_else(|| to_verp().then_some(Mark::Report)) {
        return by_program(letter, ignored(mark));
    }
    let by_name = automatic::by_name(&root.headers, &envelope);
    let whole = parts.as_deref().ok().filter(|_| sender.is_ok() && !root.cut);
    let by_parts = whole.and_then(|parts| automatic::by_parts(parts, by_name));
    if let Some(mark) = by_name.or(by_header).filter(|_| sender.is_err() || by_parts.is_some()).or(by_parts) {
        return by_program(letter, ignored(mark));
    }
    if let Err(why) = sender {
        return without_sender(letter, why);
    }
    let unread = read_text(&mut letter, &parts, root.cut, server).err();
    let by_click = || whole.and_then(automatic::by_click);
    let by_text = || automatic::by_text(&letter.subject, &letter.text);
    // A Subject of an automatic reply is stronger evidence than a field that asks for no answers.
    let by_words = by_name.filter(|mark| *mark != Mark::Robot);
    let doubt = by_words.or(by_header).or(by_name).or_else(by_click).or_else(by_text);
    match (doubt.map(ignored), unread) {
        (Some(why), unread) => Incoming::Doubtful { letter, unread, why },
        (None, Some(why)) => Incoming::Refused { letter, why },
        (None, None) => Incoming::Letter(letter),
    }
}

/// Sets the letter's text, and the token that the text quotes.
fn read_text(
    letter: &mut Letter,
    parts: &Result<Vec<BodyPart<'_>>, TooMuch>,
    is_cut: bool,
    server: &ServerIdentity,
) -> Result<(), Unread> {
    let parts = if is_cut { &Err(TooMuch::Bytes) } else { parts };
    let parts = parts.as_deref().map_err(|why| Unread::TooMuch(*why))?;
    let (text, token) = text::read(parts, &server.banners)?;
    letter.text = text;
    letter.token = letter.token.take().or(token);
    Ok(())
}

/// Ignores a mail by a program. In doubt if it unsubscribes: a mail program that does so for a person marks it alike.
fn by_program(mut letter: Box<Letter>, why: Ignored) -> Incoming {
    let unsubscribes = letter.token.as_ref().is_some_and(ReplyToken::unsubscribes);
    if unsubscribes && matches!(why, Ignored::Automatic(_)) {
        letter.answer = AnswerBy::Nothing;
        return Incoming::Doubtful { letter, unread: None, why };
    }
    Incoming::Ignored { why, origin: Origin::of(&letter) }
}

/// A mail whose From has no address or several. The answer goes to the return path, if there is one.
fn without_sender(letter: Box<Letter>, why: Senders) -> Incoming {
    let (unread, why) = match why {
        Senders::None => (Unread::NoSender, Ignored::NoSender),
        Senders::Several => (Unread::SeveralSenders, Ignored::SeveralSenders),
    };
    match letter.return_path {
        Some(_) => Incoming::Refused { letter, why: unread },
        None => Incoming::Ignored { why, origin: Origin::of(&letter) },
    }
}

/// The address in From. Without From, take Sender, then the envelope; all are equally unproven.
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

/// The letter without its text.
fn letter(root: &Entity<'_>, sender: Option<String>, envelope: &Envelope, server: &ServerIdentity) -> Letter {
    let headers = &root.headers;
    let message_id = headers.first_id("message-id");
    let recipient = envelope.recipient.as_deref();
    let from = sender.as_deref().unwrap_or_default();
    let subject = headers.first("subject").unwrap_or_default();
    Letter {
        identity: identity::identity(message_id.as_deref(), from, &server.address, headers, root.body),
        message_id,
        in_reply_to: headers.parent(),
        references: headers.thread(),
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

/// The proof of the sender by the host's mail server, if there is one.
fn proof(headers: &Headers<'_>, sender: &str, server: &ServerIdentity) -> Proof {
    match &server.authserv_id {
        // DMARC and DKIM check From.
        Some(id) if headers.has("from") && authentication::proves(headers.pairs(), id, sender) => {
            Proof::Sender
        }
        _ => Proof::None,
    }
}
