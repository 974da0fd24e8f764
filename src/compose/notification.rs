//! Renders mails as mails.

use jiff::Zoned;
use minijinja::value::Serde;
use minijinja::{Value, context};

use super::reply_words::over_words;
use super::{
    Keep, OutgoingMail, Templates, Unsubscribe, analysis_text, board_update, footer, seconds, text, zone_name,
};
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::notices::Mail;
use crate::notices::mail::{BoardNotice, Content, HostActOnAccount, Message, MessageKind, Reader};

/// Composes a notification that is not an answer.
pub(super) fn compose(
    templates: &Templates,
    now: &Zoned,
    notification: &Mail,
) -> Result<OutgoingMail, Error> {
    let content = &notification.content;
    let mut mail = match content {
        Content::Board(notice) => board(templates, now, notice)?,
        _ => {
            let text = body(templates, now, content)? + &footer(templates)?;
            OutgoingMail::new(None, subject(templates, content), &text)
        }
    };
    if let Some(thread) = &notification.thread {
        mail.board = Some(thread.board);
        mail.subject = thread.subject.clone();
    }
    match content {
        Content::ResetToken { .. } => mail.keep = Keep::Recipient,
        Content::WatchQuestion(question) => {
            mail.keep = Keep::Recipient;
            mail.token = Some(token::of_watcher(question.board, &question.code));
        }
        Content::Message(message) => mail.token = Some(message.token.clone()),
        Content::ConfirmAddress(question) => {
            mail.keep = Keep::Recipient;
            mail.token = Some(question.token.clone());
        }
        Content::Announcement(_) => mail.keep = Keep::Recipient,
        _ => {}
    }
    mail.unsubscribe = unsubscribe(content);
    Ok(mail)
}

fn board(templates: &Templates, now: &Zoned, notice: &BoardNotice) -> Result<OutgoingMail, Error> {
    let BoardNotice { update, reader, words, .. } = notice;
    let view = &update.view;
    let mut text = board_update(templates, now, update, reader.seat(), words.as_ref())?;
    if reader.seat().is_none() {
        let over = view.result.is_some();
        let context =
            context! { o => Value::from(Serde(reader)), game => view.game, board => view.board, over };
        text.push_str(&templates.render("onlooker.txt", context)?);
    }
    text.push_str(&footer(templates)?);
    let mail = OutgoingMail::new(Some(BoardId(view.board)), view.subject(), &text);
    Ok(OutgoingMail { shown: Some(view.events), pictured: Some(view.events), ..mail })
}

fn body(templates: &Templates, now: &Zoned, content: &Content) -> Result<String, Error> {
    let render = |name: &str, context: Value| templates.render(name, context);
    Ok(match content {
        Content::Message(message) => {
            let said = text::said(&message.text);
            render("message.txt", context! { m => Value::from(Serde(message)), said })?
        }
        Content::ResetToken { userid, token } => render("reset-token.txt", context! { userid, token })?,
        Content::ConfirmAddress(question) => {
            render("confirm-address.txt", context! { m => Value::from(Serde(question)) })?
        }
        Content::AddressLeft { userid } => render("address-left.txt", context! { userid })?,
        Content::WatchQuestion(question) => {
            render("watch-question.txt", context! { m => Value::from(Serde(question)) })?
        }
        Content::WatchEnded { board, players } => {
            render("watch-ended.txt", context! { board, players => Value::from(Serde(players)) })?
        }
        Content::DeadlinesMoved { reader, from, to, boards } => {
            let (from, to) = (from.as_second(), to.as_second());
            let rows = Value::from(Serde(boards));
            render(
                "moved.txt",
                context! { reader, from, to, rows, zone => zone_name(now), now => seconds(now) },
            )?
        }
        Content::OpponentAway { reader, userid, days, boards } => {
            let rows = Value::from(Serde(boards));
            render(
                "away.txt",
                context! { reader, userid, days, rows, zone => zone_name(now), now => seconds(now) },
            )?
        }
        Content::Analysis(view) => {
            let words = match view.reader.map(|reader| over_words(&view.players, reader)) {
                Some(reply_words) => render("over.txt", context! { reply_words })?,
                None => String::new(),
            };
            format!("{}\n\n{words}", analysis_text(templates, view)?.trim_end())
        }
        Content::Afterword(view) => render("afterword.txt", context! { a => Value::from(Serde(view)) })?,
        Content::Announcement(news) => render(
            "announcement.txt",
            context! { m => Value::from(Serde(news)), zone => zone_name(now), now => seconds(now) },
        )?,
        Content::AddressStopped { stop, userids } => {
            let (address, count, unwanted) = (&stop.address, stop.count, stop.unwanted);
            let userids = Value::from(Serde(userids));
            render("stopped.txt", context! { address, count, unwanted, userids })?
        }
        Content::ReportQuestion { userid, address, unwanted } => {
            render("report-question.txt", context! { userid, address, unwanted })?
        }
        Content::HostActed(acted) => render("host-acted.txt", context! { m => Value::from(Serde(acted)) })?,
        Content::TooMuch { why } => render("too-much.txt", context! { why })?,
        Content::NoMoreAnswers { until } => render(
            "enough.txt",
            context! { until => until.as_second(), zone => zone_name(now), now => seconds(now) },
        )?,
        Content::Answer | Content::Farewell | Content::StrangersHelp => String::new(),
        Content::Board(_) | Content::Resent(_) => String::new(),
    })
}

fn subject(templates: &Templates, content: &Content) -> String {
    let name = templates.name();
    match content {
        Content::Message(Message { by, .. }) => format!("{name}: a message from {by}"),
        Content::ResetToken { userid, .. } => format!("{name}: a new password for {userid}"),
        Content::ConfirmAddress(question) if question.is_new => {
            format!("{name}: welcome, {}", question.userid)
        }
        Content::ConfirmAddress(question) => format!("{name}: is this the address of {}?", question.userid),
        Content::AddressLeft { userid } => format!("{name}: mail for {userid} goes elsewhere"),
        Content::WatchQuestion(question) => {
            let [first, second] = &question.players;
            format!("{name}: watch {} {}, {first} v {second}?", question.game, question.board)
        }
        Content::WatchEnded { .. } => format!("{name}: no longer watched"),
        Content::DeadlinesMoved { .. } => format!("{name}: new deadlines"),
        Content::OpponentAway { userid, days: Some(_), .. } => format!("{name}: {userid} goes on vacation"),
        Content::OpponentAway { userid, days: None, .. } => format!("{name}: {userid} is back"),
        Content::Announcement(_) => format!("{name}: open seeks and finished games"),
        Content::AddressStopped { stop, .. } => {
            let what = if stop.unwanted { "is unwanted" } else { "came back" };
            format!("{name}: mail to an address {what}")
        }
        Content::ReportQuestion { userid, .. } => format!("{name}: does mail reach you, {userid}?"),
        Content::HostActed(acted) => match &acted.what {
            HostActOnAccount::Renamed { new, .. } => format!("{name}: you are {new} now"),
            HostActOnAccount::Merged { into, .. } => format!("{name}: one account, {into}"),
            HostActOnAccount::Unseated { game, board, .. } => {
                format!("{name}: {game} {board} goes on without you")
            }
        },
        Content::TooMuch { .. } => format!("{name}: not read"),
        Content::NoMoreAnswers { .. } => format!("{name}: no more answers for an hour"),
        _ => name.to_owned(),
    }
}

/// What ends such mails. `-` replaces the password where the host's mail server vouches for senders;
/// elsewhere the answer names what is missing.
fn unsubscribe(content: &Content) -> Option<Unsubscribe> {
    let command = match content {
        Content::Board(notice) => {
            let view = &notice.update.view;
            match &notice.reader {
                Reader::Player { .. } if view.turn.is_some() => return Some(Unsubscribe::Pause),
                Reader::Player { .. } => None,
                Reader::Watches { address } => {
                    Some(format!("{} unsubscribe {} {address}", view.game, view.board))
                }
                Reader::HearsOfEnds { userid } => Some(format!("{} notify {userid} - off", view.game)),
            }
        }
        Content::Message(Message { kind: MessageKind::Broadcast, reader, .. }) => {
            Some(format!("set {reader} - broadcast off"))
        }
        Content::Announcement(news) => return Some(Unsubscribe::Token(news.token.clone())),
        _ => None,
    };
    command.map(Unsubscribe::Command)
}
