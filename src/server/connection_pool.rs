//! Open databases for reading, lent to threads that prepare letters.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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

    /// Waits for a database and reads from it. A panic of `work` is an error; the database returns to the
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
