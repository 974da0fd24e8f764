//! The shutdown request, and waiting that ends when there is work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Shared by all threads of a server.
#[derive(Debug, Default)]
pub(super) struct Shutdown {
    state: Mutex<ShutdownState>,
    changed: Condvar,
    /// Read by long searches.
    flag: AtomicBool,
}

#[derive(Debug, Default)]
struct ShutdownState {
    requested: bool,
    /// Counts the calls of [`Shutdown::wake`].
    wakes: u64,
}

impl Shutdown {
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.lock().requested = true;
        self.changed.notify_all();
    }

    pub fn is_requested(&self) -> bool {
        self.lock().requested
    }

    /// Ends when shutdown is requested.
    pub async fn requested(&self) {
        while !self.is_requested() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Set when shutdown is requested.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// Tells the mailer and the robot that there is new work.
    pub fn wake(&self) {
        self.lock().wakes += 1;
        self.changed.notify_all();
    }

    /// How often [`Shutdown::wake`] was called.
    pub fn wakes(&self) -> u64 {
        self.lock().wakes
    }

    /// Waits for `at_most`, or until shutdown.
    pub fn wait(&self, at_most: Duration) {
        self.wait_while(at_most, |_| true);
    }

    /// Waits for `at_most`, or until shutdown, or until there are more wakes than `seen`.
    pub fn wait_unless_woken(&self, at_most: Duration, seen: u64) {
        self.wait_while(at_most, |state| state.wakes == seen);
    }

    fn wait_while(&self, at_most: Duration, more: impl Fn(&ShutdownState) -> bool) {
        let waits = |state: &mut ShutdownState| !state.requested && more(state);
        // The caller looks around in any case.
        drop(self.changed.wait_timeout_while(self.lock(), at_most, waits));
    }

    fn lock(&self) -> MutexGuard<'_, ShutdownState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
