//! Resources that connections share: a pool of open databases, and a limit on simultaneous work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::failure::Error;
use crate::store::Store;

/// A pool of open databases. Each costs memory, so connections share them.
pub(super) struct ConnectionPool {
    stores: Mutex<Vec<Store>>,
    returned: Condvar,
}

impl ConnectionPool {
    pub fn new(stores: Vec<Store>) -> ConnectionPool {
        ConnectionPool { stores: Mutex::new(stores), returned: Condvar::new() }
    }

    /// Waits for a database and passes it to `work`. A panic of `work` becomes an error; the database returns to the
    /// pool.
    pub fn read<T>(&self, work: impl FnOnce(&Store) -> Result<T, Error>) -> Result<T, Error> {
        let mut stores = self.lock();
        let store = loop {
            match stores.pop() {
                Some(store) => break store,
                None => stores = self.returned.wait(stores).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(stores);
        // Reading leaves nothing half done, so the database is sound after a panic.
        let done = catch_unwind(AssertUnwindSafe(|| work(&store)));
        self.lock().push(store);
        self.returned.notify_one();
        done.unwrap_or(Err(Error::Panicked))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Store>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A counting semaphore.
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
