//! `turnpost admin letters`, `turnpost admin letter`: letters that came in, and their outcomes.

use serde_json::{Value, json};

use super::listing::{Column, ListLine, Listing, Output, Rows, cut, field, more_than, table};
use super::mails::{MAILS, mail_json, mail_line};
use super::tables::{minute, pretty, userid};
use crate::cli::print;
use crate::error::HostError;
use crate::store::{self, Entrance, LetterRow, ProvenBy, Store};

const LETTERS: &[Column] =
    &[Column("letter", 9), Column("at", 16), Column("from", 22), Column("what became of it", 200)];

/// How many commands of a letter a list shows.
const COMMANDS: usize = 3;

pub(super) fn letters(store: &Store, Listing { whose, output }: &Listing) -> Result<(), HostError> {
    let mut rows = Rows::new(output, LETTERS)?;
    store::letters(whose.about(store)?).each(store, |letter| {
        let cells =
            vec![letter.id.to_string(), minute(letter.received_at), from(store, &letter)?, in_short(&letter)];
        rows.add(ListLine { at: Some(letter.received_at), cells, json: letter_json(store, &letter)? })
    })?;
    rows.end("no letters")
}

/// Prints a letter by its number, or every letter with a Message-ID.
pub(super) fn letter(store: &Store, name: &str, output: &Output) -> Result<(), HostError> {
    let by_number = name.parse().ok();
    let found = match by_number {
        Some(number) => store.letter(number)?.into_iter().collect(),
        None => store.letters_named(&message_id(name))?,
    };
    if found.is_empty() {
        return Err(HostError::Asked(format!("there is no letter {name}: `admin letters` lists them")));
    }
    if !output.json {
        let pages =
            found.iter().map(|letter| page(store, letter, output.limit())).collect::<Result<Vec<_>, _>>()?;
        return print(pages.join("\n").trim_end());
    }
    let mut values = found.iter().map(|letter| whole(store, letter)).collect::<Result<Vec<_>, _>>()?;
    let value = if by_number.is_some() { values.remove(0) } else { Value::Array(values) };
    print(&pretty(&value))
}

/// A Message-ID as it is stored. Hosts copy it from logs with or without its brackets.
pub(super) fn message_id(name: &str) -> String {
    format!("<{}>", name.trim_matches(['<', '>']))
}

/// The player; or the address that the letter claims; or the entrance of the server's own.
fn from(store: &Store, letter: &LetterRow) -> Result<String, HostError> {
    Ok(match (letter.player, &letter.sender) {
        (Some(player), _) => userid(store, player)?,
        (None, Some(sender)) => sender.clone(),
        (None, None) => format!("({})", letter.entrance),
    })
}

fn in_short(letter: &LetterRow) -> String {
    if let Some(why) = &letter.aside {
        return format!("set aside: {why}");
    }
    let commands = letter.commands.lines().take(COMMANDS).map(|command| cut(command, 60));
    let mut lines: Vec<String> = commands.collect();
    if let more @ 1.. = letter.commands.lines().count().saturating_sub(COMMANDS) {
        lines.push(format!("and {more} more"));
    }
    let (refused, unread) = (letter.tally.refused, letter.tally.unreadable);
    if refused + unread > 0 {
        lines.push(tally(letter));
    }
    lines.join("\n")
}

fn tally(letter: &LetterRow) -> String {
    let tally = letter.tally;
    let parts = [(tally.done, "done"), (tally.refused, "refused"), (tally.unreadable, "not understood")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    parts.join(", ")
}

/// The commands, each with its outcome.
fn commands(letter: &LetterRow) -> Vec<(&str, &str)> {
    let outcomes = letter.outcomes.lines().chain(std::iter::repeat("done"));
    letter.commands.lines().zip(outcomes).collect()
}

fn proof(proof: ProvenBy) -> &'static str {
    match proof {
        ProvenBy::Nothing => "nothing but the address it claims",
        ProvenBy::Password => "a password",
        ProvenBy::Token => "the token of our mail",
        ProvenBy::Sender => "the mail server, which vouches for the sender",
        ProvenBy::Operator => "the operator, at the terminal",
    }
}

fn page(store: &Store, letter: &LetterRow, most: u32) -> Result<String, HostError> {
    let mut page = String::new();
    field(&mut page, "letter", &letter.id.to_string());
    field(&mut page, "at", &format!("{} UTC", minute(letter.received_at)));
    field(&mut page, "entrance", letter.entrance.as_str());
    field(&mut page, "message-id", letter.message_id.as_deref().unwrap_or_default());
    field(&mut page, "sender", letter.sender.as_deref().unwrap_or_default());
    field(&mut page, "proven by", letter.proof.map(proof).unwrap_or_default());
    if let Some(player) = letter.player {
        field(&mut page, "acted for", &userid(store, player)?);
    }
    field(&mut page, "set aside", letter.aside.as_deref().unwrap_or_default());
    field(&mut page, "outcome", &tally(letter));
    match letter.entrance {
        Entrance::Mail | Entrance::Lmtp | Entrance::Submit => {
            let commands = commands(letter);
            for (command, outcome) in commands.iter().take(most as usize) {
                page.push('\n');
                field(&mut page, "command", command);
                field(&mut page, "", outcome);
            }
            if commands.len() > most as usize {
                page.push_str(&format!("\nof {} commands {}\n", commands.len(), more_than(most)));
            }
        }
        Entrance::Robot | Entrance::Tick | Entrance::Report | Entrance::Admin => {
            field(&mut page, "about", &letter.commands)
        }
    }
    let mails = store.mails_of_letter(letter.id)?;
    let lines: Vec<Vec<String>> = mails.iter().map(mail_line).collect();
    if lines.is_empty() {
        page.push_str("\nIt caused no mail.\n");
    } else {
        page.push_str(&format!("\n{}\n", table(MAILS, lines)));
    }
    for aside in store.mails_aside_of_letter(letter.id)? {
        field(&mut page, "not written", &format!("to {}: {}", aside.recipient, aside.reason));
    }
    Ok(page)
}

fn letter_json(store: &Store, letter: &LetterRow) -> Result<Value, HostError> {
    let player = letter.player.map(|player| userid(store, player)).transpose()?;
    let commands: Vec<Value> = commands(letter)
        .into_iter()
        .map(|(command, outcome)| json!({ "command": command, "outcome": outcome }))
        .collect();
    Ok(json!({
        "letter": letter.id,
        "at": letter.received_at.to_string(),
        "door": letter.entrance.as_str(),
        "message_id": letter.message_id,
        "sender": letter.sender,
        "proof": letter.proof.map(ProvenBy::as_str),
        "player": player,
        "done": letter.tally.done,
        "refused": letter.tally.refused,
        "unreadable": letter.tally.unreadable,
        "commands": commands,
        "aside": letter.aside,
    }))
}

fn whole(store: &Store, letter: &LetterRow) -> Result<Value, HostError> {
    let mut value = letter_json(store, letter)?;
    let mails = store.mails_of_letter(letter.id)?;
    value["mails"] = mails.iter().map(|mail| mail_json(store, mail)).collect::<Result<_, _>>()?;
    let aside = store.mails_aside_of_letter(letter.id)?;
    value["not_written"] =
        aside.iter().map(|mail| json!({ "to": mail.recipient, "reason": mail.reason })).collect();
    Ok(value)
}
