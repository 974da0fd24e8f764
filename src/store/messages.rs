//! Words between people: which mail brought whose words to whom.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::{StoredRow, stored_newtype, stored_row};
use super::sql::Select;
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// How long a mail with words can be answered by a reply, in seconds.
pub const MESSAGE_SECONDS: i64 = 30 * 24 * 60 * 60;

/// The number of a mail with words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageId(pub i64);

stored_newtype!(MessageId(i64));

stored_row! {
    /// A mail with the words of a player to another.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MessageRow from "messages" {
        pub id: MessageId = "id",
        pub reader: PlayerId = "reader",
        pub writer: PlayerId = "writer",
        /// The board that a chat is about, and its last event then.
        pub about: Option<(BoardId, u32)> = "board, event",
        pub sent_at: Timestamp = "sent_at",
    }
}

/// What a chat, or the words beside a move, are about.
#[derive(Debug, Clone, Copy)]
pub struct AboutBoard<'a> {
    pub board: BoardId,
    /// Its last event then.
    pub event: u32,
    pub words: &'a str,
}

stored_row! {
    /// What somebody said about a board.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SaidRow from "messages" {
        pub writer: PlayerId = "writer",
        pub words: String = "words",
        pub at: Timestamp = "sent_at",
    }
}

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
                 RETURNING {}",
                MessageRow::COLUMNS
            ),
            params![reader, writer, board, event, at.as_second(), words],
        )?;
        self.execute(
            "DELETE FROM messages WHERE sent_at <= ?1 - ?2",
            params![at.as_second(), MESSAGE_SECONDS],
        )?;
        Ok(added)
    }

    pub fn message(&self, id: MessageId) -> Result<Option<MessageRow>> {
        Select::rows().and_with("id = ?", id).first(self)
    }

    /// The latest of what the players of a board said to each other, the oldest first.
    pub fn conversation(&self, board: BoardId, at_most: u32) -> Result<Vec<SaidRow>> {
        let mut said = Select::<SaidRow>::rows()
            .and_with("board = ?", board)
            .and("words IS NOT NULL")
            .order("id DESC")
            .limit(at_most)
            .all(self)?;
        said.reverse();
        Ok(said)
    }

    /// The mails with words to a player, the latest first.
    pub fn messages_to(&self, reader: PlayerId, at_most: u32) -> Result<Vec<MessageRow>> {
        Select::rows().and_with("reader = ?", reader).order("id DESC").limit(at_most).all(self)
    }
}
