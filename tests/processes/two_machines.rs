//! Two machines with one database: only one of them serves and sends.

use crate::support::host::Host;
use crate::support::letter;
use crate::support::serving::{Served, wait_until};

const ONE: &[(&str, &str)] = &[("TURNPOST_SERVE_MACHINE", "one"), ("TURNPOST_SERVE_TIMER_SECONDS", "1")];
const OTHER: (&str, &str) = ("TURNPOST_SERVE_MACHINE", "other");

fn served_by(host: &Host) -> Option<String> {
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.query_row("SELECT machine FROM serving", [], |row| row.get(0)).ok()
}

#[test]
fn a_second_machine_neither_serves_nor_sends_until_the_first_is_gone() {
    let host = Host::with_players();
    let one = Served::start(&host, ONE);
    let same = Served::start(&host, ONE);
    same.stop();
    wait_until("the first says again that it serves", || served_by(&host).as_deref() == Some("one"));
    let on_other = |arguments: &[&str]| {
        let mut command = host.command(arguments);
        command.env(OTHER.0, OTHER.1).env("TURNPOST_SERVE_LMTP", "127.0.0.1:0");
        command
    };
    let refused = on_other(&["serve"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(75));
    let why = String::from_utf8(refused.stderr).unwrap();
    assert!(why.contains("turnpost: one serves this database, and was seen "), "{why}");
    one.kill();
    let sends = || {
        host.receive(&letter("ann@example.org", "help", "", 1)).assert_silent(0);
        let sent = on_other(&["deliver"]).output().unwrap();
        (sent.status.code(), String::from_utf8(sent.stderr).unwrap())
    };
    let (code, why) = sends();
    assert!(
        code == Some(75) && why.contains("one serves this database"),
        "the first may still be there: {why}"
    );
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute("UPDATE serving SET seen = seen - 120", []).unwrap();
    let other = Served::of(on_other(&["serve"]));
    other.kill();
    // The first is back, and its host is sure.
    let mut over = host.command(&["serve", "--take-over"]);
    over.envs(ONE.iter().copied()).env("TURNPOST_SERVE_LMTP", "127.0.0.1:0");
    let one = Served::of(over);
    host.wait_until_quiet();
    let mut over = on_other(&["serve", "--take-over"]);
    over.env("TURNPOST_SERVE_TIMER_SECONDS", "1");
    let other = Served::of(over);
    let (code, log) = one.end();
    assert_eq!(code, Some(75), "{log}");
    assert!(log.contains("other serves this database"), "{log}");
    other.stop();
    assert_eq!(served_by(&host), None);
}
