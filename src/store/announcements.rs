//! Who is told of open seeks and finished games, and up to when.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

stored_row! {
    /// A player with `announce on`.
    #[derive(Debug, Clone)]
    pub struct AnnouncedRow from "players p" {
        pub player: PlayerId = "p.id",
        pub userid: String = "p.userid",
        /// The IANA name of the zone that the player's days are counted in.
        pub zone: String = "p.zone",
        /// Up to when they have been told.
        pub since: Timestamp = "p.announced_at",
    }
}

/// Those who have not been told of anything after `until`, and can be told at `now`: nothing is sent to players who have
/// left, who are on vacation, or to whom no mail goes.
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

    /// The same of one player.
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

    /// Up to `limit` games, of every kind, that finished last, the latest first.
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
