//! How long each question of a host takes, asked as he asks it: by the whole program. Also how long the archive takes to
//! answer a player, and how large it is.
//!
//! `cargo bench --bench questions` asks a database of a million boards, each with two letters and two mails. A tenth
//! of the boards is in play. The others have 41 positions in the archive each. SQL makes the rows, because only finding
//! them is measured.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, missing_docs)]

mod stock;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use sha2::{Digest, Sha256};
use turnpost_games::{Setup, registry};

use stock::stock;

/// No question takes longer.
const GOAL: Duration = Duration::from_secs(1);

/// The archive answers in this time beyond that of [`BASELINE`], and a position takes at most so many octets.
const ARCHIVE_GOAL: Duration = Duration::from_millis(50);
const OCTETS: f64 = 20.0;

const BASELINE: &str = "dvonn rules";

/// Questions of a player, from the position that most games reached to one of no game.
const EXPLORED: &[&str] =
    &["dvonn explore", "dvonn explore A1", "dvonn explore A1 B1", "dvonn explore A1 B1 C1"];

const LISTED: &[&str] = &["dvonn history", "dvonn history p77 -result=drawn", "dvonn history -moves=40"];

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
    let database = data.path().join("turnpost.db");
    fill(&database, boards);
    let octets = archive(&database);
    if full {
        println!("{boards} boards made in {:.0?}", made.elapsed());
        println!("archive: {octets:.1} octets a position");
        assert!(octets <= OCTETS, "more than {OCTETS}");
    }
    // The first time reads from the disk, and a host asks once.
    let longest = |words: &[&str]| {
        let times = (0..if full { 3 } else { 1 }).map(|_| ask(data.path(), words));
        times.max_by_key(|(time, _)| *time).unwrap()
    };
    let mut slow = Vec::new();
    let (baseline, _) = longest(&["submit", BASELINE]);
    for question in LISTED.iter().chain(EXPLORED) {
        let (time, said) = longest(&["submit", question]);
        if full {
            let ratio = time.as_secs_f64() / baseline.as_secs_f64();
            println!("{question:32} {time:>10.1?}, {ratio:.1} times as long as `{BASELINE}`");
        }
        assert!(!EXPLORED[..3].contains(question) || said.contains("reached this position"), "{said}");
        assert!(!said.contains("No rated game") || *question == EXPLORED[3], "{question}: {said}");
        if full && time > baseline + ARCHIVE_GOAL {
            slow.push(*question);
        }
    }
    for question in QUESTIONS {
        let words: Vec<&str> = ["admin"].into_iter().chain(question.split(' ')).collect();
        let (longest, _) = longest(&words);
        if full {
            println!("admin {question:32} {longest:>10.1?}");
        }
        if full && longest > GOAL {
            slow.push(*question);
        }
    }
    assert!(slow.is_empty(), "over {GOAL:?}: {slow:?}");
}

fn ask(data: &Path, words: &[&str]) -> (Duration, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
    command.env_clear().env("TURNPOST_DATA", data).args(words);
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    let time = started.elapsed();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    (time, String::from_utf8(output.stdout).unwrap())
}

/// Adds 41 positions of each finished board and its first two plies. All begin alike, and every fourth and every sixteenth
/// continues alike. Returns the octets of a position.
fn archive(database: &Path) -> f64 {
    let [start, first, second] = ["", "A1", "A1 B1"].map(key);
    let conn = Connection::open(database).unwrap();
    conn.execute_batch(&format!(
        "PRAGMA synchronous = off; PRAGMA cache_size = -200000; PRAGMA temp_store = memory; BEGIN;
         CREATE TEMP TABLE n AS SELECT id AS n, id / 10 AS m FROM boards WHERE state = 'finished';
         INSERT INTO events (board, number, kind, at, seat, player, ply, text)
            SELECT n, 2, 'ply', 0, 0, 1, 1, iif(m % 4, 'B' || (1 + m % 4), 'A1') FROM n
            UNION ALL SELECT n, 3, 'ply', 0, 1, 2, 2, iif(m % 16, 'C' || (1 + m % 4), 'B1') FROM n
            UNION ALL SELECT n, k + 2, 'ply', 0, k % 2, 1 + k % 2, k, 'D1-E1'
                FROM n, (SELECT value AS k FROM json_each('[2,3,4,5,6,7,8,9,10]')) WHERE k > 2
            ORDER BY 1, 2;
         INSERT INTO positions (key, board, next)
            SELECT {start}, n, 2 FROM n
            UNION ALL SELECT iif(m % 4, (random() >> 16), {first}), n, 3 FROM n
            UNION ALL SELECT iif(m % 16, (random() >> 16), {second}), n, 4 FROM n
            UNION ALL SELECT random() >> 16, n, value FROM n, json_each({later})
            ORDER BY 1, 2, 3;
         COMMIT;",
        later =
            format_args!("'[{}]'", (5..43).map(|number| number.to_string()).collect::<Vec<_>>().join(",")),
    ))
    .unwrap();
    let octets = "SELECT sum(pgsize) FROM dbstat WHERE name = 'positions'";
    let rows = "SELECT count(*) FROM positions";
    let [octets, rows] =
        [octets, rows].map(|sql| conn.query_row(sql, [], |row| row.get::<_, f64>(0)).unwrap());
    octets / rows
}

/// The key of the position after these plies, as the server makes it.
fn key(plies: &str) -> i64 {
    let dvonn = registry::find("dvonn").unwrap();
    let options = dvonn.more_between_people(&[]);
    let mut table = (dvonn.start)(&Setup { options: &options, seed: 0 }).unwrap();
    for ply in plies.split_whitespace() {
        table.play_text(ply).unwrap();
    }
    let digest = Sha256::digest(format!("dvonn\0{}", table.key_text()));
    digest.iter().take(6).fold(0, |key, octet| key << 8 | i64::from(*octet)) - (1 << 47)
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
