//! Counts since the start, for `/metrics`.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::store::{LimitHits, OutboxCounts};

/// A number that many threads increase.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub fn one(&self) {
        self.add(1);
    }

    pub fn less(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Default)]
pub(super) struct Metrics {
    /// LMTP connections open now.
    pub open: Counter,
    /// All LMTP connections so far.
    pub connections: Counter,
    pub acted: Counter,
    /// Letters that came before.
    pub again: Counter,
    pub ignored: Counter,
    /// Letters left with the mail server.
    pub later: Counter,
    /// Microseconds from a letter's last byte to its answer, summed.
    pub microseconds: Counter,
    /// Transactions of letters.
    pub commits: Counter,
    pub sent: Counter,
    /// Failed attempts that are repeated.
    pub put_off: Counter,
    /// Mails given up.
    pub failed: Counter,
    /// Microseconds from a mail's lease to its end, summed.
    pub sending: Counter,
    /// Runs of the clocks.
    pub ticks: Counter,
}

impl Metrics {
    pub fn took(count: &Counter, time: Duration) {
        count.add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// The counts in the text format of Prometheus, with those of the outbox and the limits that were hit.
    pub fn page(&self, outbox: Option<OutboxCounts>, hits: &[LimitHits]) -> String {
        let mut page = Page(String::new());
        page.counter(
            "turnpost_letters_total",
            "Mails taken in over LMTP, by what became of them.",
            &[
                ("{outcome=\"acted\"}", &self.acted),
                ("{outcome=\"again\"}", &self.again),
                ("{outcome=\"aside\"}", &self.ignored),
                ("{outcome=\"later\"}", &self.later),
            ],
        );
        page.seconds(
            "turnpost_letter_seconds_total",
            "Time from the end of a mail to its answer.",
            &self.microseconds,
        );
        page.counter(
            "turnpost_commits_total",
            "Transactions that these letters took.",
            &[("", &self.commits)],
        );
        page.counter("turnpost_connections_total", "LMTP connections.", &[("", &self.connections)]);
        page.gauge("turnpost_connections", "LMTP connections open now.", self.open.get());
        page.counter(
            "turnpost_mails_total",
            "Mails handed on, by what came of it.",
            &[
                ("{outcome=\"sent\"}", &self.sent),
                ("{outcome=\"later\"}", &self.put_off),
                ("{outcome=\"failed\"}", &self.failed),
            ],
        );
        page.seconds("turnpost_mail_seconds_total", "Time spent on handing mails on.", &self.sending);
        if let Some(OutboxCounts { waiting, aside }) = outbox {
            page.gauge("turnpost_outbox_waiting", "Mails that wait to be sent.", waiting.into());
            page.gauge("turnpost_outbox_aside", "Mails that could not be written.", aside.into());
        }
        page.head("turnpost_limit_hits_total", "What limits have stopped, by limit.", "counter");
        for hit in hits {
            let limit = hit.what.replace(' ', "_");
            let _ = writeln!(page.0, "turnpost_limit_hits_total{{limit=\"{limit}\"}} {}", hit.hits);
        }
        page.counter("turnpost_ticks_total", "Runs of the clocks.", &[("", &self.ticks)]);
        page.0
    }
}

struct Page(String);

impl Page {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn counter(&mut self, name: &str, help: &str, counts: &[(&str, &Counter)]) {
        self.head(name, help, "counter");
        for (labels, count) in counts {
            let _ = writeln!(self.0, "{name}{labels} {}", count.get());
        }
    }

    fn seconds(&mut self, name: &str, help: &str, microseconds: &Counter) {
        self.head(name, help, "counter");
        let seconds = Duration::from_micros(microseconds.get()).as_secs_f64();
        let _ = writeln!(self.0, "{name} {seconds}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "gauge");
        let _ = writeln!(self.0, "{name} {value}");
    }
}
