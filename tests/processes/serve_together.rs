//! Several processes on one database.

use std::collections::HashMap;
use std::process::Child;

use crate::support::host::{Host, finish, start};
use crate::support::serving::Served;
use crate::support::{ADDRESS, ANN, BOB, letter};
use turnpost::store::{MailState, Store};

/// Twelve boards between ann and bob, all with the same first move.
const BOARDS: u32 = 12;

fn host() -> Host {
    let host = Host::with_players();
    let challenge = "dvonn challenge -symmetry -seed=7 ann bob\n".repeat(BOARDS as usize);
    host.run(&["submit"], challenge.as_bytes()).ok();
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

/// Boards of three weeks ago, some answered and some not, and eight timers at once: each does what the others left.
#[test]
fn eight_timers_at_once_do_each_thing_once() {
    let host = Host::with_players();
    let mut commands = String::new();
    let answered = format!("dvonn move NR ann {ANN} F3\ndvonn move NR bob {BOB} E3\n");
    for board in 1..=8 {
        commands.push_str("dvonn challenge ann bob\n");
        if board <= 4 {
            commands.push_str(&answered.replace("NR", &board.to_string()));
        }
    }
    host.run(&["submit"], commands.as_bytes()).ok();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute_batch(
        "UPDATE events SET at = at - 21*86400, deadline_at = deadline_at - 21*86400;
         UPDATE boards SET started_at = started_at - 21*86400, changed_at = changed_at - 21*86400,
            deadline_at = deadline_at - 21*86400;
         INSERT INTO ticks VALUES (1, unixepoch() - 1800);",
    )
    .unwrap();
    drop(conn);
    let before = host.delivered().len();
    let timers: Vec<_> = (0..8).map(|_| start(host.command(&["tick"]), b"")).collect();
    let told: Vec<String> = timers.into_iter().map(|timer| finish(timer).ok().to_owned()).collect();
    let sum = |place: usize| -> u32 {
        let number =
            |line: &String| line.split(", ").nth(place).unwrap().split(' ').next().unwrap().parse::<u32>();
        told.iter().map(|line| number(line).unwrap()).sum()
    };
    assert_eq!((sum(0), sum(1), sum(2), sum(3)), (0, 4, 4, 16), "{told:?}");
    assert_eq!(host.delivered().len(), before + 16);
    host.assert_verified();
}

/// The host erases while the server is at work, and letters go on coming in.
#[test]
fn a_player_is_erased_while_the_server_runs() {
    let host = Host::new();
    host.run(&["submit"], include_bytes!("../first-game.txt")).ok();
    let served = Served::start(&host, &[]);
    host.wait_until_quiet();
    let ran = host.run(&["admin", "erase", "ann", "--yes"], b"");
    assert!(
        ran.ok().starts_with("Nothing is left but finished games, under the userid deleted-1."),
        "{ran:?}"
    );
    assert!(ran.out.ends_with("1 mail tells of it.\n"), "{ran:?}");
    host.receive(&letter("bob@example.org", "dvonn games", "", 1)).assert_silent(0);
    host.wait_until_quiet();
    let log = host.database().with_extension("db-wal");
    for file in [host.database(), log] {
        let bytes = std::fs::read(&file).unwrap_or_default().to_ascii_lowercase();
        assert!(!bytes.windows(15).any(|window| window == b"ann@example.org"), "{}", file.display());
    }
    served.stop();
    host.assert_verified();
}
