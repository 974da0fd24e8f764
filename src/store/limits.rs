//! Counts for rate limits, and the players who exceeded one.
//!
//! A count that starts in the future comes from a wrong clock, and has ended.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{PlayerId, Result, Store};

/// The age at which counts are deleted, in seconds.
const FORGOTTEN_AFTER: i64 = 24 * 60 * 60;

/// How long an exceeded limit of a player is kept, in seconds.
const HITS_KEPT: i64 = 30 * 24 * 60 * 60;

/// The key of the row that totals all hits of a limit; it is never deleted.
const ALL: &str = "";

stored_row! {
    /// How often a limit was exceeded.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LimitHits from "limit_hits" {
        pub what: String = "what",
        pub hits: u32 = "hits",
        pub last_at: Timestamp = "last_at",
    }
}

impl Store {
    /// Adds one to the count of `what` for `key`; gives the count within `seconds` of its first.
    pub fn count(&self, what: &str, key: &str, at: Timestamp, seconds: i64) -> Result<u32> {
        self.count_more(what, key, 1, at, seconds)
    }

    pub fn count_more(&self, what: &str, key: &str, more: u32, at: Timestamp, seconds: i64) -> Result<u32> {
        self.execute("DELETE FROM limits WHERE since <= ?1 - ?2", params![at.as_second(), FORGOTTEN_AFTER])?;
        self.one(
            "INSERT INTO limits (what, key, since, count) VALUES (?1, ?2, ?3, ?5)
             ON CONFLICT (what, key) DO UPDATE SET
                count = iif(abs(?3 - since) >= ?4, ?5, count + ?5), since = iif(abs(?3 - since) >= ?4, ?3, since)
             RETURNING count",
            params![what, key.to_ascii_lowercase(), at.as_second(), seconds, more])
    }

    /// The count of `what` for `key` within `seconds` of its first.
    pub fn counted(&self, what: &str, key: &str, at: Timestamp, seconds: i64) -> Result<u32> {
        Ok(self
            .find(
                "SELECT count FROM limits WHERE what = ?1 AND key = ?2 AND abs(?3 - since) < ?4",
                params![what, key.to_ascii_lowercase(), at.as_second(), seconds],
            )?
            .unwrap_or(0))
    }

    /// When a count restarts: `seconds` after its first.
    pub fn count_ends(&self, what: &str, key: &str, now: Timestamp, seconds: i64) -> Result<Timestamp> {
        let since = self.find(
            "SELECT since FROM limits WHERE what = ?1 AND key = ?2 AND abs(?3 - since) < ?4",
            params![what, key.to_ascii_lowercase(), now.as_second(), seconds],
        )?;
        let since = since.unwrap_or_else(|| now.as_second());
        Ok(Timestamp::from_second(since.saturating_add(seconds)).unwrap_or(now))
    }

    pub fn forget_count(&self, what: &str, key: &str) -> Result<()> {
        self.run("DELETE FROM limits WHERE what = ?1 AND key = ?2", params![what, key.to_ascii_lowercase()])
    }

    /// Records that a letter exceeded a limit, and its player if known. True for the first time in a month.
    pub fn hit_limit(&self, what: &str, key: &str, player: Option<PlayerId>, at: Timestamp) -> Result<bool> {
        self.execute(
            "DELETE FROM limit_hits WHERE key <> '' AND last_at <= ?1 - ?2",
            params![at.as_second(), HITS_KEPT],
        )?;
        let mut hits = 0;
        for (key, player) in [(ALL, None), (key, player)] {
            hits = self.one::<u32>(
                "INSERT INTO limit_hits (what, key, player, hits, last_at) VALUES (?1, ?2, ?3, 1, ?4)
                 ON CONFLICT (what, key) DO UPDATE SET hits = hits + 1, last_at = ?4,
                    player = coalesce(?3, player) RETURNING hits",
                params![what, key.to_ascii_lowercase(), player, at.as_second()],
            )?;
        }
        Ok(hits == 1)
    }

    /// The limits that were exceeded, with all their hits.
    pub fn limit_hits(&self) -> Result<Vec<LimitHits>> {
        Select::rows().and_with("key = ?", ALL).order("what").all(self)
    }

    /// The limits that a player exceeded within the last month.
    pub fn limit_hits_of(&self, player: PlayerId) -> Result<Vec<LimitHits>> {
        Select::columns("what, sum(hits), max(last_at)", "limit_hits")
            .and_with("player = ?", player)
            .group("what")
            .order("what")
            .all(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn a_count_begins_anew_when_its_while_is_over() {
        let store = Store::in_memory().unwrap();
        for n in 1..=3 {
            assert_eq!(store.count("try", "Ann", at(10 * i64::from(n)), 60).unwrap(), n);
        }
        assert_eq!(store.count("try", "bob", at(30), 60).unwrap(), 1);
        assert_eq!(store.count("answer", "ann", at(30), 60).unwrap(), 1);
        assert_eq!(store.count_ends("try", "ann", at(69), 60).unwrap(), at(70));
        assert_eq!(store.counted("try", "ANN", at(69), 60).unwrap(), 3);
        assert_eq!(store.counted("try", "ann", at(70), 60).unwrap(), 0);
        assert_eq!(store.count("try", "ann", at(70), 60).unwrap(), 1);
        assert_eq!(store.counted("try", "nobody", at(0), 60).unwrap(), 0);
        store.forget_count("try", "Ann").unwrap();
        assert_eq!(store.counted("try", "ann", at(71), 60).unwrap(), 0);
    }

    #[test]
    fn hits_are_kept_for_a_month_and_their_number_for_good() {
        let store = Store::in_memory().unwrap();
        store.hit_limit("boards", "ann", None, at(0)).unwrap();
        store.hit_limit("boards", "bob", None, at(HITS_KEPT)).unwrap();
        let all = store.limit_hits().unwrap();
        assert_eq!(all, [LimitHits { what: "boards".into(), hits: 2, last_at: at(HITS_KEPT) }]);
    }
}
