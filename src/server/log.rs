//! What the server says of its work: to standard error, where systemd and every other keeper of logs find it.
//!
//! A line names connections, letters by their Message-ID, and mails by their number in the outbox. Nothing of a letter
//! but its Message-ID is ever part of one: a Subject may hold a password, and a recipient's address a token.

use tracing::error;

use crate::config::serve::LogStyle;

/// Begins the log. Only the first call in a process counts.
pub(super) fn begin(style: LogStyle) {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    // A log that somebody has begun already is as good.
    let _ = match style {
        LogStyle::Text => tracing::subscriber::set_global_default(log.with_ansi(false).finish()),
        LogStyle::Json => tracing::subscriber::set_global_default(log.json().flatten_event(true).finish()),
    };
    // The usual message of a panic may quote what the program was busy with.
    std::panic::set_hook(Box::new(|panic| match panic.location() {
        Some(place) => error!("the program panicked in {}, line {}", place.file(), place.line()),
        None => error!("the program panicked"),
    }));
}
