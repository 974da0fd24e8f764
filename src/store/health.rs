//! Whether the database can be worked with.

use std::convert::Infallible;
use std::path::Path;

use jiff::Timestamp;

use super::open::APPLICATION_ID;
use super::{LATEST, Result, Store, StoreError, TooNew};

/// A page or two for each of the tables that a letter changes.
const TRIAL: u32 = 64 * 1024;

/// `+id` keeps SQLite from reading the table from its beginning: the index of what waits is short.
const OLDEST_WAITING: &str = "SELECT created_at FROM outbox
    WHERE id = (SELECT min(+id) FROM outbox WHERE state = 'waiting')";

/// Ends the trial's transaction.
enum TakenBack {
    AsPlanned,
    Failed(StoreError),
}

impl From<StoreError> for TakenBack {
    fn from(why: StoreError) -> TakenBack {
        TakenBack::Failed(why)
    }
}

impl Store {
    /// The version of a database, which must be ours and none that a later program wrote.
    pub fn version(&self, path: &Path) -> Result<u32> {
        let application: i32 = self.conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION_ID {
            return Err(StoreError::NotOurs(path.display().to_string()));
        }
        let found: u32 = self.conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found > LATEST { Err(TooNew { found }.into()) } else { Ok(found) }
    }

    /// The same as [`Store::try_writing`], on an existing database that stays as it is.
    pub fn try_writing_to(path: &Path) -> Result<()> {
        Store::open_existing(path)?.try_writing()
    }

    /// Writes as much as a letter does, and takes it back.
    pub fn try_writing(&mut self) -> Result<()> {
        // In pages: what has no room in memory goes to the log on the disk before the transaction ends.
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

    /// When the mail was written that waits longest.
    pub fn oldest_waiting_mail(&self) -> Result<Option<Timestamp>> {
        self.find(OLDEST_WAITING, [])
    }

    /// True when a mail has been due for `seconds` and nobody has tried to send it.
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
        let mut store = Store::open(&path).unwrap();
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
