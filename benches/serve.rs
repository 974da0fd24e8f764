//! What `turnpost serve` takes in and sends, as ratios within one run.
//!
//! `cargo bench --bench serve` prints
//! - how many letters a second come in over 50 LMTP connections, each letter a reply that plays by its token, against
//!   the rows a second that SQLite commits durably here (`synchronous=FULL`, one row a commit): with a commit for each
//!   letter, and with those that wait gathered into one;
//! - what a mail takes to leave by SMTP, against a server of this file that does nothing but answer;
//! - the memory of `serve` at rest and after a thousand letters of 1 MiB.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod stock;

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use turnpost::ids::BoardId;
use turnpost::mail::transport::{OutEnvelope, Smtp, SmtpSettings, Tls, Transport};
use turnpost::service::token::{self, MailKind};
use turnpost::store::PlayerId;

use stock::stock;

const CONNECTIONS: usize = 50;
const ADDRESS: &str = "turnpost@localhost";

fn main() {
    // As `cargo bench --bench serve`; run by `cargo test` it only shows that it runs.
    let full = std::env::args().any(|argument| argument == "--bench");
    letters(full);
    sending(full);
    memory(full);
}

struct Served {
    child: Child,
    lmtp: SocketAddr,
    http: SocketAddr,
}

impl Served {
    fn start(data: &Path, settings: Settings<'_>) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
        command.env("TURNPOST_DATA", data).arg("serve").stderr(Stdio::piped());
        for key in ["LMTP", "HTTP"] {
            command.env(format!("TURNPOST_SERVE_{key}"), "127.0.0.1:0");
        }
        let mut child = command.envs(settings.iter().copied()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("serving") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it did not start");
        }
        // The log is read, as systemd does, and not kept.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let behind = |word: &str| {
            let rest = line.split_once(word).unwrap().1;
            rest[..rest.find([';', '\n']).unwrap_or(rest.len())].trim().parse().unwrap()
        };
        Served { child, lmtp: behind("LMTP at "), http: behind("pages at http://") }
    }

    fn metric(&self, name: &str) -> u64 {
        let mut stream = TcpStream::connect(self.http).unwrap();
        write!(stream, "GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        let lines = BufReader::new(stream).lines().map(Result::unwrap);
        let found = lines.filter_map(|line| line.strip_prefix(name).map(str::to_owned)).next();
        found.unwrap_or_else(|| panic!("no {name}")).trim().parse().unwrap()
    }

    /// The time of a core that it has taken so far, in seconds.
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<f64>().unwrap());
        // Linux counts a hundred a second for whoever asks.
        ticks.sum::<f64>() / 100.0
    }

    /// Its memory now, and the most it had, in MiB.
    fn memory(&self) -> (f64, f64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let mib = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
            line.trim_start_matches(':').split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1024.0
        };
        (mib("VmRSS"), mib("VmHWM"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

/// A connection to a server of LMTP or SMTP, with the least that a client does.
struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut client = Client { reader: BufReader::new(stream) };
        client.replies(1, "220");
        client.say(b"LHLO mx.example\r\n");
        client.replies(1, "250");
        client
    }

    fn say(&mut self, octets: &[u8]) {
        self.reader.get_mut().write_all(octets).unwrap();
    }

    fn replies(&mut self, count: usize, code: &str) {
        let mut line = String::new();
        let mut seen = 0;
        while seen < count {
            line.clear();
            assert!(self.reader.read_line(&mut line).unwrap() > 0, "the connection was closed");
            assert!(line.starts_with(code), "{line}");
            seen += usize::from(line.as_bytes().get(3) == Some(&b' '));
        }
    }

    fn mail(&mut self, recipient: &str, mail: &[u8]) {
        self.say(format!("MAIL FROM:<ann@example.org>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n").as_bytes());
        self.replies(2, "250");
        self.replies(1, "354");
        self.say(mail);
        self.replies(1, "250");
    }
}

/// A reply from a phone: the move, and below it the mail it answers.
fn reply(n: usize, from: &str, to: &str, word: &str) -> Vec<u8> {
    let quoted: String = (0..30).map(|line| format!("> {line:02} \\__/w \\__/b \\__/w \\__/\r\n")).collect();
    format!(
        "Return-Path: <{from}@example.org>\r\nReceived: from mx.example.org (mx.example.org [192.0.2.7])\r\n\tby host.example.net \
         (Postfix) with ESMTPS id 4A1B2C3D;\r\n\tFri, 20 Nov 2026 12:00:00 +0000 (UTC)\r\nDate: Fri, 20 Nov 2026 13:00:00 +0100\r\n\
         From: {from} <{from}@example.org>\r\nTo: Turnpost <{to}>\r\nMessage-ID: <bench.{n}@example.org>\r\n\
         In-Reply-To: <turnpost.1@localhost>\r\nSubject: Re: dvonn 1, ann v bob\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{word}\r\n\r\nOn Fri, 20 Nov 2026, Turnpost wrote:\r\n{quoted}.\r\n"
    )
    .into_bytes()
}

/// Variables of a server.
type Settings<'a> = &'a [(&'a str, &'a str)];

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
    let single = [&quiet[..], &[("TURNPOST_SERVE_GATHER", "1")]].concat();
    let ways: [(&str, Settings, &str); 3] = [
        ("a commit for each letter", &single, "goal: at least 0.5"),
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

/// A server of SMTP that takes everything and keeps nothing.
fn sink() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || swallow(stream.unwrap()));
        }
    });
    address
}

fn swallow(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    let mut inside = false;
    let _ = reader.get_mut().write_all(b"220 sink\r\n");
    while {
        line.clear();
        reader.read_line(&mut line).is_ok_and(|got| got > 0)
    } {
        let answer = match line.trim_end() {
            "." if inside => {
                inside = false;
                "250 taken\r\n"
            }
            _ if inside => continue,
            "DATA" => {
                inside = true;
                "354 go on\r\n"
            }
            "QUIT" => "221 bye\r\n",
            hello if hello.starts_with("EHLO") => "250-sink\r\n250 8BITMIME\r\n",
            _ => "250 yes\r\n",
        };
        if reader.get_mut().write_all(answer.as_bytes()).is_err() {
            return;
        }
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
            "memory of serve: {rest:.0} MiB at rest (goal: 64), {most:.0} MiB at most while {count} letters of 1 MiB \
             came in {:.1?} (goal: 256), {after:.0} MiB after them",
            began.elapsed()
        );
    }
}
