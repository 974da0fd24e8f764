//! From what happened to what people read.

pub mod help;
pub(crate) mod html;
pub mod note;
mod templates;
pub(crate) mod text;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::ids::BoardId;
use crate::mail::AnswerBy;
use crate::service::Thread;
use crate::service::note::Said;
use crate::service::robot::AnalysisView;
use crate::service::view::{BoardUpdate, BoardView};
use crate::service::{Answer, Answered, App, Error, Event, Notice, Transcript};
use crate::store::BounceRow;

pub use templates::Templates;

/// What a person is sent.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Its Subject; the same for all mails about a board, so that mail programs keep them together.
    pub subject: String,
    /// The board whose thread it belongs to.
    pub board: Option<BoardId>,
    /// The event of that board whose outcome it shows; `None`: none in particular.
    pub shown: Option<u32>,
    /// The text.
    pub text: String,
    /// What its Reply-To carries, where that is not the token of its board.
    pub token: Option<String>,
    /// The Subject that ends mails of this kind.
    pub unsubscribe: Option<String>,
    /// Whether it holds a token or code, so that its bytes are not kept once it has left.
    pub secret: bool,
}

impl Reply {
    /// Words that hold nothing secret and come once.
    fn of(board: Option<BoardId>, subject: String, text: &str) -> Reply {
        let text = text::tidy(text);
        Reply { subject, board, shown: None, text, token: None, unsubscribe: None, secret: false }
    }
}

/// An answer of the transcript, rendered.
#[derive(Serialize)]
struct Entry<'a> {
    echo: &'a str,
    text: String,
}

/// The answer to a letter, for a reader in `zone`.
///
/// # Errors
/// When a template fails.
pub fn answer(app: &App, zone: &TimeZone, by: AnswerBy, transcript: &Transcript) -> Result<Reply, Error> {
    let entries = entries(app, zone, &transcript.answers)?;
    let many = entries.len() > 1;
    let mut text =
        app.templates.render("answer.txt", context! { entries => Value::from(Serde(&entries)), many })?;
    if let Some(remark) = &transcript.remark {
        text.push_str(&format!("\n{}\n", text::wrap(remark)));
    }
    if by == AnswerBy::Mail {
        text.push_str(&footer(app)?);
    }
    Ok(match transcript.thread() {
        Some(Thread { board, subject, shown }) => {
            Reply { shown: *shown, ..Reply::of(Some(*board), subject.clone(), &text) }
        }
        None => Reply::of(None, subject(app, transcript), &text),
    })
}

/// What a player in `zone` is told of somebody else's command.
///
/// # Errors
/// When a template fails.
pub fn notice(app: &App, zone: &TimeZone, notice: &Notice) -> Result<Reply, Error> {
    notice_with(app, zone, notice, None)
}

/// The same with what the other player wrote beside the command.
///
/// # Errors
/// When a template fails.
pub fn notice_with(app: &App, zone: &TimeZone, notice: &Notice, said: Option<&Said>) -> Result<Reply, Error> {
    let mut text = update(app, zone, &notice.update, Some(notice.seat), said)?;
    text.push_str(&footer(app)?);
    let view = &notice.update.view;
    let reply = Reply::of(Some(BoardId(view.board)), view.subject(), &text);
    Ok(Reply { shown: Some(view.events), ..reply })
}

/// A board whose deadline moved, as its players are told.
#[derive(Debug, Clone, Serialize)]
pub struct MovedRow {
    /// Its game's word.
    pub game: String,
    /// Its number.
    pub board: u32,
    /// Who plays.
    pub players: [String; 2],
    /// Whose turn it is.
    pub turn: String,
    /// Until when.
    pub deadline: i64,
}

/// An analysis that a player waited for.
///
/// # Errors
/// When a template fails.
pub fn analysis(app: &App, thread: &Thread, view: &AnalysisView) -> Result<Reply, Error> {
    let text = format!("{}\n{}", analysis_text(app, view)?.trim_end(), footer(app)?);
    Ok(Reply::of(Some(thread.board), thread.subject.clone(), &text))
}

/// An analysis as text, for those who look at it without mail.
///
/// # Errors
/// When a template fails.
pub fn analysis_text(app: &App, view: &AnalysisView) -> Result<String, Error> {
    let text = app.templates.render("analysis.txt", context! { a => Value::from(Serde(view)) })?;
    Ok(text::tidy(&text))
}

/// What a player in `zone` is told when the server was down.
///
/// # Errors
/// When a template fails.
pub fn moved(
    app: &App,
    zone: &TimeZone,
    down: (Timestamp, Timestamp),
    rows: &[MovedRow],
) -> Result<Reply, Error> {
    let (from, to) = (down.0.as_second(), down.1.as_second());
    let text = app.templates.render(
        "moved.txt",
        context! { from, to, rows => Value::from(Serde(rows)), zone => zone_name(zone) },
    )? + &footer(app)?;
    let subject = format!("{}: new deadlines", app.site.name);
    Ok(Reply::of(None, subject, &text))
}

/// The short help for somebody who has no account.
///
/// # Errors
/// When a template fails.
pub fn stranger(app: &App, transcript: &Transcript) -> Result<Reply, Error> {
    let not_done =
        transcript.answers.iter().filter(|answered| !matches!(answered.answer, Answer::Done(_))).take(5);
    let refused =
        not_done.map(|answered| entry(app, &TimeZone::UTC, answered)).collect::<Result<Vec<_>, _>>()?;
    let site = &app.site;
    let text = app.templates.render("stranger.txt", context! { refused => Value::from(Serde(&refused)) })?
        + &footer(app)?;
    Ok(Reply::of(None, format!("{}: help", site.name), &text))
}

/// The answer to a mail that is more than is read.
///
/// # Errors
/// When a template fails.
pub fn too_much(app: &App, why: &str) -> Result<Reply, Error> {
    let text = app.templates.render("too-much.txt", context! { why })? + &footer(app)?;
    let subject = format!("{}: not read", app.site.name);
    Ok(Reply::of(None, subject, &text))
}

/// The word that there will be no more answers for a while.
///
/// # Errors
/// When a template fails.
pub fn enough(app: &App) -> Result<Reply, Error> {
    let text = app.templates.render("enough.txt", context! {})? + &footer(app)?;
    Ok(Reply::of(None, format!("{}: no more answers for an hour", app.site.name), &text))
}

/// What the operator is told of an address to which no more mail is sent.
///
/// # Errors
/// When a template fails.
pub fn stopped(app: &App, stop: &BounceRow, userids: &[String]) -> Result<Reply, Error> {
    let BounceRow { address, count, .. } = stop;
    let unwanted = stop.is_unwanted();
    let context = context! { address, count, unwanted, userids => Value::from(Serde(userids)) };
    let text = app.templates.render("stopped.txt", context)? + &footer(app)?;
    let what = if unwanted { "is unwanted" } else { "came back" };
    Ok(Reply::of(None, format!("{}: mail to an address {what}", app.site.name), &text))
}

fn entries<'a>(app: &App, zone: &TimeZone, answers: &'a [Answered]) -> Result<Vec<Entry<'a>>, Error> {
    answers.iter().map(|answered| entry(app, zone, answered)).collect()
}

fn entry<'a>(app: &App, zone: &TimeZone, answered: &'a Answered) -> Result<Entry<'a>, Error> {
    let render = |name: &str, context: Value| app.templates.render(name, context);
    let text = match &answered.answer {
        Answer::Done(event) => done(app, zone, event)?,
        Answer::Refused(why) => render("refused.txt", context! { why => why.to_string() })?,
        Answer::Malformed(error) => render(
            "malformed.txt",
            context! { why => &error.why, grammar => &error.grammar, pointer => &error.pointer, echo => &answered.echo },
        )?,
        Answer::Unknown { suggestion } => render("unknown.txt", context! { suggestion })?,
    };
    let mut text = text.trim_end().to_owned();
    if let Some(now) = &answered.now {
        text.push_str("\n\n");
        let context = context! { views => Value::from(Serde([now])), zone => zone_name(zone) };
        text.push_str(render("shown.txt", context)?.trim_end());
    }
    Ok(Entry { echo: &answered.echo, text })
}

fn done(app: &App, zone: &TimeZone, event: &Event) -> Result<String, Error> {
    let render = |name: &str, context: Value| app.templates.render(name, context);
    Ok(match event {
        Event::Help(pages) => {
            let pages = pages.iter().map(|page| help::render(app, page)).collect::<Result<Vec<_>, _>>()?;
            pages.join("\n\n")
        }
        Event::SignedUp { userid, addresses, waiting } => {
            render("signed-up.txt", context! { userid, addresses, waiting })?
        }
        Event::Board(story, reader) => update(app, zone, story, *reader, None)?,
        Event::Note(note, _) => note::done(app, note)?,
        Event::Shown(views) => {
            render("shown.txt", context! { views => Value::from(Serde(views)), zone => zone_name(zone) })?
        }
        Event::Previewed(view) => {
            render("previewed.txt", context! { v => Value::from(Serde(view)), zone => zone_name(zone) })?
        }
        Event::Queue { view, played, seat } => render(
            "queue.txt",
            context! { v => Value::from(Serde(view)), played, reader => seat, zone => zone_name(zone) },
        )?,
        Event::Drafted(view) => {
            render("drafted.txt", context! { v => Value::from(Serde(view)), zone => zone_name(zone) })?
        }
        Event::Lines { title, lines } => render("lines.txt", context! { title, lines })?,
        Event::Listed { title, rows, more } => {
            render("listed.txt", context! { title, rows => Value::from(Serde(rows)), more })?
        }
        Event::Lists(lists) => render("lists.txt", context! { lists => Value::from(Serde(lists)) })?,
        Event::Ranked(ranking) => render("ranked.txt", context! { ranking => Value::from(Serde(ranking)) })?,
        Event::Nudged { opponent, .. } => render("nudged.txt", context! { opponent })?,
        Event::Record { text, .. } => text.clone(),
        Event::Analysed { view, .. } => match view {
            Some(view) => analysis_text(app, view)?,
            None => render("analysing.txt", context! {})?,
        },
    })
}

fn update(
    app: &App,
    zone: &TimeZone,
    update: &BoardUpdate,
    reader: Option<usize>,
    said: Option<&Said>,
) -> Result<String, Error> {
    let said = said.map(|said| format!("{} says:\n{}", said.by, text::said(&said.text)));
    Ok(app.templates.render(
        "update.txt",
        context! { update => Value::from(Serde(update)), reader, said, zone => zone_name(zone) },
    )?)
}

fn footer(app: &App) -> Result<String, Error> {
    Ok(app.templates.render("footer.txt", context! {})?)
}

/// The Subject of an answer that is not about one board.
fn subject(app: &App, transcript: &Transcript) -> String {
    let tally = transcript.tally();
    let not_done = tally.refused + tally.unreadable;
    let name = &app.site.name;
    match (transcript.answers.as_slice(), not_done) {
        ([Answered { answer: Answer::Done(Event::Help(pages)), .. }], _) => {
            format!("{name}: help {}", pages.join(" "))
        }
        ([Answered { answer: Answer::Done(Event::SignedUp { userid, .. }), .. }], _) => {
            format!("{name}: welcome, {userid}")
        }
        ([_], 0) => format!("{name}: your answer"),
        ([_], _) => format!("{name}: not done"),
        ([], _) => format!("{name}: no command found"),
        (many, 0) => format!("{name}: {} commands", many.len()),
        (many, wrong) => format!("{name}: {} commands, {wrong} not done", many.len()),
    }
}

fn zone_name(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}

/// A view of a board as text, for those who look at it without mail.
///
/// # Errors
/// When a template fails.
pub fn board(app: &App, view: &BoardView) -> Result<String, Error> {
    let text =
        app.templates.render("shown.txt", context! { views => Value::from(Serde([view])), zone => "UTC" })?;
    Ok(text::tidy(&text))
}
