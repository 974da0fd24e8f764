//! Vacations.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::{Select, Write};
use super::{PlayerId, Result, Store};
use crate::ids::Userid;

stored_row! {
    /// Days on which a player's clocks stop.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct VacationRow from "vacations v" {
        /// The first day, in the player's zone at the time of the announcement.
        pub first: Date = "v.first_day",
        /// The last day, included.
        pub last: Date = "v.last_day",
        /// A day spent automatically because a bank was empty. It runs from that moment, and counts as one day.
        pub automatic: bool = "v.automatic",
        /// The start of the first day, or the time of the announcement if that is later.
        pub starts_at: Timestamp = "v.starts_at",
        /// The end of the last day.
        pub ends_at: Timestamp = "v.ends_at",
    }
}

pub(super) const ON_VACATION: &str =
    "SELECT DISTINCT player FROM vacations INDEXED BY vacations_by_end WHERE ends_at >= ?1";

impl Store {
    /// All vacations of a player, in order of time.
    pub fn vacations(&self, player: PlayerId) -> Result<Vec<VacationRow>> {
        Select::rows().and_with("v.player = ?", player).order("v.starts_at, v.id").all(self)
    }

    pub fn is_away(&self, player: PlayerId, at: Timestamp) -> Result<bool> {
        Ok(self.vacations(player)?.iter().any(|away| away.starts_at <= at && at < away.ends_at))
    }

    /// The vacation at `at`, or the next one.
    pub fn next_vacation(&self, userid: &Userid, at: Timestamp) -> Result<Option<VacationRow>> {
        Select::from("vacations v JOIN players p ON p.id = v.player")
            .and_with("p.userid_key = ?", userid.key())
            .and_with("v.ends_at > ?", at.as_second())
            .order("v.starts_at")
            .limit(1)
            .first(self)
    }

    /// The players with a vacation that ends at `since` or later.
    pub fn players_on_vacation(&self, since: Timestamp) -> Result<Vec<PlayerId>> {
        self.all(ON_VACATION, [since.as_second()])
    }

    pub fn add_vacation(&self, player: PlayerId, vacation: &VacationRow) -> Result<()> {
        Write::row(vacation).with("player", player).insert(self).map(drop)
    }

    /// Moves the start of a day that was spent for another bank to `empty_at`, if that is less than a day
    /// earlier: the day then covers both banks. False if there is no such day.
    pub fn begin_spent_day_at(&self, player: PlayerId, empty_at: Timestamp) -> Result<bool> {
        let begun = self.execute(
            "UPDATE vacations SET starts_at = ?2 WHERE player = ?1 AND automatic = 1
             AND starts_at > ?2 AND starts_at < ?2 + 86400",
            params![player, empty_at.as_second()],
        )?;
        Ok(begun > 0)
    }

    /// The time of the player's last letter, and the number of days spent automatically since then.
    pub fn days_spent_since_writing(&self, player: PlayerId) -> Result<(Option<Timestamp>, u32)> {
        self.one(
            "WITH last (at) AS (SELECT received_at FROM letters WHERE player = ?1 ORDER BY id DESC LIMIT 1)
             SELECT (SELECT at FROM last), (SELECT count(*) FROM vacations
             WHERE player = ?1 AND automatic = 1 AND starts_at >= coalesce((SELECT at FROM last), 0))",
            [player],
        )
    }

    /// Deletes vacations that start after `at`, and ends a running one with `today`; gives how many. Past vacations
    /// stay, since they count for the year. A day that was spent stays, since otherwise the clock would spend the
    /// next.
    pub fn end_vacations(&self, player: PlayerId, at: Timestamp, today: Date) -> Result<usize> {
        let future = self.execute(
            "DELETE FROM vacations WHERE player = ?1 AND starts_at > ?2",
            params![player, at.as_second()],
        )?;
        Ok(future + self.end_running_vacation(player, Timestamp::MIN, at, today)?)
    }

    /// Ends a vacation that started at `since` or later and runs at `at`; `today` is its last day. Gives the
    /// number of vacations ended.
    pub fn end_running_vacation(
        &self,
        player: PlayerId,
        since: Timestamp,
        at: Timestamp,
        today: Date,
    ) -> Result<usize> {
        self.execute(
            "UPDATE vacations SET ends_at = ?2, last_day = max(first_day, min(last_day, ?3))
             WHERE player = ?1 AND ends_at > ?2 AND starts_at BETWEEN ?4 AND ?2 AND automatic = 0",
            params![player, at.as_second(), today.to_string(), since.as_second()],
        )
    }
}
