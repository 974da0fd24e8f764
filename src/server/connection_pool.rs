//! Open databases for looking, lent to whoever prepares a letter.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::service::Error;
use crate::store::Store;

/// A pool of open databases. They cost memory, so that there is not one a connection.
pub(super) struct ConnectionPool {
    stores: Mutex<Vec<Store>>,
    returned: Condvar,
}

impl ConnectionPool {
    pub fn new(stores: Vec<Store>) -> ConnectionPool {
        ConnectionPool { stores: Mutex::new(stores), returned: Condvar::new() }
    }

    /// Waits for a database and looks into it. A panic of `work` is a failure, and the database goes back all the same.
    pub fn read<T>(&self, work: impl FnOnce(&Store) -> Result<T, Error>) -> Result<T, Error> {
        let mut stores = self.lock();
        let store = loop {
            match stores.pop() {
                Some(store) => break store,
                None => stores = self.returned.wait(stores).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(stores);
        // Looking leaves nothing half done.
        let done = catch_unwind(AssertUnwindSafe(|| work(&store)));
        self.lock().push(store);
        self.returned.notify_one();
        done.unwrap_or(Err(Error::Panicked))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Store>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
