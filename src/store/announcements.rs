//! Who is told of open seeks and finished games, and up to when.

use jiff::Timestamp;
use rusqlite::params;

use super::sql::Columns;
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// A player with `announce on`.
#[derive(Debug, Clone)]
pub struct AnnouncedRow {
    pub player: PlayerId,
    pub userid: String,
    /// The IANA name of the zone that the player's days are counted in.
    pub zone: String,
    /// Up to when they have been told.
    pub since: Timestamp,
}

/// Nothing is sent to players who have left, who are on vacation, or to whom no mail goes.
const ANNOUNCED: &str = "SELECT p.id, p.userid, p.zone, p.announced_at FROM players p
     WHERE p.announced_at <= ?1 AND p.state = 'active' AND p.id > 0
     AND EXISTS (SELECT 1 FROM addresses a WHERE a.player = p.id AND a.confirmed_at IS NOT NULL)
     AND NOT EXISTS (SELECT 1 FROM vacations v
                     WHERE v.player = p.id AND v.starts_at <= ?2 AND v.ends_at > ?2)";

impl Store {
    /// The players who have not been told of anything after `until`, and can be told at `now`.
    pub fn announced(&self, until: Timestamp, now: Timestamp) -> Result<Vec<AnnouncedRow>> {
        self.all(
            &format!("{ANNOUNCED} ORDER BY p.announced_at, p.id"),
            params![until.as_second(), now.as_second()],
            announced,
        )
    }

    /// The same of one player.
    pub fn announced_to(
        &self,
        player: PlayerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<AnnouncedRow>> {
        self.find(
            &format!("{ANNOUNCED} AND p.id = ?3"),
            params![until.as_second(), now.as_second(), player],
            announced,
        )
    }

    /// Records that a player has been told of everything up to `at`.
    pub fn set_announced(&self, player: PlayerId, at: Timestamp) -> Result<()> {
        self.execute(
            "UPDATE players SET announced_at = ?2 WHERE id = ?1 AND announced_at IS NOT NULL",
            params![player, at.as_second()],
        )?;
        Ok(())
    }

    /// Up to `limit` games, of every kind, that finished last, the latest first.
    pub fn last_finished(&self, limit: u32) -> Result<Vec<BoardId>> {
        self.all("SELECT board FROM finishes ORDER BY number DESC LIMIT ?1", [limit], |row| row.get(0))
    }

    /// The last seek that the player's digest told of.
    pub fn seeks_told(&self, player: PlayerId) -> Result<i64> {
        self.one("SELECT seeks_told FROM players WHERE id = ?1", [player], |row| row.get(0))
    }

    pub fn set_seeks_told(&self, player: PlayerId, seek: i64) -> Result<()> {
        self.execute("UPDATE players SET seeks_told = ?2 WHERE id = ?1", params![player, seek])?;
        Ok(())
    }
}

fn announced(row: &rusqlite::Row<'_>) -> rusqlite::Result<AnnouncedRow> {
    Ok(AnnouncedRow { player: row.get(0)?, userid: row.get(1)?, zone: row.get(2)?, since: row.instant(3)? })
}
