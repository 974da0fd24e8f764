//! Recognises automatic mail, which is neither answered nor played (RFC 3834 2, RFC 5321 4.5.5).
//!
//! Only headers and part types decide: an out-of-office note that quotes "resign" must not resign. If an address or a
//! Subject is the only evidence, a person may have written the mail; [`Mark::leaves_doubt`] tells.

use std::fmt;
use std::sync::LazyLock;

use super::envelope::{Envelope, EnvelopeSender};
use super::headers::{Headers, without_comments};
use super::message::BodyPart;
use super::subjects;
use crate::mail::phrases::{AUTOMATIC, BOUNCES, Haystack, Phrases, section};
use crate::mail::{ServerIdentity, subject};

static ROBOTS: Phrases = LazyLock::new(|| section(AUTOMATIC, "robots"));
static DAEMONS: Phrases = LazyLock::new(|| section(AUTOMATIC, "daemons"));
static FIELDS: Phrases = LazyLock::new(|| section(AUTOMATIC, "fields"));
static REACTIONS: Phrases = LazyLock::new(|| section(AUTOMATIC, "reactions"));
static NOTES: Phrases = LazyLock::new(|| section(AUTOMATIC, "notes"));
static ABSENT: Phrases = LazyLock::new(|| section(BOUNCES, "absent"));

/// Why a mail counts as automatic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    NullSender,
    /// `Auto-Submitted` is not `no`.
    AutoSubmitted,
    /// A delivery, disposition or feedback report, or a mail that contains only another mail.
    Report,
    /// `Precedence: bulk`, `list`, `junk` or `auto_reply`.
    Precedence,
    List,
    ResponseSuppressed,
    /// A field or a Subject of an automatic reply.
    AutoReply,
    /// The sender is `mailer-daemon` or a similar name.
    Robot,
    /// The server's own X-Loop, Message-ID or address.
    Ours,
    ReportSubject,
    /// A calendar's answer, or one click on an emoji.
    Click,
    /// More `Received` fields than any route needs.
    Hops,
}

impl Mark {
    /// True if a person may have written the mail, because only its address, Subject or a weak field is evidence.
    pub fn leaves_doubt(self) -> bool {
        matches!(self, Mark::Robot | Mark::ReportSubject | Mark::AutoReply) || self.yields_to_a_move()
    }

    /// True for marks that people's mail can have too: a field of Exchange that asks for no answers, a mailing
    /// list, a calendar. Such a mail is a person's if it has a token and a move.
    pub fn yields_to_a_move(self) -> bool {
        matches!(self, Mark::Precedence | Mark::List | Mark::ResponseSuppressed | Mark::Click)
    }

    /// The word under which the mark is counted, and the reason as a clause.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Mark::NullSender => ("null_sender", "its return path is empty"),
            Mark::AutoSubmitted => ("auto_submitted", "Auto-Submitted says so"),
            Mark::Report => ("report", "it is a report"),
            Mark::Precedence => ("precedence", "Precedence says so"),
            Mark::List => ("list", "it comes from a mailing list"),
            Mark::ResponseSuppressed => ("response_suppressed", "X-Auto-Response-Suppress asks for silence"),
            Mark::AutoReply => ("auto_reply", "it is an automatic reply"),
            Mark::Robot => ("robot", "its sender is a program"),
            Mark::Ours => ("ours", "it is a mail of ours"),
            Mark::ReportSubject => ("report_subject", "its Subject is that of a report"),
            Mark::Click => ("click", "it is a calendar's answer or a reaction"),
            Mark::Hops => ("hops", "it has gone in a circle"),
        }
    }

    pub(super) fn word(self) -> &'static str {
        self.words().0
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().1)
    }
}

/// Each mail server adds a `Received`. RFC 5321 6.3 suggests a limit of a hundred; no real route has fifty.
const MAX_HOPS: usize = 50;

const SUPPRESS: &str = "x-auto-response-suppress";

/// Fields of mailing lists that write no `List-` fields.
const LIST_FIELDS: [&str; 5] = ["mailing-list", "x-mailing-list", "x-mailinglist", "x-mlserver", "x-ml-name"];

/// The mark in the header or the envelope.
pub(super) fn by_header(headers: &Headers<'_>, envelope: &Envelope, server: &ServerIdentity) -> Option<Mark> {
    // A program that fetches mail from a mailbox uses its own envelope; the field keeps the original sender.
    let null_path =
        headers.raw("return-path").any(|path| EnvelopeSender::read(&path) == EnvelopeSender::Null);
    if null_path || envelope.sender == Some(EnvelopeSender::Null) {
        return Some(Mark::NullSender);
    }
    if ours(headers, envelope, server) {
        return Some(Mark::Ours);
    }
    // RFC 3834 5.1: a token, then parameters, with comments anywhere.
    if headers.raw("auto-submitted").any(|value| first_token(&value) != "no") {
        return Some(Mark::AutoSubmitted);
    }
    if headers.raw("content-type").any(|value| is_report(&first_token(&value))) {
        return Some(Mark::Report);
    }
    if auto_reply(headers) {
        return Some(Mark::AutoReply);
    }
    if headers.names().filter(|name| *name == "received").count() > MAX_HOPS {
        return Some(Mark::Hops);
    }
    let bulk = |value: String| matches!(first_token(&value).as_str(), "bulk" | "list" | "junk");
    if headers.raw("precedence").chain(headers.raw("x-precedence")).any(bulk) {
        return Some(Mark::Precedence);
    }
    if headers.names().any(|name| name.starts_with("list-") || LIST_FIELDS.contains(&name)) {
        return Some(Mark::List);
    }
    let suppressed = headers.raw(SUPPRESS).any(|value| first_token(&value) != "none");
    suppressed.then_some(Mark::ResponseSuppressed)
}

/// The mark in an address or a Subject, for mail without another mark.
pub(super) fn by_name(headers: &Headers<'_>, envelope: &Envelope) -> Option<Mark> {
    let subject = headers.first("subject").unwrap_or_default();
    if subjects::is_absence(&subject) {
        return Some(Mark::AutoReply);
    }
    if subjects::is_report_subject(&subject) {
        return Some(Mark::ReportSubject);
    }
    let path = matches!(&envelope.sender, Some(EnvelopeSender::Address(address)) if is_robot(address));
    (path || is_from_robot(headers)).then_some(Mark::Robot)
}

/// The mark in the part types, for reports whose header does not say that they are reports. A mail that contains only
/// another mail is a report if its address or Subject is a program's; people forward mail in the same way.
pub(super) fn by_parts(parts: &[BodyPart<'_>], by_name: Option<Mark>) -> Option<Mark> {
    let reports = ["message/delivery-status", "message/disposition-notification", "message/feedback-report"];
    let words = parts.iter().any(|part| part.kind.mimetype.starts_with("text/"));
    let mail = parts.iter().any(|part| part.kind.mimetype == "message/rfc822");
    let report = parts.iter().any(|part| reports.contains(&part.kind.mimetype.as_str()));
    (report || (mail && !words && by_name.is_some())).then_some(Mark::Report)
}

/// The mark of an answer by one click: a calendar's answer (RFC 5546), an invitation shown in the text, or a
/// reaction of Gmail, which has its own part type.
pub(super) fn by_click(parts: &[BodyPart<'_>]) -> Option<Mark> {
    let method = |part: &BodyPart<'_>| {
        let octets = part.octets();
        let front = String::from_utf8_lossy(octets.get(..1024).unwrap_or(&octets)).to_lowercase();
        let inside = || front.lines().find_map(|line| line.strip_prefix("method:")).map(str::to_owned);
        part.kind.params.get("method").map(|method| method.to_lowercase()).or_else(inside)
    };
    let is_click = |part: &BodyPart<'_>| match part.kind.mimetype.as_str() {
        "text/calendar" | "application/ics" => method(part).is_some_and(|method| match method.trim() {
            "reply" | "counter" | "declinecounter" | "refresh" => true,
            "request" | "cancel" | "add" => !part.is_attachment(),
            _ => false,
        }),
        kind => kind.starts_with("text/vnd.google.email-reaction"),
    };
    parts.iter().any(is_click).then_some(Mark::Click)
}

/// The mark in the text: a reaction that Outlook writes as text, or an absence note after `Re:`. Only the text tells
/// such a note from a person's answer to one.
pub(super) fn by_text(subject: &str, text: &str) -> Option<Mark> {
    const HEAD: usize = 1000;
    let head = text.char_indices().nth(HEAD).map_or(text, |(end, _)| text.get(..end).unwrap_or(text));
    let said = |line: &&str| line.contains(char::is_alphanumeric);
    let first = head.lines().find(said).unwrap_or_default().to_lowercase();
    let first = first.split_once(" (http").map_or(first.as_str(), |(first, _)| first);
    let first = first.trim_end_matches(|c: char| !c.is_alphanumeric()).replace('’', "'");
    if REACTIONS.iter().any(|reaction| first.ends_with(reaction)) {
        return Some(Mark::Click);
    }
    if NOTES.iter().any(|note| first.contains(note)) {
        return Some(Mark::AutoReply);
    }
    let bare = subject::bare(subject);
    if bare.len() == subject.len() || !subjects::is_absence(bare) {
        return None;
    }
    let head = head.replace('’', "'").to_lowercase();
    ABSENT.iter().any(|phrase| head.contains(phrase)).then_some(Mark::AutoReply)
}

fn ours(headers: &Headers<'_>, envelope: &Envelope, server: &ServerIdentity) -> bool {
    let from_us = headers.addresses("from").iter().any(|address| server.is_ours(address));
    let path = matches!(&envelope.sender, Some(EnvelopeSender::Address(address)) if server.is_ours(address));
    let loops = headers.raw("x-loop").any(|value| server.is_ours(value.trim_matches(['<', '>'])));
    let id = headers.raw("message-id").any(|value| server.wrote(&value));
    // More fields than these two mean a loop: the host's server adds one, and a forwarding server can add another.
    let delivered = headers.raw("delivered-to").filter(|value| server.is_ours(value)).count() > 2;
    from_us || path || loops || id || delivered
}

/// True for a field of automatic replies. It is known by part of its name, or by its name and part of its value.
fn auto_reply(headers: &Headers<'_>) -> bool {
    // One search through all names for each field: most mail has none of them.
    let names: Vec<&str> = headers.names().filter(|name| *name != SUPPRESS).collect();
    let names = names.join("\n");
    let names = Haystack::new(&names);
    FIELDS.iter().any(|field| {
        let (name, words) = field.split_once(':').unwrap_or((field, ""));
        let says = |value: String| value.to_lowercase().contains(words.trim_start());
        names.contains(name) && (words.is_empty() || headers.raw(name).any(says))
    })
}

fn is_report(kind: &str) -> bool {
    matches!(
        kind,
        "multipart/report"
            | "message/delivery-status"
            | "message/disposition-notification"
            | "message/rfc822"
    )
}

/// True if From is an address of a program.
pub(super) fn is_from_robot(headers: &Headers<'_>) -> bool {
    is_from_daemon(headers) || headers.addresses("from").iter().any(|address| is_robot(address))
}

/// True if From is an address of a mail server.
pub(super) fn is_from_daemon(headers: &Headers<'_>) -> bool {
    // Some servers write `MAILER-DAEMON <>`, which is no address.
    let daemon = headers.raw("from").any(|value| {
        let value = value.trim_start_matches('"').to_lowercase();
        value.starts_with("mailer-daemon")
    });
    daemon || headers.addresses("from").iter().any(|address| has_word(&name(address), &DAEMONS))
}

/// True for the local parts in RFC 3834 2, the roles in RFC 2142 that are programs, and every local part that
/// contains such a word as a whole word: `newsalerts-noreply`, not `bouncer`.
pub fn is_robot(address: &str) -> bool {
    let name = name(address);
    name.starts_with("owner-")
        || ["-request", "-owner"].iter().any(|end| name.ends_with(end))
        || has_word(&name, &ROBOTS)
}

/// The local part in lower case. Lists with VERP add the recipient after a `+` or `=`, and people add a tag.
fn name(address: &str) -> String {
    let address = address.to_lowercase();
    let local = address.rsplit_once('@').map_or(address.as_str(), |(local, _)| local);
    local.split(['+', '=']).next().unwrap_or_default().to_owned()
}

/// True if adjacent words of a name, joined, are in the list: `do_not_reply`.
fn has_word(name: &str, list: &[&str]) -> bool {
    let words: Vec<&str> = name.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    (0..words.len()).any(|from| {
        let mut joined = String::new();
        words.iter().skip(from).take(4).any(|word| {
            joined.push_str(word);
            list.contains(&joined.as_str())
        })
    })
}

fn first_token(value: &str) -> String {
    let value = without_comments(value);
    value.split(|c: char| c == ';' || c == ',' || c.is_whitespace()).next().unwrap_or_default().to_owned()
}
