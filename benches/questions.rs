//! How long each question of a host takes, asked as he asks it: by the whole program.
//!
//! `cargo bench --bench questions` asks a database of a million boards, each with two letters and two mails. A tenth
//! of the boards is in play. SQL makes the rows, because only finding them is measured.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, missing_docs)]

mod stock;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use stock::stock;

/// No question takes longer.
const GOAL: Duration = Duration::from_secs(1);

const QUESTIONS: &[&str] = &[
    "boards",
    "boards --waiting",
    "boards --due 500w",
    "boards --user p77 --waiting",
    "board 1",
    "letters",
    "letters --user p77",
    "letters --board 77",
    "letters --since 2027-01-16",
    "letter 77",
    "letter <77@example.org>",
    "outbox",
    "outbox --user p77",
    "outbox --board 77",
    "mail 77",
    "bounces",
    "bounces --user p77",
    "boards --waiting --since 2027-01-16",
    "bounces --since 2027-01-16",
    "log",
    "users",
    "user p77",
];

fn main() {
    // As `cargo bench --bench questions`; run by `cargo test` it only shows that it runs.
    let full = std::env::args().any(|argument| argument == "--bench");
    let boards: u32 = if full { 1_000_000 } else { 2_000 };
    let data = tempfile::tempdir().unwrap();
    let made = Instant::now();
    drop(stock(data.path(), 1));
    fill(&data.path().join("turnpost.db"), boards);
    if full {
        println!("{boards} boards made in {:.0?}", made.elapsed());
    }
    let mut slow = Vec::new();
    for question in QUESTIONS {
        let times: Vec<Duration> =
            (0..if full { 3 } else { 1 }).map(|_| ask(data.path(), question)).collect();
        // The first one reads from the disk, and a host asks once.
        let longest = times.iter().max().copied().unwrap_or_default();
        if full {
            println!("admin {question:32} {longest:>10.1?}");
        }
        if full && longest > GOAL {
            slow.push(*question);
        }
    }
    assert!(slow.is_empty(), "over {GOAL:?}: {slow:?}");
}

fn ask(data: &Path, question: &str) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
    command.env_clear().env("TURNPOST_DATA", data).arg("admin").args(question.split(' '));
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    let time = started.elapsed();
    assert!(output.status.success(), "{question}: {}", String::from_utf8_lossy(&output.stderr));
    time
}

/// Adds players p3, p4, ... and more boards, as a year of play leaves them.
fn fill(database: &Path, boards: u32) {
    let conn = Connection::open(database).unwrap();
    let players = (boards / 20).max(100);
    // Made once at the end, an index takes a fraction of the time.
    let indexes: Vec<(String, String)> = {
        let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
        let mut statement = conn.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    for (name, _) in &indexes {
        conn.execute_batch(&format!("DROP INDEX {name}")).unwrap();
    }
    conn.execute_batch(&format!(
        "PRAGMA synchronous = off; PRAGMA cache_size = -200000; BEGIN;
         CREATE TEMP TABLE n AS WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < {boards})
            SELECT n, 1800000000 + n * 30 AS at, 3 + n % {players} AS a, 3 + (n * 7 + 1) % {players} AS b FROM n;
         INSERT INTO players (id, userid, userid_key, secret, created_at)
            SELECT n, 'p' || n, 'p' || n, randomblob(32), at FROM n WHERE n BETWEEN 3 AND {players} + 2;
         INSERT INTO addresses (player, address, address_key, added_at, confirmed_at)
            SELECT id, userid || '@example.org', userid_key || '@example.org', 0, 1 FROM players WHERE id > 2;
         INSERT INTO boards (id, game, rated, state, position, plies, events, to_move, ending, nag_days, forfeit_days,
            total_days, started_at, changed_at, deadline_at)
            SELECT n, game, rated, iif(n % 10, 'finished', 'running'), position, 40, 41, iif(n % 10, NULL, 0),
            iif(n % 10, 'resigned', NULL), 7, 21, 0, at, at + n * 7919 % 10000000,
            iif(n % 10, NULL, at + n * 7919 % 20000000)
            FROM n, (SELECT game, rated, position FROM boards WHERE id = 1);
         INSERT INTO seats (board, seat, player) SELECT n, 0, a FROM n UNION ALL SELECT n, 1, b FROM n;
         INSERT INTO letters (identity, received_at, door, sender, player, done, commands, message_id, proof)
            SELECT randomblob(32), at, 'lmtp', 'p' || a || '@example.org', a, 1, 'dvonn move ' || n || ' p' || a || ' *** F3',
            '<' || n || '@example.org>', 'token' FROM n
            UNION ALL SELECT randomblob(32), at, 'lmtp', 'p' || b || '@example.org', b, 1,
            'dvonn move ' || n || ' p' || b || ' *** F4', '<b' || n || '@example.org>', 'token' FROM n;
         INSERT INTO outbox (letter, board, player, recipient, message_id, created_at, state, attempts, due_at,
            finished_at, bounced_at, came_back_with)
            SELECT n - 1, n, b, 'p' || b || '@example.org', '<m' || n || '@example.org>', at, 'sent', 1, at,
            at, iif(n % 100, NULL, at), iif(n % 100, NULL, '5.1.1 550 no such mailbox') FROM n
            UNION ALL SELECT n - 1, n, a, 'p' || a || '@example.org', '<n' || n || '@example.org>', at,
            iif(n % 50, 'sent', 'waiting'), 1, at, at, NULL, NULL FROM n;
         INSERT OR IGNORE INTO mail_bytes (mail, bytes) SELECT id, zeroblob(300) FROM outbox;
         COMMIT;"
    ))
    .unwrap();
    for (_, sql) in &indexes {
        conn.execute_batch(sql).unwrap();
    }
}
