//! What a server does about mails of dead senders and about old mails.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::support::host::{Host, finish, start};
use crate::support::post_office::PostOffice;
use crate::support::serving::{Served, wait_until};

/// The files of senders in a data directory.
fn senders(host: &Host) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(host.data()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().contains("-sender-"));
    files
}

/// A `deliver` in the middle of its first mail: the mail server has its connection, and says nothing.
fn in_the_middle(office: &PostOffice) -> (Child, TcpStream) {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut deliver = office.command(&["deliver"]);
    deliver.env("TURNPOST_SMTP_PORT", silent.local_addr().unwrap().port().to_string());
    deliver.env("TURNPOST_SMTP_TIMEOUT_SECONDS", "600");
    let child = start(deliver, b"");
    let (connection, _) = silent.accept().unwrap();
    (child, connection)
}

#[test]
fn what_a_killed_delivery_was_sending_leaves_with_the_next() {
    let office = PostOffice::open();
    let (mut killed, _connection) = in_the_middle(&office);
    assert_eq!(senders(&office.host).len(), 1);
    // A mail that a living process sends is left alone, for as long as that takes.
    for _ in 0..2 {
        office.run(&["deliver"], b"").ok();
        assert_eq!(office.sink.taken().len(), office.due - 1);
        office.time_passes();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    office.run(&["deliver"], b"").ok();
    office.assert_all_left(0);
    assert_eq!(senders(&office.host), Vec::<PathBuf>::new());
}

#[test]
fn a_server_sends_what_a_killed_delivery_was_sending_within_a_minute() {
    let office = PostOffice::open();
    let (mut killed, _connection) = in_the_middle(&office);
    let served = Served::of({
        let mut serve = office.command(&["serve"]);
        serve.env("TURNPOST_SERVE_LMTP", "127.0.0.1:0");
        serve
    });
    wait_until("the other mail leaves", || office.sink.taken().len() == office.due - 1);
    let begun = Instant::now();
    killed.kill().unwrap();
    killed.wait().unwrap();
    while office.sink.taken().len() < office.due {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", served.log());
        std::thread::sleep(Duration::from_millis(50));
    }
    served.stop();
    office.assert_all_left(0);
}

#[test]
fn the_clocks_forget_old_mails_as_the_host_says() {
    let host = Host::with_a_game();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    let texts = || conn.query_row("SELECT count(*) FROM mail_bytes", [], |row| row.get::<_, u32>(0)).unwrap();
    let age = "UPDATE outbox SET created_at = created_at - 40 * 86400";
    conn.execute(age, []).unwrap();
    assert_eq!(texts(), 2, "both were told of the game");
    let tick = |keep: &str| {
        let mut tick = host.command(&["tick"]);
        tick.env("TURNPOST_KEEP_MAILS", keep);
        finish(start(tick, b""))
    };
    assert!(!tick("forever").ok().contains("lost their text"));
    assert!(!tick("41d").ok().contains("lost their text"));
    let wrong = tick("30");
    assert!(wrong.err.contains("\"30\" is no number of days such as \"30d\""), "{}", wrong.err);
    assert_eq!(texts(), 2);
    assert!(tick("30d").ok().contains("\n2 old mails lost their text\n"));
    assert_eq!(texts(), 0);
    // So does a server.
    host.run(&["submit", "--as-anyone", "dvonn", "move", "1", "ann", "-", "D1-E1"], b"").ok();
    conn.execute(age, []).unwrap();
    assert!(texts() > 0);
    let served = Served::start(&host, &[]);
    served.wait_for("old mails lost their text");
    served.stop();
    assert_eq!(texts(), 0);
    host.assert_verified();
}
