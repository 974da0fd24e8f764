//! Long absences: a mail server that is down for a week, a machine that is off for a month.

use std::collections::HashMap;
use std::net::TcpListener;
use std::time::Duration;

use jiff::SignedDuration;

use crate::support::host::Host;
use crate::support::post_office::PostOffice;
use crate::support::serving::{PATIENCE, Served};
use crate::support::sink::{Fault, Sink, Stage as At, settings};
use crate::support::{ANN, BOB, Stage, letter};
use turnpost::board::Board;
use turnpost::delivery::{Delivered, deliver};
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::mail::transport::Smtp;
use turnpost::store::{BoardState, Ending, Store};

fn smtp(port: u16) -> Smtp {
    Smtp::new(&settings(port)).unwrap()
}

fn send(stage: &mut Stage, by: &Smtp) -> Delivered {
    let now = stage.now;
    deliver(&mut stage.store, by, &stage.app, || now).unwrap()
}

/// Numbers from the database.
fn number(stage: &Stage, sql: &str) -> u32 {
    let conn = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    conn.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The first legal ply of board 1, and who is to make it.
fn next_ply(store: &Store) -> (&'static str, &'static str, &'static str, String) {
    let board = Board::load(store, BoardId(1)).unwrap().unwrap();
    let (userid, password, address) = [("ann", ANN, "ann@example.org"), ("bob", BOB, "bob@example.net")]
        [board.row.to_move.unwrap().index()];
    (userid, password, address, board.table.legal_plies().first().unwrap().clone())
}

#[test]
fn after_a_week_without_its_mail_server_everything_leaves_in_order_and_once() {
    let mut stage = Stage::with_a_game();
    let sink = Sink::start();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // Now nobody listens, now the server does not say hello.
    let down = [smtp(nobody), smtp(sink.port)];
    sink.misbehave(Some((At::Greeting, Fault::Close)));
    let sent_before = number(&stage, "SELECT count(*) FROM outbox");
    for hour in (0..7 * 24 + 5).step_by(3) {
        if hour % 2 == 0 {
            let (userid, password, from, ply) = next_ply(&stage.store);
            stage.put_in(
                from,
                &format!("dvonn move 1 {userid} {password} {ply}"),
                "Your turn, then.",
                100 + hour,
            );
        }
        let waiting = stage.store.waiting_mails().unwrap();
        let expected = Delivered { sent: 0, later: waiting, failed: 0 };
        assert_eq!(send(&mut stage, &down[hour as usize % 2]), expected, "hour {hour}");
        stage.wait(3);
    }
    let waiting = stage.store.waiting_mails().unwrap();
    assert!(waiting > 40, "{waiting}");
    sink.misbehave(None);
    let up = smtp(sink.port);
    assert_eq!(send(&mut stage, &up), Delivered { sent: waiting, later: 0, failed: 0 });
    assert_eq!(send(&mut stage, &up), Delivered::default());
    let conn = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    let mut statement = conn.prepare("SELECT message_id FROM outbox WHERE id > ?1 ORDER BY id").unwrap();
    let written: Vec<String> =
        statement.query_map([sent_before], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let left: Vec<String> = sink.taken().into_iter().map(|mail| mail.id).collect();
    assert_eq!(left, written);
    // No address is to blame.
    assert_eq!(number(&stage, "SELECT count(*) FROM bounces"), 0);
    assert_eq!(
        number(&stage, "SELECT count(*) FROM outbox WHERE state <> 'sent' OR bounced_at IS NOT NULL"),
        0
    );
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn a_mail_that_waited_for_a_month_is_tried_for_five_days_all_the_same() {
    let mut stage = Stage::with_players();
    let sink = Sink::start();
    let smtp = smtp(sink.port);
    sink.misbehave(Some((At::Rcpt, Fault::Say(450))));
    stage.put_in("eve@example.com", "help", "", 50);
    stage.wait(24 * 30);
    let begun = stage.now;
    let failed = loop {
        let delivered = send(&mut stage, &smtp);
        if delivered.failed > 0 {
            break stage.now.duration_since(begun);
        }
        assert!(stage.now.duration_since(begun) < SignedDuration::from_hours(24 * 7));
        stage.now = stage.now.checked_add(SignedDuration::from_mins(1)).unwrap();
    };
    let days = failed.as_secs_f64() / 86_400.0;
    assert!((4.8..5.5).contains(&days), "given up after {days} days");
    assert!(sink.taken().is_empty());
}

#[test]
fn a_server_sends_in_order_what_waited_for_its_mail_server() {
    let mut office = PostOffice::open();
    office.sink.misbehave(Some((At::Greeting, Fault::Say(421))));
    let mut serve = office.command(&["serve"]);
    serve.env("TURNPOST_SERVE_LMTP", "127.0.0.1:0");
    let served = Served::of(serve);
    let mut client = served.connect();
    for choice in 0..5 {
        let letter = office.next_letter(choice);
        let replies = client.mail("someone@example.org", &[&letter.recipient], &letter.mail);
        assert_eq!(replies, ["250 2.0.0 taken\r\n"]);
    }
    served.wait_for("421");
    assert!(office.sink.taken().is_empty());
    office.sink.misbehave(None);
    let until = std::time::Instant::now() + PATIENCE;
    while office.sink.taken().len() < office.due {
        assert!(std::time::Instant::now() < until, "{}", served.log());
        std::thread::sleep(Duration::from_millis(20));
    }
    served.stop();
    office.assert_all_left(0);
    let store = Store::open_read_only(&office.host.database()).unwrap();
    let mut written = store.outbox(1000).unwrap();
    written.sort_by_key(|mail| mail.id);
    let written: Vec<&str> =
        written.iter().filter(|mail| mail.board.is_some()).map(|mail| mail.message_id.as_str()).collect();
    let left = office.sink.taken();
    assert_eq!(left.iter().map(|mail| mail.id.as_str()).collect::<Vec<_>>(), written);
}

/// Lets a month go by for a database that nobody touches meanwhile.
fn a_month_off(host: &Host) {
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute_batch(
        "UPDATE boards SET started_at = started_at - 2592000, changed_at = changed_at - 2592000,
             deadline_at = deadline_at - 2592000, clock_at = clock_at - 2592000;
         UPDATE events SET at = at - 2592000, deadline_at = deadline_at - 2592000;
         UPDATE ticks SET last_at = last_at - 2592000;
         UPDATE outbox SET created_at = created_at - 2592000, due_at = due_at - 2592000;",
    )
    .unwrap();
}

#[test]
fn a_machine_that_was_off_for_a_month_forfeits_nobody_and_tells_each_player_once() {
    let host = Host::new();
    let players = format!(
        "signup ann {ANN} ann@example.org\nsignup bob {BOB} bob@example.net\n\
         dvonn challenge -symmetry -seed=7 --forfeittime=5 ann bob\n\
         dvonn challenge -symmetry -seed=7 --forfeittime=0 --totaltime=5 ann bob\n"
    );
    host.run(&["submit"], players.as_bytes()).ok();
    let ply = |number: u32, userid: &str, password: &str, ply: &str, board: u32| {
        let from = if userid == "ann" { "ann@example.org" } else { "bob@example.net" };
        letter(from, &format!("dvonn move {board} {userid} {password} {ply}"), "", number)
    };
    host.receive(&ply(1, "ann", ANN, "D1-E1", 1)).assert_silent(0);
    host.receive(&ply(2, "ann", ANN, "D1-E1", 2)).assert_silent(0);
    host.run(&["tick"], b"").ok();
    host.delivered();
    a_month_off(&host);
    let before = host.sent().len();
    // Its mail server, which comes up first, hands over at once what it kept.
    let served = Served::start(&host, &[]);
    served.connect().takes(&ply(3, "bob", BOB, "K3-J2", 2));
    // The timer can run before the server says that it serves, which `start` waited for.
    if !served.log().contains("no timer ran for") {
        served.wait_for("no timer ran for");
    }
    host.wait_for_mails(before + 4);
    served.stop();
    // Started again, and a timer from cron beside it: nothing more is told.
    let served = Served::start(&host, &[]);
    host.run(&["tick"], b"").ok();
    host.wait_until_quiet();
    served.stop();
    let mut told: HashMap<String, usize> = HashMap::new();
    for mail in host.sent().into_iter().skip(before) {
        if mail.text.contains("no timer ran") || mail.subject.contains("deadline") {
            *told.entry(mail.to).or_default() += 1;
        }
    }
    assert_eq!(host.sent().len(), before + 4, "two about the move, and one to each about the month");
    assert_eq!(told, HashMap::from([("ann@example.org".to_owned(), 1), ("bob@example.net".to_owned(), 1)]));
    let store = Store::open_read_only(&host.database()).unwrap();
    for board in [1, 2] {
        assert_eq!(store.board(BoardId(board)).unwrap().unwrap().state, BoardState::Running, "board {board}");
        let conn = rusqlite::Connection::open(host.database()).unwrap();
        let left = "SELECT deadline_at - unixepoch() FROM boards WHERE id = ?1";
        let left: i64 = conn.query_row(left, [board], |row| row.get(0)).unwrap();
        assert!(left > (5 * 24 - 1) * 3600, "board {board}: {left} s");
    }
    host.assert_verified();
}

/// A machine that comes up for one look at its clocks, now and then.
#[test]
fn months_off_one_after_another_forfeit_nobody() {
    let mut stage = Stage::with_players();
    stage.tick();
    stage.mail(
        "ann@example.org",
        "dvonn challenge -symmetry -seed=7 --nagtime=0 --forfeittime=5 ann bob",
        "",
    );
    stage.submit(Operator::AsAnyone, "dvonn move 1 ann - D1-E1");
    stage.submit(Operator::AsAnyone, "dvonn move 1 bob - K3-J2");
    stage.tick();
    for months in [1, 1, 2, 3, 1] {
        stage.wait(24 * 30 * months);
        let (ticked, mails) = stage.tick();
        assert_eq!((ticked.timed_out, ticked.moved, mails.len()), (0, 1, 2), "after {months} months");
    }
    // Then it stays on, and five days are five days.
    let on = stage.now;
    let until = on.checked_add(SignedDuration::from_hours(5 * 24 - 1)).unwrap();
    stage.ticks(until);
    assert_eq!(stage.store.board(BoardId(1)).unwrap().unwrap().state, BoardState::Running);
    stage.ticks(until.checked_add(SignedDuration::from_hours(2)).unwrap());
    let result = stage.store.board(BoardId(1)).unwrap().unwrap().result.unwrap();
    assert_eq!(result.ending, Ending::TimedOut);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}
