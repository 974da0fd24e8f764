//! Counts what is done with a letter, in bytes and lines looked at.
//!
//! Whoever writes a letter decides how long it is, and must not decide how often each part of it is looked at. Every
//! loop over a stranger's words counts here, so a test can say that the work doubles at most when the mail doubles.
//! A number that depends on no machine says it better than a time.

use std::cell::Cell;

thread_local! {
    static UNITS: Cell<u64> = const { Cell::new(0) };
}

/// Counts bytes or lines that are looked at.
pub(crate) fn count(units: usize) {
    UNITS.with(|counted| counted.set(counted.get().saturating_add(units as u64)));
}

/// The work of this thread since the last call.
pub fn take() -> u64 {
    UNITS.with(Cell::take)
}
