//! Transactions, and the lock for the writers among the threads of one process.
//!
//! SQLite lets one connection write. Others sleep up to a tenth of a second and ask again, in no order. The lock is
//! fair and wakes the next writer at once.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Result, Store, StoreError};

/// One lock for all stores of a process on the same file.
#[derive(Debug, Default)]
pub struct WriteLock {
    turns: Mutex<Turns>,
    passed_on: Condvar,
}

#[derive(Debug, Default)]
struct Turns {
    given: u64,
    served: u64,
    /// The turns of threads that waited too long and left.
    left: BTreeSet<u64>,
}

impl Turns {
    fn pass_on(&mut self) {
        self.served += 1;
        while self.left.remove(&self.served) {
            self.served += 1;
        }
    }
}

/// Holds the lock until it is dropped.
pub(super) struct WriteGuard<'a>(&'a WriteLock);

impl WriteLock {
    /// Waits for the lock, at most `patience`.
    pub(super) fn take(&self, patience: Duration) -> Option<WriteGuard<'_>> {
        let mut turns = self.lock();
        let mine = turns.given;
        turns.given += 1;
        let waited = self.passed_on.wait_timeout_while(turns, patience, |turns| turns.served != mine);
        let (mut turns, late) = waited.unwrap_or_else(PoisonError::into_inner);
        if late.timed_out() {
            turns.left.insert(mine);
            return None;
        }
        Some(WriteGuard(self))
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WriteGuard<'_> {
    fn drop(&mut self) {
        self.0.lock().pass_on();
        self.0.passed_on.notify_all();
    }
}

impl Store {
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
            self.is_in_place()?;
            self.execute("COMMIT", [])?;
            Ok(value)
        });
        if done.is_err() && !self.conn.is_autocommit() {
            // The first error is reported. If the rollback fails, closing the file rolls back.
            let _ = self.execute("ROLLBACK", []);
        }
        done
    }

    /// An error if the database is no longer the file that was opened: a commit to that file would be lost.
    pub(super) fn is_in_place(&self) -> Result<()> {
        let (Some(opened), Some(path)) = (&self.opened, self.conn.path()) else { return Ok(()) };
        match std::fs::metadata(path) {
            Ok(found) if (found.dev(), found.ino()) == (opened.dev(), opened.ino()) => Ok(()),
            _ => Err(StoreError::Gone(path.to_owned())),
        }
    }

    /// Like [`Store::write`], without a sync: the work survives a killed process, but a power failure can
    /// lose it.
    pub fn write_unforced<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Store) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.conn.pragma_update(None, "synchronous", "normal").map_err(StoreError::from)?;
        let done = self.write(work);
        self.conn.pragma_update(None, "synchronous", "full").map_err(StoreError::from)?;
        done
    }

    /// Like [`Store::write`], but does nothing if another writer holds the database.
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

    /// Runs `work` on one state of the database; writes of others in the meantime are not visible.
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

    /// Runs `work` in a savepoint; an error undoes only this work.
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

    /// Pauses between two transactions, so that other processes can write: their writers sleep, and only
    /// check now and then whether the database is free.
    pub fn yield_write_lock(&self) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// SQLite's busy error, for a write lock that another thread of this process holds.
fn held() -> StoreError {
    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
    rusqlite::Error::SqliteFailure(busy, Some("others are writing".into())).into()
}
