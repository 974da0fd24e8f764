//! Beside Litestream: its tables in the database, and its reader that does not end.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::support::host::Host;
use crate::support::letter;

/// What Litestream puts into a database that it follows.
const TABLES: &str = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TABLE _litestream_lock (id INTEGER);
    INSERT INTO _litestream_seq VALUES (1, 42);";

/// The number in its table, which only it may change.
fn seq(host: &Host) -> i64 {
    let conn = Connection::open(host.database()).unwrap();
    conn.query_row("SELECT seq + (SELECT count(*) FROM _litestream_lock) FROM _litestream_seq", [], |row| {
        row.get(0)
    })
    .unwrap()
}

#[test]
fn every_command_ignores_and_keeps_the_tables_of_litestream() {
    let host = Host::with_a_game();
    Connection::open(host.database()).unwrap().execute_batch(TABLES).unwrap();
    host.run(&["submit"], b"signup carol ruff-88 carol@example.org\nsignup dora ruff-89 dora@example.org\n")
        .ok();
    host.receive(&letter("ann@example.org", "dvonn show 1", "", 1)).assert_silent(0);
    host.delivered();
    for words in
        ["tick", "admin verify", "admin users", "admin letters", "admin boards", "admin outbox", "admin log"]
    {
        host.run(&words.split(' ').collect::<Vec<_>>(), b"").ok();
    }
    let doctor = host.run(&["doctor", "--json", "--resolver", "127.0.0.1:9"], b"").out;
    assert!(doctor.contains("is sound") && !doctor.contains("_litestream"), "{doctor}");
    let exported = host.run(&["admin", "export-user", "ann"], b"").ok().to_owned();
    assert!(!exported.contains("_litestream"), "{exported}");
    host.run(&["admin", "merge", "dora", "carol", "--reason", "one person"], b"").ok();
    host.run(&["admin", "erase", "carol", "--yes"], b"").ok();
    let copy = host.data().join("copy.db");
    host.run(&["admin", "backup", copy.to_str().unwrap()], b"").ok();
    Connection::open(host.database()).unwrap().execute_batch("UPDATE _litestream_seq SET seq = 43").unwrap();
    host.run(&["admin", "restore", copy.to_str().unwrap()], b"").ok();
    assert_eq!(seq(&host), 42, "as it was copied");
    host.run(&["tick"], b"").ok();
    host.assert_verified();
    assert_eq!(seq(&host), 42);
}

#[test]
fn erasing_beside_a_reader_says_what_is_left_and_ends_when_it_has_read() {
    let host = Host::with_a_game();
    let reader = Connection::open(host.database()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM boards").unwrap();
    let begun = Instant::now();
    let ran = host.run(&["admin", "erase", "ann", "--yes"], b"");
    assert!(begun.elapsed() < Duration::from_secs(10), "writers wait for {:?}", begun.elapsed());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("Nothing is left but finished games"), "{ran:?}");
    assert!(ran.err.contains("turnpost.db-wal, ") && ran.err.contains("turnpost.db, because"), "{ran:?}");
    host.run(&["deliver"], b"").ok();
    let holds = |file: &std::path::Path| {
        let bytes = std::fs::read(file).unwrap();
        bytes.windows(15).any(|bytes| bytes == b"ann@example.org")
    };
    let files = || [host.database(), host.data().join("turnpost.db-wal")];
    assert!(files().iter().any(|file| holds(file)));
    let doctor = || host.run(&["doctor", "--quick", "--json", "--resolver", "127.0.0.1:9"], b"").out;
    reader.execute_batch("ROLLBACK").unwrap();
    let writer = Connection::open(host.database()).unwrap();
    writer.execute_batch("UPDATE erasures SET since = since - 7200").unwrap();
    assert!(doctor().contains("the files still hold what was erased 2 hours ago"), "{}", doctor());
    host.run(&["tick"], b"").ok();
    assert!(!files().iter().any(|file| holds(file)));
    assert!(!doctor().contains("still hold"));
    // It keeps copies of its own, which are not the program's.
    std::fs::create_dir(host.data().join(".turnpost.db-litestream")).unwrap();
    let ran = host.run(&["admin", "erase", "bob", "--yes"], b"");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains(".turnpost.db-litestream, the replica"), "{ran:?}");
    assert!(!ran.err.contains("db-wal"), "{ran:?}");
}
