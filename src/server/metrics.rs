//! Counts since the start, for `/metrics`.

use std::array;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rustix::process::{Resource, getrlimit};

use crate::mail::incoming::Ignored;
use crate::store::{LATEST, LimitHits, OutboxCounts};

/// The bounds of the histograms, in milliseconds: from a move on an idle machine to a mail server that hangs.
const BOUNDS: [u64; 14] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 60_000];

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

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A histogram of durations.
#[derive(Debug)]
pub(super) struct Histogram {
    /// Durations per bucket, which ends at its bound in [`BOUNDS`]. The last bucket has no bound.
    counts: [Counter; BOUNDS.len() + 1],
    microseconds: Counter,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: array::from_fn(|_| Counter::default()), microseconds: Counter::default() }
    }
}

impl Histogram {
    pub fn took(&self, time: Duration) {
        self.microseconds.add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        let at = BOUNDS.iter().position(|bound| time <= Duration::from_millis(*bound));
        if let Some(count) = self.counts.get(at.unwrap_or(BOUNDS.len())) {
            count.one();
        }
    }
}

/// Figures that `/metrics` takes from the database.
#[derive(Debug)]
pub(super) struct Stored {
    pub outbox: OutboxCounts,
    /// When the longest-waiting mail was written.
    pub oldest_waiting: Option<Timestamp>,
    /// When the clocks last ran, here or in another process.
    pub last_tick: Option<Timestamp>,
    /// Counts of players, boards, contests and robot tasks: (name, state, count).
    pub club: Vec<(String, String, u32)>,
    pub hits: Vec<LimitHits>,
    /// The times of the newest backup and of the last replicated transaction; `None` if unknown.
    pub last_backup: Option<Timestamp>,
    pub last_replicated: Option<Timestamp>,
}

/// Sizes of the database files, in bytes.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    pub database: u64,
    /// The write-ahead log.
    pub log: u64,
}

#[derive(Debug, Default)]
pub(super) struct Metrics {
    /// All LMTP connections so far, and those that have ended.
    pub connections: Counter,
    pub ended: Counter,
    pub acted: Counter,
    /// Letters that had been handled before.
    pub again: Counter,
    /// Mails set aside, by the reason.
    ignored: Mutex<BTreeMap<&'static str, u64>>,
    /// Letters left with the mail server.
    pub later: Counter,
    /// From a letter's last byte to its answer, which follows the commit.
    pub answering: Histogram,
    /// Transactions that handled letters.
    pub commits: Counter,
    pub sent: Counter,
    /// Failed attempts that are repeated.
    pub put_off: Counter,
    /// Mails given up.
    pub failed: Counter,
    /// The time to lease and send a mail.
    pub sending: Histogram,
    /// Runs of the clocks.
    pub ticks: Counter,
    /// Requests for pages, by the first digit of their status.
    requests: [Counter; 6],
}

impl Metrics {
    pub fn ignored(&self, why: &Ignored) {
        let mut ignored = self.ignored.lock().unwrap_or_else(PoisonError::into_inner);
        *ignored.entry(why.word()).or_default() += 1;
    }

    pub fn page_answered(&self, status: u16) {
        if let Some(count) = self.requests.get(usize::from(status / 100)) {
            count.one();
        }
    }

    /// The counts in the text format of Prometheus, with figures from the database if it can be read.
    pub fn page(&self, stored: Option<&Stored>, sizes: &Sizes, now: Timestamp) -> String {
        let ignored = self.ignored.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let aside = Counter::default();
        aside.add(ignored.values().sum());
        let mut page = MetricsPage(String::new());
        page.head(
            "turnpost_build_info",
            "The version that runs, its commit, and the version of its databases.",
            "gauge",
        );
        let (version, commit) =
            (env!("CARGO_PKG_VERSION"), option_env!("TURNPOST_COMMIT").unwrap_or_default());
        let labels = format!("{{version=\"{version}\",commit=\"{commit}\",database=\"{LATEST}\"}}");
        page.line("turnpost_build_info", &labels, 1);
        page.process();
        page.counter(
            "turnpost_letters_total",
            "Mails taken in over LMTP, by what became of them.",
            &[
                ("{outcome=\"acted\"}", &self.acted),
                ("{outcome=\"again\"}", &self.again),
                ("{outcome=\"aside\"}", &aside),
                ("{outcome=\"later\"}", &self.later),
            ],
        );
        page.head("turnpost_ignored_total", "Mails set aside, by the reason.", "counter");
        for (reason, count) in &ignored {
            page.line("turnpost_ignored_total", &format!("{{reason=\"{reason}\"}}"), *count);
        }
        page.histogram(
            "turnpost_letter_seconds",
            "Time from the end of a mail to its answer, which follows the commit.",
            &self.answering,
        );
        page.counter(
            "turnpost_commits_total",
            "Transactions that these letters took.",
            &[("", &self.commits)],
        );
        page.counter("turnpost_connections_total", "LMTP connections.", &[("", &self.connections)]);
        page.gauge(
            "turnpost_connections",
            "LMTP connections open now.",
            self.connections.get().saturating_sub(self.ended.get()),
        );
        page.counter(
            "turnpost_mails_total",
            "Mails handed on, by what came of it.",
            &[
                ("{outcome=\"sent\"}", &self.sent),
                ("{outcome=\"later\"}", &self.put_off),
                ("{outcome=\"failed\"}", &self.failed),
            ],
        );
        page.histogram("turnpost_mail_seconds", "Time spent on handing a mail on.", &self.sending);
        let [_, _, requests @ ..] = &self.requests;
        page.head("turnpost_web_requests_total", "Requests for pages, by status.", "counter");
        for (class, count) in (2..).zip(requests) {
            page.line("turnpost_web_requests_total", &format!("{{status=\"{class}xx\"}}"), count.get());
        }
        if let Some(stored) = stored {
            page.stored(stored, now);
        }
        page.head("turnpost_database_bytes", "The files of the database.", "gauge");
        page.line("turnpost_database_bytes", "{file=\"database\"}", sizes.database);
        page.line("turnpost_database_bytes", "{file=\"log\"}", sizes.log);
        page.counter("turnpost_ticks_total", "Runs of the clocks.", &[("", &self.ticks)]);
        page.0
    }
}

struct MetricsPage(String);

impl MetricsPage {
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

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, help, "histogram");
        let bounds = BOUNDS.iter().map(|bound| Duration::from_millis(*bound).as_secs_f64().to_string());
        let mut total = 0;
        for (count, bound) in histogram.counts.iter().zip(bounds.chain(["+Inf".to_owned()])) {
            total += count.get();
            self.line(&format!("{name}_bucket"), &format!("{{le=\"{bound}\"}}"), total);
        }
        let seconds = Duration::from_micros(histogram.microseconds.get()).as_secs_f64();
        let _ = writeln!(self.0, "{name}_sum {seconds}\n{name}_count {total}");
    }

    fn stored(&mut self, stored: &Stored, now: Timestamp) {
        let OutboxCounts { waiting, aside } = stored.outbox;
        self.gauge("turnpost_outbox_waiting", "Mails that wait to be sent.", waiting.into());
        self.gauge("turnpost_outbox_aside", "Mails that could not be written.", aside.into());
        let age = stored.oldest_waiting.map_or(0, |since| now.as_second() - since.as_second());
        self.gauge(
            "turnpost_outbox_oldest_seconds",
            "How long the oldest of the waiting mails has waited.",
            u64::try_from(age).unwrap_or(0),
        );
        for (last, name, help) in [
            (stored.last_tick, "turnpost_last_tick_timestamp_seconds", "When the clocks last ran."),
            (
                stored.last_backup,
                "turnpost_last_backup_timestamp_seconds",
                "When the newest copy was made by `admin backup`; 0: never.",
            ),
            (
                stored.last_replicated,
                "turnpost_last_replicated_timestamp_seconds",
                "When Litestream last read a transaction or, with `replica_folder`, replicated one; 0: never.",
            ),
        ] {
            if let Some(last) = last {
                self.gauge(name, help, u64::try_from(last.as_second()).unwrap_or(0));
            }
        }
        for (what, help, states) in [
            ("contests", "Events, leagues and their seasons, by state.", &["open", "running", "closed"][..]),
            ("players", "Accounts, by state.", &["active", "unconfirmed", "signed-off", "deleted"]),
            ("boards", "Boards, by state.", &["running", "finished", "declined"]),
            ("robot_queue", "What the robot has yet to do.", &["turn", "analysis"]),
        ] {
            let name = format!("turnpost_{what}");
            self.head(&name, help, "gauge");
            for state in states {
                let found = stored.club.iter().find(|(of, kind, _)| of == what && kind == state);
                let count = found.map_or(0, |(_, _, count)| *count);
                self.line(&name, &format!("{{state=\"{state}\"}}"), count.into());
            }
        }
        self.head("turnpost_limit_hits_total", "What limits have stopped, by limit.", "counter");
        for hit in &stored.hits {
            let limit = hit.what.replace(' ', "_");
            self.line("turnpost_limit_hits_total", &format!("{{limit=\"{limit}\"}}"), hit.hits.into());
        }
    }

    /// Memory and open files, under the usual Prometheus names. Figures from /proc are left out if it is missing.
    fn process(&mut self) {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
        if let Some(kib) = resident {
            self.gauge("process_resident_memory_bytes", "Memory in use.", u64::saturating_mul(kib, 1024));
        }
        if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
            self.gauge("process_open_fds", "Open files and connections.", open.count() as u64);
        }
        if let Some(most) = getrlimit(Resource::Nofile).current {
            self.gauge("process_max_fds", "How many can be open at once.", most);
        }
    }

    fn line(&mut self, name: &str, labels: &str, value: u64) {
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "gauge");
        let _ = writeln!(self.0, "{name} {value}");
    }
}
