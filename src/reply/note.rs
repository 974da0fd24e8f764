//! What is said of accounts, talk and watching.

use jiff::tz::TimeZone;
use minijinja::value::Serde;
use minijinja::{Value, context};

use super::{Reply, footer, text, update};
use crate::service::note::{Mailing, Note, Onlooker, Parcel, Text};
use crate::service::{App, Error};

/// What a command did, for the answer.
pub(super) fn done(app: &App, note: &Note) -> Result<String, Error> {
    Ok(app.templates.render("note.txt", context! { n => Value::from(Serde(note)) })?)
}

/// A mail beside the answer and the notices; none for bytes that are sent again.
///
/// # Errors
/// When a template fails.
pub fn mailing(app: &App, zone: &TimeZone, mailing: &Mailing) -> Result<Option<Reply>, Error> {
    let (body, subject, secret) = match &mailing.parcel {
        Parcel::Again(_) => return Ok(None),
        Parcel::BoardUpdate(story, onlooker) => {
            let view = &story.view;
            let mut body = update(app, zone, story, None, None)?;
            let context = context! { o => Value::from(Serde(onlooker)), game => view.game, board => view.board, over => view.result.is_some() };
            body.push_str(&app.templates.render("onlooker.txt", context)?);
            (body, view.subject(), false)
        }
        Parcel::Text(words) => {
            let said = match words {
                Text::Said { text, .. } => text::said(text),
                _ => String::new(),
            };
            let context = context! { m => Value::from(Serde(words)), said };
            (app.templates.render("mailing.txt", context)?, subject(app, words), words.is_secret())
        }
    };
    let (board, subject) = match &mailing.thread {
        Some(thread) => (Some(thread.board), thread.subject.clone()),
        None => (None, subject),
    };
    let text = text::tidy(&(body + &footer(app)?));
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
        Parcel::BoardUpdate(update, Onlooker::Watches { address }) => {
            Some(format!("{} unsubscribe {} {address}", update.view.game, update.view.board))
        }
        Parcel::BoardUpdate(update, Onlooker::HearsOfEnds { userid }) => {
            Some(format!("{} notify {userid} - off", update.view.game))
        }
        Parcel::Text(Text::Said { kind: "broadcast", reader, .. }) => {
            Some(format!("set {reader} - broadcast off"))
        }
        _ => None,
    }
}

fn subject(app: &App, words: &Text) -> String {
    let name = &app.site.name;
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
