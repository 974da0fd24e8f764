//! The host's sendmail program.
//!
//! lettre's transport is not enough: it drops the null sender, has no time limit and hides the exit code.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::{OutEnvelope, SendError, Transport};
use crate::mail::clean;

/// Runs a program that takes `-i -f FROM -- TO` and a mail on standard input.
#[derive(Debug, Clone)]
pub struct Sendmail {
    program: PathBuf,
    limit: Duration,
}

impl Sendmail {
    /// `program` is a full path, because a mail server's PATH can lack `/usr/sbin`. It is killed after `limit`.
    pub fn new(program: impl Into<PathBuf>, limit: Duration) -> Self {
        Sendmail { program: program.into(), limit }
    }

    fn start(&self, from: &str, to: &str) -> Result<Child, SendError> {
        // `-i`: a lone dot does not end the mail. `--`: no recipient is taken for an option.
        Command::new(&self.program)
            .args(["-i", "-f", from, "--", to])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| SendError::Down(format!("cannot start {}: {error}", self.program.display())))
    }
}

impl Transport for Sendmail {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError> {
        let to = clean::address(&envelope.to)
            .ok_or_else(|| SendError::Permanent("not a mail address".to_owned()))?;
        let from = match envelope.from.as_deref() {
            None => String::new(),
            Some(from) => clean::address(from).ok_or_else(|| temporary("our return path is no address"))?,
        };
        let deadline = Instant::now() + self.limit;
        let mut child = self.start(&from, &to)?;
        let fed = feed(&mut child, mail);
        let Some(status) = wait(&mut child, deadline) else {
            // The program can have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            return Err(temporary("the sendmail program took too long"));
        };
        // A grandchild can still hold the pipe, so the wait is limited.
        let fed = fed.recv_timeout(deadline.saturating_duration_since(Instant::now())).unwrap_or(false);
        verdict(status, fed)
    }
}

fn temporary(text: impl Into<String>) -> SendError {
    SendError::Temporary(text.into())
}

/// Writes the mail from a thread, so that a program that does not read cannot block the server. Sends true if all of it
/// was written.
fn feed(child: &mut Child, mail: &[u8]) -> mpsc::Receiver<bool> {
    let (done, fed) = mpsc::channel();
    if let Some(mut input) = child.stdin.take() {
        // Local programs expect LF; outgoing mails have no CR elsewhere.
        let mut mail = mail.to_vec();
        mail.retain(|octet| *octet != b'\r');
        thread::spawn(move || {
            let taken = input.write_all(&mail).and_then(|()| input.flush()).is_ok();
            drop(input);
            // After the time limit the receiver is gone.
            let _ = done.send(taken);
        });
    }
    fed
}

fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= deadline {
            return None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Judges the exit code by sysexits(3). Only errors about this mail or its recipient are permanent. A missing program
/// or a broken configuration is repaired later, and then the mail goes out.
fn verdict(status: ExitStatus, fed: bool) -> Result<(), SendError> {
    let name = |code: i32| match code {
        64 => " (usage)",
        65 => " (bad data)",
        67 => " (no such user)",
        68 => " (no such host)",
        69 => " (service unavailable)",
        75 => " (try again)",
        77 => " (not permitted)",
        78 => " (configuration)",
        _ => "",
    };
    match status.code() {
        Some(0) if fed => Ok(()),
        Some(0) => Err(temporary("the sendmail program did not read the mail")),
        Some(code @ (64 | 65 | 67 | 68)) => {
            Err(SendError::Permanent(format!("the sendmail program ended with {code}{}", name(code))))
        }
        Some(code) => Err(temporary(format!("the sendmail program ended with {code}{}", name(code)))),
        None => Err(temporary("the sendmail program was stopped by a signal")),
    }
}
