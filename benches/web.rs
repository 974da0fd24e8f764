//! Times the pages of `turnpost serve` against axum alone. Axum serves a page of the same size in the same run.
//!
//! `cargo bench --bench web` prints
//! - `/dvonn/42` at 200 requests a second among 10,000 boards, against a server that has the page ready;
//! - how many of such answers a second a finished board gives to visitors who have it already (ETag);
//! - the memory of `serve` while 200 connections ask;
//! - the cost of 1,000 boards that are open in browsers. Each asks every 20 seconds whether a player has moved;
//! - what all positions of a finished game take, for a page that steps through them;
//! - what the picture of a mail takes, in time and bytes;
//! - how long `receive` takes with pages, whose links its mails carry, and without.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod stock;

use std::hint::black_box;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use turnpost::credentials::token;
use turnpost::ids::BoardId;
use turnpost::picture;
use turnpost::store::Store;
use turnpost_games::registry;
use turnpost_games::{Setup, Table};

use stock::{at, stock};

fn main() {
    // As `cargo bench --bench web`; run by `cargo test` it only shows that it runs.
    let full = std::env::args().any(|argument| argument == "--bench");
    pages(full);
    looks(full);
    pictures(full);
    receives(full);
}

struct Served {
    child: Child,
    web: SocketAddr,
}

impl Served {
    fn start(data: &Path) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
        command.env("TURNPOST_DATA", data).env("TURNPOST_WEB_LISTEN", "127.0.0.1:0");
        command.env("TURNPOST_WEB_TRUSTED_PROXIES", "127.0.0.1");
        let mut child = command.arg("serve").stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("web pages at http://") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it did not start");
        }
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let web = line.split_once("web pages at http://").unwrap().1.trim().parse().unwrap();
        Served { child, web }
    }

    /// The most memory it had, in MiB.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1024.0
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Served {
    /// The time of a core that it has used, in seconds.
    fn worked(&self) -> f64 {
        const TICKS_A_SECOND: f64 = 100.0;
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        let ticks = fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap());
        ticks.sum::<f64>() / TICKS_A_SECOND
    }
}

/// axum and tokio as `serve` has them, with one page.
fn constant(page: Vec<u8>) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let router = axum::Router::new().fallback(move || std::future::ready(page.clone()));
            axum::serve(listener, router).await.unwrap();
        });
    });
    address
}

/// A visitor's connection. Every request comes from another address, as from many visitors through one proxy.
struct Visitor {
    stream: BufReader<TcpStream>,
    asked: u32,
    number: u32,
}

struct Answer {
    status: u16,
    tag: String,
    body: Vec<u8>,
}

impl Visitor {
    fn new(at: SocketAddr, number: u32) -> Visitor {
        let stream = TcpStream::connect(at).unwrap();
        stream.set_nodelay(true).unwrap();
        Visitor { stream: BufReader::new(stream), asked: 0, number }
    }

    fn get(&mut self, path: &str, seen: &str) -> Answer {
        self.asked += 1;
        let [_, high, middle, low] = (self.number << 14 | self.asked).to_be_bytes();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.{high}.{middle}.{low}\r\n\
             If-None-Match: {seen}\r\nX-Look: 1\r\n\r\n"
        );
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let mut answer = Answer { status: 0, tag: String::new(), body: Vec::new() };
        let (mut line, mut length) = (String::new(), 0);
        loop {
            line.clear();
            assert!(self.stream.read_line(&mut line).unwrap() > 0, "the connection was closed");
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => length = value.parse().unwrap(),
                Some(("etag", value)) => value.clone_into(&mut answer.tag),
                Some(_) => {}
                None if line.starts_with("HTTP") => {
                    answer.status = line.split(' ').nth(1).unwrap().parse().unwrap()
                }
                None => break,
            }
        }
        answer.body = vec![0; if answer.status == 304 { 0 } else { length }];
        self.stream.read_exact(&mut answer.body).unwrap();
        answer
    }
}

/// How long answers take at `a_second` requests a second, whether or not earlier answers are there.
fn times(at: SocketAddr, path: &str, requests: u32, a_second: u32) -> Vec<Duration> {
    const VISITORS: u32 = 16;
    let (done, all) = mpsc::channel();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for number in 0..VISITORS {
            let done = done.clone();
            scope.spawn(move || {
                let mut visitor = Visitor::new(at, number);
                for request in (number..requests).step_by(VISITORS as usize) {
                    let due = begun + Duration::from_secs(1) * request / a_second;
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                    assert_eq!(visitor.get(path, "").status, 200);
                    done.send(due.elapsed()).unwrap();
                }
            });
        }
    });
    drop(done);
    let mut times: Vec<Duration> = all.iter().collect();
    times.sort();
    times
}

/// Answers a second on one connection.
fn rate(at: SocketAddr, path: &str, seen: &str, requests: u32, status: u16) -> f64 {
    let mut visitor = Visitor::new(at, 900);
    let begun = Instant::now();
    (0..requests).for_each(|_| assert_eq!(visitor.get(path, seen).status, status));
    f64::from(requests) / begun.elapsed().as_secs_f64()
}

/// Plays on a board of the stock by the first legal ply each turn.
fn play(data: &Path, board: BoardId, plies: usize) -> usize {
    let app = turnpost::config::Config::default().app();
    let mut store = Store::open(&data.join("turnpost.db")).unwrap();
    let mut rng = rand_chacha::ChaCha12Rng::seed_from_u64(42);
    let mut played = 0;
    while played < plies {
        let table = turnpost::board::Board::load(&store, board).unwrap().unwrap().table;
        let choices = table.choices();
        let Some((ply, _)) = choices.get(played * 7 % choices.len().max(1)) else { break };
        let who = ["ann", "bob"][table.turn().index()];
        let mut letter =
            turnpost::mail::Letter::by_server(turnpost::ids::Identity(std::array::from_fn(|n| {
                played.to_be_bytes().get(n).copied().unwrap_or(board.0 as u8)
            })));
        letter.proof = turnpost::mail::Proof::Operator(turnpost::mail::Operator::AsAnyone);
        letter.text = format!("dvonn move {board} {who} - {ply}");
        let done = turnpost::pipeline::handle(&mut store, &app, &letter, at(), &mut rng).unwrap();
        assert!(
            matches!(done, turnpost::pipeline::Handled::Acted { ends_well: true, .. }),
            "{ply}: {done:?}"
        );
        played += 1;
        if turnpost::board::Board::load(&store, board).unwrap().unwrap().row.to_move.is_none() {
            break;
        }
    }
    played
}

fn pages(full: bool) {
    let (boards, requests) = if full { (10_000, 4000) } else { (50, 40) };
    let data = tempfile::tempdir().unwrap();
    drop(stock(data.path(), boards));
    let played = play(data.path(), BoardId(42), 20);
    play(data.path(), BoardId(43), 200);
    let served = Served::start(data.path());
    let page = Visitor::new(served.web, 800).get("/dvonn/42", "").body;
    let bytes = page.len();
    let alone = constant(page);
    for at in [served.web, alone] {
        times(at, "/dvonn/42", requests / 10, 200);
    }
    let (ours, theirs) =
        (times(served.web, "/dvonn/42", requests, 200), times(alone, "/dvonn/42", requests, 200));
    let part = |times: &[Duration], part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let over = Visitor::new(served.web, 801).get("/dvonn/43", "");
    assert!(String::from_utf8_lossy(&over.body).contains(" wins") || !full, "board 43 is over");
    let begun = Instant::now();
    let steps = Visitor::new(served.web, 802).get("/dvonn/43.steps", "");
    let (stepped, length) = (begun.elapsed(), steps.body.len());
    assert_eq!(steps.status, 200);
    let few = requests / 2;
    let seen = rate(served.web, "/dvonn/43", &over.tag, few, 304);
    let whole = rate(served.web, "/dvonn/43", "", few, 200);
    let bare = rate(alone, "/dvonn/42", "", few, 200);
    let before = served.memory();
    std::thread::scope(|scope| {
        for number in 0..if full { 200 } else { 4 } {
            let at = served.web;
            scope.spawn(move || {
                let mut visitor = Visitor::new(at, number);
                for path in ["/", "/dvonn", "/dvonn/42", "/dvonn/42.png", "/dvonn/42.json", "/players/ann"] {
                    assert_eq!(visitor.get(path, "").status, 200, "{path}");
                }
            });
        }
    });
    if full {
        println!(
            "/dvonn/42 after {played} plies, {bytes} bytes, {boards} boards, 200 requests a second: median {:.1?}, p99 {:.1?} \
             (goal: 20 ms); axum alone with a constant page of that size: median {:.1?}, p99 {:.1?}",
            part(&ours, 50),
            part(&ours, 99),
            part(&theirs, 50),
            part(&theirs, 99)
        );
        println!(
            "a finished board on one connection: {seen:.0} a second by ETag, {whole:.0} whole; a constant page {bare:.0}; \
             ratio {:.2} (goal: 0.9)",
            seen / bare
        );
        println!("all positions of a finished game at once: {stepped:.1?}, {length} bytes unpacked");
        println!(
            "memory of serve with pages: {before:.0} MiB, {:.0} MiB after 200 connections asked at once (goal: 128)",
            served.memory()
        );
    }
}

/// Boards that wait for the opponent, open in browsers.
fn looks(full: bool) {
    let (boards, seconds) = if full { (1000_usize, 60) } else { (20, 1) };
    let data = tempfile::tempdir().unwrap();
    let store = stock(data.path(), boards as u32);
    let links: Vec<String> = (1..=boards as u32)
        .map(|board| {
            let row = store.board(BoardId(board)).unwrap().unwrap();
            let waits = row.to_move.unwrap().other();
            let link = token::of_page(&store, BoardId(board), *waits.of(&row.players), None);
            format!("/play/{}", link.unwrap().unwrap())
        })
        .collect();
    let (idle, served) = (Served::start(data.path()), Served::start(data.path()));
    let (begun, before) = (Instant::now(), served.worked());
    const EVERY: usize = 20;
    const CONNECTIONS: usize = 16;
    std::thread::scope(|scope| {
        for number in 0..CONNECTIONS {
            let (links, at) = (&links, served.web);
            scope.spawn(move || {
                let mut visitor = Visitor::new(at, 200 + number as u32);
                for look in (number..boards * seconds / EVERY).step_by(CONNECTIONS) {
                    let due = begun + Duration::from_secs(EVERY as u64) * look as u32 / boards as u32;
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                    assert_eq!(visitor.get(&links[look % boards], "").status, 200);
                }
            });
        }
    });
    let cores = (served.worked() - before) / begun.elapsed().as_secs_f64();
    if full {
        println!(
            "{boards} boards open in browsers for {seconds} seconds: {cores:.3} of a core (goal: 0.1), {:.0} MiB more than a server \
             that nobody asks (goal: 64)",
            served.memory() - idle.memory()
        );
    }
}

fn pictures(full: bool) {
    let large = [("size".to_owned(), Some("19".to_owned()))];
    let mut boards: Vec<_> = registry::games().iter().map(|game| (*game, &large[..0])).collect();
    boards.push((registry::find("go").unwrap(), &large));
    for (game, options) in boards {
        let mut table: Box<dyn Table> = (game.start)(&Setup { options, seed: 7 }).unwrap();
        let (mut times, mut most): (Vec<Duration>, usize) = (Vec::new(), 0);
        for ply in 0..if full { 60 } else { 2 } {
            let choices = table.choices();
            let Some((text, _)) = choices.get(ply * 7 % choices.len().max(1)) else { break };
            table.play_text(text).unwrap();
            let scene = table.look();
            let begun = Instant::now();
            let png = black_box(picture::png(black_box(&scene)).unwrap());
            times.push(begun.elapsed());
            most = most.max(png.len());
        }
        times.sort();
        if full {
            println!(
                "a picture of {}{}: {:.1?} in the median, {:.1?} at most (goal: 5 ms); {most} bytes at most (goal: 20,480)",
                game.key,
                if options.is_empty() { "" } else { " 19x19" },
                times[times.len() / 2],
                times[times.len() - 1]
            );
        }
    }
}

/// A move handed to `receive` as a whole process, by turns without pages and with them.
fn receives(full: bool) {
    let rounds = if full { 200 } else { 2 };
    let data = tempfile::tempdir().unwrap();
    let store = stock(data.path(), 2 * rounds);
    let mut times = [Vec::new(), Vec::new()];
    for board in 1..=2 * rounds {
        let mail = format!(
            "From: ann@example.org\r\nTo: turnpost@localhost\r\nSubject: dvonn move {board} ann plover-42 D1-E1\r\n\
             Message-ID: <{board}@ann.example>\r\n\r\n"
        );
        let mut receive = Command::new(env!("CARGO_BIN_EXE_turnpost"));
        receive.arg("--data").arg(data.path()).arg("receive").stdin(Stdio::piped());
        let has_pages = board % 2 == 0;
        if has_pages {
            receive.env("TURNPOST_WEB_LISTEN", "127.0.0.1:8080");
            receive.env("TURNPOST_WEB_URL", "https://play.example.org");
        }
        let begun = Instant::now();
        let mut child = receive.spawn().unwrap();
        child.stdin.take().unwrap().write_all(mail.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        times[usize::from(has_pages)].push(begun.elapsed());
        assert_eq!(store.board(BoardId(board)).unwrap().unwrap().events, 2, "{mail}");
    }
    times.iter_mut().for_each(|times| times.sort());
    let [without, with] = times.map(|times| times[times.len() / 2]);
    if full {
        println!(
            "receive of a move, whole process: median {without:.1?} without pages, {with:.1?} with them"
        );
    }
}
