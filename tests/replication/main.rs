//! The server beside the real Litestream: both killed under load, the replica restored elsewhere and played on; and a person
//! erased from all that it keeps.
//!
//! Not among the tests of a plain `cargo test`: `.ci/servers` fetches Litestream, then `cargo test --test replication` runs
//! it. Where it is missing, that is a failure. `TURNPOST_FAILOVERS` says how often the machine is lost, else 5 times.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    dead_code
)]

mod erased;
mod litestream;
#[path = "../support/mod.rs"]
mod support;
#[path = "../real_mail/world.rs"]
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use litestream::Litestream;
use support::ADDRESS;
use support::host::Host;
use support::post_office::{Letter, hand_in};
use support::serving::Served;
use support::sink::Sink;
use turnpost::credentials::token::{self, MailKind};
use turnpost::ids::{BoardId, Seat};
use turnpost::store::{PlayerId, Store};
use turnpost_games::dvonn::KIND;
use turnpost_games::{Setup, Table};

/// Mail servers that hand letters in at the same time, and the boards that each plays.
const CONNECTIONS: u32 = 4;
const BOARDS: u32 = 10;

/// So many of the last letters come again although they are known.
const AGAIN: usize = 30;

/// A letter that was handed in.
struct Sent {
    number: u32,
    board: u32,
    /// How the board stood that it answers.
    before: String,
    ply: String,
    letter: Letter,
    /// When the mail server heard that it was taken.
    taken: Option<Instant>,
}

/// Boards that are played at once.
struct Tables(BTreeMap<u32, Box<dyn Table>>);

impl Tables {
    /// Challenges, from a number on.
    fn begin(host: &Host, first: u32) -> Vec<Tables> {
        let numbers: Vec<u32> = (first..first + CONNECTIONS * BOARDS).collect();
        let line = |n: &u32| format!("dvonn challenge -symmetry -seed={n} ann bob\n");
        let lines: String = numbers.iter().map(line).collect();
        host.run(&["submit", "--as-anyone"], lines.as_bytes()).ok();
        let table = |n: &u32| {
            let options = [("symmetry".to_owned(), None), ("seed".to_owned(), Some(n.to_string()))];
            (*n, (KIND.start)(&Setup { options: &options, seed: u64::from(*n) }).unwrap())
        };
        numbers.chunks(BOARDS as usize).map(|some| Tables(some.iter().map(table).collect())).collect()
    }

    /// The next ply on a board; none where the game is over.
    fn next(&mut self, board: u32, choice: u32) -> Option<String> {
        let table = self.0.get_mut(&board).unwrap();
        let legal = table.legal_plies();
        let ply = legal.get(choice as usize % legal.len().max(1)).filter(|_| table.ended().is_none())?;
        table.play_turn(ply).unwrap();
        Some(ply.clone())
    }

    /// Plays until the server is gone.
    fn play(&mut self, host: &Host, server: SocketAddr, numbers: &AtomicU32, sent: &Mutex<Vec<Sent>>) {
        let store = Store::open_read_only(&host.database()).unwrap();
        let boards: Vec<u32> = self.0.keys().copied().collect();
        for board in boards.iter().cycle() {
            let number = numbers.fetch_add(1, Ordering::SeqCst);
            // They are long enough for the time; a game that is over ends the load of its connection.
            let before = self.0[board].position();
            let Some(ply) = self.next(*board, number) else { return };
            let letter = reply(&store, *board, &ply, number);
            let answer = hand_in(server, &letter);
            assert_ne!(answer, Some(false), "the letter was put off");
            let taken = answer.map(|_| Instant::now());
            sent.lock().unwrap().push(Sent { number, board: *board, before, ply, letter, taken });
            if taken.is_none() {
                return;
            }
        }
    }
}

/// A plain reply of whoever is to move to the mail that shows the board as it stands.
fn reply(store: &Store, board: u32, ply: &str, number: u32) -> Letter {
    let row = store.board(BoardId(board)).unwrap().unwrap();
    let (player, address) = match row.to_move.unwrap() {
        Seat::First => (PlayerId(1), "ann@example.org"),
        Seat::Second => (PlayerId(2), "bob@example.net"),
    };
    let token = token::give(store, BoardId(board), player, (MailKind::Board, None)).unwrap().unwrap();
    let mail = support::letter(address, "Re: dvonn", &format!("{ply}\r\n"), number);
    Letter { recipient: ADDRESS.replace('@', &format!("+{token}@")), mail }
}

/// How a board stands.
fn stands(store: &Store, board: u32) -> String {
    store.board(BoardId(board)).unwrap().unwrap().position
}

/// The Message-IDs that a database has in a table.
fn ids(database: &Path, table: &str) -> BTreeSet<String> {
    let conn = rusqlite::Connection::open(database).unwrap();
    let mut ids =
        conn.prepare(&format!("SELECT message_id FROM {table} WHERE message_id IS NOT NULL")).unwrap();
    ids.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// The Message-ID of a letter.
fn id(letter: &Letter) -> String {
    let mail = String::from_utf8(letter.mail.clone()).unwrap();
    mail.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap().to_owned()
}

/// Starts the server of the machine of a round.
fn serve(host: &Host, machine: u32, words: &[&str]) -> Command {
    let mut command = host.command(&[&["serve"], words].concat());
    command.env("TURNPOST_SERVE_LMTP", "127.0.0.1:0").env("TURNPOST_SERVE_MACHINE", machine.to_string());
    command
}

#[test]
fn a_machine_is_lost_again_and_again_and_nothing_plays_or_counts_twice() {
    let failovers = std::env::var("TURNPOST_FAILOVERS").map_or(5, |times| times.parse().unwrap());
    let sink = Sink::start();
    let numbers = AtomicU32::new(1);
    // Drawing takes longest, and has no part in this.
    let mut host =
        Host::after("set ann plover-42 picture off html off\nset bob dunlin-7 picture off html off\n");
    host.sends_to(sink.port);
    let (mut windows, mut lost_in_all) = (Vec::new(), Vec::new());
    for round in 0..failovers {
        let mut tables = Tables::begin(&host, round * CONNECTIONS * BOARDS + 1);
        let litestream = Litestream::start(&host);
        let served = Served::of(serve(&host, round, &[]));
        let sent = Mutex::new(Vec::new());
        let killed = std::thread::scope(|scope| {
            let (server, host, numbers, sent) = (served.lmtp.unwrap(), &host, &numbers, &sent);
            for tables in &mut tables {
                scope.spawn(move || tables.play(host, server, numbers, sent));
            }
            litestream.wait();
            std::thread::sleep(Duration::from_millis(1500 + u64::from(round) * 130 % 1000));
            let litestream_ends = scope.spawn(|| litestream.kill());
            served.kill();
            litestream_ends.join().unwrap();
            Instant::now()
        });

        // Elsewhere.
        let second = Host::new();
        litestream.restore(&second.database());
        second.sends_to(sink.port);
        second.assert_verified();
        let known = ids(&second.database(), "letters");
        let mut sent = sent.into_inner().unwrap();
        sent.sort_by_key(|sent| sent.number);
        let is_lost = |sent: &&Sent| sent.taken.is_some() && !known.contains(&id(&sent.letter));
        let lost: Vec<&Sent> = sent.iter().filter(is_lost).collect();
        let window = lost.iter().filter_map(|lost| Some(killed - lost.taken?)).max().unwrap_or_default();
        println!(
            "{} letters taken, {} of them lost in the last {} ms",
            sent.iter().filter(|sent| sent.taken.is_some()).count(),
            lost.len(),
            window.as_millis()
        );
        windows.push(window.as_millis());
        lost_in_all.push(lost.len());
        assert!(known.len() > 100, "{} letters came over", known.len());

        let refused = serve(&second, round + 1, &[]).output().unwrap();
        assert_eq!(refused.status.code(), Some(75), "the first may still be there");
        let served = Served::of(serve(&second, round + 1, &["--take-over"]));
        let store = Store::open_read_only(&second.database()).unwrap();
        // A reply to a mail of which nothing is known plays nothing: where two plies of a board are lost, the later one.
        let is_anotherr =
            |(at, one): &(usize, &&Sent)| lost[..*at].iter().any(|other| other.board == one.board);
        if let Some((_, later)) = lost.iter().enumerate().find(is_anotherr) {
            let before = stands(&store, later.board);
            let mail = String::from_utf8(later.letter.mail.clone()).unwrap();
            let mail = mail.replace("Message-ID: <", "Message-ID: <copy.").into_bytes();
            let copy = Letter { recipient: later.letter.recipient.clone(), mail };
            assert_eq!(hand_in(served.lmtp.unwrap(), &copy), Some(true));
            assert_eq!(stands(&store, later.board), before);
        }
        // The last of them once more, as mail servers and people do: what was lost is played, and nothing twice. Who answered a
        // mail of which nothing is known gets the board, and answers that.
        for (at, Sent { board, before, ply, letter, .. }) in sent.iter().enumerate() {
            if at + AGAIN < sent.len() && known.contains(&id(letter)) {
                continue;
            }
            assert_eq!(hand_in(served.lmtp.unwrap(), letter), Some(true));
            if stands(&store, *board) == *before {
                let letter = reply(&store, *board, ply, numbers.fetch_add(1, Ordering::SeqCst));
                assert_eq!(hand_in(served.lmtp.unwrap(), &letter), Some(true));
            }
        }
        for (board, table) in tables.iter().flat_map(|tables| &tables.0) {
            assert_eq!(stands(&store, *board), table.position(), "board {board}");
        }
        second.wait_until_quiet();
        served.stop();
        second.assert_verified();
        host = second;
    }
    assert_each_mail_once(&sink, &ids(&host.database(), "outbox"), lost_in_all.iter().sum());
    println!("lost windows in ms: {windows:?}; letters lost: {lost_in_all:?}");
}

/// An answer that says the same to the same letter has one Message-ID, however often the letter came and the answer left.
/// The database knows all that left but the mails of letters that were lost.
fn assert_each_mail_once(sink: &Sink, written: &BTreeSet<String>, lost: usize) {
    let mails = sink.taken();
    let (mut answers, mut left) = (BTreeMap::new(), BTreeSet::new());
    for mail in &mails {
        let text = String::from_utf8_lossy(&mail.mail).replace("\r\n ", " ");
        let (header, body) = text.split_once("\r\n\r\n").unwrap();
        let letter = header.lines().find_map(|line| line.strip_prefix("In-Reply-To: "));
        // Opponents are told in a thread of theirs.
        if let Some(letter) = letter.filter(|_| header.contains("auto-replied")) {
            let answer = (letter.to_owned(), mail.to.clone(), body.lines().next().map(str::to_owned));
            assert_eq!(
                answers.entry(answer).or_insert_with(|| mail.id.clone()),
                &mail.id,
                "two answers:\n{text}"
            );
        }
        left.insert(mail.id.clone());
    }
    let of_the_lost = left.difference(written).count();
    assert!(answers.len() > 100 && of_the_lost <= 2 * lost, "{} answers, {of_the_lost}", answers.len());
    println!("{} mails, {} of them twice", left.len(), mails.len() - left.len());
}
