//! `turnpost serve` as a process: real sockets, real signals.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use crate::support::host::Host;
use crate::support::serving::{Client, Served, stuffed};
use crate::support::{ADDRESS, ANN, BOB, letter};
use turnpost_games::dvonn::setup::symmetrical;
use turnpost_games::{Position, Table};

fn plies(host: &Host) -> usize {
    let board = host.run(&["admin", "board", "1", "--json"], b"");
    let board: serde_json::Value = serde_json::from_str(board.ok()).unwrap();
    board["plies"].as_array().unwrap().len()
}

#[test]
fn a_move_comes_in_and_both_mails_leave_at_once() {
    let host = Host::with_a_game();
    let served = Served::start(&host, &[]);
    let before = host.sent().len();
    let mut client = served.connect();
    client.takes(&letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1));
    host.wait_for_mails(before + 2);
    assert_eq!(plies(&host), 1);
    // The same again by another connection, and a reply from bob.
    let mut other = served.connect();
    other.takes(&letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1));
    other.takes(&letter("bob@example.net", &format!("dvonn move 1 bob {BOB} K3-J2#2"), "", 1));
    client.say(b"QUIT\r\n");
    assert!(client.reply().starts_with("221 "));
    assert_eq!(client.reply(), "");
    host.wait_for_mails(before + 4);
    let log = served.stop();
    assert_eq!(plies(&host), 2);
    assert_eq!(host.sent().len(), before + 4);
    for secret in [ANN, BOB, "dvonn move", "D1-E1"] {
        assert!(!log.contains(secret), "{log}");
    }
    host.assert_verified();
}

#[test]
fn by_a_socket_in_the_file_system() {
    let host = Host::with_a_game();
    let path = host.data().join("lmtp");
    // What a server that was killed leaves behind.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let place = format!("unix:{}", path.display());
    let served = Served::start(&host, &[("TURNPOST_SERVE_LMTP", &place)]);
    let mut client = Client::unix(&path);
    client.hello();
    let recipients = [ADDRESS, "play+b1.nonsense@turnpost.example"];
    let mail = letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1);
    assert_eq!(client.mail("", &[ADDRESS], &mail), ["250 2.0.0 taken\r\n"], "set aside: nobody sent it");
    assert_eq!(plies(&host), 0);
    assert_eq!(client.mail("ann@example.org", &recipients, &mail).len(), 2);
    assert_eq!(plies(&host), 1);
    served.stop();
    assert!(!path.exists());
}

#[test]
fn nobody_has_to_read_the_log() {
    let host = Host::with_a_game();
    let path = host.data().join("lmtp");
    let mut serve = host.command(&["serve"]);
    let mut served = serve.env("TURNPOST_SERVE_LMTP", format!("unix:{}", path.display())).spawn().unwrap();
    let log = BufReader::new(served.stderr.take().unwrap());
    assert!(log.lines().map_while(Result::ok).any(|line| line.contains("serving ")));
    let mut client = Client::unix(&path);
    client.hello();
    client.takes(&letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1));
    assert_eq!(plies(&host), 1);
    assert!(std::process::Command::new("kill").arg(served.id().to_string()).status().unwrap().success());
    assert_eq!(served.wait().unwrap().code(), Some(0));
}

/// A whole game's plies on the board of that seed, the first legal one each time, with the seat that plays each.
fn game() -> Vec<(usize, String)> {
    let mut position = symmetrical(7);
    let mut plies = Vec::new();
    while position.outcome().is_none() {
        let seat = position.turn().index();
        let ply = position.legal_moves()[0];
        if position.forced().is_none() {
            plies.push((seat, position.write_move(ply)));
        }
        position.make(ply);
    }
    plies
}

#[test]
fn a_whole_game_from_two_mail_servers() {
    let host = Host::with_a_game();
    let served = Served::start(&host, &[]);
    let mut clients = [served.connect(), served.connect()];
    for (who, password) in [("ann", ANN), ("bob", BOB)] {
        // The robot writes the letter after a game when it has time.
        host.run(&["submit", &format!("set {who} {password} afterword off")], b"").ok();
    }
    let before = host.wait_until_quiet();
    let plies = game();
    for (n, (seat, ply)) in plies.iter().enumerate() {
        let (who, password) = [("ann", ANN), ("bob", BOB)][*seat];
        let from = ["ann@example.org", "bob@example.net"][*seat];
        let subject = format!("dvonn move 1 {who} {password} {ply}");
        // With words, so that no newer mail takes the place of these.
        clients[*seat].takes(&letter(from, &subject, "A fine game so far.", n as u32));
    }
    let board = host.run(&["admin", "board", "1", "--json"], b"");
    let board: serde_json::Value = serde_json::from_str(board.ok()).unwrap();
    assert_eq!(board["state"], "finished", "{board}");
    // Each move made two mails.
    host.wait_for_mails(before + 2 * plies.len());
    let log = served.stop();
    assert!(!log.contains(ANN) && !log.contains(BOB), "{log}");
    host.assert_verified();
}

#[test]
fn what_is_said_in_one_go_is_done_in_order() {
    let host = Host::with_a_game();
    let served = Served::start(&host, &[]);
    let mut client = Client::tcp(served.lmtp.unwrap());
    let first = letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), ".", 1);
    let second = letter("bob@example.net", &format!("dvonn move 1 bob {BOB} K3-J2"), ".", 1);
    let mut all = b"LHLO mx.example\r\n".to_vec();
    for mail in [first, second] {
        all.extend(
            format!(
                "MAIL FROM:<x@example.org> SIZE=500 BODY=8BITMIME SMTPUTF8\r\nRCPT TO:<{ADDRESS}>\r\nDATA\r\n"
            )
            .bytes(),
        );
        all.extend(stuffed(&mail));
        all.extend(b".\r\n");
    }
    all.extend(b"QUIT\r\n");
    // In pieces that mean nothing, so that lines and the ends of mails are torn apart.
    for piece in all.chunks(37) {
        client.say(piece);
    }
    let replies: Vec<String> = (0..11).map(|_| client.reply().chars().take(3).collect::<String>()).collect();
    assert_eq!(replies.join(" "), "220 250 250 250 354 250 250 250 354 250 221");
    assert_eq!(client.reply(), "", "the connection is closed");
    assert_eq!(plies(&host), 2);
    served.stop();
}

#[test]
fn it_ends_when_the_letter_in_hand_is_taken() {
    let host = Host::with_a_game();
    let served = Served::start(&host, &[]);
    let (mut busy, mut idle) = (served.connect(), served.connect());
    let mail = stuffed(&letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1));
    busy.begin("ann@example.org", &[ADDRESS]);
    busy.say(&mail[..mail.len() / 2]);
    // Half of the mail has arrived by the time that the other connection is answered.
    idle.say(b"NOOP\r\n");
    assert!(idle.reply().starts_with("250 "));
    let lmtp = served.lmtp.unwrap();
    served.terminate();
    served.wait_for("going down");
    assert!(idle.reply().starts_with("421 4.3.2 "));
    assert_eq!(idle.reply(), "");
    assert_eq!(plies(&host), 0);
    busy.say(&mail[mail.len() / 2..]);
    busy.say(b".\r\n");
    assert_eq!(busy.reply(), "250 2.0.0 taken\r\n");
    assert!(busy.reply().starts_with("421 4.3.2 "));
    let (code, log) = served.end();
    assert_eq!(code, Some(0), "{log}");
    assert_eq!(plies(&host), 1);
    assert!(std::net::TcpStream::connect(lmtp).is_err());
}

#[test]
fn a_locked_database_leaves_the_letter_with_the_mail_server() {
    let host = Host::with_a_game();
    let served = Served::start(&host, &[("TURNPOST_BUSY_SECONDS", "0"), ("TURNPOST_SERVE_TIMER", "false")]);
    let mut client = served.connect();
    let mail = letter("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "", 1);
    let lock = rusqlite::Connection::open(host.database()).unwrap();
    lock.busy_timeout(Duration::from_secs(10)).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let replies = client.mail("ann@example.org", &[ADDRESS], &mail);
    assert_eq!(replies, ["451 4.3.0 not now, please come again\r\n"]);
    lock.execute_batch("ROLLBACK").unwrap();
    client.takes(&mail);
    assert_eq!(plies(&host), 1);
    let log = served.stop();
    assert!(log.contains("left with the mail server: database"), "{log}");
}

#[test]
fn a_mail_may_be_too_large() {
    let host = Host::with_a_game();
    let served = Served::start(&host, &[]);
    let mut first = served.connect();
    // Larger than is taken, told beforehand and found out.
    first.say(format!("MAIL FROM:<x@example.org> SIZE={}\r\n", (1 << 20) + 1).as_bytes());
    assert!(first.reply().starts_with("552 "));
    first.begin("x@example.org", &[ADDRESS]);
    let line = [b'x'; 998];
    for _ in 0..1100 {
        first.say(&line);
        first.say(b"\r\n");
    }
    first.say(b".\r\n");
    assert!(first.reply().starts_with("552 "));
    served.stop();
}
