//! Who sends mail. A lease lasts as long as its sender lives, so that a slow one is left alone, and the mails of a dead
//! one are free at once.
//!
//! A sender is a store that leases mail. It has a row in `senders`, and beside the database a file of that number, on
//! which it holds a lock; the system drops the lock when the process ends, in any way. Row and lock are made in one
//! write transaction: a row whose file nobody has locked is that of a dead sender.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::params;

use super::{Result, Store, StoreError};
use crate::private_files;

/// How often the other senders are looked at, in seconds.
const LOOK: i64 = 20;

/// How long a store that ends waits to say so. If it cannot, others find out.
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
    /// Locked as long as it is open; none beside a database in memory, which no other process has.
    _lock: Option<File>,
}

impl Store {
    /// The number of this store as a sender.
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

    /// Frees what dead senders have leased, and what this one has kept because an error broke its sending off.
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

    /// Parts from the other senders: its row goes, and its file. What it had leased is free.
    pub fn end_sending(&mut self) {
        let Some(own) = self.sending.own.take() else { return };
        let parted = self.set_patience(PARTING).and_then(|()| {
            self.write_unforced(|store| {
                store.part(own.number)?;
                store.lock_file(own.number).map_or(Ok(()), |path| remove(&path))
            })
        });
        // The next look finds a dead sender.
        drop(parted);
    }

    fn part(&self, number: i64) -> Result<()> {
        self.free(number)?;
        self.run("DELETE FROM senders WHERE id = ?1", [number])
    }

    /// Frees what this store has leased.
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

/// Makes and locks the file of a sender. One that is there was left by a transaction that was rolled back.
fn lock(path: &Path) -> Result<File> {
    let locked = || -> io::Result<File> {
        let file = private_files::append(path)?;
        file.try_lock()?;
        Ok(file)
    };
    locked().map_err(|why| StoreError::File(path.display().to_string(), why))
}

/// True when nobody has locked the file. What cannot be found out speaks for a living sender.
fn is_free(path: &Path) -> bool {
    match File::open(path) {
        // Shared, so that two who look do not take each other for the sender.
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
    use crate::store::SendOutcome;
    use crate::store::tests::add_waiting;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    /// A database in which mails wait.
    fn waiting(mails: u32) -> (tempfile::TempDir, Store) {
        let data = tempfile::tempdir().unwrap();
        let mut store = Store::make(&data.path().join("turnpost.db")).unwrap();
        store.write(|store| add_waiting(store, mails, at(0))).unwrap();
        (data, store)
    }

    fn open(data: &tempfile::TempDir) -> Store {
        Store::open(&data.path().join("turnpost.db")).unwrap()
    }

    fn leased(store: &mut Store, seconds: i64) -> Option<i64> {
        store.lease_mails(1, || at(seconds)).unwrap().pop()
    }

    #[test]
    fn a_slow_sender_keeps_its_mail_and_a_dead_one_does_not() {
        let (data, mut slow) = waiting(1);
        let mut other = open(&data);
        assert_eq!(leased(&mut slow, 0), Some(1));
        for later in [0, 30, 700, 40_000, 5_000_000] {
            assert_eq!(leased(&mut other, later), None, "after {later} s");
        }
        // As when its process is killed: the row stays, and nothing holds the lock.
        let file = data.path().join("turnpost.db-sender-1");
        assert!(file.exists());
        slow.sending.own = None;
        let mut third = open(&data);
        assert_eq!(leased(&mut third, 1), Some(1), "at once by a new one");
        assert!(!file.exists());
        third.sending.own = None;
        assert_eq!(leased(&mut other, 5_000_010), None, "others look now and then");
        assert_eq!(leased(&mut other, 5_000_020), Some(1));
    }

    #[test]
    fn a_sender_that_ends_leaves_nothing() {
        let (data, mut store) = waiting(2);
        assert_eq!(leased(&mut store, 0), Some(1));
        store.settle_mail(1, &SendOutcome::Sent, at(0)).unwrap();
        assert_eq!(leased(&mut store, 0), Some(2));
        drop(store);
        assert!(!data.path().join("turnpost.db-sender-1").exists());
        let mut store = open(&data);
        assert!(!store.exists("SELECT 1 FROM senders", []).unwrap());
        assert_eq!(leased(&mut store, 0), Some(2));
    }

    #[test]
    fn a_lease_whose_sending_broke_off_ends_after_a_while() {
        let (_data, mut store) = waiting(1);
        assert_eq!(leased(&mut store, 0), Some(1));
        for (later, mail) in [(30, None), (599, None), (630, Some(1)), (640, None)] {
            assert_eq!(leased(&mut store, later), mail, "after {later} s");
        }
        // The clock is set back.
        assert_eq!(leased(&mut store, -200_000), Some(1));
    }
}
