//! `admin simulate` makes the same sound club each time, and only where there is nothing.

use std::path::{Path, PathBuf};

use crate::support::dump;
use crate::support::host::{Host, Ran};
use rusqlite::Connection;
use turnpost::data_dir::DATABASE;

/// Simulates a small club in a new directory.
fn simulated(host: &Host, name: &str, seed: &str) -> PathBuf {
    let data = host.data().join(name);
    let size = ["--boards", "14", "--days", "30", "--players", "4", "--plies", "4"];
    let arguments =
        [&["--data", data.to_str().unwrap(), "admin", "simulate", "--seed", seed][..], &size].concat();
    host.run(&arguments, b"").ok();
    data
}

/// What letters and mails there are, a line each: all but what the system's randomness keys.
fn post(data: &Path) -> Vec<String> {
    let conn = Connection::open(data.join(DATABASE)).unwrap();
    let mut rows = conn
        .prepare(
            "SELECT 'letter ' || received_at || hex(identity) || done || refused FROM letters
             UNION ALL SELECT 'mail ' || message_id || recipient || state || finished_at FROM outbox
             UNION ALL SELECT 'bounce ' || address || count FROM bounces",
        )
        .unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// The rows of boards, without the passwords' salts.
fn games(data: &Path) -> String {
    let dump = dump(&data.join(DATABASE));
    dump.lines().filter(|line| !line.starts_with("players ")).collect::<Vec<_>>().join("\n")
}

fn count(data: &Path, sql: &str) -> u32 {
    let conn = Connection::open(data.join(DATABASE)).unwrap();
    conn.query_row(&format!("SELECT count(*) FROM {sql}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn a_seed_makes_the_same_club() {
    let host = Host::new();
    let [one, same, other] =
        [("one", "3"), ("same", "3"), ("other", "4")].map(|(name, seed)| simulated(&host, name, seed));
    assert_eq!(games(&one), games(&same));
    assert_eq!(post(&one), post(&same));
    assert_ne!(games(&one), games(&other));
    host.run(&["--data", one.to_str().unwrap(), "admin", "verify"], b"").ok();
    assert!(count(&one, "boards WHERE state = 'running'") > 0, "some games go on");
    assert!(count(&one, "boards WHERE state <> 'running'") > 0, "some are over");
    for game in ["dvonn", "hexmeister"] {
        assert!(count(&one, &format!("boards WHERE game = '{game}'")) > 0, "{game}");
    }
    assert!(count(&one, "letters WHERE door = 'lmtp'") > 14 * 4, "everything comes by mail");
    assert_eq!(count(&one, "outbox WHERE state = 'waiting'"), 0, "every mail left");
}

#[test]
fn a_used_directory_is_refused_and_stays_as_it_is() {
    let host = Host::new();
    let Ran { code, out, err } = host.run(&["admin", "simulate"], b"");
    assert_eq!((code, out.as_str()), (Some(75), ""));
    assert!(err.contains("is not empty"), "{err}");
    assert!(!host.database().exists());
}
