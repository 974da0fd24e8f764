//! Tables of letters received and mails sent.

use serde_json::{Value, json};

use super::tables::{Format, ROWS_AT_MOST, minute, pretty, table};
use crate::error::HostError;
use crate::store::Store;

pub(super) fn letters(store: &Store, format: Format) -> Result<String, HostError> {
    let mut table =
        table(&["letter", "at", "door", "from", "for", "done", "refused", "unreadable", "commands"]);
    let mut list = Vec::new();
    for letter in store.letters(ROWS_AT_MOST)? {
        let player = match letter.player {
            Some(player) => Some(store.player_by_id(player)?.userid),
            None => None,
        };
        list.push(json!({
            "letter": letter.id,
            "at": letter.received_at.to_string(),
            "door": letter.entrance.as_str(),
            "sender": letter.sender,
            "player": player,
            "done": letter.tally.done,
            "refused": letter.tally.refused,
            "unreadable": letter.tally.unreadable,
            "commands": letter.commands.lines().collect::<Vec<_>>(),
        }));
        table.add_row([
            letter.id.to_string(),
            minute(letter.received_at),
            letter.entrance.to_string(),
            letter.sender.unwrap_or_default(),
            player.map(|player| player.to_string()).unwrap_or_default(),
            letter.tally.done.to_string(),
            letter.tally.refused.to_string(),
            letter.tally.unreadable.to_string(),
            letter.commands,
        ]);
    }
    Ok(if format == Format::Json { pretty(&Value::Array(list)) } else { table.to_string() })
}

pub(super) fn outbox(store: &Store, format: Format) -> Result<String, HostError> {
    let mut table = table(&["mail", "board", "to", "state", "tries", "written", "last error"]);
    let mut list = Vec::new();
    // First, since somebody has to do something about them.
    for mail in store.mails_aside(ROWS_AT_MOST)? {
        list.push(json!({
            "mail": Value::Null,
            "board": mail.board,
            "to": mail.recipient,
            "message_id": Value::Null,
            "state": "aside",
            "attempts": 0,
            "created_at": mail.created_at.to_string(),
            "due_at": Value::Null,
            "last_error": mail.reason,
        }));
        table.add_row([
            String::new(),
            mail.board.map(|board| board.to_string()).unwrap_or_default(),
            mail.recipient,
            "aside".to_owned(),
            String::new(),
            minute(mail.created_at),
            mail.reason,
        ]);
    }
    for mail in store.outbox(ROWS_AT_MOST)? {
        list.push(json!({
            "mail": mail.id,
            "board": mail.board,
            "to": mail.recipient,
            "message_id": mail.message_id,
            "state": mail.state.as_str(),
            "attempts": mail.attempts,
            "created_at": mail.created_at.to_string(),
            "due_at": mail.due_at.to_string(),
            "last_error": mail.last_error,
        }));
        table.add_row([
            mail.id.to_string(),
            mail.board.map(|board| board.to_string()).unwrap_or_default(),
            mail.recipient,
            mail.state.to_string(),
            mail.attempts.to_string(),
            minute(mail.created_at),
            mail.last_error.unwrap_or_default(),
        ]);
    }
    Ok(if format == Format::Json { pretty(&Value::Array(list)) } else { table.to_string() })
}
