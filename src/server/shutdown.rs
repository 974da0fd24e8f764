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
    requested: bool,
    /// Metrics the calls for the outbox worker and the robot.
    wakes: u64,
}

impl Shutdown {
    /// Asks everybody to stop.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.lock().requested = true;
        self.changed.notify_all();
    }

    pub fn is_requested(&self) -> bool {
        self.lock().requested
    }

    /// Is set when everybody is asked to stop.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// Tells the outbox worker and the robot that there is something new.
    pub fn wake(&self) {
        self.lock().wakes += 1;
        self.changed.notify_all();
    }

    /// How often the worker was called so far.
    pub fn wakes(&self) -> u64 {
        self.lock().wakes
    }

    /// Rests for `at_most`, or until asked to stop.
    pub fn wait(&self, at_most: Duration) {
        self.wait_while(at_most, |_| true);
    }

    /// Rests for `at_most`, or until asked to stop, or called more often than `seen`.
    pub fn wait_unless_woken(&self, at_most: Duration, seen: u64) {
        self.wait_while(at_most, |state| state.wakes == seen);
    }

    fn wait_while(&self, at_most: Duration, more: impl Fn(&State) -> bool) {
        let waits = |state: &mut State| !state.requested && more(state);
        // How it ended does not matter: whoever rested looks around now.
        drop(self.changed.wait_timeout_while(self.lock(), at_most, waits));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
