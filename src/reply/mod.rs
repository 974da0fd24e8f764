//! From what happened to what people read.

pub mod help;
mod templates;
mod text;

use jiff::tz::TimeZone;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::ids::BoardId;
use crate::mail::Letter;
use crate::service::view::{BoardView, News};
use crate::service::{Answer, Answered, Event, Failure, House, Notice, Transcript};
use crate::store::{BoardRow, PlayerId, Store};

pub use templates::Templates;

/// What a person is sent.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Its Subject; the same for all mails about a board, so that mail programs keep them together.
    pub subject: String,
    /// The board whose thread it belongs to.
    pub board: Option<BoardId>,
    /// The text.
    pub text: String,
    /// The same as HTML.
    pub html: Option<String>,
}

/// An answer of the transcript, rendered.
#[derive(Serialize)]
struct Entry<'a> {
    echo: &'a str,
    text: String,
}

/// The answer to a letter.
///
/// # Errors
/// When the store or a template fails.
pub fn answer(
    store: &Store,
    house: &House,
    letter: &Letter,
    transcript: &Transcript,
) -> Result<Reply, Failure> {
    let zone = match transcript.player {
        Some(player) => zone_of(store, player)?,
        None => TimeZone::UTC,
    };
    let entries = entries(house, &zone, &transcript.answers)?;
    let many = entries.len() > 1;
    let mut text =
        house.templates.render("answer.txt", context! { entries => Value::from(Serde(&entries)), many })?;
    if letter.answer == crate::mail::AnswerBy::Mail {
        text.push_str(&footer(house)?);
    }
    // A command may name a board that is not there: such an answer belongs to no thread.
    let row = transcript.board().map(|board| store.board(board)).transpose()?.flatten();
    let board = row.as_ref().map(|row| row.id);
    Ok(Reply {
        subject: subject(store, house, transcript, row.as_ref())?,
        board,
        text: text::tidy(&text),
        html: None,
    })
}

/// What a player is told of somebody else's command.
///
/// # Errors
/// When the store or a template fails.
pub fn notice(store: &Store, house: &House, notice: &Notice) -> Result<Reply, Failure> {
    let zone = zone_of(store, notice.to)?;
    let mut text = news(house, &zone, &notice.news, Some(notice.seat))?;
    text.push_str(&footer(house)?);
    let view = &notice.news.view;
    Ok(Reply {
        subject: board_subject(view.game, view.board, &view.players),
        board: Some(BoardId(view.board)),
        text: text::tidy(&text),
        html: None,
    })
}

/// The short help for somebody who has no account.
///
/// # Errors
/// When a template fails.
pub fn stranger(house: &House, transcript: &Transcript) -> Result<Reply, Failure> {
    let not_done =
        transcript.answers.iter().filter(|answered| !matches!(answered.answer, Answer::Done(_))).take(5);
    let refused =
        not_done.map(|answered| entry(house, &TimeZone::UTC, answered)).collect::<Result<Vec<_>, _>>()?;
    let site = &house.site;
    let text =
        house.templates.render("stranger.txt", context! { refused => Value::from(Serde(&refused)) })?
            + &footer(house)?;
    Ok(Reply { subject: format!("{}: help", site.name), board: None, text: text::tidy(&text), html: None })
}

/// The answer to a mail that is more than is read.
///
/// # Errors
/// When a template fails.
pub fn too_much(house: &House, why: &str) -> Result<Reply, Failure> {
    let text = house.templates.render("too-much.txt", context! { why })? + &footer(house)?;
    let subject = format!("{}: not read", house.site.name);
    Ok(Reply { subject, board: None, text: text::tidy(&text), html: None })
}

fn entries<'a>(house: &House, zone: &TimeZone, answers: &'a [Answered]) -> Result<Vec<Entry<'a>>, Failure> {
    answers.iter().map(|answered| entry(house, zone, answered)).collect()
}

fn entry<'a>(house: &House, zone: &TimeZone, answered: &'a Answered) -> Result<Entry<'a>, Failure> {
    let render = |name: &str, context: Value| house.templates.render(name, context);
    let text = match &answered.answer {
        Answer::Done(event) => done(house, zone, event)?,
        Answer::Refused(why) => render("refused.txt", context! { why => why.to_string() })?,
        Answer::Malformed(error) => render(
            "malformed.txt",
            context! { why => &error.why, grammar => &error.grammar, pointer => &error.pointer, echo => &answered.echo },
        )?,
        Answer::Unknown { suggestion } => render("unknown.txt", context! { suggestion })?,
    };
    Ok(Entry { echo: &answered.echo, text: text.trim_end().to_owned() })
}

fn done(house: &House, zone: &TimeZone, event: &Event) -> Result<String, Failure> {
    let render = |name: &str, context: Value| house.templates.render(name, context);
    Ok(match event {
        Event::Help(pages) => {
            let pages = pages.iter().map(|page| help::render(house, page)).collect::<Result<Vec<_>, _>>()?;
            pages.join("\n\n")
        }
        Event::SignedUp { userid, addresses } => render("signed-up.txt", context! { userid, addresses })?,
        Event::Board(story, reader) => news(house, zone, story, *reader)?,
        Event::Shown(views) => {
            render("shown.txt", context! { views => Value::from(Serde(views)), zone => zone_name(zone) })?
        }
        Event::Previewed(view) => {
            render("previewed.txt", context! { v => Value::from(Serde(view)), zone => zone_name(zone) })?
        }
        Event::Listed { title, rows, more } => {
            render("listed.txt", context! { title, rows => Value::from(Serde(rows)), more })?
        }
    })
}

fn news(house: &House, zone: &TimeZone, news: &News, reader: Option<usize>) -> Result<String, Failure> {
    Ok(house
        .templates
        .render("news.txt", context! { news => Value::from(Serde(news)), reader, zone => zone_name(zone) })?)
}

fn footer(house: &House) -> Result<String, Failure> {
    Ok(house.templates.render("footer.txt", context! {})?)
}

fn subject(
    store: &Store,
    house: &House,
    transcript: &Transcript,
    board: Option<&BoardRow>,
) -> Result<String, Failure> {
    if let Some(row) = board {
        let players = crate::service::view::names(store, &row.players)?;
        return Ok(board_subject(&row.game, row.id.0, &players));
    }
    let tally = transcript.tally();
    let not_done = tally.refused + tally.unreadable;
    Ok(match (transcript.answers.as_slice(), not_done) {
        ([Answered { answer: Answer::Done(Event::Help(pages)), .. }], _) => {
            format!("{}: help {}", house.site.name, pages.join(" "))
        }
        ([Answered { answer: Answer::Done(Event::SignedUp { userid, .. }), .. }], _) => {
            format!("{}: welcome, {userid}", house.site.name)
        }
        ([_], 0) => format!("{}: your answer", house.site.name),
        ([_], _) => format!("{}: not done", house.site.name),
        ([], _) => format!("{}: no command found", house.site.name),
        (many, 0) => format!("{}: {} commands", house.site.name, many.len()),
        (many, wrong) => format!("{}: {} commands, {wrong} not done", house.site.name, many.len()),
    })
}

fn board_subject(game: &str, board: u32, players: &[String; 2]) -> String {
    let [first, second] = players;
    format!("{game} {board}, {first} v {second}")
}

fn zone_of(store: &Store, player: PlayerId) -> Result<TimeZone, Failure> {
    let zone = store.player_by_id(player)?.zone;
    Ok(TimeZone::get(&zone).unwrap_or(TimeZone::UTC))
}

fn zone_name(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}

/// A view of a board as text, for those who look at it without mail.
///
/// # Errors
/// When a template fails.
pub fn board(house: &House, view: &BoardView) -> Result<String, Failure> {
    let text = house
        .templates
        .render("shown.txt", context! { views => Value::from(Serde([view])), zone => "UTC" })?;
    Ok(text::tidy(&text))
}
