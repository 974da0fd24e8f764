//! The mail preferences of a board's players, in one query: most players have none, and a move must be fast.

use jiff::Timestamp;
use rusqlite::params;

use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// What a mail about a board needs to know of one player. Details are read only where a flag is set.
#[derive(Debug, Clone)]
pub struct PreferencesRow {
    pub player: PlayerId,
    /// As the player writes it.
    pub userid: String,
    /// The player wants one "your move" mail at a time.
    pub digest: bool,
    /// The opponent sees the player's address.
    pub open: bool,
    /// The player is on vacation, or will be.
    pub away: bool,
    /// Somebody watches the board.
    pub watched: bool,
}

impl Store {
    /// The preferences of both players, first seat first.
    pub fn mail_preferences(&self, board: BoardId, at: Timestamp) -> Result<Vec<PreferencesRow>> {
        self.all(
            "SELECT p.id, p.userid, p.digest, p.openness,
                    EXISTS (SELECT 1 FROM vacations v WHERE v.player = p.id AND v.ends_at > ?2),
                    EXISTS (SELECT 1 FROM watchers w WHERE w.board = ?1)
             FROM seats s JOIN players p ON p.id = s.player WHERE s.board = ?1 ORDER BY s.seat",
            params![board, at.as_second()],
            |row| {
                Ok(PreferencesRow {
                    player: row.get(0)?,
                    userid: row.get(1)?,
                    digest: row.get(2)?,
                    open: row.get(3)?,
                    away: row.get(4)?,
                    watched: row.get(5)?,
                })
            },
        )
    }
}
