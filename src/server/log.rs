//! The log of `serve`, on standard error.
//!
//! A line names connections, letters by Message-ID, and mails by their number in the outbox. It never quotes
//! a letter: a Subject may hold a password, and an address may hold a token.

use tracing::error;

use crate::config::serve::LogStyle;

/// Starts the log. Only the first call in a process counts.
pub(super) fn begin(style: LogStyle) {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    // A log that is already installed stays.
    let _ = match style {
        LogStyle::Text => tracing::subscriber::set_global_default(log.with_ansi(false).finish()),
        LogStyle::Json => tracing::subscriber::set_global_default(log.json().flatten_event(true).finish()),
    };
    // The usual panic message may quote a letter.
    std::panic::set_hook(Box::new(|panic| match panic.location() {
        Some(place) => error!("the program panicked in {}, line {}", place.file(), place.line()),
        None => error!("the program panicked"),
    }));
}
