//! Renders what happened as mail: one [`OutgoingMail`] for each [`Mail`], from the files of `templates`.

mod board;
pub mod help;
pub(crate) mod html;
mod stranger;
mod templates;
pub(crate) mod text;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::commands::reply_words;
use crate::credentials::Limits;
use crate::credentials::token::MailKind;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::notices::analysis_view::AnalysisView;
use crate::notices::mail::Content;
use crate::notices::view::BoardView;
use crate::notices::{Answer, Answered, Event, Mail, Seated, Thread, Transcript};
use crate::play::zone_of;
use crate::store::Store;

pub use board::{board, context as board_context};
pub use templates::Templates;

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
}

impl OutgoingMail {
    fn new(board: Option<BoardId>, subject: String, text: &str) -> OutgoingMail {
        let text = text::tidy(text);
        OutgoingMail { subject, board, shown: None, pictured: None, kind: MailKind::Board, text }
    }
}

/// Renders a mail at `now`, in the reader's zone. An answer renders `transcript`.
pub fn compose(
    (templates, limits): (&Templates, &Limits),
    now: &Zoned,
    transcript: &Transcript,
    mail: &Mail,
) -> Result<OutgoingMail, Error> {
    match &mail.content {
        Content::Page { template, data } => {
            let data = context! { zone => zone_name(now), now => seconds(now), ..data.clone() };
            let (subject, text) = templates.mail(template, data)?;
            let text = text + &footer(templates)?;
            Ok(match &mail.thread {
                Some(thread) => OutgoingMail::new(Some(thread.board), thread.subject.clone(), &text),
                None => OutgoingMail::new(None, subject, &text),
            })
        }
        Content::Answer => answer(templates, now, transcript, room(limits.answer_kib)),
        Content::StrangersHelp => {
            stranger::compose(templates, now, transcript, room(limits.stranger_answer_kib))
        }
        Content::Board(notice) => board::compose(templates, now, notice),
        Content::Resent(_) => Ok(OutgoingMail::new(None, String::new(), "")),
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

/// The Subject of the answer to a letter, and its text without a footer.
fn answers(
    templates: &Templates,
    now: &Zoned,
    transcript: &Transcript,
    room: usize,
) -> Result<(String, String), Error> {
    if let Some(userid) = &transcript.small_talk {
        return Ok(templates.mail("small-talk.txt", context! { userid })?);
    }
    let (entries, left_out) = entries(templates, now, transcript.answers.iter(), room)?;
    let many = entries.len() > 1;
    let context = context! { entries => Value::from(Serde(&entries)), many, ..headline(transcript) };
    let (subject, mut text) = templates.mail("answer.txt", context)?;
    if left_out {
        text.push_str(&format!("\n{}\n", text::wrap(LEFT_OUT)));
    }
    if let Some(remark) = &transcript.remark {
        text::add_paragraph(&mut text, &text::wrap(remark));
    }
    Ok((subject, text))
}

/// Stands below an answer that would have been too large.
const LEFT_OUT: &str = "The rest was left out: ask for less at a time.";

fn answer(
    templates: &Templates,
    now: &Zoned,
    transcript: &Transcript,
    room: usize,
) -> Result<OutgoingMail, Error> {
    let (subject, mut text) = answers(templates, now, transcript, room)?;
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
        None => OutgoingMail::new(None, subject, &text),
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
    let (_, text) = answers(templates, &now.to_zoned(zone), transcript, usize::MAX)?;
    Ok(text::tidy(&text))
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
        Event::Board(update, reader) => board::update(templates, now, update, *reader, None)?,
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

fn footer(templates: &Templates) -> Result<String, Error> {
    Ok(templates.render("footer.txt", context! {})?)
}

/// What the Subject of an answer says that is not about one board: the only command, where it has a Subject of its own,
/// or how many there are.
fn headline(transcript: &Transcript) -> Value {
    let tally = transcript.tally();
    let (count, wrong) = (transcript.answers.len(), tally.refused + tally.unreadable);
    let only = match transcript.answers.as_slice() {
        [Answered { answer: Answer::Done(event), .. }] => match event {
            Event::Help(pages) => Some(vec!["help".to_owned(), pages.join(" ")]),
            Event::SignedUp { userid, .. } => Some(vec!["signup".to_owned(), userid.clone()]),
            Event::Confirmed { userid, is_new: true, .. } => Some(vec!["begin".to_owned(), userid.clone()]),
            Event::Confirmed { .. } => Some(vec!["confirmed".to_owned()]),
            _ => None,
        },
        _ => None,
    };
    context! { count, wrong, only }
}

fn zone_name(now: &Zoned) -> &str {
    now.time_zone().iana_name().unwrap_or("UTC")
}

fn seconds(now: &Zoned) -> i64 {
    now.timestamp().as_second()
}
