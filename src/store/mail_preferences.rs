//! What players want of their mails: preferences, pauses, and the "your move" mails that wait for each other.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::{StoredRow, stored_row};
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

stored_row! {
    /// What a mail about a board needs to know of one player. Details are read only where a flag is set.
    #[derive(Debug, Clone)]
    pub struct PreferencesRow from "seats s JOIN players p ON p.id = s.player" {
        pub player: PlayerId = "p.id",
        /// As the player writes it.
        pub userid: String = "p.userid",
        /// The player wants one "your move" mail at a time.
        pub digest: bool = "p.digest",
        /// The opponent sees the player's address.
        pub open: bool = "p.openness",
        /// The player is on vacation, or will be.
        pub away: bool = "EXISTS (SELECT 1 FROM vacations v WHERE v.player = p.id AND v.ends_at > ?2)",
        /// Somebody watches the board.
        pub watched: bool = "EXISTS (SELECT 1 FROM watchers w WHERE w.board = ?1)",
    }
}

impl Store {
    /// The preferences of both players, first seat first, in one query: most players have none, and a move must be fast.
    pub fn mail_preferences(&self, board: BoardId, at: Timestamp) -> Result<Vec<PreferencesRow>> {
        // What is read counts at a time, so the columns take one beside the board.
        let (columns, seats) = (PreferencesRow::COLUMNS, PreferencesRow::FROM);
        let sql = format!("SELECT {columns} FROM {seats} WHERE s.board = ?1 ORDER BY s.seat");
        self.all(&sql, params![board, at.as_second()])
    }

    pub fn pause_mails(&self, player: PlayerId, until: Timestamp) -> Result<()> {
        self.run("UPDATE players SET paused_until = ?2 WHERE id = ?1", params![player, until.as_second()])
    }

    /// Ends a pause: what has waited for its end leaves now.
    pub fn resume_mails(&self, player: PlayerId, now: Timestamp) -> Result<()> {
        self.execute("UPDATE players SET paused_until = NULL WHERE id = ?1", [player])?;
        self.execute(
            "UPDATE outbox SET created_at = ?2, due_at = ?2
             WHERE state = 'waiting' AND player = ?1 AND created_at > ?2",
            params![player, now.as_second()],
        )?;
        Ok(())
    }

    /// True when a player got a "your move" mail since they last wrote.
    pub fn is_told(&self, player: PlayerId) -> Result<bool> {
        self.exists("SELECT 1 FROM told WHERE player = ?1", [player])
    }

    /// Records that a player got a "your move" mail, or has written since.
    pub fn set_told(&self, player: PlayerId, told: bool) -> Result<()> {
        let sql = if told {
            "INSERT INTO told (player) VALUES (?1) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM told WHERE player = ?1"
        };
        self.run(sql, [player])
    }

    /// Holds back a "your move" mail.
    pub fn hold(&self, player: PlayerId, board: BoardId, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO held (player, board, held_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![player, board, at.as_second()],
        )
    }

    /// Takes the board whose mail was held back first.
    pub fn take_held(&self, player: PlayerId) -> Result<Option<BoardId>> {
        self.find(
            "DELETE FROM held WHERE player = ?1 AND board =
             (SELECT board FROM held WHERE player = ?1 ORDER BY held_at, board LIMIT 1) RETURNING board",
            [player],
        )
    }
}
