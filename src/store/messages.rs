//! Mails with words from player to player, and how far players have been told of open seeks and finished
//! games.

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
        /// The board of a chat, and its last event at that time.
        pub about: Option<(BoardId, u32)> = "board, event",
        pub sent_at: Timestamp = "sent_at",
    }
}

/// The board of a chat, or of words with a move.
#[derive(Debug, Clone, Copy)]
pub struct AboutBoard<'a> {
    pub board: BoardId,
    /// Its last event at that time.
    pub event: u32,
    pub words: &'a str,
}

stored_row! {
    /// Words of a player about a board.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SaidRow from "messages" {
        pub writer: PlayerId = "writer",
        pub words: String = "words",
        pub at: Timestamp = "sent_at",
    }
}

impl Store {
    /// Records a mail with words, and deletes those too old for a reply. Stores the text only of words about
    /// a board, for the conversation of its players.
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

    /// The latest words of the players of a board to each other, oldest first.
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

    /// The number of messages to a player about a board since the player last moved or wrote there.
    pub fn words_since_move(&self, board: BoardId, reader: PlayerId) -> Result<u32> {
        self.one(
            "SELECT count(*) FROM messages WHERE board = ?1 AND reader = ?2 AND words IS NOT NULL
             AND sent_at > coalesce((SELECT max(at) FROM events WHERE board = ?1 AND player = ?2), 0)
             AND id > coalesce((SELECT max(id) FROM messages WHERE board = ?1 AND writer = ?2), 0)",
            params![board, reader],
        )
    }

    /// The mails with words to a player, latest first.
    pub fn messages_to(&self, reader: PlayerId, at_most: u32) -> Result<Vec<MessageRow>> {
        Select::rows().and_with("reader = ?", reader).order("id DESC").limit(at_most).all(self)
    }
}

stored_row! {
    /// A player with `announce on`.
    #[derive(Debug, Clone)]
    pub struct AnnouncedRow from "players p" {
        pub player: PlayerId = "p.id",
        pub userid: String = "p.userid",
        /// The IANA name of the zone that the player's days are counted in.
        pub zone: String = "p.zone",
        /// How far the player has been told.
        pub since: Timestamp = "p.announced_at",
    }
}

/// The players who can get mail at `now` and have not been told of anything after `until`. They have not left, are not
/// on vacation, and have a confirmed address.
fn due<'a>(until: Timestamp, now: Timestamp) -> Select<'a, AnnouncedRow> {
    Select::rows()
        .and_with("p.announced_at <= ?", until.as_second())
        .and("p.state = 'active' AND p.id > 0")
        .and("EXISTS (SELECT 1 FROM addresses a WHERE a.player = p.id AND a.confirmed_at IS NOT NULL)")
        .and_with(
            "NOT EXISTS (SELECT 1 FROM vacations v WHERE v.player = p.id AND v.starts_at <= ? AND v.ends_at > ?)",
            now.as_second(),
        )
}

impl Store {
    /// The players who have not been told of anything after `until`, and can be told at `now`.
    pub fn announced(&self, until: Timestamp, now: Timestamp) -> Result<Vec<AnnouncedRow>> {
        due(until, now).order("p.announced_at, p.id").all(self)
    }

    /// Gives the row of one player who has not been told of anything after `until` and can be told at `now`.
    pub fn announced_to(
        &self,
        player: PlayerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<AnnouncedRow>> {
        due(until, now).and_with("p.id = ?", player).first(self)
    }

    /// Records that a player has been told of everything up to `at`.
    pub fn set_announced(&self, player: PlayerId, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE players SET announced_at = ?2 WHERE id = ?1 AND announced_at IS NOT NULL",
            params![player, at.as_second()],
        )
    }

    /// Up to `limit` games of every kind, the last finished first.
    pub fn last_finished(&self, limit: u32) -> Result<Vec<BoardId>> {
        self.all("SELECT board FROM finishes ORDER BY number DESC LIMIT ?1", [limit])
    }

    /// The last seek that the player's digest told of.
    pub fn seeks_told(&self, player: PlayerId) -> Result<i64> {
        self.one("SELECT seeks_told FROM players WHERE id = ?1", [player])
    }

    pub fn set_seeks_told(&self, player: PlayerId, seek: i64) -> Result<()> {
        self.run("UPDATE players SET seeks_told = ?2 WHERE id = ?1", params![player, seek])
    }
}
