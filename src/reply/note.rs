//! What is said of accounts, talk and watching.

use jiff::tz::TimeZone;
use minijinja::value::Serde;
use minijinja::{Value, context};

use super::{Reply, footer, news, text};
use crate::service::note::{Mailing, Note, Onlooker, Parcel, Text};
use crate::service::{Failure, House};

/// What a command did, for the answer.
pub(super) fn done(house: &House, note: &Note) -> Result<String, Failure> {
    Ok(house.templates.render("note.txt", context! { n => Value::from(Serde(note)) })?)
}

/// A mail beside the answer and the notices; none for bytes that are sent again.
///
/// # Errors
/// When a template fails.
pub fn mailing(house: &House, zone: &TimeZone, mailing: &Mailing) -> Result<Option<Reply>, Failure> {
    let (body, subject, secret) = match &mailing.parcel {
        Parcel::Again(_) => return Ok(None),
        Parcel::News(story, onlooker) => {
            let view = &story.view;
            let mut body = news(house, zone, story, None, None)?;
            let context = context! { o => Value::from(Serde(onlooker)), game => view.game, board => view.board, over => view.result.is_some() };
            body.push_str(&house.templates.render("onlooker.txt", context)?);
            (body, view.subject(), false)
        }
        Parcel::Text(words) => {
            let said = match words {
                Text::Said { text, .. } => text::said(text),
                _ => String::new(),
            };
            let context = context! { m => Value::from(Serde(words)), said };
            (house.templates.render("mailing.txt", context)?, subject(house, words), words.is_secret())
        }
    };
    let (board, subject) = match &mailing.thread {
        Some(thread) => (Some(thread.board), thread.subject.clone()),
        None => (None, subject),
    };
    let text = text::tidy(&(body + &footer(house)?));
    let token = match &mailing.parcel {
        Parcel::Text(Text::Confirm { token, .. }) => Some(token.clone()),
        _ => None,
    };
    Ok(Some(Reply {
        subject,
        board,
        shown: None,
        text,
        token,
        unsubscribe: unsubscribe(&mailing.parcel),
        secret,
    }))
}

/// The Subject of the mail that ends such mails. `-` will do in the password's place where the host's mail server
/// vouches for senders; elsewhere the answer says what is missing.
fn unsubscribe(parcel: &Parcel) -> Option<String> {
    match parcel {
        Parcel::News(news, Onlooker::Watches { address }) => {
            Some(format!("{} unsubscribe {} {address}", news.view.game, news.view.board))
        }
        Parcel::News(news, Onlooker::HearsOfEnds { userid }) => {
            Some(format!("{} notify {userid} - off", news.view.game))
        }
        Parcel::Text(Text::Said { kind: "broadcast", reader, .. }) => {
            Some(format!("set {reader} - broadcast off"))
        }
        _ => None,
    }
}

fn subject(house: &House, words: &Text) -> String {
    let name = &house.site.name;
    match words {
        Text::Said { by, .. } => format!("{name}: a message from {by}"),
        Text::Token { userid, .. } => format!("{name}: a new password for {userid}"),
        Text::Confirm { userid, is_new: true, .. } => format!("{name}: welcome, {userid}"),
        Text::Confirm { userid, .. } => format!("{name}: is this the address of {userid}?"),
        Text::AddressLeft { userid } => format!("{name}: mail for {userid} goes elsewhere"),
        Text::Code { game, board, players: [first, second], .. } => {
            format!("{name}: watch {game} {board}, {first} v {second}?")
        }
        Text::Unwatched { .. } => format!("{name}: no longer watched"),
    }
}
