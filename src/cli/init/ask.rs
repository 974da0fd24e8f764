//! Questions on the terminal.

use std::io::{BufRead, Write};

use crate::error::HostError;

/// A question is put so often; whoever answers then means something else.
const TRIES: usize = 3;

pub(super) struct Asker {
    /// Takes the defaults in place of answers.
    takes_defaults: bool,
}

impl Asker {
    pub fn new(takes_defaults: bool) -> Asker {
        Asker { takes_defaults }
    }

    /// Puts a question until the answer can be read. An empty answer is the default.
    pub fn ask<T>(
        &mut self,
        question: &str,
        default: Option<&str>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, HostError> {
        let unanswered = || {
            HostError::Asked(format!("{question}: say so by an option; `turnpost init --help` names them"))
        };
        if self.takes_defaults {
            return default.and_then(|default| read(default).ok()).ok_or_else(unanswered);
        }
        for _ in 0..TRIES {
            let shown = default.map(|default| format!(" [{default}]")).unwrap_or_default();
            // On standard error: standard output holds lines for files.
            let mut terminal = std::io::stderr();
            let _ = write!(terminal, "{question}{shown}: ").and_then(|()| terminal.flush());
            let mut answer = String::new();
            let got = std::io::stdin().lock().read_line(&mut answer);
            if got.map_err(|why| HostError::Io("standard input".into(), why))? == 0 {
                return Err(unanswered());
            }
            let answer = Some(answer.trim()).filter(|answer| !answer.is_empty()).or(default);
            match answer.map(&read) {
                Some(Ok(value)) => return Ok(value),
                Some(Err(why)) => {
                    let _ = writeln!(terminal, "{why}");
                }
                None => {}
            }
        }
        Err(unanswered())
    }
}
