//! One look at what a board's players have set: a plain move should not pay for settings that hardly anybody uses.

use jiff::Timestamp;
use rusqlite::params;

use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// What a mail about a board has to heed of one of its players. Each is looked at more closely only where it is so.
#[derive(Debug, Clone)]
pub struct PreferencesRow {
    /// The player.
    pub player: PlayerId,
    /// Their userid as they write it.
    pub userid: String,
    /// They want one "your move" mail at a time.
    pub digest: bool,
    /// Opponents see their address.
    pub open: bool,
    /// They are on vacation, or will be.
    pub away: bool,
    /// Somebody watches the board.
    pub watched: bool,
}

impl Store {
    /// A look at both players of a board.
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
