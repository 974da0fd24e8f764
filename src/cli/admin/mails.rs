//! `turnpost admin outbox`, `bounces`, `mail`: mails that went out, and their outcomes.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::listing::{Column, ListLine, Listing, Output, Rows, WIDTH, field};
use super::tables::{minute, pretty, userid};
use crate::cli::print;
use crate::error::HostError;
use crate::mail::readable::{Readable, readable};
use crate::mail::token;
use crate::store::{self, CodeHash, MailAsideRow, MailRow, MailState, Store, StoredMail};

pub(super) const MAILS: &[Column] = &[
    Column("mail", 9),
    Column("written", 16),
    Column("to", 24),
    Column("board", 8),
    Column("what became of it", 120),
];

const BOUNCES: &[Column] =
    &[Column("mail", 9), Column("came back", 16), Column("to", 24), Column("what the server said", 200)];

pub(super) fn outbox(store: &Store, Listing { whose, output }: &Listing) -> Result<(), HostError> {
    let mut rows = Rows::new(output, MAILS)?;
    let about = whose.about(store)?;
    // First, since the host must act on them.
    store::mails_aside(about).each(store, |mail| {
        rows.add(ListLine { at: Some(mail.created_at), cells: aside_line(&mail), json: aside_json(&mail) })
    })?;
    store::mails(about).each(store, |mail| {
        let json = mail_json(store, &mail)?;
        rows.add(ListLine { at: Some(mail.created_at), cells: mail_line(&mail), json })
    })?;
    rows.end("no mails")
}

pub(super) fn bounces(store: &Store, Listing { whose, output }: &Listing) -> Result<(), HostError> {
    let mut rows = Rows::new(output, BOUNCES)?;
    store::bounces(whose.about(store)?).each(store, |mail| {
        let json = mail_json(store, &mail)?;
        rows.add(ListLine { at: mail.bounced_at, cells: bounce_line(&mail), json })
    })?;
    rows.end("no mail came back")
}

/// Prints a mail: its outcome, header and text.
pub(super) fn mail(store: &Store, id: i64, output: &Output) -> Result<(), HostError> {
    let unknown = || HostError::Asked(format!("there is no mail {id}: `admin outbox` lists them"));
    let StoredMail { row, bytes, secret } = store.stored_mail(id)?.ok_or_else(unknown)?;
    let mailed: HashSet<CodeHash> = store.mailed_codes()?.into_iter().collect();
    // The text of a secret mail is a sentence around its code, so each of its words may be the code.
    let is_ours = |code: &str| secret || mailed.contains(&CodeHash::of(code));
    let mail = Some(bytes).filter(|bytes| !bytes.is_empty()).and_then(|bytes| readable(&bytes, is_ours));
    if output.json {
        let mut value = mail_json(store, &row)?;
        if let Some(mail) = mail {
            let headers = mail.headers.iter();
            value["headers"] = headers.map(|(name, value)| json!({ "name": name, "value": value })).collect();
            value["text"] = mail.text.into();
        }
        return print(&pretty(&value));
    }
    let mut page = String::new();
    field(&mut page, "mail", &row.id.to_string());
    field(&mut page, "written", &format!("{} UTC, because of letter {}", minute(row.created_at), row.letter));
    field(&mut page, "to", shown_recipient(&row));
    if let Some(player) = row.player {
        field(&mut page, "player", &userid(store, player)?);
    }
    field(&mut page, "outcome", &outcome(&row));
    page.push('\n');
    match mail {
        None => page.push_str("Its text is no longer kept.\n"),
        Some(Readable { headers, text }) => {
            for (name, value) in headers {
                let options = textwrap::Options::new(WIDTH).subsequent_indent("    ");
                page.push_str(&textwrap::fill(&format!("{name}: {value}"), options));
                page.push('\n');
            }
            page.push('\n');
            page.push_str(&text);
        }
    }
    print(page.trim_end())
}

pub(super) fn mail_line(mail: &MailRow) -> Vec<String> {
    vec![
        mail.id.to_string(),
        minute(mail.created_at),
        shown_recipient(mail).to_owned(),
        mail.board.map(|board| board.to_string()).unwrap_or_default(),
        outcome(mail),
    ]
}

fn aside_line(mail: &MailAsideRow) -> Vec<String> {
    vec![
        String::new(),
        minute(mail.created_at),
        mail.recipient.clone(),
        mail.board.map(|board| board.to_string()).unwrap_or_default(),
        format!("set aside: {}", mail.reason),
    ]
}

fn bounce_line(mail: &MailRow) -> Vec<String> {
    vec![
        mail.id.to_string(),
        mail.bounced_at.map(minute).unwrap_or_default(),
        shown_recipient(mail).to_owned(),
        said(mail).unwrap_or_else(|| "nothing that can be read".to_owned()),
    ]
}

fn shown_recipient(mail: &MailRow) -> &str {
    if mail.recipient.is_empty() { "(erased)" } else { &mail.recipient }
}

/// What another server said about a mail, without the tokens that it may quote.
pub(super) fn said(mail: &MailRow) -> Option<String> {
    masked(&mail.came_back_with).or_else(|| masked(&mail.last_error))
}

fn masked(said: &Option<String>) -> Option<String> {
    said.as_ref().map(|said| token::mask(said, |_| false))
}

/// The outcome of a mail as a sentence.
pub(super) fn outcome(mail: &MailRow) -> String {
    let because = said(mail).map(|said| format!(": {said}")).unwrap_or_default();
    let at = mail.finished_at.map(minute).unwrap_or_default();
    let tries = if mail.attempts == 1 { "1 try".to_owned() } else { format!("{} tries", mail.attempts) };
    match (mail.state, mail.bounced_at) {
        (MailState::Sent, None) => format!("sent {at}"),
        (MailState::Sent, Some(back)) => format!("sent {at}, came back {}{because}", minute(back)),
        (MailState::Failed, Some(_)) => format!("refused {at}{because}"),
        (MailState::Failed, None) => format!("given up {at} after {tries}{because}"),
        (MailState::Waiting, _) if mail.attempts == 0 => format!("waits{because}"),
        (MailState::Waiting, _) => format!("waits until {} after {tries}{because}", minute(mail.due_at)),
    }
}

pub(super) fn mail_json(store: &Store, mail: &MailRow) -> Result<Value, HostError> {
    let player = mail.player.map(|player| userid(store, player)).transpose()?;
    Ok(json!({
        "mail": mail.id,
        "letter": mail.letter,
        "board": mail.board,
        "player": player,
        "to": mail.recipient,
        "message_id": mail.message_id,
        "state": mail.state.as_str(),
        "attempts": mail.attempts,
        "created_at": mail.created_at.to_string(),
        "due_at": mail.due_at.to_string(),
        "finished_at": mail.finished_at.map(|at| at.to_string()),
        "last_error": masked(&mail.last_error),
        "bounced_at": mail.bounced_at.map(|at| at.to_string()),
        "came_back_with": masked(&mail.came_back_with),
    }))
}

fn aside_json(mail: &MailAsideRow) -> Value {
    json!({
        "mail": Value::Null,
        "letter": mail.letter,
        "board": mail.board,
        "player": Value::Null,
        "to": mail.recipient,
        "message_id": Value::Null,
        "state": "aside",
        "attempts": 0,
        "created_at": mail.created_at.to_string(),
        "due_at": Value::Null,
        "finished_at": Value::Null,
        "last_error": mail.reason,
        "bounced_at": Value::Null,
        "came_back_with": Value::Null,
    })
}
