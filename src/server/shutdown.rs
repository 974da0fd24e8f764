//! The shutdown request, and waiting that ends when there is work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// How long mails in transit may take after a shutdown request. With all later steps, the server ends within twenty
/// seconds.
pub(super) const LAST_WORDS: Duration = Duration::from_secs(8);

/// Shared by all threads of a server.
#[derive(Debug, Default)]
pub(super) struct Shutdown {
    state: Mutex<ShutdownState>,
    changed: Condvar,
    /// Read by long searches.
    flag: AtomicBool,
    /// Waited for by connections.
    told: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct ShutdownState {
    requested: Option<Instant>,
    /// Counts the calls of [`Shutdown::wake`].
    wakes: u64,
}

impl Shutdown {
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.lock().requested.get_or_insert_with(Instant::now);
        self.changed.notify_all();
        self.told.send_replace(true);
    }

    pub fn is_requested(&self) -> bool {
        self.lock().requested.is_some()
    }

    /// True when shutdown was requested at least this long ago.
    pub fn is_requested_for(&self, time: Duration) -> bool {
        self.lock().requested.is_some_and(|at| at.elapsed() >= time)
    }

    /// Ends when shutdown is requested.
    pub async fn requested(&self) {
        // Cannot fail: `self` owns the sender.
        let _ = self.told.subscribe().wait_for(|told| *told).await;
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
        let waits = |state: &mut ShutdownState| state.requested.is_none() && more(state);
        // Callers check the state themselves, so the result is not needed.
        drop(self.changed.wait_timeout_while(self.lock(), at_most, waits));
    }

    fn lock(&self) -> MutexGuard<'_, ShutdownState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
