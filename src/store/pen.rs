//! Whose turn it is to write, among the threads of one process.
//!
//! SQLite lets one connection write at a time and makes the others sleep and ask again, for up to a tenth of a second
//! and in no order. Threads of one process wait for each other here instead: in order, and no longer than needed.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// One pen for all stores of a process that write to the same file.
#[derive(Debug, Default)]
pub struct Pen {
    turns: Mutex<Turns>,
    passed_on: Condvar,
}

#[derive(Debug, Default)]
struct Turns {
    given: u64,
    served: u64,
}

/// The pen in somebody's hand; it is passed on when this is dropped.
pub(super) struct InHand<'a>(&'a Pen);

impl Pen {
    /// Waits for the pen.
    pub(super) fn take(&self) -> InHand<'_> {
        let mut turns = self.lock();
        let mine = turns.given;
        turns.given += 1;
        while turns.served != mine {
            turns = self.passed_on.wait(turns).unwrap_or_else(PoisonError::into_inner);
        }
        InHand(self)
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        self.0.lock().served += 1;
        self.0.passed_on.notify_all();
    }
}
