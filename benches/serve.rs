//! What `turnpost serve` takes in and sends, as ratios within one run.
//!
//! `cargo bench --bench serve` prints, and with `-- load` only the last:
//! - letters a second over 50 LMTP connections, each letter a reply that plays by its token. The baseline is the rows a
//!   second that SQLite commits durably here (`synchronous=FULL`, one row a commit);
//! - what a mail takes to leave by SMTP, against a server that does nothing but answer;
//! - the memory of `serve` at rest and after a thousand letters of 1 MiB;
//! - a minute of all at once: 50 connections, half of the letters by token and half by password. Meanwhile the clocks
//!   run, mails leave, and one copy after another is made. Prints letters a second, the sender's wait, and the memory.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "stock/load.rs"]
mod load;
#[path = "stock/serving.rs"]
mod serving;
mod stock;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use turnpost::credentials::token::{self, MailKind};
use turnpost::ids::BoardId;
use turnpost::mail::transport::{OutEnvelope, Smtp, SmtpSettings, Tls, Transport};
use turnpost::store::PlayerId;

use load::load;
use serving::{Client, Served, Settings, reply, sink};
use stock::stock;

const CONNECTIONS: usize = 50;
const ADDRESS: &str = "turnpost@localhost";

fn main() {
    // As `cargo bench --bench serve`; run by `cargo test` it only shows that it runs. A word names the one part to run.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let full = arguments.iter().any(|argument| argument == "--bench");
    let parts = [("letters", letters as fn(bool)), ("sending", sending), ("memory", memory), ("load", load)];
    let named: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    for (name, part) in parts {
        if named.iter().all(|named| *named == name) {
            part(full);
        }
    }
}

/// How letters came in.
#[derive(Clone, Copy)]
struct Rate {
    /// Letters a second, over all connections.
    letters: f64,
    /// Letters to a commit.
    shared: f64,
    /// Time of a core that the server took for a letter, in microseconds.
    cpu: f64,
    /// The rows a second that SQLite commits durably, measured just before and just after.
    rows: f64,
}

impl Rate {
    fn ratio(&self) -> f64 {
        self.letters / self.rows
    }
}

/// Takes letters, each of which plays the first ply of a board.
fn rate(letters: usize, settings: Settings<'_>) -> Rate {
    let data = tempfile::tempdir().unwrap();
    let store = stock(data.path(), letters as u32);
    let mails: Vec<(String, Vec<u8>)> = (0..letters)
        .map(|n| {
            let token = token::give(&store, BoardId(n as u32 + 1), PlayerId(1), (MailKind::Board, None))
                .unwrap()
                .unwrap();
            let to = format!("turnpost+{token}@localhost");
            let mail = reply(n, "ann", &to, "D1-E1");
            (to, mail)
        })
        .collect();
    let before = rows(letters as u32 / 4);
    let served = Served::start(data.path(), settings);
    let clients: Vec<Client> = (0..CONNECTIONS).map(|_| Client::connect(served.lmtp)).collect();
    let next = AtomicUsize::new(0);
    let (cpu, began) = (served.cpu(), Instant::now());
    std::thread::scope(|scope| {
        for mut client in clients {
            let (mails, next) = (&mails, &next);
            scope.spawn(move || {
                while let Some((to, mail)) = mails.get(next.fetch_add(1, Ordering::Relaxed)) {
                    client.mail(to, mail);
                }
            });
        }
    });
    let (took, cpu) = (began.elapsed(), served.cpu() - cpu);
    let commits = served.metric("turnpost_commits_total ");
    assert_eq!(served.metric("turnpost_letters_total{outcome=\"acted\"} "), letters as u64);
    drop(served);
    let played: u32 = (1..=letters as u32).map(|n| store.board(BoardId(n)).unwrap().unwrap().plies.0).sum();
    assert_eq!(played as usize, letters, "every letter was played");
    let count = letters as f64;
    Rate {
        letters: count / took.as_secs_f64(),
        shared: count / commits as f64,
        cpu: cpu * 1e6 / count,
        rows: f64::midpoint(before, rows(letters as u32 / 4)),
    }
}

/// Rows a second that SQLite commits, one at a time, safe against a power cut.
fn rows(count: u32) -> f64 {
    let data = tempfile::tempdir().unwrap();
    let connection = rusqlite::Connection::open(data.path().join("rows.db")).unwrap();
    connection.pragma_update(None, "journal_mode", "wal").unwrap();
    connection.pragma_update(None, "synchronous", "full").unwrap();
    connection.execute_batch("CREATE TABLE bench (at INTEGER NOT NULL) STRICT").unwrap();
    let mut insert = connection.prepare("INSERT INTO bench (at) VALUES (?1)").unwrap();
    let began = Instant::now();
    for n in 0..count {
        insert.execute([n]).unwrap();
    }
    f64::from(count) / began.elapsed().as_secs_f64()
}

fn letters(full: bool) {
    let count = if full { 4000 } else { 60 };
    let quiet = [("TURNPOST_SERVE_WORKER", "false"), ("TURNPOST_SERVE_TIMER", "false")];
    let ways: [(&str, Settings, &str); 2] = [
        ("letters gathered", &quiet, "goal: at least 3"),
        ("letters gathered while their mails are sent", &[], "no goal"),
    ];
    let mut rates = ways.map(|_| Vec::new());
    // By turns, so that what else the machine does falls on all alike.
    for _ in 0..if full { 5 } else { 1 } {
        for ((_, settings, _), rates) in ways.iter().zip(&mut rates) {
            rates.push(rate(count, settings));
        }
    }
    if !full {
        return;
    }
    for ((what, _, goal), mut rates) in ways.into_iter().zip(rates) {
        rates.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
        let Rate { letters, shared, cpu, rows } = rates[rates.len() / 2];
        println!(
            "serve, {CONNECTIONS} connections, {what}: {letters:.0} letters a second, {shared:.1} to a commit, \
             {cpu:.0} us of a core each; SQLite commits {rows:.0} rows a second; ratio {:.2} ({goal})",
            letters / rows
        );
    }
}

fn sending(full: bool) {
    let address = sink();
    let settings = SmtpSettings {
        host: address.ip().to_string(),
        port: address.port(),
        tls: Tls::None,
        login: None,
        hello: "localhost".into(),
        timeout: Duration::from_secs(10),
    };
    let smtp = Smtp::new(&settings).unwrap();
    let mail: Vec<u8> = reply(1, "ann", ADDRESS, "D1-E1").into_iter().take(1400).chain(*b"\r\n").collect();
    let envelope = OutEnvelope { from: Some(ADDRESS.into()), to: "ann@example.org".into(), number: None };
    let mut times: Vec<Duration> = (0..if full { 500 } else { 3 })
        .map(|_| {
            let began = Instant::now();
            smtp.send(&envelope, &mail).unwrap();
            began.elapsed()
        })
        .collect();
    times.sort();
    if full {
        let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "a mail by SMTP to this machine: {median:.1?} in the median, {worst:.1?} at worst (goal: 5 ms)"
        );
    }
}

fn memory(full: bool) {
    let data = tempfile::tempdir().unwrap();
    drop(stock(data.path(), 1));
    let served = Served::start(data.path(), &[]);
    let (rest, _) = served.memory();
    let count = if full { 1000 } else { 3 };
    let filler =
        "A line of text in a letter that is much too long for a move.\r\n".repeat((1 << 20) / 62 - 20);
    let mails: Arc<Vec<Vec<u8>>> = Arc::new(
        ["ann", "bob"]
            .map(|from| {
                let head = format!("From: {from}@example.org\r\nTo: {ADDRESS}\r\nSubject: help\r\n");
                format!("{head}\r\n{filler}").into_bytes()
            })
            .to_vec(),
    );
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS.min(count) {
            let (mails, next, address) = (Arc::clone(&mails), Arc::clone(&next), served.lmtp);
            scope.spawn(move || {
                let mut client = Client::connect(address);
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count {
                        return;
                    }
                    let mut mail = format!("Message-ID: <large.{n}@example.org>\r\n").into_bytes();
                    mail.extend(&mails[n % 2]);
                    mail.extend(b".\r\n");
                    client.mail(ADDRESS, &mail);
                }
            });
        }
    });
    assert_eq!(served.metric("turnpost_letters_total{outcome=\"acted\"} "), count as u64);
    let (after, most) = served.memory();
    if full {
        println!(
            "memory of serve: {rest:.0} MiB at rest, {most:.0} MiB at most while {count} letters of 1 MiB \
             came in {:.1?} (goal: 128), {after:.0} MiB after them",
            began.elapsed()
        );
    }
}
