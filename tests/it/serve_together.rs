//! Several processes on one database, and several letters in one transaction.

use std::collections::HashMap;
use std::process::Child;

use crate::support::host::{Host, finish, start};
use crate::support::serving::Served;
use crate::support::{ADDRESS, ANN, Stage, letter};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use turnpost::config::Config;
use turnpost::failure::Error;
use turnpost::mail::incoming::{self, Envelope, Incoming};
use turnpost::pipeline::{Handled, Prepared, Waiting, Work, handle_batch};
use turnpost::play::Rollback;
use turnpost::store::{MailState, Store};

/// Twelve boards between ann and bob, all with the same first move.
const BOARDS: u32 = 12;

fn host() -> Host {
    let host = Host::new();
    let challenge = "dvonn challenge -symmetry -seed=7 ann bob\n".repeat(BOARDS as usize);
    let text =
        format!("signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n{challenge}");
    host.run(&["submit"], text.as_bytes()).ok();
    host
}

fn first_move(board: u32) -> Vec<u8> {
    letter("ann@example.org", &format!("dvonn move {board} ann {ANN} D1-E1"), "", 1000 + board)
}

/// How many plies each board has.
fn plies(host: &Host) -> Vec<u32> {
    let store = Store::open_read_only(&host.database()).unwrap();
    (1..=BOARDS).map(|n| store.board(turnpost::ids::BoardId(n)).unwrap().unwrap().plies.0).collect()
}

#[test]
fn two_servers_and_eight_deliveries_at_once_lose_and_double_nothing() {
    let host = host();
    let before = host.delivered().len();
    let servers = [Served::start(&host, &[]), Served::start(&host, &[])];
    std::thread::scope(|scope| {
        // Every letter comes to both servers, by three connections each, and by a pipe as well.
        for served in &servers {
            for connection in 0..3 {
                scope.spawn(move || {
                    let mut client = served.connect();
                    for n in 0..BOARDS {
                        client.takes(&first_move((n + connection * 4) % BOARDS + 1));
                    }
                });
            }
        }
        let host = &host;
        scope.spawn(move || {
            for boards in [1..=6, 7..=BOARDS] {
                let all: Vec<Child> =
                    boards.map(|board| start(host.command(&["receive"]), &first_move(board))).collect();
                for child in all {
                    finish(child).assert_silent(0);
                }
            }
        });
    });
    host.wait_until_quiet();
    for served in servers {
        served.stop();
    }
    assert_eq!(plies(&host), vec![1; BOARDS as usize]);
    // An answer for ann and a mail for bob about each board, and none of them twice.
    let mails = host.sent();
    assert_eq!(mails.len(), before + 2 * BOARDS as usize);
    let mut ids: HashMap<&str, usize> = HashMap::new();
    for mail in &mails {
        *ids.entry(&mail.id).or_default() += 1;
    }
    assert!(ids.values().all(|count| *count == 1), "{ids:?}");
    let store = Store::open_read_only(&host.database()).unwrap();
    assert!(
        store.outbox(1000).unwrap().iter().all(|mail| mail.state == MailState::Sent && mail.attempts == 1)
    );
    host.assert_verified();
}

#[test]
fn a_password_that_another_process_changed_is_out_at_once() {
    let host = host();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    // Known to the server from now on.
    client.takes(&first_move(1));
    client.takes(&first_move(2));
    host.run(&["submit", "change", "password", "ann", ANN, "godwit-17"], b"").ok();
    client.takes(&first_move(3));
    assert_eq!(plies(&host)[..4], [1, 1, 0, 0]);
    client.takes(&letter("ann@example.org", "dvonn move 4 ann godwit-17 D1-E1", "", 9));
    assert_eq!(plies(&host)[..4], [1, 1, 0, 1]);
    let log = served.stop();
    assert!(!log.contains(ANN) && !log.contains("godwit-17"), "{log}");
}

#[test]
fn a_killed_server_has_lost_nothing_that_it_answered_for() {
    let host = host();
    for round in 0..4 {
        let served = Served::start(&host, &[]);
        let answered: Vec<u32> = std::thread::scope(|scope| {
            let served = &served;
            let clients: Vec<_> = (0..3)
                .map(|n| {
                    scope.spawn(move || {
                        let mut client = served.connect();
                        let board = round * 3 + n + 1;
                        client.takes(&first_move(board));
                        board
                    })
                })
                .collect();
            clients.into_iter().map(|client| client.join().unwrap()).collect()
        });
        served.kill();
        let plies = plies(&host);
        for board in answered {
            assert_eq!(plies[board as usize - 1], 1, "board {board}");
        }
    }
    host.assert_verified();
}

#[test]
fn a_letter_that_fails_is_left_with_the_mail_server_and_its_neighbours_are_taken() {
    let host = host();
    // Nobody can move on a board whose record is damaged: that is our fault, not the player's.
    let damage = rusqlite::Connection::open(host.database()).unwrap();
    damage.execute("UPDATE boards SET position = 'damaged' WHERE id = 5", []).unwrap();
    let served = Served::start(&host, &[("TURNPOST_SERVE_HTTP", "127.0.0.1:0")]);
    // While the lock is held all letters gather.
    damage.execute_batch("BEGIN IMMEDIATE").unwrap();
    let replies: Vec<String> = std::thread::scope(|scope| {
        let served = &served;
        let clients: Vec<_> = (1..=BOARDS)
            .map(|board| {
                scope.spawn(move || {
                    let mut client = served.connect();
                    client.mail("ann@example.org", &[ADDRESS], &first_move(board)).remove(0)
                })
            })
            .collect();
        std::thread::sleep(std::time::Duration::from_secs(2));
        damage.execute_batch("ROLLBACK").unwrap();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    for (n, reply) in replies.iter().enumerate() {
        let expected = if n == 4 { "451 " } else { "250 " };
        assert!(reply.starts_with(expected), "board {}: {reply}", n + 1);
    }
    let mut expected = vec![1; BOARDS as usize];
    expected[4] = 0;
    assert_eq!(plies(&host), expected);
    let (_, page) = served.page("/metrics");
    let commits = page.lines().find_map(|line| line.strip_prefix("turnpost_commits_total ")).unwrap();
    assert!(commits.parse::<u32>().unwrap() < BOARDS / 2, "{commits} commits");
    let log = served.stop();
    assert!(log.contains("<ann.1005@example.org>") && log.contains("left with the mail server"), "{log}");
}

/// A letter as the clerk is handed it.
fn waiting(stage: &Stage, app: &turnpost::app::App, mail: &[u8]) -> Waiting {
    let Incoming::Letter(letter) = incoming::read(mail, &Envelope::default(), &app.server) else {
        panic!("no letter")
    };
    let prepared = Prepared::new(&stage.store, app, &letter, stage.now).unwrap().unwrap();
    Waiting { letter, work: Work::Act(Box::new(prepared)) }
}

#[test]
fn in_one_transaction_each_letter_has_its_own_fate() {
    let mut stage = Stage::with_a_game();
    for _ in 0..2 {
        stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    }
    let app = Config { address: ADDRESS.to_owned(), ..Config::default() }.app();
    let damage = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    damage.execute("UPDATE boards SET position = 'damaged' WHERE id = 2", []).unwrap();
    // The first letter twice: the second of them finds what the first did, though nothing is committed yet.
    let letters = [1, 2, 1, 3].map(|board| waiting(&stage, &app, &first_move(board)));
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let before = stage.store.letters(100).unwrap().len();
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng).unwrap();
    assert!(matches!(
        outcomes.as_slice(),
        [
            Ok(Handled::Acted { mails: 2, ends_well: true, .. }),
            Err(Rollback::Failed(Error::Record(_) | Error::Store(_))),
            Ok(Handled::Again),
            Ok(Handled::Acted { mails: 2, ends_well: true, .. }),
        ]
    ));
    // Nothing of the one that failed is left, so that it can come again.
    assert_eq!(stage.store.letters(100).unwrap().len(), before + 2);
    assert_eq!(stage.store.waiting_mails().unwrap(), 4);
    damage
        .execute("UPDATE boards SET position = (SELECT position FROM boards WHERE id = 3) WHERE id = 2", [])
        .unwrap();
}

#[test]
fn a_transaction_that_cannot_begin_is_the_failure_of_every_letter() {
    let mut stage = Stage::with_a_game();
    let app = Config { address: ADDRESS.to_owned(), ..Config::default() }.app();
    let letters: Vec<Waiting> = vec![waiting(&stage, &app, &first_move(1))];
    let lock = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    stage.store.set_patience(std::time::Duration::ZERO).unwrap();
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng);
    assert!(matches!(outcomes, Err(Error::Store(why)) if why.is_busy()));
    lock.execute_batch("ROLLBACK").unwrap();
    let letters = vec![waiting(&stage, &app, &first_move(1))];
    let outcomes = handle_batch(&mut stage.store, &app, &letters, stage.now, &mut rng).unwrap();
    assert!(matches!(outcomes.as_slice(), [Ok(Handled::Acted { .. })]));
}
