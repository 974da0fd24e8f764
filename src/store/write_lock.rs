//! A lock for the writers among the threads of one process.
//!
//! SQLite lets one connection write and makes the others sleep and ask again, for up to a tenth of a second,
//! in no order. This lock is fair and wakes the next writer at once.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
    /// The turns of those who waited too long and left.
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
