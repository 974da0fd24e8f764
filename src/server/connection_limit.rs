//! A limit on how many do something at once; the others wait.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A number of permits.
#[derive(Debug)]
pub(super) struct ConnectionLimit {
    free: Mutex<u32>,
    left: Condvar,
}

/// A permit; dropping it frees the place.
#[derive(Debug)]
pub(super) struct Permit<'a>(&'a ConnectionLimit);

impl ConnectionLimit {
    pub fn new(count: u32) -> ConnectionLimit {
        ConnectionLimit { free: Mutex::new(count), left: Condvar::new() }
    }

    /// Waits for a permit, at most `at_most`.
    pub fn take(&self, at_most: Duration) -> Option<Permit<'_>> {
        let waited = self.left.wait_timeout_while(self.lock(), at_most, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *free == 0 {
            return None;
        }
        *free -= 1;
        Some(Permit(self))
    }

    fn lock(&self) -> MutexGuard<'_, u32> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.lock() += 1;
        self.0.left.notify_one();
    }
}
