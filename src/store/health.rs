//! Checks of the database, and whether mail that the server sent to itself came back.

use std::convert::Infallible;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::params;

use super::open::APPLICATION_ID;
use super::{LATEST, Result, Store, StoreError, TooNew, is_damage};

/// Bytes that a trial writes: a page or two for each table that a letter changes.
const TRIAL: u32 = 64 * 1024;

/// `+id` makes SQLite use the short index of waiting mails, and not read the table from its beginning.
const OLDEST_WAITING: &str = "SELECT created_at FROM outbox
    WHERE id = (SELECT min(+id) FROM outbox WHERE state = 'waiting')";

/// The error that rolls back the trial's transaction.
enum TakenBack {
    AsPlanned,
    Failed(StoreError),
}

impl From<StoreError> for TakenBack {
    fn from(why: StoreError) -> TakenBack {
        TakenBack::Failed(why)
    }
}

/// Expected mails are forgotten after this time, in seconds.
const ROUND_TRIPS_KEPT: i64 = 24 * 60 * 60;

impl Store {
    /// The version of a database of Turnpost; an error if a later program wrote it.
    pub fn version(&self, path: &Path) -> Result<u32> {
        let application: i32 = self.conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION_ID {
            return Err(StoreError::NotOurs(path.display().to_string()));
        }
        let found: u32 = self.conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found > LATEST { Err(TooNew { found }.into()) } else { Ok(found) }
    }

    /// Calls [`Store::try_writing`] on the existing database at `path`, which stays unchanged.
    pub fn try_writing_to(path: &Path) -> Result<()> {
        Store::open_existing(path)?.try_writing()
    }

    /// Writes as much as a letter does, and rolls it back.
    pub fn try_writing(&mut self) -> Result<()> {
        self.is_in_place()?;
        // Only 4 pages fit in the cache; SQLite writes the rest to the log on the disk before the transaction
        // ends.
        self.conn.pragma_update(None, "cache_size", 4)?;
        let done = self.write(|store| -> std::result::Result<Infallible, TakenBack> {
            store.execute("CREATE TABLE trial (octets BLOB)", [])?;
            store.execute("INSERT INTO trial VALUES (zeroblob(?1))", [TRIAL])?;
            Err(TakenBack::AsPlanned)
        });
        match done {
            Err(TakenBack::AsPlanned) => Ok(()),
            Err(TakenBack::Failed(why)) => Err(why),
            Ok(never) => match never {},
        }
    }

    pub fn oldest_waiting_mail(&self) -> Result<Option<Timestamp>> {
        self.find(OLDEST_WAITING, [])
    }

    /// True if a mail has been due for `seconds` and no sender has tried it.
    pub fn mail_is_overdue(&self, at: Timestamp, seconds: i64) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM outbox INDEXED BY outbox_due
             WHERE state = 'waiting' AND sender IS NULL AND due_at <= ?1 - ?2
             UNION ALL
             SELECT 1 FROM outbox INDEXED BY outbox_due
             WHERE state = 'waiting' AND sender > 0 AND due_at <= ?1 - ?2 AND lease_until <= ?1
             LIMIT 1",
            [at.as_second(), seconds],
        )
    }

    /// Records the code of a mail that the server sends to itself, and deletes codes older than a day.
    pub fn expect_round_trip(path: &Path, code: &str, at: Timestamp) -> Result<()> {
        let mut store = Store::open_existing(path)?;
        store.write(|store| {
            store.execute(
                "DELETE FROM round_trips WHERE sent_at < ?1 - ?2",
                params![at.as_second(), ROUND_TRIPS_KEPT],
            )?;
            let sql = "INSERT INTO round_trips (code, sent_at) VALUES (?1, ?2)";
            store.execute(sql, params![code, at.as_second()]).map(drop)
        })
    }

    /// Notes that an expected mail came back.
    pub fn note_round_trip(&self, code: &str, at: Timestamp) -> Result<()> {
        let sql = "UPDATE round_trips SET came_at = ?2 WHERE code = ?1 AND came_at IS NULL";
        self.execute(sql, params![code, at.as_second()]).map(drop)
    }

    pub fn came_round(&self, code: &str) -> Result<bool> {
        self.exists("SELECT 1 FROM round_trips WHERE code = ?1 AND came_at IS NOT NULL", [code])
    }

    /// The findings of SQLite's checks; empty if the file is sound.
    pub fn integrity(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let checked = self.conn.pragma_query(None, "integrity_check", |row| {
            found.push(row.get::<_, String>(0)?);
            Ok(())
        });
        // SQLite first checks every page, and then fails at a row that it cannot read. The findings until
        // then count.
        match checked {
            Err(why) if found.is_empty() || !is_damage(&why) => return Err(why.into()),
            _ => {}
        }
        let places = found.iter().flat_map(|found| found.lines());
        let mut findings: Vec<String> = places
            .filter(|finding| *finding != "ok" && !finding.starts_with("***"))
            .map(|finding| self.in_words(finding))
            .collect();
        if !findings.is_empty() {
            return Ok(findings);
        }
        self.conn.pragma_query(None, "foreign_key_check", |row| {
            findings.push(format!("{}: a row points at nothing", row.get::<_, String>(0)?));
            Ok(())
        })?;
        Ok(findings)
    }

    /// Explains a finding such as `Tree 12 page 340 cell 3: ...`. Page 12 is the root of a table or an index, and page
    /// 340 of it is damaged.
    fn in_words(&self, finding: &str) -> String {
        let parts = || {
            let (place, says) = finding.split_once(": ")?;
            let mut words = place.strip_prefix("Tree ")?.split(' ');
            let root: i64 = words.next()?.parse().ok()?;
            let page = words.nth(1).map_or_else(|| root.to_string(), str::to_owned);
            let sql = "SELECT iif(type = 'table', 'rows of ' || name || ' are', 'the index ' || name || ' is') FROM sqlite_schema
                       WHERE rootpage = ?1";
            let holds: String = self.find(sql, [root]).ok()??;
            Some(format!("page {page} of the file, where {holds}, cannot be read ({says})"))
        };
        parts().unwrap_or_else(|| finding.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_mail_is_found_by_an_index() {
        let store = Store::in_memory().unwrap();
        let plan = store.plan(OLDEST_WAITING, []);
        assert!(plan.lines().all(|step| !step.starts_with("SCAN") || step.contains("INDEX")), "{plan}");
    }

    #[test]
    fn a_trial_reaches_the_disk_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turnpost.db");
        let mut store = Store::make(&path).unwrap();
        store.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        let log = || std::fs::metadata(path.with_extension("db-wal")).unwrap().len();
        assert_eq!(log(), 0);
        for _ in 0..3 {
            store.try_writing().unwrap();
            assert!((u64::from(TRIAL) / 2..u64::from(TRIAL) * 2).contains(&log()), "{}", log());
        }
        assert!(!store.exists("SELECT 1 FROM sqlite_schema WHERE name = 'trial'", []).unwrap());
        store.conn.pragma_update(None, "query_only", true).unwrap();
        assert!(!store.try_writing().unwrap_err().is_busy());
    }
}
