//! All that a server does, at once.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use turnpost::credentials::token::{self, MailKind};
use turnpost::ids::BoardId;
use turnpost::store::PlayerId;

use crate::CONNECTIONS;
use crate::serving::{Client, Served, reply, sink};
use crate::stock::stock;

/// More than two letters each in the time of a run.
const BOARDS: u32 = 120_000;

/// On each board ann replies to a mail, and bob answers with his password.
pub fn load(full: bool) {
    let (boards, most) = if full { (BOARDS, Duration::from_secs(60)) } else { (60, Duration::from_secs(5)) };
    let data = tempfile::tempdir().unwrap();
    let store = stock(data.path(), boards);
    // As a server that has run for a while leaves them: the clocks look at those that changed.
    let conn = rusqlite::Connection::open(data.path().join("turnpost.db")).unwrap();
    conn.execute("UPDATE boards SET clock_at = NULL", []).unwrap();
    drop(conn);
    let tokens: Vec<String> = (1..=boards)
        .map(|board| {
            token::give(&store, BoardId(board), PlayerId(1), (MailKind::Board, None)).unwrap().unwrap()
        })
        .collect();
    let port = sink().port().to_string();
    let settings = [
        ("TURNPOST_MAIL_TRANSPORT", "smtp"),
        ("TURNPOST_SMTP_PORT", &port),
        ("TURNPOST_SERVE_TIMER_SECONDS", "5"),
    ];
    let served = Served::start(data.path(), &settings);
    let began = Instant::now();
    let (next, copies, senders) = (AtomicU32::new(0), AtomicU32::new(0), AtomicUsize::new(CONNECTIONS));
    let mut waits: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                let (tokens, next, senders, lmtp) = (&tokens, &next, &senders, served.lmtp);
                scope.spawn(move || {
                    let waits = play(lmtp, tokens, next, began + most);
                    senders.fetch_sub(1, Ordering::SeqCst);
                    waits
                })
            })
            .collect();
        scope.spawn(|| {
            while senders.load(Ordering::SeqCst) > 0 {
                copy(data.path());
                copies.fetch_add(1, Ordering::SeqCst);
            }
        });
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let took = began.elapsed().as_secs_f64();
    assert_eq!(served.metric("turnpost_letters_total{outcome=\"acted\"} "), waits.len() as u64);
    let sent = served.metric("turnpost_mails_total{outcome=\"sent\"} ");
    let ticks = served.metric("turnpost_ticks_total ");
    let (_, memory) = served.memory();
    if full {
        waits.sort();
        let share = |of: usize| waits[waits.len() * of / 1000];
        println!(
            "serve for {took:.0} s, {CONNECTIONS} connections, half of the letters by token, with {ticks} runs of the \
             clocks, {sent} mails sent and {} copies made: {:.0} letters a second, {:.1?} in the median, {:.1?} for all but \
             one in a hundred, {:.1?} for all but one in a thousand; memory {memory:.0} MiB at most (goal: 128)",
            copies.into_inner(),
            waits.len() as f64 / took,
            share(500),
            share(990),
            share(999),
        );
    }
}

/// Plays the first two plies of a board after another; gives how long each letter took.
fn play(lmtp: std::net::SocketAddr, tokens: &[String], next: &AtomicU32, until: Instant) -> Vec<Duration> {
    let mut client = Client::connect(lmtp);
    let mut waits = Vec::new();
    while Instant::now() < until {
        let board = next.fetch_add(1, Ordering::Relaxed) as usize;
        let Some(token) = tokens.get(board) else { break };
        let address = format!("turnpost+{token}@localhost");
        let moved = reply(board * 2, "ann", &address, "D1-E1");
        let answered = format!(
            "From: bob@example.org\r\nTo: {}\r\nMessage-ID: <bench.{}@example.org>\r\n\
             Subject: dvonn move {} bob plover-42 K3-J2\r\n\r\n.\r\n",
            crate::ADDRESS,
            board * 2 + 1,
            board + 1
        );
        for (to, mail) in [(address.as_str(), moved.as_slice()), (crate::ADDRESS, answered.as_bytes())] {
            let began = Instant::now();
            client.mail(to, mail);
            waits.push(began.elapsed());
        }
    }
    waits
}

/// Makes a copy, as the nightly timer does, and removes it.
fn copy(data: &Path) {
    let path = data.join("copy.db");
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
    let made = command.env("TURNPOST_DATA", data).args(["admin", "backup"]).arg(&path).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    std::fs::remove_file(path).unwrap();
}
