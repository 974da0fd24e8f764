//! Counts for rate limits.

use jiff::Timestamp;
use rusqlite::params;

use super::{Result, Store};

/// Older counts are deleted, in seconds.
const FORGOTTEN_AFTER: i64 = 24 * 60 * 60;

impl Store {
    /// Counts one more `what` of `key`; gives the count within `seconds` of the first.
    pub fn count(&self, what: &str, key: &str, at: Timestamp, seconds: i64) -> Result<u32> {
        self.execute("DELETE FROM limits WHERE since <= ?1 - ?2", params![at.as_second(), FORGOTTEN_AFTER])?;
        self.one(
            "INSERT INTO limits (what, key, since, count) VALUES (?1, ?2, ?3, 1)
             ON CONFLICT (what, key) DO UPDATE SET
                count = iif(since <= ?3 - ?4, 1, count + 1), since = iif(since <= ?3 - ?4, ?3, since)
             RETURNING count",
            params![what, key.to_lowercase(), at.as_second(), seconds],
            |row| row.get(0),
        )
    }

    /// The count of `what` of `key` within `seconds` of the first.
    pub fn counted(&self, what: &str, key: &str, at: Timestamp, seconds: i64) -> Result<u32> {
        Ok(self
            .find(
                "SELECT count FROM limits WHERE what = ?1 AND key = ?2 AND since > ?3 - ?4",
                params![what, key.to_lowercase(), at.as_second(), seconds],
                |row| row.get(0),
            )?
            .unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_begins_anew_when_its_while_is_over() {
        let store = Store::in_memory().unwrap();
        let at = |second: i64| Timestamp::from_second(1_800_000_000 + second).unwrap();
        for n in 1..=3 {
            assert_eq!(store.count("try", "Ann", at(10 * i64::from(n)), 60).unwrap(), n);
        }
        assert_eq!(store.count("try", "bob", at(30), 60).unwrap(), 1);
        assert_eq!(store.count("answer", "ann", at(30), 60).unwrap(), 1);
        assert_eq!(store.counted("try", "ANN", at(69), 60).unwrap(), 3);
        assert_eq!(store.counted("try", "ann", at(70), 60).unwrap(), 0);
        assert_eq!(store.count("try", "ann", at(70), 60).unwrap(), 1);
        assert_eq!(store.counted("try", "nobody", at(0), 60).unwrap(), 0);
    }
}
