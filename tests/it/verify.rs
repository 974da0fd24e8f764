//! `admin verify` finds what was changed behind the server's back.

use crate::support::Stage;
use crate::support::data::DataFile;
use crate::support::host::{Host, Ran};
use rusqlite::Connection;
use turnpost::mail::Operator;
use turnpost::store::Store;

/// A server with a running board, one that was resigned, one with an option the seed does not come from, and one that
/// was set up from a position.
fn stage() -> Stage {
    let mut stage = Stage::with_a_game();
    let (printed, ends_well, _) = stage.submit(
        Operator::AsAnyone,
        "signup cleo gannet-3 cleo@example.org\nsignup dora curlew-8 dora@example.org\ndvonn move 1 ann - D1-E1\ndvonn move 1 bob - K3-J2\ndvonn challenge -random ann bob\n\
         dvonn resign 2 bob -\ndvonn challenge ann bob\ndvonn move 3 ann - F3\n\
         dvonn challenge \"-position=.,.,.,.,w3,.,.,.,./.,.,.,.,B2,.,.,.,.,./.,B2,.,.,.,.,.,.,.,.,./.,b4,.,.,.,.,.,.,.,./w3,.,.,D,.,.,.,.,. w\" cleo dora\n\
         dvonn challenge -symmetry -seed=7 robot-8 cleo\ndvonn games",
    );
    assert!(ends_well, "{printed}");
    assert_eq!(stage.wrong(), Vec::<String>::new());
    stage
}

#[test]
fn every_tampering_is_found() {
    let stage = stage();
    let folder = tempfile::tempdir().unwrap();
    for (number, line) in DataFile::read("tampering.txt").entries("boards").iter().enumerate() {
        let [what, sql, says] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let copy = folder.path().join(format!("{number}.db"));
        stage.store.backup(&copy).unwrap();
        let conn = Connection::open(&copy).unwrap();
        conn.execute_batch(sql).unwrap();
        drop(conn);
        let findings = turnpost::board::verify::verify(&Store::open(&copy).unwrap()).unwrap();
        assert_eq!(findings.boards, 5, "{what}");
        assert!(
            // What was changed may show in more than one place: in the order of finished games too, for one.
            findings.wrong.len() <= 2 && findings.wrong[0].starts_with(says),
            "{what}: {says:?} expected, found {:?}",
            findings.wrong
        );
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_program_says_so_with_its_exit_code() {
    let host = Host::new();
    host.run(&["submit"], include_bytes!("../first-game.txt")).ok();
    let Ran { code, out, .. } = host.run(&["admin", "verify"], b"");
    assert_eq!((code, out.as_str()), (Some(0), "1 boards, 5 events, 0 findings\n"));
    Connection::open(host.database()).unwrap().execute_batch("UPDATE boards SET plies = 7").unwrap();
    let Ran { code, out, .. } = host.run(&["admin", "verify"], b"");
    assert_eq!(code, Some(1));
    assert!(
        out.starts_with("board 1: its events make ") && out.ends_with("1 boards, 5 events, 1 findings\n"),
        "{out}"
    );
}
