//! Mails that the server sent to itself, and whether they came back.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::params;

use super::{Result, Store};

/// Nobody waits for a mail so long, in seconds.
const KEPT: i64 = 24 * 60 * 60;

impl Store {
    /// Expects a mail, and forgets those of earlier days.
    pub fn expect_round_trip(path: &Path, code: &str, at: Timestamp) -> Result<()> {
        let mut store = Store::open_existing(path)?;
        store.write(|store| {
            store
                .execute("DELETE FROM round_trips WHERE sent_at < ?1 - ?2", params![at.as_second(), KEPT])?;
            let sql = "INSERT INTO round_trips (code, sent_at) VALUES (?1, ?2)";
            store.execute(sql, params![code, at.as_second()]).map(drop)
        })
    }

    /// Notes that a mail came back, if one is expected.
    pub fn note_round_trip(&self, code: &str, at: Timestamp) -> Result<()> {
        let sql = "UPDATE round_trips SET came_at = ?2 WHERE code = ?1 AND came_at IS NULL";
        self.execute(sql, params![code, at.as_second()]).map(drop)
    }

    pub fn came_round(&self, code: &str) -> Result<bool> {
        self.exists("SELECT 1 FROM round_trips WHERE code = ?1 AND came_at IS NOT NULL", [code])
    }
}
