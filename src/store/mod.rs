//! The only SQL.
//!
//! One SQLite file in WAL mode, with `synchronous=FULL`: once a letter is acknowledged to the mail server, a
//! power cut must not lose it. Every write transaction is IMMEDIATE. One that reads first and writes later
//! would fail at once when another process wrote in between.

mod acts;
mod addresses;
mod admin_lists;
mod analyses;
mod announcements;
mod backup;
mod boards;
mod bounces;
mod clocks;
mod columns;
mod damage;
mod erase;
mod export;
mod health;
mod keeping;
mod leases;
mod letters;
mod limits;
mod mail_preferences;
mod merge;
mod messages;
mod migrate;
mod open;
mod outbox;
mod pauses;
mod plans;
mod players;
mod rating_history;
mod ratings;
mod records;
mod restore;
mod robots;
mod round_trips;
mod secrets;
mod senders;
mod settings;
mod sql;
mod vacations;
mod watchers;
mod words;
mod write_lock;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use open::{APPLICATION_ID, claim, configure, keep_private, undo_in_memory};
use senders::Sending;

pub use acts::{ActKind, ActRow, NewAct, OutgoingState};
pub use addresses::{AddressRow, Addresses};
pub use admin_lists::{About, BoardOrder};
pub use analyses::Wanted;
pub use announcements::AnnouncedRow;
pub use bounces::{BounceRow, CameBack, MailToPlayer};
pub use clocks::{ClockRow, StopRow};
pub use erase::WaitingMail;
pub use leases::{Leased, Pictured, SendOutcome};
pub use letters::{ClosedLetter, Entrance, LetterId, LetterRow, NewLetter, ProvenBy, Tally, ThreadRow};
pub use limits::LimitHits;
pub use mail_preferences::PreferencesRow;
pub use messages::{AboutBoard, MESSAGE_SECONDS, MessageId, MessageRow, SaidRow};
use migrate::must_be_latest;
pub use migrate::{LATEST, TooNew, TooOld, migrate_to};
pub use outbox::{MailAsideRow, MailRow, MailState, NewMail, NewMailAside, OutboxCounts, StoredMail};
pub use plans::{SeekRow, SeekState};
pub use players::{Account, AccountState, PlayerId};
pub use rating_history::RatedGame;
pub use ratings::{FinishRow, RatingRow};
pub use records::{
    BoardFilter, BoardRow, Days, Ending, EventKind, EventRow, PlyRow, Proposal, ResultRow, Ruling, State,
};
pub use restore::Replacement;
pub use robots::RobotTurn;
pub use secrets::{CodeHash, LastMail};
pub use settings::{GameSettings, Record, Role, Settings};
pub use vacations::Vacation;
pub use watchers::Watcher;
pub use words::UnknownWord;
pub use write_lock::WriteLock;

/// How long a writer waits for another before the letter stays with the mail server.
const BUSY: Duration = Duration::from_secs(20);

/// The longest write-ahead log that a process leaves behind, in bytes: the next process must read it.
const LOG_AT_MOST: u64 = 256 * 1024;

/// An error of the store. None is a player's mistake.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("database: {0}")]
    Sqlite(rusqlite::Error),
    #[error(transparent)]
    TooNew(#[from] TooNew),
    #[error(transparent)]
    TooOld(#[from] TooOld),
    /// Another program's SQLite file.
    #[error("{0} is not a Turnpost database")]
    NotOurs(String),
    #[error("{0} is in use: stop `turnpost serve` and what else has it open, and try again")]
    InUse(String),
    /// A row holds what this program never writes.
    #[error("the database holds something damaged: {0}")]
    Damaged(String),
    /// A file cannot be made.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
}

impl StoreError {
    /// True when another writer holds the database, so that a later try may succeed.
    pub fn is_busy(&self) -> bool {
        matches!(self, StoreError::Sqlite(why) if is_busy(why))
    }

    /// True when what stands in the file cannot be read.
    pub fn is_damage(&self) -> bool {
        match self {
            StoreError::Sqlite(why) => damage::is_damage(why),
            StoreError::Damaged(_) => true,
            _ => false,
        }
    }

    /// True when the file, or the disk below it, cannot be written.
    pub fn is_read_only(&self) -> bool {
        matches!(self, StoreError::Sqlite(why) if why.sqlite_error_code() == Some(ErrorCode::ReadOnly))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(why: rusqlite::Error) -> StoreError {
        match why {
            rusqlite::Error::FromSqlConversionFailure(_, _, why) => StoreError::Damaged(why.to_string()),
            why => StoreError::Sqlite(why),
        }
    }
}

pub type Result<T> = std::result::Result<T, StoreError>;

/// An open database.
pub struct Store {
    conn: Connection,
    patience: Duration,
    /// Shared with the other stores of this process.
    write_lock: Option<Arc<WriteLock>>,
    sending: Sending,
}

impl Store {
    /// Opens the database, makes it if it is missing, and migrates it.
    pub fn open(path: &Path) -> Result<Store> {
        keep_private(path)?;
        let mut conn = Connection::open(path)?;
        conn.busy_timeout(BUSY)?;
        // Checked before WAL is turned on, since that changes the file and it may not be ours.
        let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION_ID {
            claim(&mut conn, path)?;
        }
        configure(&mut conn)?;
        migrate_to(&mut conn, LATEST)?;
        undo_in_memory(&conn)?;
        Ok(Store { conn, patience: BUSY, write_lock: None, sending: Sending::default() })
    }

    /// Sets how long a writer waits: for the threads of this process, and again for other processes.
    pub fn set_patience(&mut self, patience: Duration) -> Result<()> {
        self.patience = patience;
        Ok(self.conn.busy_timeout(patience)?)
    }

    /// Takes turns with the other stores that share `write_lock`.
    #[must_use]
    pub fn sharing(self, write_lock: &Arc<WriteLock>) -> Store {
        let mut store = self;
        store.write_lock = Some(Arc::clone(write_lock));
        store
    }

    /// True inside a transaction.
    pub fn is_writing(&self) -> bool {
        !self.conn.is_autocommit()
    }

    /// Opens an existing database to write to it, as it is: it is neither made nor migrated.
    pub fn open_existing(path: &Path) -> Result<Store> {
        let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.busy_timeout(BUSY)?;
        Ok(Store { conn, patience: BUSY, write_lock: None, sending: Sending::default() })
    }

    /// Opens an existing database for reading.
    pub fn open_read_only(path: &Path) -> Result<Store> {
        let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        conn.busy_timeout(BUSY)?;
        let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION_ID {
            return Err(StoreError::NotOurs(path.display().to_string()));
        }
        must_be_latest(&conn)?;
        conn.set_prepared_statement_cache_capacity(128);
        Ok(Store { conn, patience: BUSY, write_lock: None, sending: Sending::default() })
    }

    /// A database in memory, for tests and previews.
    pub fn in_memory() -> Result<Store> {
        let mut conn = Connection::open_in_memory()?;
        configure(&mut conn)?;
        migrate_to(&mut conn, LATEST)?;
        Ok(Store { conn, patience: BUSY, write_lock: None, sending: Sending::default() })
    }

    /// Runs `work` in one IMMEDIATE transaction; an error rolls back all of it.
    pub fn write<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Store) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let write_lock = self.write_lock.clone();
        let _guard = match &write_lock {
            Some(write_lock) => Some(write_lock.take(self.patience).ok_or_else(held)?),
            None => None,
        };
        self.execute("BEGIN IMMEDIATE", [])?;
        let done = work(self).and_then(|value| {
            self.execute("COMMIT", [])?;
            Ok(value)
        });
        if done.is_err() && !self.conn.is_autocommit() {
            // The first error is reported. A failed rollback is undone when the file is closed.
            let _ = self.execute("ROLLBACK", []);
        }
        done
    }

    /// Runs `work` on the database as it is now, whatever others write meanwhile.
    pub fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        if self.is_writing() {
            return work();
        }
        self.execute("BEGIN", [])?;
        let done = work();
        let _ = self.execute("ROLLBACK", []);
        done
    }

    /// Another connection to the same file, for reading; `None` where the database is in memory.
    pub fn reader(&self) -> Result<Option<Store>> {
        match self.conn.path().filter(|path| !path.is_empty()) {
            Some(path) => Store::open_read_only(Path::new(path)).map(Some),
            None => Ok(None),
        }
    }

    /// Like [`Store::write`], without forcing the disk: a power failure may lose it, a killed process does
    /// not.
    pub fn write_unforced<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Store) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.conn.pragma_update(None, "synchronous", "normal").map_err(StoreError::from)?;
        let done = self.write(work);
        self.conn.pragma_update(None, "synchronous", "full").map_err(StoreError::from)?;
        done
    }

    /// Runs `work` like [`Store::write`], unless it would have to wait for another writer: then it does nothing.
    pub fn write_if_free<T>(&mut self, work: impl FnOnce(&Store) -> Result<T>) -> Result<Option<T>> {
        let patience = self.patience;
        self.set_patience(Duration::ZERO)?;
        let done = self.write(work);
        self.set_patience(patience)?;
        match done {
            Err(why) if why.is_busy() => Ok(None),
            done => done.map(Some),
        }
    }

    /// A pause between two transactions: the writers of other processes sleep, and look now and then whether it is their
    /// turn.
    pub fn let_others_write(&self) {
        std::thread::sleep(Duration::from_millis(10));
    }

    /// Runs `work` in a savepoint; an error undoes this work and no more.
    pub fn savepoint<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.execute("SAVEPOINT command", [])?;
        let done = work();
        if done.is_err() && !self.is_writing() {
            // SQLite has rolled back the whole transaction, for example because the disk is full.
            return done;
        }
        if done.is_err() {
            self.execute("ROLLBACK TO command", [])?;
        }
        self.execute("RELEASE command", [])?;
        done
    }
}

impl Store {
    /// Closes the database for a process that ends now. To free what SQLite has read of the tables first took a
    /// twentieth of the time of a letter.
    pub fn leave(mut self) {
        self.end_sending();
        self.empty_long_log();
        std::mem::forget(self);
    }

    /// Empties a long write-ahead log.
    ///
    /// SQLite's automatic checkpoint leaves the log as long as it was, for the next commit of the connection.
    /// A process that ends has no next commit.
    fn empty_long_log(&mut self) {
        let log = self.conn.path().map(|path| format!("{path}-wal"));
        let length = log.and_then(|log| std::fs::metadata(log).ok()).map_or(0, |log| log.len());
        if length > LOG_AT_MOST {
            // Emptying is writing, so it takes the write lock.
            let write_lock = self.write_lock.clone();
            let guard = write_lock.as_ref().map(|write_lock| write_lock.take(self.patience));
            // Whoever is writing now empties it instead.
            if matches!(guard, Some(None)) {
                return;
            }
            let _ = self.conn.busy_timeout(Duration::ZERO);
            let _ = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.end_sending();
        self.empty_long_log();
    }
}

fn is_busy(why: &rusqlite::Error) -> bool {
    matches!(why.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// SQLite's error for a lock, here for the threads of this process.
fn held() -> StoreError {
    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
    rusqlite::Error::SqliteFailure(busy, Some("others are writing".into())).into()
}

#[cfg(test)]
mod tests;
