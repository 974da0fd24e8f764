//! The free weekends of players.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{PlayerId, Result, Store};

stored_row! {
    /// A period of free weekends of a player: each weekend that starts in it is free to its end.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FreeWeekends from "free_weekends" {
        /// The IANA name of the zone of the weekends.
        pub zone: String = "zone",
        pub from: Timestamp = "from_at",
        /// The end of the period; `None` while it lasts.
        pub until: Option<Timestamp> = "until_at",
    }
}

impl Store {
    /// The periods of a player's free weekends, in order.
    pub fn free_weekends(&self, player: PlayerId) -> Result<Vec<FreeWeekends>> {
        Select::rows().and_with("player = ?", player).order("from_at, id").all(self)
    }

    /// Ends the current period at `until`, and deletes one that has not started.
    pub fn end_free_weekends(&self, player: PlayerId, now: Timestamp, until: Timestamp) -> Result<()> {
        let now = now.as_second();
        self.execute("DELETE FROM free_weekends WHERE player = ?1 AND from_at > ?2", params![player, now])?;
        self.run(
            "UPDATE free_weekends SET until_at = ?3 WHERE player = ?1 AND coalesce(until_at, ?2 + 1) > ?2",
            params![player, now, until.as_second()],
        )
    }

    /// Makes a player's weekends in a zone free from an instant on.
    pub fn begin_free_weekends(&self, player: PlayerId, zone: &str, from: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO free_weekends (player, zone, from_at) VALUES (?1, ?2, ?3)",
            params![player, zone, from.as_second()],
        )
    }
}
