//! Renders what happened as mail: one [`OutgoingMail`] for each notification, from the files of `templates`.

pub mod help;
pub(crate) mod html;
mod notification;
pub(crate) mod reply_words;
mod stranger;
mod templates;
pub(crate) mod text;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::credentials::Limits;
use crate::credentials::token::MailKind;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::notices::analysis_view::AnalysisView;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::mail::{Content, Words};
use crate::notices::view::BoardView;
use crate::notices::{Answer, Answered, Event, Mail, Seated, Thread, Transcript};
use crate::play::zone_of;
use crate::store::Store;
use turnpost_games::registry;

pub use templates::{Fault, Templates};

/// A mail, before the recipient and thread decide the rest.
#[derive(Debug, Clone)]
pub struct OutgoingMail {
    /// The same for all mails about a board, so that mail programs keep a thread.
    pub subject: String,
    /// The board whose thread it belongs to.
    pub board: Option<BoardId>,
    /// The last event of the board that it shows, if it shows the board.
    pub shown: Option<u32>,
    /// The event after which its one board stands, if nothing but that board is drawn.
    pub pictured: Option<u32>,
    pub kind: MailKind,
    pub text: String,
    /// The token of its Reply-To, if not the one of its board.
    pub token: Option<String>,
    /// What stops mails of this kind.
    pub unsubscribe: Option<Unsubscribe>,
    pub keep: Keep,
}

#[derive(Debug, Clone)]
pub enum Unsubscribe {
    /// A mail to us with this Subject.
    Command(String),
    /// A mail to us with this token.
    Token(String),
    /// The page that pauses the player's mails, where there are pages.
    Pause,
}

/// What the outbox keeps of a mail after sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Mail,
    /// Without the bytes, which hold a token or code.
    Recipient,
    /// Without bytes and recipient: the account is deleted.
    Nothing,
}

impl OutgoingMail {
    /// A mail without secrets.
    fn new(board: Option<BoardId>, subject: String, text: &str) -> OutgoingMail {
        let text = text::tidy(text);
        let kind = MailKind::Board;
        OutgoingMail {
            subject,
            board,
            shown: None,
            pictured: None,
            kind,
            text,
            token: None,
            unsubscribe: None,
            keep: Keep::Mail,
        }
    }
}

/// Renders a notification at `now`, in the reader's zone. An answer renders `transcript`.
pub fn compose(
    (templates, limits): (&Templates, &Limits),
    now: &Zoned,
    transcript: &Transcript,
    notification: &Mail,
) -> Result<OutgoingMail, Error> {
    let room = room(limits.answer_kib);
    match &notification.content {
        Content::Answer => answer(templates, now, transcript, room),
        Content::Farewell => {
            Ok(OutgoingMail { keep: Keep::Nothing, ..answer(templates, now, transcript, room)? })
        }
        Content::StrangersHelp => {
            stranger::compose(templates, now, transcript, self::room(limits.stranger_answer_kib))
        }
        _ => notification::compose(templates, now, notification),
    }
}

/// The event after which the board stands that an answer shows, when it shows no other and none of the past.
fn pictured(transcript: &Transcript, board: BoardId) -> Option<u32> {
    let mut views: Vec<&BoardView> = Vec::new();
    for answered in &transcript.answers {
        match &answered.answer {
            Answer::Done(Event::Board(update, _)) => views.push(&update.view),
            Answer::Done(Event::Shown(shown)) => views.extend(shown),
            _ => {}
        }
        views.extend(answered.now.as_deref());
    }
    match views.as_slice() {
        [view] if view.board == board.0 && !view.past => Some(view.events),
        _ => None,
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    echo: &'a str,
    text: String,
}

/// What the header and footer of an answer take of its size.
const FRAME: usize = 4 * 1024;

/// The bytes of text that a mail of so many KiB has room for.
fn room(kib: u32) -> usize {
    (kib as usize).saturating_mul(1024).saturating_sub(FRAME)
}

/// The entries of a transcript, as far as there is room, and whether any is left out.
///
/// Rendering stops there too: a letter may ask for a thousand times its own size.
fn entries<'a>(
    templates: &Templates,
    now: &Zoned,
    answers: impl Iterator<Item = &'a Answered>,
    mut room: usize,
) -> Result<(Vec<Entry<'a>>, bool), Error> {
    let mut entries = Vec::new();
    for answered in answers {
        let mut entry = entry(templates, now, answered)?;
        let echo = text::size_in_a_mail(&text::clip(entry.echo));
        let size = echo + text::size_in_a_mail(&entry.text);
        if size > room {
            entry.text = text::cut(&entry.text, room.saturating_sub(echo));
            entries.push(entry);
            return Ok((entries, true));
        }
        room -= size;
        entries.push(entry);
    }
    Ok((entries, false))
}

/// The answer to a letter, without a footer.
fn answers(
    templates: &Templates,
    now: &Zoned,
    transcript: &Transcript,
    room: usize,
) -> Result<String, Error> {
    if let Some(userid) = &transcript.small_talk {
        return Ok(templates.render("small-talk.txt", context! { userid })?);
    }
    let (entries, left_out) = entries(templates, now, transcript.answers.iter(), room)?;
    let many = entries.len() > 1;
    let mut text =
        templates.render("answer.txt", context! { entries => Value::from(Serde(&entries)), many })?;
    if left_out {
        text.push_str(&format!("\n{}\n", text::wrap(LEFT_OUT)));
    }
    if let Some(remark) = &transcript.remark {
        text::add_paragraph(&mut text, &text::wrap(remark));
    }
    Ok(text)
}

/// Stands below an answer that would have been too large.
const LEFT_OUT: &str = "The rest was left out: ask for less at a time.";

fn answer(
    templates: &Templates,
    now: &Zoned,
    transcript: &Transcript,
    room: usize,
) -> Result<OutgoingMail, Error> {
    let mut text = answers(templates, now, transcript, room)?;
    if let Some(seated) = &transcript.seated {
        text.push('\n');
        text.push_str(&words_of(templates, transcript, seated)?);
    }
    text.push_str(&footer(templates)?);
    Ok(match transcript.thread() {
        Some(Thread { board, subject, shown, mail }) => OutgoingMail {
            shown: *shown,
            pictured: pictured(transcript, *board),
            kind: *mail,
            ..OutgoingMail::new(Some(*board), subject.clone(), &text)
        },
        None => OutgoingMail::new(None, subject(templates, transcript), &text),
    })
}

/// What a reply to an answer can do, as its last line.
fn words_of(templates: &Templates, transcript: &Transcript, seated: &Seated) -> Result<String, Error> {
    let Seated { view, seat } = seated;
    let asks = transcript.thread().is_some_and(|thread| thread.mail == MailKind::Question);
    let reply_words = reply_words::reply_words(view, *seat);
    let context = context! { v => Value::from(Serde(view.as_ref())), reader => *seat, reply_words, asks };
    Ok(templates.render("reply-words.txt", context)?)
}

/// The answer to a letter, as the command line prints it.
pub fn printed(
    templates: &Templates,
    store: &Store,
    transcript: &Transcript,
    now: Timestamp,
) -> Result<String, Error> {
    let zone = transcript.player.map(|player| zone_of(store, player)).transpose()?.unwrap_or(TimeZone::UTC);
    Ok(text::tidy(&answers(templates, &now.to_zoned(zone), transcript, usize::MAX)?))
}

/// An analysis as text, for the command line.
pub fn analysis_text(templates: &Templates, view: &AnalysisView) -> Result<String, Error> {
    let text = templates.render("analyse.txt", context! { a => Value::from(Serde(view)) })?;
    Ok(text::tidy(&text))
}

fn entry<'a>(templates: &Templates, now: &Zoned, answered: &'a Answered) -> Result<Entry<'a>, Error> {
    let render = |name: &str, context: Value| templates.render(name, context);
    let text = match &answered.answer {
        Answer::Done(event) => done(templates, now, event)?,
        Answer::Refused(why) => render("refused.txt", context! { why => why.to_string() })?,
        Answer::Malformed(error) => render(
            "malformed.txt",
            context! { why => &error.why, grammar => &error.grammar, pointer => &error.pointer, echo => &answered.echo },
        )?,
        Answer::Unknown { suggestion } => render("unknown.txt", context! { suggestion })?,
    };
    let mut text = text.trim_end().to_owned();
    if let Some(stands) = &answered.now {
        text.push_str("\n\n");
        let context =
            context! { views => Value::from(Serde([stands])), zone => zone_name(now), now => seconds(now) };
        text.push_str(render("show.txt", context)?.trim_end());
    }
    Ok(Entry { echo: &answered.echo, text })
}

fn done(templates: &Templates, now: &Zoned, event: &Event) -> Result<String, Error> {
    let render = |name: &str, context: Value| templates.render(name, context);
    Ok(match event {
        Event::Help(pages) => {
            let pages =
                pages.iter().map(|page| help::render(templates, page)).collect::<Result<Vec<_>, _>>()?;
            pages.join("\n\n")
        }
        Event::SignedUp { userid, addresses, waiting, kept, seeks, robot } => {
            let seeks = Value::from(Serde(seeks));
            render("signup.txt", context! { userid, addresses, waiting, kept, seeks, robot })?
        }
        Event::Confirmed { userid, mailbox, is_new, seeks, robot } => {
            let seeks = Value::from(Serde(seeks));
            render("confirmed.txt", context! { userid, mailbox, is_new, seeks, robot })?
        }
        Event::Board(update, reader) => board_update(templates, now, update, *reader, None)?,
        Event::Resent { board } => render("resend.txt", context! { board => board.map(|board| board.0) })?,
        Event::Page(page) => {
            let data = page.data.clone();
            render(page.template, context! { zone => zone_name(now), now => seconds(now), ..data })?
        }
        Event::Shown(views) => render(
            "show.txt",
            context! { views => Value::from(Serde(views)), zone => zone_name(now), now => seconds(now) },
        )?,
        Event::Queue { view, seat } => render(
            "queue.txt",
            context! { v => Value::from(Serde(view)), reader => seat, zone => zone_name(now), now => seconds(now) },
        )?,
    })
}

fn board_update(
    templates: &Templates,
    now: &Zoned,
    update: &BoardUpdate,
    reader: Option<usize>,
    words: Option<&Words>,
) -> Result<String, Error> {
    Ok(templates.render(update.event.template(), board_context(now, update, reader, words))?)
}

/// What the templates of `board` are given.
pub fn board_context(
    now: &Zoned,
    update: &BoardUpdate,
    reader: Option<usize>,
    words: Option<&Words>,
) -> Value {
    let said = words.map(|words| format!("{} says:\n{}", words.by, text::said(&words.text)));
    let view = &update.view;
    let by_reader = reader == Some(update.by);
    let actor = if by_reader { Some("you") } else { view.players.get(update.by).map(String::as_str) };
    let v = Value::from(Serde(view));
    let update_value = Value::from(Serde(update));
    let earlier = update.before(reader);
    // A lesson is for the player to move.
    let lesson = view.lesson.as_ref().filter(|_| reader.is_some() && reader == view.turn);
    let names = registry::find(view.game).and_then(|game| game.map).filter(|_| reader.is_some());
    let map = names.filter(|_| update.event == BoardEvent::Started).map(|map| map());
    let reply_words = reader.map(|reader| reply_words::reply_words(view, reader)).unwrap_or_default();
    context! { update => update_value, earlier, v, actor, reader, said, lesson, map, reply_words, zone => zone_name(now), now => seconds(now) }
}

fn footer(templates: &Templates) -> Result<String, Error> {
    Ok(templates.render("footer.txt", context! {})?)
}

/// The Subject of an answer that is not about one board.
fn subject(templates: &Templates, transcript: &Transcript) -> String {
    let tally = transcript.tally();
    let not_done = tally.refused + tally.unreadable;
    let name = templates.name();
    if transcript.small_talk.is_some() {
        return format!("{name}: no command found");
    }
    match (transcript.answers.as_slice(), not_done) {
        ([Answered { answer: Answer::Done(Event::Help(pages)), .. }], _) => {
            format!("{name}: help {}", pages.join(" "))
        }
        ([Answered { answer: Answer::Done(Event::SignedUp { userid, .. }), .. }], _) => {
            format!("{name}: welcome, {userid}")
        }
        ([Answered { answer: Answer::Done(Event::Confirmed { userid, is_new, .. }), .. }], _) => match is_new
        {
            true => format!("{name}: how to begin, {userid}"),
            false => format!("{name}: your address is confirmed"),
        },
        ([_], 0) => format!("{name}: your answer"),
        ([_], _) => format!("{name}: not done"),
        ([], _) => format!("{name}: no command found"),
        (many, 0) => format!("{name}: {} commands", many.len()),
        (many, wrong) => format!("{name}: {} commands, {wrong} not done", many.len()),
    }
}

fn zone_name(now: &Zoned) -> &str {
    now.time_zone().iana_name().unwrap_or("UTC")
}

fn seconds(now: &Zoned) -> i64 {
    now.timestamp().as_second()
}

/// A board as text, for the command line.
pub fn board(templates: &Templates, view: &BoardView, now: Timestamp) -> Result<String, Error> {
    let context = context! { views => Value::from(Serde([view])), zone => "UTC", now => now.as_second() };
    let text = templates.render("show.txt", context)?;
    Ok(text::tidy(&text))
}
