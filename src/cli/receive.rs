//! `turnpost receive`: a mail from a mail server's pipe.
//!
//! Only two exit codes mean the same to every mail server: 0, the mail is taken; and 75, "try again later". Any other
//! sends the player's mail back. A player's mistake exits 0, since the answer explains it. An
//! error of the server exits 75. It prints nothing, because mail servers send the output to the player.

use std::io::{Read, Write};
use std::os::unix::net::UnixDatagram;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{DataPath, Instance};
use crate::config::Config;
use crate::delivery::Delivered;
use crate::error::{EX_TEMPFAIL, HostError};
use crate::mail::incoming::{Envelope, EnvelopeSender, MAX_MESSAGE};
use crate::pipeline::{self, Handled};
use crate::{clock, data_dir};

/// `receive` ends before the mail server's own time limit, after which the mail would be sent back.
const TIME_LIMIT: Duration = Duration::from_secs(60);

#[derive(clap::Args)]
pub(super) struct ReceiveArgs {
    /// The address the mail was sent to, from the envelope
    #[arg(long, value_name = "ADDRESS", allow_hyphen_values = true)]
    recipient: Option<String>,
    /// The sender in the envelope; empty for bounces
    #[arg(long, value_name = "ADDRESS", allow_hyphen_values = true)]
    sender: Option<String>,
}

/// The outcome of a message, for the log.
enum LogOutcome {
    Acted,
    CameBefore,
    Ignored(String),
    TurnedAway(String),
}

pub(super) fn is_asked() -> bool {
    std::env::args_os().any(|arg| arg == "receive")
}

pub(super) fn run(place: &DataPath, args: &ReceiveArgs) -> ExitCode {
    // A panic prints to standard error, which mail servers pass on to the sender.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(|| {
        std::thread::sleep(TIME_LIMIT);
        std::process::exit(i32::from(EX_TEMPFAIL));
    });
    let given = Envelope {
        sender: args.sender.as_deref().map(EnvelopeSender::read),
        recipient: args.recipient.clone(),
    };
    let envelope = given.or(Envelope::from_variables(|name| std::env::var(name).ok()));
    // Before the settings, which another user may not be able to read.
    let config = guarded(|| data_dir::refuse_others(&place.data).and_then(|()| place.settings()));
    let syslog = config.as_ref().map_or_else(|_| Config::default().syslog, |config| config.syslog.clone());
    let log = Log::new(&place.data, syslog);
    let mut input = std::io::stdin().lock();
    let received = config.and_then(|config| guarded(|| receive(&log, config, &envelope, &mut input)));
    match received {
        Ok(LogOutcome::Acted | LogOutcome::CameBefore) => ExitCode::SUCCESS,
        Ok(LogOutcome::Ignored(why)) => {
            log.say(Severity::Info, &format!("mail set aside: {why}"));
            ExitCode::SUCCESS
        }
        Ok(LogOutcome::TurnedAway(why)) => {
            log.say(Severity::Info, &format!("mail not read: {why}"));
            ExitCode::SUCCESS
        }
        Err(why) => {
            // A mail server may take a pipe that closes early for a failure, so the rest is read.
            let _ = std::io::copy(&mut input, &mut std::io::sink());
            log.say(Severity::Error, &format!("mail left with the mail server: {why}"));
            ExitCode::from(EX_TEMPFAIL)
        }
    }
}

/// Runs `work`, which must not end the process by a panic.
fn guarded<T>(work: impl FnOnce() -> Result<T, HostError>) -> Result<T, String> {
    // The values that `work` used are dropped with it.
    match std::panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|why| why.to_string()),
        Err(_) => Err("the program panicked".to_owned()),
    }
}

fn receive(
    log: &Log,
    config: Config,
    envelope: &Envelope,
    mut input: impl Read,
) -> Result<LogOutcome, HostError> {
    let bytes = read_all(&mut input).map_err(|why| HostError::Io("standard input".into(), why))?;
    let mut instance = Instance::open(log.data(), config)?;
    if let Some(warning) = data_dir::open_to_others(log.data()) {
        log.say_once(Severity::Warning, &warning);
    }
    let Instance { store, app, .. } = &mut instance;
    let received = pipeline::receive(store, app, &bytes, envelope, clock::now(), &mut clock::rng()?)?;
    for fault in app.templates.faults() {
        log.say_once(Severity::Warning, &fault.to_string());
    }
    let mut turned_away = None;
    let handled = match received {
        pipeline::Received::Ignored(why, None) => return Ok(LogOutcome::Ignored(why.to_string())),
        pipeline::Received::Ignored(why, Some(counted)) => {
            return Ok(LogOutcome::Ignored(format!("{why} ({counted})")));
        }
        pipeline::Received::Handled(handled) => handled,
        pipeline::Received::TurnedAway(why, handled) => {
            turned_away = Some(why.to_string());
            handled
        }
    };
    if let Handled::Acted { aside: aside @ 1.., .. } = handled {
        let said = format!("{aside} mails could not be written: see `turnpost admin outbox`");
        log.say(Severity::Warning, &said);
    }
    if instance.config.mail.after_receive {
        // The letter is committed. If sending fails, the next try sends the mail.
        if let Ok(Delivered { failed: failed @ 1.., .. }) = instance.deliver() {
            let said = format!("{failed} mails cannot be sent: see `turnpost admin outbox`");
            log.say(Severity::Warning, &said);
        }
    }
    instance.store.close_quickly();
    if let Some(why) = turned_away {
        return Ok(LogOutcome::TurnedAway(why));
    }
    Ok(match handled {
        Handled::Acted { .. } => LogOutcome::Acted,
        Handled::Again | Handled::Counted(_) | Handled::SetAside => LogOutcome::CameBefore,
    })
}

/// Reads one octet more than the longest message at most, and skips the rest. A mail server can take a closed pipe for a
/// failure.
fn read_all(input: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_MESSAGE as u64 + 1).read_to_end(&mut bytes)?;
    std::io::copy(input, &mut std::io::sink())?;
    Ok(bytes)
}

/// "Mail system" (RFC 3164 4.1.1).
const FACILITY: u8 = 2;

/// RFC 3164 4.1: a line has at most 1024 octets, with priority, time and tag.
const LENGTH: usize = 960;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    /// The mail stays with the mail server.
    Error,
    /// Something for the host to mend.
    Warning,
    /// The outcome of a mail.
    Info,
}

impl Severity {
    fn code(self) -> u8 {
        match self {
            Severity::Error => 3,
            Severity::Warning => 4,
            Severity::Info => 6,
        }
    }
}

pub(super) struct Log {
    data: PathBuf,
    /// The socket of the system's log; empty: none.
    syslog: String,
}

impl Log {
    pub fn new(data: &Path, syslog: String) -> Log {
        Log { data: data.to_owned(), syslog }
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Writes a line. A line that cannot be written is lost.
    pub fn say(&self, severity: Severity, what: &str) {
        let line: String = what.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let now = clock::now();
        if let Ok(mut file) = data_dir::log(&self.data) {
            let _ = writeln!(file, "{now} {line}");
        }
        if !self.syslog.is_empty() {
            let _ = send(&self.syslog, &datagram(severity, now, &line));
        }
    }

    /// Writes a line unless the log has it: each letter has a process, and one warning is enough.
    pub fn say_once(&self, severity: Severity, what: &str) {
        if !data_dir::is_logged(&self.data, what) {
            self.say(severity, what);
        }
    }
}

/// A line in the form for the log of the same machine (RFC 3164 4.1): without the host name.
fn datagram(severity: Severity, now: Timestamp, line: &str) -> String {
    let mut end = line.len().min(LENGTH);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let (text, _) = line.split_at(end);
    let priority = FACILITY * 8 + severity.code();
    let at = now.to_zoned(TimeZone::system()).strftime("%b %e %H:%M:%S").to_string();
    format!("<{priority}>{at} turnpost[{}]: {text}", std::process::id())
}

/// A log that is too busy to listen does not hold up the mail.
fn send(socket: &str, datagram: &str) -> std::io::Result<()> {
    let sender = UnixDatagram::unbound()?;
    sender.set_nonblocking(true)?;
    sender.send_to(datagram.as_bytes(), socket).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_priority_time_and_tag_and_fits_a_datagram() {
        let now: Timestamp = "2026-11-05T08:09:10Z".parse().unwrap();
        let sent = datagram(Severity::Error, now, "mail left with the mail server: locked");
        assert!(sent.starts_with("<19>Nov  5 "), "{sent}");
        assert!(sent.ends_with(&format!(
            " turnpost[{}]: mail left with the mail server: locked",
            std::process::id()
        )));
        let long = datagram(Severity::Info, now, &"é".repeat(2000));
        assert!(long.len() <= 1024 && long.starts_with("<22>") && long.ends_with('é'), "{}", long.len());
    }
}
