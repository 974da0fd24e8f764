//! Beside Litestream: its tables in the database, and its reader that does not end.

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
