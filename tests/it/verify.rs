//! `admin verify` finds what was changed behind the server's back; `admin backup` copies while others write.

use std::path::Path;

use crate::support::data::DataFile;
use crate::support::host::{Host, Ran, finish, start};
use crate::support::{Stage, letter};
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

#[test]
fn a_backup_made_while_others_write_passes() {
    let host = Host::new();
    host.run(&["submit"], include_bytes!("../first-game.txt")).ok();
    let writers: Vec<_> = (0..3)
        .map(|writer| {
            let commands: String =
                (0..40).map(|n| format!("signup w{writer}x{n} word-{n} w{n}@example.org\n")).collect();
            let games: String =
                (0..40).map(|n| format!("dvonn challenge -random ann w{writer}x{n}\n")).collect();
            // Several letters of each kind, so that there are many commits.
            (0..4)
                .map(|part| {
                    let lines: Vec<&str> = commands.lines().chain(games.lines()).collect();
                    let lines: Vec<&str> = lines.into_iter().skip(part).step_by(4).collect();
                    start(host.command(&["submit"]), lines.join("\n").as_bytes())
                })
                .collect::<Vec<_>>()
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    for copy in 0..5 {
        let file = folder.path().join(format!("copy-{copy}")).join("turnpost.db");
        std::fs::create_dir(file.parent().unwrap()).unwrap();
        host.run(&["admin", "backup", file.to_str().unwrap()], b"").ok();
        verified(file.parent().unwrap());
        // It is not written over.
        let again = host.run(&["admin", "backup", file.to_str().unwrap()], b"");
        assert_eq!(again.code, Some(1));
        assert!(again.err.contains("is there already"), "{}", again.err);
    }
    for child in writers.into_iter().flatten() {
        let ran = finish(child);
        assert!(ran.code == Some(0) || ran.code == Some(1), "{ran:?}");
    }
    host.assert_verified();
    // A copy is a server like any other, by the same configuration.
    let (data, config) = (folder.path().join("copy-0"), host.data().join("turnpost.toml"));
    let mail = letter("ann@example.org", "dvonn move 1 ann plover-42 E1-G1 G1-H1", "", 1);
    let place = ["--data", data.to_str().unwrap(), "--config", config.to_str().unwrap()];
    host.run(&[&place[..], &["receive"]].concat(), &mail).assert_silent(0);
}

fn verified(data: &Path) {
    let store = Store::open(&data.join("turnpost.db")).unwrap();
    let findings = turnpost::board::verify::verify(&store).unwrap();
    assert_eq!(findings.wrong, Vec::<String>::new());
    assert!(findings.boards >= 1);
}
