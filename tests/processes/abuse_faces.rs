//! Law 10, small faces: `/healthz` and `/metrics` answer whatever other clients do, and `/healthz` tells the truth.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::host::Host;
use crate::support::serving::{PATIENCE, Served};

/// The time for a whole request is five seconds; a busy machine takes longer to notice.
const DEADLINE: Duration = Duration::from_secs(5);
const SOON: Duration = Duration::from_secs(4);

const HTTP: (&str, &str) = ("TURNPOST_SERVE_HTTP", "127.0.0.1:0");
const NO_WORKER: (&str, &str) = ("TURNPOST_SERVE_WORKER", "false");
const NO_TIMER: (&str, &str) = ("TURNPOST_SERVE_TIMER", "false");

/// A host with mails that wait.
fn host() -> Host {
    let host = Host::new();
    let mut command = host.command(&["submit"]);
    command.env("TURNPOST_MAIL_AFTER_SUBMIT", "false");
    let sign_ups =
        b"signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\ndvonn challenge ann bob\n";
    crate::support::host::finish(crate::support::host::start(command, sign_ups)).ok();
    host
}

fn connect(served: &Served) -> TcpStream {
    let stream = TcpStream::connect(served.http.unwrap()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn assert_well(served: &Served) {
    let begun = Instant::now();
    assert_eq!(served.page("/healthz"), ("HTTP/1.1 200 OK".to_owned(), "ok\n".to_owned()));
    assert_eq!(served.page("/metrics").0, "HTTP/1.1 200 OK");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

fn assert_ill(served: &Served, why: &str) {
    let (status, body) = served.page("/healthz");
    assert_eq!(status, "HTTP/1.1 503 Service Unavailable", "{body}");
    assert!(body.contains(why) && body.lines().count() == 1, "{body}");
    // The counts are told all the same.
    assert_eq!(served.page("/metrics").0, "HTTP/1.1 200 OK");
}

/// True when the other side has ended the connection, with or without the answer it owed.
fn is_over(mut stream: &TcpStream, at_most: Duration) -> bool {
    stream.set_read_timeout(Some(at_most)).unwrap();
    let mut piece = [0; 1024];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(why) => return !matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        }
    }
}

#[test]
fn one_slow_client_blocks_nobody() {
    let host = host();
    let served = Served::start(&host, &[HTTP]);
    let (silent, mut begun, unread) = (connect(&served), connect(&served), connect(&served));
    begun.write_all(b"GET /hea").unwrap();
    (&unread).write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
    for _ in 0..20 {
        assert_well(&served);
    }
    drop((silent, begun, unread));
    served.stop();
}

#[test]
fn a_crowd_of_silent_clients_blocks_nobody_and_the_oldest_make_room() {
    let host = host();
    let served = Served::start(&host, &[HTTP]);
    let crowd: Vec<TcpStream> = (0..400)
        .map(|number| {
            let mut stream = connect(&served);
            if number % 2 == 0 {
                stream.write_all(b"GET /healthz HTTP/1.1\r\nX: ").unwrap();
            }
            stream
        })
        .collect();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_well(&served));
        }
    });
    assert!(crowd[..250].iter().all(|stream| is_over(stream, Duration::from_secs(1))));
    // Threads cost memory, and a connection needs none.
    let threads = std::fs::read_dir(format!("/proc/{}/task", served.process()));
    if let Ok(threads) = threads {
        assert!(threads.count() < 60);
    }
    served.stop();
}

#[test]
fn many_are_answered_at_once() {
    let host = host();
    let served = Served::start(&host, &[HTTP]);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| assert_eq!(served.page("/healthz").1, "ok\n"));
        }
    });
    assert!(begun.elapsed() < PATIENCE / 4);
    served.stop();
}

#[test]
fn octet_by_octet_does_not_renew_the_deadline() {
    let host = host();
    let served = Served::start(&host, &[HTTP]);
    let begun = Instant::now();
    let mut stream = connect(&served);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nX: ").unwrap();
    while stream.write_all(b"x").is_ok() {
        assert!(begun.elapsed() < DEADLINE * 2, "still open after {:?}", begun.elapsed());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(is_over(&stream, SOON));
    // Nor does silence, and a request in time has its answer.
    let silent = connect(&served);
    let mut slow = connect(&served);
    for piece in ["GET /heal", "thz HTTP/1.1\r\n", "Host: x\r\n", "\r\n"] {
        std::thread::sleep(Duration::from_millis(300));
        slow.write_all(piece.as_bytes()).unwrap();
    }
    let mut answer = String::new();
    slow.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nok\n"), "{answer}");
    assert!(is_over(&silent, DEADLINE * 2));
    served.stop();
}

#[test]
fn it_goes_down_at_once_while_clients_are_silent() {
    let host = host();
    let served = Served::start(&host, &[HTTP]);
    let crowd: Vec<TcpStream> = (0..60).map(|_| connect(&served)).collect();
    let begun = Instant::now();
    served.stop();
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    drop(crowd);
}

#[test]
fn a_database_that_cannot_be_written_is_no_health() {
    let host = host();
    // As on a full disk: no file grows beyond so many blocks of 512 octets, which fits the index of SQLite's log.
    let plain = host.command(&["serve"]);
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 72; exec \"$@\"", "sh"])
        .arg(plain.get_program())
        .arg("serve");
    command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.envs([HTTP, NO_WORKER, NO_TIMER, ("TURNPOST_ROBOT_ENABLED", "false")]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let served = Served::of(command);
    for _ in 0..3 {
        assert_ill(&served, "the database cannot be written");
    }
    served.stop();
    // With room it is well, and what was tried has left nothing.
    let served = Served::start(&host, &[HTTP, NO_WORKER, NO_TIMER]);
    let before = std::fs::read(host.database()).unwrap();
    for _ in 0..50 {
        assert_well(&served);
    }
    assert_eq!(std::fs::read(host.database()).unwrap(), before);
    let log = std::fs::metadata(host.data().join("turnpost.db-wal")).unwrap().len();
    assert!(log < 512 * 1024, "the log has grown to {log}");
    served.stop();
    host.assert_verified();
}

#[test]
fn a_letter_that_takes_long_is_no_illness() {
    let host = host();
    let served = Served::start(&host, &[HTTP, NO_WORKER, NO_TIMER]);
    let long = rusqlite::Connection::open(host.database()).unwrap();
    long.execute_batch("BEGIN IMMEDIATE; UPDATE players SET zone = zone").unwrap();
    for _ in 0..3 {
        assert_well(&served);
    }
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| assert_well(&served));
        }
    });
    long.execute_batch("COMMIT").unwrap();
    assert_well(&served);
    served.stop();
}

#[test]
fn a_mail_that_nobody_tries_to_send_for_an_hour_is_no_health() {
    let host = host();
    let served = Served::start(&host, &[HTTP, NO_WORKER, NO_TIMER]);
    let outbox = rusqlite::Connection::open(host.database()).unwrap();
    let set = |what: &str| outbox.execute_batch(&format!("UPDATE outbox SET {what}")).unwrap();
    assert_well(&served);
    set("due_at = unixepoch() - 3590");
    assert_well(&served);
    set("due_at = unixepoch() - 3610");
    assert_ill(&served, "mail");
    // One is enough.
    set("due_at = unixepoch() + 60 WHERE id > (SELECT min(id) FROM outbox)");
    assert_ill(&served, "mail");
    // Somebody is sending it now; it was tried, and will be again; it has left.
    set("sender = 1, lease_until = unixepoch() + 60");
    assert_well(&served);
    set("sender = NULL, lease_until = NULL, due_at = unixepoch() + 60, attempts = 9");
    assert_well(&served);
    set("due_at = unixepoch() - 3610");
    assert_ill(&served, "mail");
    set("state = 'sent'");
    assert_well(&served);
    served.stop();
}
