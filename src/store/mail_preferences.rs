//! The mail preferences of a board's players, in one query: most players have none, and a move must be fast.

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
    /// The preferences of both players, first seat first.
    pub fn mail_preferences(&self, board: BoardId, at: Timestamp) -> Result<Vec<PreferencesRow>> {
        // What is read counts at a time, so the columns take one beside the board.
        let (columns, seats) = (PreferencesRow::COLUMNS, PreferencesRow::FROM);
        let sql = format!("SELECT {columns} FROM {seats} WHERE s.board = ?1 ORDER BY s.seat");
        self.all(&sql, params![board, at.as_second()])
    }
}
