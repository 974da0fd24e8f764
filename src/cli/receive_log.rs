//! Where `receive` reports: a file in the data directory, and the system's log. It may not print, since mail servers send
//! that to the player.

use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::{clock, data_dir};

/// "Mail system" (RFC 3164 4.1.1).
const FACILITY: u8 = 2;

/// RFC 3164 4.1: a line of at most 1024 octets, what stands before the text included.
const LENGTH: usize = 960;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    /// The mail stays with the mail server.
    Error,
    /// Something for the host to mend.
    Warning,
    /// What became of a mail.
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

    /// The data directory.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Writes a line. What cannot be written is lost: there is nobody left to tell.
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

    /// Writes a line unless it stands there already: every letter has a process, and one line is enough.
    pub fn say_once(&self, severity: Severity, what: &str) {
        if !data_dir::is_logged(&self.data, what) {
            self.say(severity, what);
        }
    }
}

/// As programs write to the log of their own machine (RFC 3164 4.1), without its name.
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
