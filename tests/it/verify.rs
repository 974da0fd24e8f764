//! `admin verify` finds what was changed behind the server's back; `admin backup` copies while others write.

use std::path::Path;

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

/// What was changed, how, and what `verify` says of it.
const TAMPERING: &[(&str, &str, &str)] = &[
    ("a turn of the robot's that is forgotten", "DELETE FROM robot_turns", "board 5: it is the robot's turn"),
    (
        "a turn of the robot's that is none",
        "INSERT INTO robot_turns (board, event, arose_at) VALUES (1, 3, 0)",
        "board 1: a turn of the robot's is noted and is none",
    ),
    (
        "a turn of the robot's at another event",
        "UPDATE robot_turns SET event = 2",
        "board 5: it is the robot's turn",
    ),
    (
        "the text of a ply",
        "UPDATE events SET text = 'K3-K4' WHERE board = 1 AND ply = 2",
        "board 1: its events make",
    ),
    (
        "an illegal ply",
        "UPDATE events SET text = 'D1-F1' WHERE board = 1 AND ply = 1",
        "board 1: event 2: A single piece moves",
    ),
    (
        "a ply written otherwise",
        "UPDATE events SET text = 'd1e1' WHERE board = 1 AND ply = 1",
        "board 1: event 2: is not written as plies are",
    ),
    (
        "the number of a ply",
        "UPDATE events SET ply = 3 WHERE board = 1 AND ply = 2",
        "board 1: event 3: should be ply 2",
    ),
    (
        "the seat of a ply",
        "UPDATE events SET seat = 0 WHERE board = 1 AND ply = 2",
        "board 1: event 3: was played by the seat that is not to move",
    ),
    (
        "the position",
        "UPDATE boards SET position = replace(position, 'W2', 'w2') WHERE id = 1",
        "board 1: its events make",
    ),
    (
        "the last event deleted",
        "DELETE FROM events WHERE board = 1 AND number = 3",
        "board 1: its events make",
    ),
    (
        "an event deleted",
        "DELETE FROM events WHERE board = 1 AND number = 2",
        "board 1: event 3: follows event 1",
    ),
    (
        "the start deleted",
        "DELETE FROM events WHERE board = 1 AND number = 1",
        "board 1: event 2: a record begins with its start",
    ),
    ("all events deleted", "DELETE FROM events WHERE board = 1", "board 1: event 1: there is none"),
    (
        "an event added",
        "INSERT INTO events SELECT board, 4, kind, at, 0, player, 3, 'E1-G1', deadline_at FROM events WHERE board = 1 AND number = 3",
        "board 1: its events make",
    ),
    ("the winner", "UPDATE boards SET winner = 1 WHERE id = 2", "board 2: its events make"),
    ("the ending", "UPDATE boards SET ending = 'timed-out' WHERE id = 2", "board 2: its events make"),
    (
        "a score",
        "UPDATE boards SET score_first = 30, score_second = 1 WHERE id = 2",
        "board 2: its events make",
    ),
    (
        "the result taken back",
        "UPDATE boards SET state = 'running', ending = NULL, winner = NULL, to_move = 0 WHERE id = 2",
        "board 2: its events make",
    ),
    (
        "something after the end",
        "INSERT INTO events SELECT board, 3, 'ply', at, 0, player, 1, 'A1-B1', NULL FROM events WHERE board = 2 AND number = 2",
        "board 2: event 3: follows the end of the game",
    ),
    (
        "the seed",
        "UPDATE events SET text = json_replace(text, '$.seed', 8) WHERE board = 1 AND number = 1",
        "board 1: its start position is not the one its options and seed give",
    ),
    (
        "a drawn seed",
        "UPDATE events SET text = json_replace(text, '$.seed', 8) WHERE board = 2 AND number = 1",
        "board 2: its start position is not the one",
    ),
    (
        "an option",
        "UPDATE events SET text = json_replace(text, '$.options[0][0]', 'random') WHERE board = 1 AND number = 1",
        "board 1: its start position is not the one",
    ),
    (
        "the terms",
        "UPDATE events SET text = '{}' WHERE board = 1 AND number = 1",
        "board 1: event 1: missing field",
    ),
    ("a rating", "UPDATE boards SET rated = 1 WHERE id = 1", "board 1: its events make"),
    ("who plays", "UPDATE seats SET player = 1 - seat + 1 WHERE board = 1", "board 1: its events make"),
    (
        "a seat deleted",
        "DELETE FROM seats WHERE board = 1 AND seat = 1",
        "board 1: its row or its seats are missing",
    ),
    ("whose turn it is", "UPDATE boards SET to_move = 1 WHERE id = 1", "board 1: its events make"),
    (
        "a deadline",
        "UPDATE boards SET deadline_at = deadline_at + 86400 WHERE id = 1",
        "board 1: its events make",
    ),
    ("the days", "UPDATE boards SET forfeit_days = 0 WHERE id = 1", "board 1: its events make"),
    (
        "an unknown kind",
        "UPDATE events SET kind = 'gift' WHERE board = 1 AND number = 3",
        "board 1: the database holds something damaged",
    ),
    ("an unknown game", "UPDATE boards SET game = 'chess' WHERE id = 3", "board 3: its events make"),
    (
        "a reference to nothing",
        "PRAGMA foreign_keys = off; UPDATE addresses SET player = 99 WHERE player = 2",
        "addresses: a row points at nothing",
    ),
];

#[test]
fn every_tampering_is_found() {
    let stage = stage();
    let folder = tempfile::tempdir().unwrap();
    for (number, (what, sql, says)) in TAMPERING.iter().enumerate() {
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
        assert_eq!(again.code, Some(75));
        assert!(again.err.contains("is there already"), "{}", again.err);
    }
    for child in writers.into_iter().flatten() {
        let ran = finish(child);
        assert!(ran.code == Some(0) || ran.code == Some(1), "{ran:?}");
    }
    host.assert_verified();
    // A copy is a server like any other.
    let data = folder.path().join("copy-0");
    let mail = letter("ann@example.org", "dvonn move 1 ann plover-42 E1-G1 G1-H1", "", 1);
    finish(start(host.command(&["--data", data.to_str().unwrap(), "receive"]), &mail)).assert_silent(0);
}

fn verified(data: &Path) {
    let store = Store::open(&data.join("turnpost.db")).unwrap();
    let findings = turnpost::board::verify::verify(&store).unwrap();
    assert_eq!(findings.wrong, Vec::<String>::new());
    assert!(findings.boards >= 1);
}
