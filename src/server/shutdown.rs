//! When to stop, and naps that end when there is something to do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Shared by all threads of a server.
#[derive(Debug, Default)]
pub(super) struct Shutdown {
    state: Mutex<State>,
    changed: Condvar,
    /// What long thoughts look at.
    flag: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    /// Metrics the calls for the outbox worker and the robot.
    calls: u64,
}

impl Shutdown {
    /// Asks everybody to stop.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Is set when everybody is asked to stop.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// Tells the outbox worker and the robot that there is something new.
    pub fn call(&self) {
        self.lock().calls += 1;
        self.changed.notify_all();
    }

    /// How often the worker was called so far.
    pub fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// Rests for `at_most`, or until asked to stop.
    pub fn nap(&self, at_most: Duration) {
        self.nap_while(at_most, |_| true);
    }

    /// Rests for `at_most`, or until asked to stop, or called more often than `seen`.
    pub fn nap_unless_called(&self, at_most: Duration, seen: u64) {
        self.nap_while(at_most, |state| state.calls == seen);
    }

    fn nap_while(&self, at_most: Duration, more: impl Fn(&State) -> bool) {
        let asleep = |state: &mut State| !state.stopped && more(state);
        // How it ended does not matter: whoever rested looks around now.
        drop(self.changed.wait_timeout_while(self.lock(), at_most, asleep));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
