//! How far a long task is, on standard error.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two of its lines.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) struct Progress {
    /// What a line begins and ends with; `None`: nothing is shown.
    ends: Option<[&'static str; 2]>,
    shown: Mutex<Instant>,
}

impl Progress {
    /// A line that is written over on a terminal, and nothing elsewhere.
    pub fn on_a_terminal() -> Progress {
        Progress::new(std::io::stderr().is_terminal().then_some(["\r", " "]))
    }

    /// The same on a terminal, and elsewhere one line below the other.
    pub fn everywhere() -> Progress {
        let to_a_terminal = std::io::stderr().is_terminal();
        Progress::new(Some(if to_a_terminal { ["\r", " "] } else { ["", "\n"] }))
    }

    fn new(ends: Option<[&'static str; 2]>) -> Progress {
        Progress { ends, shown: Mutex::new(Instant::now()) }
    }

    /// Shows a line, unless the last one is fresh.
    pub fn show(&self, line: impl FnOnce() -> String) {
        let Some([before, after]) = self.ends else { return };
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.elapsed() >= PAUSE {
            *shown = Instant::now();
            let _ = write!(std::io::stderr(), "{before}{}{after}", line());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.ends.is_some_and(|[before, _]| !before.is_empty()) {
            let _ = writeln!(std::io::stderr());
        }
    }
}
