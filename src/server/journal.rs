//! Log lines for journald. Each line begins with its level, and the journal adds the time (sd-daemon(3)).

use std::fmt;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// True if journald reads standard error. JOURNAL_STREAM names the stream, and programs that write elsewhere inherit it.
pub(super) fn is_read() -> bool {
    let Ok(stream) = rustix::fs::fstat(std::io::stderr()) else { return false };
    let name = format!("{}:{}", stream.st_dev, stream.st_ino);
    std::env::var("JOURNAL_STREAM").is_ok_and(|named| named == name)
}

/// A text for standard error, with its level before each line if journald reads it.
pub(crate) fn text(level: Level, text: &str) -> String {
    if is_read() { leveled(level, text) } else { format!("{text}\n") }
}

fn leveled(level: Level, text: &str) -> String {
    let number = match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        _ => 7,
    };
    text.lines().map(|line| format!("<{number}>{line}\n")).collect()
}

/// Wraps a log format and puts the level before each line.
pub(super) struct Journal<F>(pub F);

impl<S, N, F> FormatEvent<S, N> for Journal<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        ctx: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut text = String::new();
        self.0.format_event(ctx, Writer::new(&mut text), event)?;
        writer.write_str(&leveled(*event.metadata().level(), &text))
    }
}
