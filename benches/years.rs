//! What the years do to a host, as ratios within one run.
//!
//! `cargo bench --bench years` plays whole games by letters through the pipeline. About 40,000 mails then wait. It
//! prints
//! - how fast they leave, against a few hundred that wait elsewhere;
//! - a backup while another process takes in 400 letters a second, compared with one of an idle server;
//! - how fast `admin verify` checks 20,000 boards that were played by letters, and in what memory;
//! - a tick that sends a reminder for 1,000 boards of a million: its time, and the wait of other writers;
//! - the disk space of a played ply a year later, when old mails have lost their text. Also the wait of other writers.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod stock;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use turnpost::app::App;
use turnpost::config::Config;
use turnpost::delivery::{Mailer, deliver};
use turnpost::mail::Letter;
use turnpost::mail::incoming::{self, Envelope, Incoming};
use turnpost::mail::transport::{OutEnvelope, SendError, Transport};
use turnpost::pipeline::{self, Handled, Prepared, Waiting, Work, handle_batch};
use turnpost::store::{SendOutcome, Store, StoreError};
use turnpost_games::Position;
use turnpost_games::dvonn::setup::symmetrical;

use stock::{SEED, at, stock};

const DATABASE: &str = "turnpost.db";

/// Mails that leave in a row: whole leases.
const MAILS: u32 = 32;

/// Letters of the other process while a backup is made, a second.
const LETTERS_A_SECOND: u32 = 400;

fn main() {
    // As `cargo bench --bench years`; run by `cargo test` it only shows that it runs.
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, data] = arguments.as_slice()
        && flag == "--letters"
    {
        return letters_come_in(Path::new(data));
    }
    let full = arguments.iter().any(|argument| argument == "--bench");
    let plies = moves().len() as u32;
    // Two mails for each letter.
    let games = |mails: u32| mails / 2 / plies + 1;
    let mut few = Club::play(games(500), &moves());
    let mut many = Club::play(games(if full { 40_000 } else { 600 }), &moves());
    sending(full, &mut few, &mut many);
    backup(full, &many);
    disk(full, &mut many);
    verify(full);
    tick(full);
}

/// The moves of a game from the board of that seed, the first legal one each time.
fn moves() -> Vec<String> {
    let mut position = symmetrical(SEED);
    let mut plies = Vec::new();
    while position.outcome().is_none() && position.forced().is_none() {
        let ply = position.legal_moves()[0];
        plies.push(position.write_move(ply));
        position.make(ply);
    }
    plies
}

/// A server on which games were played, whose mails wait.
struct Club {
    data: tempfile::TempDir,
    store: Store,
    plies: u32,
    now: Timestamp,
}

impl Club {
    fn play(games: u32, moves: &[String]) -> Club {
        let data = tempfile::tempdir().unwrap();
        let store = stock(data.path(), games);
        let mut club = Club { data, store, plies: 0, now: at() };
        let app = Config::default().app();
        let mut rng = ChaCha12Rng::seed_from_u64(1);
        let boards: Vec<u32> = (1..=games).collect();
        for (number, ply) in moves.iter().enumerate() {
            let who = ["ann", "bob"][number % 2];
            // As `serve` does it when many letters come in.
            for boards in boards.chunks(64) {
                let (store, now) = (&mut club.store, club.now);
                let letters: Vec<Waiting> = boards
                    .iter()
                    .map(|board| {
                        let command = format!("dvonn move {board} {who} plover-42 {ply}");
                        let letter = letter(&app, &command, who, &format!("{board}.{number}"));
                        let prepared = Prepared::new(store, &app, (&letter, None), now).unwrap().unwrap();
                        Waiting { letter, work: Work::Act(Box::new(prepared)) }
                    })
                    .collect();
                for done in handle_batch(store, &app, &letters, now, &mut rng).unwrap() {
                    assert!(
                        matches!(done, Ok(Handled::Acted { ends_well: true, .. })),
                        "ply {number}: {done:?}"
                    );
                }
                club.plies += boards.len() as u32;
                club.now += SignedDuration::from_secs(1);
            }
        }
        club
    }

    fn waiting(&self) -> u32 {
        self.store.waiting_mails().unwrap()
    }

    fn database(&self) -> std::path::PathBuf {
        self.data.path().join(DATABASE)
    }
}

fn letter(app: &App, command: &str, who: &str, number: &str) -> Box<Letter> {
    let mail = format!(
        "From: {who}@example.org\r\nTo: turnpost@localhost\r\nMessage-ID: <years.{number}@example.org>\r\n\
         Subject: {command}\r\n\r\n"
    );
    match incoming::read(mail.as_bytes(), &Envelope::default(), &app.server) {
        Incoming::Letter(letter) => letter,
        _ => panic!("no letter"),
    }
}

/// Takes every mail at once.
struct Sink {
    has_viewers: bool,
}

impl Transport for Sink {
    fn send(&self, _: &OutEnvelope, _: &[u8]) -> Result<(), SendError> {
        Ok(())
    }

    fn has_viewers(&self) -> bool {
        self.has_viewers
    }
}

fn sending(full: bool, few: &mut Club, many: &mut Club) {
    let (first, second) = (few.waiting(), many.waiting());
    let app = Config::default().app();
    let mut times = [Vec::new(), Vec::new()];
    // To the end of a lease, and both mails of a letter, which share a picture.
    let sink = Sink { has_viewers: true };
    let mut mailers = [Mailer::new(&sink, &app), Mailer::new(&sink, &app)];
    for _ in 0..if full { 12 } else { 1 } {
        // By turns, so that what else the machine does falls on both alike.
        for ((times, club), mailer) in times.iter_mut().zip([&mut *few, &mut *many]).zip(&mut mailers) {
            let now = club.now;
            let started = Instant::now();
            for _ in 0..MAILS {
                let sent = mailer.send_next(&mut club.store, || now).unwrap();
                assert!(matches!(sent, Some((_, SendOutcome::Sent))));
            }
            times.push(started.elapsed() / MAILS);
        }
    }
    if full {
        let [few, many] = times.map(middle);
        let rate = few.as_secs_f64() / many.as_secs_f64();
        println!(
            "mails a second from {second} waiting / from {first}: {:.0} / {:.0} = {rate:.2} (goal: at least 0.8)",
            1.0 / many.as_secs_f64(),
            1.0 / few.as_secs_f64()
        );
    }
}

/// Takes letters in, until it is killed.
fn letters_come_in(data: &Path) {
    let mut store = Store::open(&data.join(DATABASE)).unwrap();
    let app = Config::default().app();
    let mut rng = ChaCha12Rng::seed_from_u64(2);
    let started = Instant::now();
    for number in 0.. {
        let due = Duration::from_secs(1) * number / LETTERS_A_SECOND;
        std::thread::sleep(due.saturating_sub(started.elapsed()));
        let now = at() + SignedDuration::from_hours(1000 * 24) + SignedDuration::from_secs(i64::from(number));
        let letter = letter(&app, "dvonn show 1", "carol", &format!("carol.{number}"));
        pipeline::handle(&mut store, &app, &letter, now, &mut rng).unwrap();
    }
}

fn backup(full: bool, club: &Club) {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let store = Store::open(&club.database()).unwrap();
        let started = Instant::now();
        store.backup(&folder.path().join(name)).unwrap();
        started.elapsed()
    };
    // The first copy fills the cache, so that both measures find the same in memory.
    copy("first");
    let idle = middle((0..3).map(|n| copy(&format!("idle-{n}"))).collect());
    let letters = || club.store.letters(u32::MAX).unwrap().len();
    let mut other = Command::new(std::env::current_exe().unwrap());
    let mut other = other.arg("--letters").arg(club.data.path()).spawn().unwrap();
    let before = letters();
    let begun = Instant::now();
    while letters() < before + 10 {
        assert!(begun.elapsed() < Duration::from_secs(20), "no letters come in");
        std::thread::sleep(Duration::from_millis(10));
    }
    let (before, begun) = (letters(), Instant::now());
    let busy = middle((0..3).map(|n| copy(&format!("busy-{n}"))).collect());
    let rate = (letters() - before) as f64 / begun.elapsed().as_secs_f64();
    other.kill().unwrap();
    other.wait().unwrap();
    if full {
        let ratio = busy.as_secs_f64() / idle.as_secs_f64();
        let size = std::fs::metadata(folder.path().join("first")).unwrap().len() / 1024 / 1024;
        println!(
            "backup of {size} MiB with {rate:.0} letters a second / idle: {busy:.1?} / {idle:.1?} = {ratio:.2} \
             (goal: at most 3)"
        );
    }
}

fn disk(full: bool, club: &mut Club) {
    let plies = f64::from(club.plies);
    let size = |club: &Club| {
        let copy = club.data.path().join("copy.db");
        Store::open(&club.database()).unwrap().backup(&copy).unwrap();
        let size = std::fs::metadata(&copy).unwrap().len() as f64;
        std::fs::remove_file(copy).unwrap();
        size / plies
    };
    let now = club.now + SignedDuration::from_hours(2000 * 24);
    deliver(&mut club.store, &Sink { has_viewers: false }, &Config::default().app(), || now).unwrap();
    assert_eq!(club.waiting(), 0);
    let before = size(club);
    let later = now + SignedDuration::from_hours(365 * 24);
    let old = Config::default().keep.mails.before(later).unwrap();
    let started = Instant::now();
    let ends = AtomicBool::new(false);
    let database = club.database();
    let (forgotten, longest) = std::thread::scope(|scope| {
        let other = scope.spawn(|| longest_wait(&database, &ends));
        let forgotten = club.store.forget_mails(old, later, || true).unwrap();
        ends.store(true, Ordering::SeqCst);
        (forgotten, other.join().unwrap())
    });
    let took = started.elapsed();
    let after = size(club);
    assert!(forgotten > 0 && after < before);
    if full {
        // Pages in use of the file as it is, without a copy that moves them together.
        let conn = rusqlite::Connection::open(club.database()).unwrap();
        let sql = "SELECT (page_count - freelist_count) * page_size
                   FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
        let in_use: f64 = conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() as f64 / plies;
        println!(
            "a ply on the disk: {before:.0} octets, a year later {after:.0} in a copy, {in_use:.0} in the file \
             (goal: at most 1024); {forgotten} mails lost their text in {took:.1?}, and no \
             other writer waited longer than {longest:.1?} (goal: 100 ms)"
        );
        let tables = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 12";
        if let Ok(mut tables) = conn.prepare(tables) {
            let mut rows = tables.query([]).unwrap();
            while let Ok(Some(row)) = rows.next() {
                let (name, octets): (String, i64) = (row.get(0).unwrap(), row.get(1).unwrap());
                println!("    {name}: {:.0}", octets as f64 / plies);
            }
        }
    }
}

/// A server of many boards, checked.
fn verify(full: bool) {
    let boards = if full { 20_000 } else { 20 };
    let club = Club::play(boards, &moves()[..1]);
    let started = Instant::now();
    let mut verify = Command::new(env!("CARGO_BIN_EXE_turnpost"));
    verify.arg("--data").arg(club.data.path()).args(["admin", "verify"]).stdout(Stdio::null());
    let mut verify = verify.spawn().unwrap();
    let mut most = 0;
    while verify.try_wait().unwrap().is_none() {
        most = most.max(memory(verify.id()));
        std::thread::sleep(Duration::from_millis(5));
    }
    let took = started.elapsed();
    assert!(verify.wait().unwrap().success());
    if full {
        println!(
            "verify of {boards} boards: {:.0} a second (goal: 5000), {most} KiB at most (goal: 262144)",
            f64::from(boards) / took.as_secs_f64()
        );
    }
}

/// A tick that reminds the players of some boards of very many.
fn tick(full: bool) {
    let data = tempfile::tempdir().unwrap();
    let [boards, due] = if full { [1_000_000, 1_000] } else { [50, 5] };
    let mut store = stock(data.path(), boards);
    let database = data.path().join(DATABASE);
    let conn = rusqlite::Connection::open(&database).unwrap();
    let now = at() + SignedDuration::from_hours(8 * 24);
    // The others are as if they had begun later.
    conn.execute("UPDATE boards SET clock_at = ?1 WHERE id > ?2", [now.as_second() + 86_400, due.into()])
        .unwrap();
    for hours in [2, 1] {
        store.write(|store| store.note_tick(now - SignedDuration::from_hours(hours))).unwrap();
    }
    let app = Config::default().app();
    let ends = AtomicBool::new(false);
    let (took, longest) = std::thread::scope(|scope| {
        let other = scope.spawn(|| longest_wait(&database, &ends));
        let started = Instant::now();
        let ticked = pipeline::tick(&mut store, &app, now).unwrap();
        let took = started.elapsed();
        ends.store(true, Ordering::SeqCst);
        assert!(ticked.damaged.is_empty() && ticked.down.is_none(), "{ticked:?}");
        assert_eq!(ticked.reminded, due as usize, "{ticked:?}");
        (took, other.join().unwrap())
    });
    assert_eq!(store.due_boards(now).unwrap(), []);
    assert_eq!(store.waiting_mails().unwrap(), due);
    if full {
        println!(
            "a tick with {boards} boards in play, {due} of them due: {took:.1?} (goal: 5 s), and no other writer waited \
             longer than {longest:.1?} (goal: 100 ms)"
        );
    }
}

/// The memory that a process has, in KiB; 0 when it is over.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The longest time that a writer waits for its turn, until the end.
fn longest_wait(database: &Path, ends: &AtomicBool) -> Duration {
    let mut store = Store::open(database).unwrap();
    let mut longest = Duration::ZERO;
    while !ends.load(Ordering::SeqCst) {
        let started = Instant::now();
        store.write(|_| Ok::<_, StoreError>(())).unwrap();
        longest = longest.max(started.elapsed());
        std::thread::sleep(Duration::from_millis(1));
    }
    longest
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
