//! Checks for `/healthz` that the server can do its work.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::Shared;
use super::metrics::{Sizes, Stored};
use crate::config::Config;
use crate::data_dir::DATABASE;
use crate::store::{Store, StoreError};
use crate::{clock, copies, private_files};

/// How long the trial write waits for other writers.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long another process may lock the database before the check fails. No letter takes longer.
const HELD_AT_MOST: Duration = Duration::from_secs(60);

/// A mail that is overdue by this much is not being sent.
const OVERDUE_SECONDS: i64 = 60 * 60;

/// The least room on the disk, in bytes: enough for some letters.
const ROOM: u64 = 1024 * 1024;

pub(super) struct Health {
    data: PathBuf,
    /// Used only for reading, so that it never waits.
    reader: Mutex<Store>,
    state: Mutex<HealthState>,
}

struct HealthState {
    /// Used only by the check, because the databases of the letters may all be in use.
    store: Store,
    /// The start and the result of the last check.
    last: Option<(Instant, Result<(), String>)>,
    /// When the first of the consecutive checks that found the database locked began.
    held_since: Option<Instant>,
}

impl Health {
    pub fn new(data: PathBuf, reader: Store, mut store: Store) -> Result<Health, StoreError> {
        store.set_patience(PATIENCE)?;
        let state = HealthState { store, last: None, held_since: None };
        Ok(Health { data, reader: Mutex::new(reader), state: Mutex::new(state) })
    }

    /// Checks the server; the error is a sentence. Requests that arrive before a check begins share its result.
    pub fn check(&self, shared: &Shared, asked: Instant) -> Result<(), String> {
        if shared.shutdown.is_requested() {
            return Err("the server is going down".to_owned());
        }
        let mut state = self.lock();
        if let Some((begun, found)) = &state.last
            && *begun >= asked
        {
            return found.clone();
        }
        let begun = Instant::now();
        let found = private_files::has_room(&self.data, ROOM).and_then(|()| state.look(begun));
        state.last = Some((begun, found.clone()));
        found
    }

    /// Figures of the database for `/metrics`, even while others write; `None` if it cannot be read.
    pub fn stored(&self, config: &Config) -> Option<Stored> {
        let now = clock::now();
        // If copies are configured but missing, the last one counts as made in 1970.
        let backups = copies::backups(&self.data, config);
        let last_backup = backups.map(|folder| {
            copies::newest_backup(&folder, now)
                .ok()
                .and_then(|newest| newest.made)
                .unwrap_or(Timestamp::UNIX_EPOCH)
        });
        let followed = copies::followed(&self.data, config);
        let last_replicated = followed
            .map(|folder| copies::last_copied(&self.data, &folder, now).unwrap_or(Timestamp::UNIX_EPOCH));
        let store = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || -> Result<Stored, StoreError> {
            Ok(Stored {
                outbox: store.outbox_counts()?,
                oldest_waiting: store.oldest_waiting_mail()?,
                last_tick: store.last_tick()?,
                club: store.club_counts()?,
                hits: store.limit_hits()?,
                last_backup,
                last_replicated,
            })
        };
        read().ok()
    }

    pub fn sizes(&self) -> Sizes {
        let size = |name: &str| std::fs::metadata(self.data.join(name)).map_or(0, |file| file.len());
        Sizes { database: size(DATABASE), log: size(&format!("{DATABASE}-wal")) }
    }

    fn lock(&self) -> MutexGuard<'_, HealthState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HealthState {
    fn look(&mut self, at: Instant) -> Result<(), String> {
        match self.store.try_writing() {
            Ok(()) => self.held_since = None,
            Err(why) if why.is_busy() => {
                let since = *self.held_since.get_or_insert(at);
                if at.saturating_duration_since(since) >= HELD_AT_MOST {
                    return Err("the database cannot be written: another program holds it".to_owned());
                }
            }
            Err(why) => return Err(format!("the database cannot be written: {why}")),
        }
        match self.store.mail_is_overdue(clock::now(), OVERDUE_SECONDS) {
            Ok(false) => Ok(()),
            Ok(true) => Err("a mail has waited for an hour and nobody has tried to send it".to_owned()),
            Err(why) => Err(why.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_others_hold_is_well_for_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turnpost.db");
        let mut store = Store::make(&path).unwrap();
        store.set_patience(Duration::ZERO).unwrap();
        let mut state = HealthState { store, last: None, held_since: None };
        let thief = rusqlite::Connection::open(&path).unwrap();
        let begun = Instant::now();
        let look = |state: &mut HealthState, seconds: u64| state.look(begun + Duration::from_secs(seconds));
        assert_eq!(look(&mut state, 0), Ok(()));
        thief.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert_eq!(look(&mut state, 10), Ok(()));
        assert_eq!(look(&mut state, 69), Ok(()));
        assert!(look(&mut state, 70).unwrap_err().contains("another program holds it"));
        thief.execute_batch("COMMIT").unwrap();
        assert_eq!(look(&mut state, 80), Ok(()));
        thief.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert_eq!(look(&mut state, 90), Ok(()));
    }
}
