//! The processes that send mail. A lease lasts as long as its sender lives. A slow sender keeps its mails, and a dead
//! sender's mails are free at once.
//!
//! A sender is a store that leases mail. It has a row in `senders`, and next to the database a file of that
//! number, which it locks. The system ends the lock with the process. Row and lock are made in one write
//! transaction, so a row without a locked file belongs to a dead sender.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::params;

use super::{Result, Store, StoreError};
use crate::private_files;

/// How often dead senders are looked for, in seconds.
const LOOK: i64 = 20;

/// How long a closing store waits for its turn to delete its row. If that fails, other stores delete the row.
const PARTING: Duration = Duration::from_millis(100);

/// A store as a sender.
#[derive(Debug, Default)]
pub(super) struct Sending {
    own: Option<Sender>,
    looked_at: Option<Timestamp>,
}

#[derive(Debug)]
struct Sender {
    number: i64,
    /// Locked while it is open; `None` for a database in memory.
    _lock: Option<File>,
}

impl Store {
    /// The number of this store as a sender; registers the store if it has none.
    pub(super) fn sender(&mut self, at: Timestamp) -> Result<i64> {
        if let Some(number) = self.own_sender() {
            return Ok(number);
        }
        let own = self.write_unforced(|store| {
            store.execute("INSERT INTO senders (since) VALUES (?1)", [at.as_second()])?;
            let number = store.conn.last_insert_rowid();
            let lock = store.lock_file(number).map(|path| lock(&path)).transpose()?;
            Ok::<_, StoreError>(Sender { number, _lock: lock })
        })?;
        let number = own.number;
        self.sending.own = Some(own);
        Ok(number)
    }

    /// Frees the mails of dead senders, and mails that this sender still leases after an error stopped its
    /// sending.
    pub(super) fn free_leases(&mut self, at: Timestamp) -> Result<()> {
        let seconds = |last: Timestamp| at.as_second() - last.as_second();
        if self.sending.looked_at.is_some_and(|last| (0..LOOK).contains(&seconds(last))) {
            return Ok(());
        }
        self.sending.looked_at = Some(at);
        let own = self.own_sender().unwrap_or(0);
        let forgotten = "SELECT 1 FROM outbox INDEXED BY outbox_due WHERE state = 'waiting' AND sender = ?1
             AND lease_until NOT BETWEEN ?2 + 1 AND ?2 + 43200";
        if self.dead_senders(own)?.is_empty() && !self.exists(forgotten, [own, at.as_second()])? {
            return Ok(());
        }
        self.write_unforced(|store| {
            for number in store.dead_senders(own)? {
                store.part(number)?;
                if let Some(path) = store.lock_file(number) {
                    remove(&path)?;
                }
            }
            store.execute(
                "UPDATE outbox INDEXED BY outbox_due SET sender = NULL, lease_until = NULL
                 WHERE state = 'waiting' AND sender = ?1 AND lease_until NOT BETWEEN ?2 + 1 AND ?2 + 43200",
                params![own, at.as_second()],
            )?;
            Ok(())
        })
    }

    /// Ends this sender: deletes its row and file, and frees its mails.
    pub fn end_sending(&mut self) {
        let Some(own) = self.sending.own.take() else { return };
        let parted = self.set_patience(PARTING).and_then(|()| {
            self.write_unforced(|store| {
                store.part(own.number)?;
                store.lock_file(own.number).map_or(Ok(()), |path| remove(&path))
            })
        });
        // If this fails, the next look finds a dead sender.
        drop(parted);
    }

    fn part(&self, number: i64) -> Result<()> {
        self.free(number)?;
        self.run("DELETE FROM senders WHERE id = ?1", [number])
    }

    /// Frees the mails of this store.
    pub fn return_leases(&self) -> Result<()> {
        self.own_sender().map_or(Ok(()), |own| self.free(own))
    }

    fn free(&self, number: i64) -> Result<()> {
        self.run(
            "UPDATE outbox INDEXED BY outbox_due SET sender = NULL, lease_until = NULL
             WHERE state = 'waiting' AND sender = ?1",
            [number],
        )
    }

    pub(super) fn own_sender(&self) -> Option<i64> {
        self.sending.own.as_ref().map(|own| own.number)
    }

    fn dead_senders(&self, own: i64) -> Result<Vec<i64>> {
        let mut others: Vec<i64> = self.all("SELECT id FROM senders WHERE id <> ?1", [own])?;
        others.retain(|number| self.lock_file(*number).is_none_or(|path| is_free(&path)));
        Ok(others)
    }

    fn lock_file(&self, number: i64) -> Option<PathBuf> {
        let database = self.conn.path().filter(|path| !path.is_empty())?;
        Some(PathBuf::from(format!("{database}-sender-{number}")))
    }
}

/// Makes and locks the file of a sender. An existing file was left by a transaction that was rolled back.
fn lock(path: &Path) -> Result<File> {
    let locked = || -> io::Result<File> {
        let file = private_files::append(path)?;
        file.try_lock()?;
        Ok(file)
    };
    locked().map_err(|why| StoreError::File(path.display().to_string(), why))
}

/// True if no process locks the file. If that is unclear, the sender counts as alive.
fn is_free(path: &Path) -> bool {
    match File::open(path) {
        // A shared lock, so that two processes that check do not take each other for the sender.
        Ok(file) => !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock | TryLockError::Error(_))),
        Err(why) => why.kind() == ErrorKind::NotFound,
    }
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(why) if why.kind() != ErrorKind::NotFound => {
            Err(StoreError::File(path.display().to_string(), why))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tests::add_waiting;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn leased(store: &mut Store, seconds: i64) -> Option<i64> {
        store.lease_mails(1, || at(seconds)).unwrap().pop()
    }

    #[test]
    fn a_lease_whose_sending_broke_off_ends_after_a_while() {
        let mut store = Store::in_memory().unwrap();
        add_waiting(&store, 1, at(0)).unwrap();
        assert_eq!(leased(&mut store, 0), Some(1));
        for (later, mail) in [(30, None), (599, None), (630, Some(1)), (640, None)] {
            assert_eq!(leased(&mut store, later), mail, "after {later} s");
        }
        // The clock is set back.
        assert_eq!(leased(&mut store, -200_000), Some(1));
    }
}
