//! So many at once, and the others wait.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A number of berths.
#[derive(Debug)]
pub(super) struct Berths {
    free: Mutex<u32>,
    left: Condvar,
}

/// A berth; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Berth<'a>(&'a Berths);

impl Berths {
    pub fn new(count: u32) -> Berths {
        Berths { free: Mutex::new(count), left: Condvar::new() }
    }

    /// Waits for a berth, no longer than `at_most`.
    pub fn take(&self, at_most: Duration) -> Option<Berth<'_>> {
        let waited = self.left.wait_timeout_while(self.lock(), at_most, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *free == 0 {
            return None;
        }
        *free -= 1;
        Some(Berth(self))
    }

    fn lock(&self) -> MutexGuard<'_, u32> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Berth<'_> {
    fn drop(&mut self) {
        *self.0.lock() += 1;
        self.0.left.notify_one();
    }
}
