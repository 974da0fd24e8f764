//! Words between people: which mail brought whose words to whom.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::sql::Columns;
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// How long a mail with words can be answered by a reply, in seconds.
pub const MESSAGE_SECONDS: i64 = 30 * 24 * 60 * 60;

/// The number of a mail with words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageId(pub i64);

/// A mail with the words of a player to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageRow {
    pub id: MessageId,
    pub reader: PlayerId,
    pub writer: PlayerId,
    /// The board that a chat is about, and its last event then.
    pub about: Option<(BoardId, u32)>,
    pub sent_at: Timestamp,
}

/// What a chat, or the words beside a move, are about.
#[derive(Debug, Clone, Copy)]
pub struct AboutBoard<'a> {
    pub board: BoardId,
    /// Its last event then.
    pub event: u32,
    pub words: &'a str,
}

/// What somebody said about a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidRow {
    pub writer: PlayerId,
    pub words: String,
    pub at: Timestamp,
}

const COLUMNS: &str = "id, reader, writer, board, event, sent_at";

impl Store {
    /// Records a mail with words, and forgets those that nobody can answer any more. The words of `about`'s board are
    /// kept, for the conversation of its players.
    pub fn add_message(
        &self,
        writer: PlayerId,
        reader: PlayerId,
        about: Option<AboutBoard<'_>>,
        at: Timestamp,
    ) -> Result<MessageRow> {
        let board = about.map(|about| about.board);
        let event = about.map(|about| about.event);
        let words = about.map(|about| about.words);
        let added = self.one(
            &format!(
                "INSERT INTO messages (reader, writer, board, event, sent_at, words) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 RETURNING {COLUMNS}"
            ),
            params![reader, writer, board, event, at.as_second(), words],
            message,
        )?;
        self.execute(
            "DELETE FROM messages WHERE sent_at <= ?1 - ?2",
            params![at.as_second(), MESSAGE_SECONDS],
        )?;
        Ok(added)
    }

    pub fn message(&self, id: MessageId) -> Result<Option<MessageRow>> {
        self.find(&format!("SELECT {COLUMNS} FROM messages WHERE id = ?1"), [id.0], message)
    }

    /// The latest of what the players of a board said to each other, the oldest first.
    pub fn conversation(&self, board: BoardId, at_most: u32) -> Result<Vec<SaidRow>> {
        let mut said = self.all(
            "SELECT writer, words, sent_at FROM messages WHERE board = ?1 AND words IS NOT NULL
             ORDER BY id DESC LIMIT ?2",
            params![board, at_most],
            |row| Ok(SaidRow { writer: row.get(0)?, words: row.get(1)?, at: row.instant(2)? }),
        )?;
        said.reverse();
        Ok(said)
    }

    /// The mails with words to a player, the latest first.
    pub fn messages_to(&self, reader: PlayerId, at_most: u32) -> Result<Vec<MessageRow>> {
        self.all(
            &format!("SELECT {COLUMNS} FROM messages WHERE reader = ?1 ORDER BY id DESC LIMIT ?2"),
            params![reader, at_most],
            message,
        )
    }
}

fn message(row: &Row<'_>) -> rusqlite::Result<MessageRow> {
    Ok(MessageRow {
        id: MessageId(row.get(0)?),
        reader: row.get(1)?,
        writer: row.get(2)?,
        about: row.get::<_, Option<BoardId>>(3)?.zip(row.get(4)?),
        sent_at: row.instant(5)?,
    })
}
