//! The process of an engine: lines in, lines out, with limits on both.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use super::Fault;

/// Octets of a line; the longest are lines of play of hundreds of plies.
const LINE: u64 = 1 << 16;

/// Lines of an answer. A search that reports each of its steps writes some hundreds.
const LINES: usize = 20_000;

/// Lines read ahead. If nothing takes them, the engine waits.
const AHEAD: usize = 64;

#[derive(Debug)]
pub(super) struct EngineProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Result<String, Fault>>,
}

impl EngineProcess {
    pub(super) fn start(mut command: Command) -> Result<EngineProcess, Fault> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|why| Fault::Absent(why.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::Died);
        };
        let (sender, lines) = sync_channel(AHEAD);
        thread::spawn(move || read_lines(BufReader::new(output), &sender));
        Ok(EngineProcess { child, input, lines })
    }

    /// Writes a line. The longest game is shorter than a pipe's buffer, and callers await the answer to each line that
    /// has one, so an engine that does not read cannot block this.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.input.write_all(format!("{line}\n").as_bytes()).map_err(|_| Fault::Died)
    }

    /// Reads lines until `found` takes one.
    pub(super) fn hear<T>(
        &mut self,
        deadline: Instant,
        mut found: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        for _ in 0..LINES {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    if let Some(heard) = found(line?.trim_end()) {
                        return Ok(heard);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Hung),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Died),
            }
        }
        Err(Fault::Flooded)
    }

    pub(super) fn kill(&mut self) {
        // If it has ended already, there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends lines until the output ends, a line is too long, or the receiver is gone.
fn read_lines(mut output: BufReader<ChildStdout>, lines: &SyncSender<Result<String, Fault>>) {
    loop {
        let mut line = Vec::new();
        let is_over = match output.by_ref().take(LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(read) => read as u64 == LINE,
        };
        // Parts of it can be shown to the operator.
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let text = || String::from_utf8_lossy(&line).chars().map(plain).collect();
        let line = if is_over { Err(Fault::Flooded) } else { Ok(text()) };
        if lines.send(line).is_err() || is_over {
            return;
        }
    }
}
