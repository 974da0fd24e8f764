//! Progress of a long task, on standard error.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The pause between two lines.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) struct Progress {
    /// The text before and after each line; `None`: nothing is shown.
    ends: Option<[&'static str; 2]>,
    shown: Mutex<Instant>,
}

impl Progress {
    /// On a terminal one line that is overwritten; elsewhere nothing.
    pub fn on_a_terminal() -> Progress {
        Progress::new(std::io::stderr().is_terminal().then_some(["\r", " "]))
    }

    /// On a terminal one line that is overwritten; elsewhere one line after another.
    pub fn everywhere() -> Progress {
        let to_a_terminal = std::io::stderr().is_terminal();
        Progress::new(Some(if to_a_terminal { ["\r", " "] } else { ["", "\n"] }))
    }

    fn new(ends: Option<[&'static str; 2]>) -> Progress {
        Progress { ends, shown: Mutex::new(Instant::now()) }
    }

    /// Shows a line, unless the last one was shown just now.
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
