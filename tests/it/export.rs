//! Everything of a server as text and back; and what is saved of a damaged one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::host::{Host, finish, start};
use crate::support::{ANN, BOB, letter};
use rusqlite::Connection;
use rusqlite::types::Value;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/migrations");

const PAGE: usize = 4096;

/// A host with a row in nearly every table.
fn full() -> Host {
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n\
                   dvonn challenge -symmetry -seed=7 ann bob\n";
    host.run(&["submit"], players.as_bytes()).ok();
    let moves = [
        ("ann@example.org", format!("dvonn move 1 ann {ANN} D1-E1")),
        ("bob@example.net", format!("dvonn move 1 bob {BOB} K3-J2")),
    ];
    for (number, (from, command)) in moves.iter().enumerate() {
        host.receive(&letter(from, command, "", u32::try_from(number).unwrap())).assert_silent(0);
    }
    host.run(&["tick"], b"").ok();
    host.run(&["admin", "role", "ann", "organiser"], b"").ok();
    host.run(&["admin", "user", "bob", "--suspend", "he wrote too much"], b"").ok();
    host
}

/// Many boards, so that each table has many pages.
fn many_boards(boards: usize) -> Host {
    let host = Host::new();
    let mut commands =
        "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n".to_owned();
    for board in 0..boards {
        commands += &format!("dvonn challenge -symmetry -seed={board} ann bob\n");
    }
    let mut submit = host.command(&["submit", "--as-anyone"]);
    submit.env("TURNPOST_MAIL_AFTER_SUBMIT", "false");
    finish(start(submit, commands.as_bytes())).ok();
    host
}

/// The rows of all tables.
fn rows(database: &Path) -> BTreeMap<String, Vec<Vec<Value>>> {
    let conn = Connection::open(database).unwrap();
    let mut names = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let names: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let all = |name: &str| {
        let mut statement = conn.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let width = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..width).map(|column| row.get(column)).collect();
        let mut rows: Vec<Vec<Value>> = statement.query_map([], row).unwrap().map(Result::unwrap).collect();
        rows.sort_by_key(|row| format!("{row:?}"));
        rows
    };
    names.into_iter().map(|name| (name.clone(), all(&name))).collect()
}

fn export(host: &Host) -> String {
    let ran = host.run(&["admin", "export", "--format", "jsonl"], b"");
    assert!(ran.err.ends_with("rows written\n"), "{}", ran.err);
    ran.ok().to_owned()
}

#[test]
fn everything_goes_there_and_back() {
    let host = full();
    let text = export(&host);
    assert!(text.starts_with("{\"turnpost_export\":1,\"schema\":"), "{}", text.lines().next().unwrap());
    assert!(text.contains("he wrote too much") && text.contains("$argon2id$") && text.contains("\"base64\""));
    let new = Host::new();
    let ran = new.run(&["admin", "import", "-"], text.as_bytes());
    assert!(ran.ok().starts_with("imported: "), "{ran:?}");
    assert_eq!(rows(&new.database()), rows(&host.database()));
    assert_eq!(export(&new), text);
    new.assert_verified();
    let mode = fs::metadata(new.database()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let waiting = turnpost::store::Store::open_read_only(&new.database()).unwrap().waiting_mails().unwrap();
    // The one that plays on gives what the other gives.
    let command = format!("dvonn move 1 ann {ANN} E1-G1");
    new.receive(&letter("ann@example.org", &command, "", 9)).assert_silent(0);
    assert_eq!(new.delivered().len(), waiting as usize + 2, "what waited, and the new board for both");
}

#[test]
fn a_database_of_every_earlier_version_goes_there_and_back() {
    for version in 1..=turnpost::store::LATEST {
        let host = Host::new();
        let mut conn = Connection::open(host.database()).unwrap();
        conn.pragma_update(None, "application_id", 0x5470_7374).unwrap();
        turnpost::store::migrate_to(&mut conn, version).unwrap();
        conn.execute_batch(&fs::read_to_string(format!("{FIXTURES}/{version:04}.sql")).unwrap()).unwrap();
        drop(conn);
        let refused = host.run(&["admin", "export"], b"");
        if version < turnpost::store::LATEST {
            assert!(refused.err.contains("`turnpost tick` brings it up"), "{refused:?}");
        }
        drop(turnpost::store::Store::open(&host.database()).unwrap());
        let new = Host::new();
        new.run(&["admin", "import", "--format", "jsonl", "-"], export(&host).as_bytes()).ok();
        assert_eq!(rows(&new.database()), rows(&host.database()), "of version {version}");
    }
}

#[test]
fn the_file_is_new_and_private() {
    let host = full();
    let file = host.data().join("export.jsonl");
    let file = file.to_str().unwrap();
    host.run(&["admin", "export", file], b"").ok();
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_to_string(file).unwrap(), export(&host));
    let again = host.run(&["admin", "export", file], b"");
    assert_eq!(again.code, Some(75), "{again:?}");
    assert!(again.err.contains("exists"), "{again:?}");
}

/// What is said of an import that makes nothing.
fn refused(host: &Host, text: &str) -> String {
    let ran = host.run(&["admin", "import", "--format", "jsonl", "-"], text.as_bytes());
    assert_ne!(ran.code, Some(0), "{ran:?}");
    ran.out + &ran.err
}

#[test]
fn what_is_no_whole_export_is_refused_and_leaves_nothing() {
    let text = export(&full());
    let new = Host::new();
    let before: Vec<_> = fs::read_dir(new.data()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let latest = turnpost::store::LATEST;
    let schema =
        |version: u32| text.replacen(&format!("\"schema\":{latest}"), &format!("\"schema\":{version}"), 1);
    for version in [latest - 1, latest + 1] {
        let says = refused(&new, &schema(version));
        assert!(
            says.contains(&format!(
                "the export is of version {version}, and this Turnpost reads version {latest}"
            )),
            "{says}"
        );
        assert_eq!(says.lines().count(), 1);
    }
    let lines: Vec<&str> = text.lines().collect();
    let says = refused(&new, &lines[..lines.len() - 1].join("\n"));
    assert!(says.contains("the end of the export is missing"), "{says}");
    let says = refused(&new, &text[..text.len() / 2]);
    assert!(says.contains("cut off"), "{says}");
    let without = [&lines[..3], &lines[4..]].concat().join("\n");
    assert!(refused(&new, &without).contains("rows came of"));
    let events: Vec<&str> =
        lines.iter().copied().filter(|line| !line.contains("\"table\":\"players\"")).collect();
    let events = events.join("\n");
    let rows = lines.len() - 2;
    let fewer = events.lines().count() - 2;
    let events = events.replace(&format!("\"rows\":{rows}"), &format!("\"rows\":{fewer}"));
    let says = refused(&new, &events);
    assert!(says.contains("not the whole of a server"), "{says}");
    for (from, to, why) in [
        ("\"table\":\"seats\"", "\"table\":\"chairs\"", "there is no table \"chairs\""),
        ("\"userid_key\"", "\"userkey\"", "has no \"userid_key\""),
        ("\"seat\":0", "\"seat\":7", "cannot be stored"),
        ("\"seat\":0", "\"seat\":[]", "cannot be stored"),
    ] {
        let says = refused(&new, &text.replacen(from, to, 1));
        assert!(says.contains(why), "{says}");
    }
    let says = refused(&new, &text.replacen("D1-E1", "D1-D1", 1));
    assert!(says.contains("nothing was made of it"), "{says}");
    let after: Vec<_> = fs::read_dir(new.data()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(after, before);
    new.run(&["admin", "import", "-"], text.as_bytes()).ok();
    let says = refused(&new, &text);
    assert!(says.contains("turnpost.db is there already"), "{says}");
}

/// The pages of a table or an index, in the order of the file.
fn pages(host: &Host, name: &str) -> Vec<usize> {
    let conn = Connection::open(host.database()).unwrap();
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let root: u32 = conn
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [name], |row| row.get(0))
        .unwrap();
    let bytes = fs::read(host.database()).unwrap();
    let mut pages = vec![root as usize];
    let mut next = 0;
    while let Some(page) = pages.get(next).copied() {
        next += 1;
        let page = &bytes[(page - 1) * PAGE..page * PAGE];
        let number = |at: usize| u32::from_be_bytes(page[at..at + 4].try_into().unwrap()) as usize;
        // An interior page: its last child stands in its head, the others in its cells.
        if matches!(page[0], 2 | 5) {
            let cells = u16::from_be_bytes(page[3..5].try_into().unwrap()) as usize;
            for cell in 0..cells {
                let at = u16::from_be_bytes(page[12 + 2 * cell..14 + 2 * cell].try_into().unwrap());
                pages.push(number(at.into()));
            }
            pages.push(number(8));
        }
    }
    pages
}

/// Turns every bit of a page.
fn flip(host: &Host, page: usize) {
    let mut bytes = fs::read(host.database()).unwrap();
    for byte in &mut bytes[(page - 1) * PAGE..page * PAGE] {
        *byte = !*byte;
    }
    fs::write(host.database(), bytes).unwrap();
}

/// A place of a page that points at the row of another hides its own from a query, which ends well.
#[test]
fn a_row_that_damage_hides_is_missed() {
    let whole = many_boards(40);
    let leaf = *pages(&whole, "outbox").last().unwrap();
    let host = Host::new();
    let mut bytes = fs::read(whole.database()).unwrap();
    // The places of its rows stand behind the eight octets of its head.
    let places = (leaf - 1) * PAGE + 8;
    bytes.copy_within(places + 2..places + 4, places);
    fs::write(host.database(), bytes).unwrap();
    let (text, left_out) = saved(&host);
    assert!(left_out.contains(&format!("page {leaf} of the file, where rows of outbox are")), "{left_out}");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>().len();
    assert_eq!(lines(&text), lines(&export(&whole)) - 1);
    let new = Host::new();
    assert_eq!(new.run(&["admin", "import", "-"], text.as_bytes()).code, Some(1));
    new.assert_verified();
}

/// The export of a damaged server, and what it says it left out.
fn saved(host: &Host) -> (String, String) {
    let ran = host.run(&["admin", "export"], b"");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("left out: "), "{}", ran.err);
    (ran.out, ran.err)
}

fn boards(host: &Host) -> Vec<u32> {
    let conn = Connection::open(host.database()).unwrap();
    let mut statement = conn.prepare("SELECT id FROM boards ORDER BY id").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_flipped_page_is_named_and_all_other_boards_are_saved() {
    const BOARDS: usize = 120;
    let whole = many_boards(BOARDS);
    let mut tried = 0;
    for name in ["events", "boards", "seats", "players", "outbox", "mail_bytes", "letters", "boards_by_game"]
    {
        let pages = pages(&whole, name);
        // A leaf in the middle, the last leaf, two of them, and the root of all.
        let leaves = &pages[usize::from(pages.len() > 1)..];
        let (middle, last) = (leaves[leaves.len() / 2], leaves[leaves.len() - 1]);
        let mut chosen = vec![vec![middle], vec![last], vec![leaves[0], last], vec![pages[0]]];
        chosen.iter_mut().for_each(Vec::dedup);
        chosen.dedup();
        for flipped in chosen {
            let host = Host::new();
            fs::copy(whole.database(), host.database()).unwrap();
            flipped.iter().for_each(|page| flip(&host, *page));
            tried += 1;
            let doctor = host.run(&["doctor", "--json"], b"");
            assert_eq!(doctor.code, Some(1), "{name} {flipped:?}");
            let says = doctor.out.to_lowercase();
            assert!(
                says.contains("damaged") && says.contains(&format!("page {}", flipped[0])),
                "{name} {flipped:?}: {says}"
            );
            assert!(says.contains(name), "{name} {flipped:?}: {says}");
            if name == "boards_by_game" {
                // Nothing is in an index alone.
                let new = Host::new();
                new.run(&["admin", "import", "-"], export(&host).as_bytes()).ok();
                assert_eq!(rows(&new.database()), rows(&whole.database()));
                continue;
            }
            let (text, left_out) = saved(&host);
            let new = Host::new();
            let ran = new.run(&["admin", "import", "-"], text.as_bytes());
            assert_eq!(ran.code, Some(1), "{name} {flipped:?}: {ran:?}");
            new.assert_verified();
            let kept = boards(&new);
            let lost: Vec<u32> = (1..=BOARDS as u32).filter(|board| !kept.contains(board)).collect();
            println!("{name} {flipped:?} of {}: {} boards kept", pages.len(), kept.len());
            for board in &lost {
                assert!(
                    left_out.contains(&format!("left out: board {board}: ")),
                    "{name}: {board}: {left_out}"
                );
            }
            // Only moves that are lost lose a board: the rest is made anew of them.
            if name == "events" && flipped == [pages[0]] {
                assert_eq!(kept.len(), 0);
            } else if name == "events" {
                assert!(kept.len() + 40 > BOARDS, "{flipped:?}: {left_out}");
            } else {
                assert_eq!(lost, Vec::<u32>::new(), "{name} {flipped:?}: {left_out}\n{}", ran.out);
            }
        }
    }
    assert!(tried >= 20, "only {tried} were tried");
}

#[test]
fn a_lost_account_can_be_given_back() {
    let whole = many_boards(3);
    let pages = pages(&whole, "players");
    flip(&whole, pages[0]);
    let (text, _) = saved(&whole);
    let new = Host::new();
    let ran = new.run(&["admin", "import", "-"], text.as_bytes());
    assert!(ran.out.contains("2 accounts were lost: they are called lost- and their number"), "{ran:?}");
    new.run(&["admin", "rename", "lost-1", "ann", "--reason", "the disk"], b"").ok();
    let page = new.run(&["admin", "user", "ann"], b"");
    assert!(page.ok().contains("ann@example.org"), "{page:?}");
    new.run(&["admin", "user", "ann", "--reset-password", "--reason", "the disk"], b"").ok();
    new.assert_verified();
}

#[test]
fn a_file_whose_head_is_gone_is_named() {
    let host = full();
    pages(&host, "boards");
    flip(&host, 1);
    let doctor = host.run(&["doctor", "--json"], b"");
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.out.contains("is damaged"), "{}", doctor.out);
    let ran = host.run(&["admin", "export"], b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(75), ""), "{ran:?}");
    assert!(ran.err.contains("file is not a database"), "{ran:?}");
}

#[test]
fn a_wrong_directory_is_named_and_gets_no_database() {
    let host = Host::new();
    for task in ["deliver", "tick"] {
        let ran = host.run(&[task], b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(75), ""), "{task}");
        let says = format!("there is no Turnpost database in {}", host.data().display());
        assert!(ran.err.contains(&says), "{ran:?}");
        assert!(!host.database().exists(), "{task}");
    }
}

#[test]
fn a_suspension_is_shown() {
    let host = full();
    let page = host.run(&["admin", "user", "bob"], b"");
    assert!(page.ok().contains("suspended") && page.out.contains("he wrote too much"), "{page:?}");
    let list = host.run(&["admin", "users"], b"");
    assert!(list.ok().contains("suspended"), "{list:?}");
    for json in [["user", "bob", "--json"].as_slice(), &["users", "--json"]] {
        let ran = host.run(&[&["admin"], json].concat(), b"");
        assert!(
            ran.ok().contains("\"suspended\": \"he wrote too much\"")
                || ran.out.contains("\"suspended\":\"he wrote too much\""),
            "{ran:?}"
        );
    }
}
