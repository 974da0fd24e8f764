//! Copies of the database, and their way back.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::support::host::Host;
use crate::support::letter;
use crate::support::serving::{Served, wait_until};
use turnpost::store::Store;

/// So much more in a database, so that to copy it takes a while.
fn grow(database: &Path, mib: u32) {
    let conn = rusqlite::Connection::open(database).unwrap();
    conn.execute_batch("CREATE TABLE ballast (octets BLOB)").unwrap();
    for _ in 0..mib {
        conn.execute("INSERT INTO ballast VALUES (randomblob(1048576))", []).unwrap();
    }
}

fn backup(host: &Host, file: &Path) -> Duration {
    let begun = Instant::now();
    host.run(&["admin", "backup", file.to_str().unwrap()], b"").ok();
    begun.elapsed()
}

#[test]
fn a_backup_ends_while_others_write_all_the_while() {
    let host = Host::with_a_game();
    grow(&host.database(), 24);
    let folder = tempfile::tempdir().unwrap();
    let idle = backup(&host, &folder.path().join("idle.db"));
    let served = Served::start(&host, &[("TURNPOST_SERVE_WORKER", "false")]);
    let ends = AtomicBool::new(false);
    let (written, busy) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut client = served.connect();
            let mut letters = 0;
            while !ends.load(Ordering::SeqCst) {
                letters += 1;
                client.takes(&letter("ann@example.org", "dvonn show 1", "", letters));
            }
            letters
        });
        wait_until("letters come in", || {
            Store::open_read_only(&host.database()).unwrap().letters(30).unwrap().len() == 30
        });
        let busy = backup(&host, &folder.path().join("busy.db"));
        ends.store(true, Ordering::SeqCst);
        (writer.join().unwrap(), busy)
    });
    served.stop();
    println!("idle {idle:?}, with {written} letters {busy:?}");
    // The machine of the tests does much else; the bench measures.
    assert!(busy < idle * 10 + Duration::from_secs(5), "{busy:?}, idle {idle:?}");
    let copy = Host::new();
    fs::copy(folder.path().join("busy.db"), copy.database()).unwrap();
    copy.assert_verified();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing beside the copies");
}

#[test]
fn copies_of_the_latest_nights_are_kept_and_nothing_else_is_touched() {
    let host = Host::with_a_game();
    let folder = host.data().join("copies");
    let names = || {
        let mut names: Vec<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let keep = |keep: &str| host.run(&["admin", "backup", "--keep", keep, folder.to_str().unwrap()], b"");
    assert!(keep("2").ok().starts_with("copied to "));
    let [only] = &names()[..] else { panic!("{:?}", names()) };
    fs::remove_file(folder.join(only)).unwrap();
    let others = ["turnpost-20200101T000000Z.db.old", "turnpost-before.db", "turnpost.db"];
    for name in others.iter().chain(&["turnpost-20200101T000000Z.db", "turnpost-20210101T000000Z.db"]) {
        fs::write(folder.join(name), "copy").unwrap();
    }
    assert!(keep("2").ok().contains("; 1 older removed"));
    let left = names();
    assert_eq!(left.len(), others.len() + 2, "{left:?}");
    assert!(others.iter().all(|name| left.contains(&(*name).to_owned())));
    assert!(left.contains(&"turnpost-20210101T000000Z.db".to_owned()));
    assert_eq!(keep("0").code, Some(2));
    // Of a clock that was ahead two nights, and is right again.
    for name in &left {
        fs::remove_file(folder.join(name)).unwrap();
    }
    for name in ["turnpost-20970101T000000Z.db", "turnpost-20980101T000000Z.db"] {
        let ahead = SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_000);
        fs::write(folder.join(name), "copy").unwrap();
        fs::File::options().write(true).open(folder.join(name)).unwrap().set_modified(ahead).unwrap();
    }
    let said = keep("2").ok().to_owned();
    assert!(
        said.contains("; 1 older removed; ")
            && said.contains("20980101T000000Z.db is named after a later time")
    );
    let [new, _] = &names()[..] else { panic!("{:?}", names()) };
    assert!(said.contains(new), "{said}");
    // And behind the next, by the name of the newest.
    let behind = "turnpost-20200101T000000Z.db";
    fs::rename(folder.join(new), folder.join(behind)).unwrap();
    assert!(!keep("2").ok().contains("later time"));
    let [_, newest] = &names()[..] else { panic!("{:?}", names()) };
    assert_eq!(names(), [behind, newest], "the copy before the last is the older one, whatever its name");
    assert!(restore(&host, &folder).ok().contains(newest));
    fs::remove_file(folder.join(newest)).unwrap();
    assert!(restore(&host, &folder).ok().contains(behind));
    fs::remove_file(folder.join(behind)).unwrap();
    assert!(restore(&host, &folder).err.contains("holds no copy of `admin backup --keep`"));
}

fn restore(host: &Host, file: &Path) -> crate::support::host::Ran {
    host.run(&["admin", "restore", file.to_str().unwrap()], b"")
}

/// The names in a data directory.
fn files(host: &Host) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(host.data())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_copy_comes_back_and_the_old_database_stays_beside_it() {
    let host = Host::with_a_game();
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.db");
    backup(&host, &saved);
    let before = fs::read(&saved).unwrap();
    host.run(&["submit", "--as-anyone", "dvonn", "move", "1", "ann", "-", "D1-E1"], b"").ok();
    let shown = |host: &Host| host.run(&["admin", "board", "1"], b"").ok().to_owned();
    assert!(shown(&host).contains("D1-E1"));

    let ran = restore(&host, &saved);
    assert!(ran.ok().contains("1 boards") && ran.out.contains("the old database is "), "{}", ran.out);
    assert!(!shown(&host).contains("D1-E1"));
    assert_eq!(fs::read(&saved).unwrap(), before, "the copy stays as it is");
    assert_eq!(fs::metadata(host.database()).unwrap().permissions().mode() & 0o777, 0o600);
    host.assert_verified();
    host.run(&["submit", "--as-anyone", "dvonn", "move", "1", "ann", "-", "D1-E1"], b"").ok();

    // The old one is whole, and can come back in turn.
    let old = files(&host).into_iter().find(|name| name.starts_with("turnpost.db.until-")).unwrap();
    let old = host.data().join(old);
    assert!(!Path::new(&format!("{}-wal", old.display())).exists());
    let other = Host::new();
    restore(&other, &old).ok();
    assert!(shown(&other).contains("D1-E1"));
    let left = files(&other).into_iter().filter(|name| !name.ends_with("-shm") && !name.ends_with("-wal"));
    assert_eq!(left.collect::<Vec<_>>(), ["turnpost.db", "turnpost.id", "turnpost.toml"]);
}

#[test]
fn a_damaged_database_is_replaced_and_kept() {
    let host = Host::with_a_game();
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.db");
    backup(&host, &saved);
    fs::write(host.database(), "this is no database, and long enough to be looked at ".repeat(200)).unwrap();
    assert_eq!(host.run(&["admin", "boards"], b"").code, Some(75));
    restore(&host, &saved).ok();
    host.assert_verified();
    let old = files(&host).into_iter().find(|name| name.starts_with("turnpost.db.until-")).unwrap();
    assert!(fs::read_to_string(host.data().join(old)).unwrap().starts_with("this is no database"));
}

#[test]
fn a_copy_that_is_none_changes_nothing() {
    let host = Host::with_a_game();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let saved = path("saved.db");
    backup(&host, &saved);
    let before = files(&host);
    let refuses = |file: &Path, code: i32, sentence: &str| {
        let ran = restore(&host, file);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains(sentence), "{ran:?}");
        assert_eq!(files(&host), before);
        host.assert_verified();
    };
    refuses(&path("nothing.db"), 1, "nothing.db: ");
    fs::write(path("empty.db"), "").unwrap();
    refuses(&path("empty.db"), 1, "empty.db is not a Turnpost database");
    fs::write(path("text.db"), "no database ".repeat(1000)).unwrap();
    refuses(&path("text.db"), 1, "text.db is not a Turnpost database");
    rusqlite::Connection::open(path("other.db")).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
    refuses(&path("other.db"), 1, "other.db is not a Turnpost database");
    refuses(&host.database(), 1, "this is the database itself");
    let change = |name: &str, sql: &str| {
        fs::copy(&saved, path(name)).unwrap();
        rusqlite::Connection::open(path(name)).unwrap().execute_batch(sql).unwrap();
    };
    change("later.db", "PRAGMA user_version = 999");
    refuses(&path("later.db"), 1, "use a later Turnpost");
    change("wrong.db", "UPDATE boards SET position = 'x' WHERE id = 1");
    refuses(&path("wrong.db"), 1, "nothing was changed");
    // What would act by itself, or on the terminal of whoever reads it.
    let steals = "CREATE TRIGGER board_finished2 AFTER INSERT ON letters BEGIN DELETE FROM acts; END";
    for (name, sql, why) in [
        ("trigger.db", steals, "holds this: \"CREATE TRIGGER board_finished2"),
        (
            "changed.db",
            "DROP TRIGGER board_finished; CREATE TRIGGER board_finished AFTER UPDATE ON boards BEGIN DELETE FROM acts; END",
            "holds this: \"CREATE TRIGGER",
        ),
        (
            "view.db",
            "ALTER TABLE players RENAME TO p; CREATE VIEW players AS SELECT * FROM p",
            "holds this: \"CREATE ",
        ),
        ("virtual.db", "CREATE VIRTUAL TABLE x USING fts5(y)", "holds this: \"CREATE VIRTUAL"),
        (
            "escape.db",
            "UPDATE players SET userid = 'ann' || char(27) || '[2J' WHERE userid = 'ann'",
            "called \"ann\\u{1b}[2J\"",
        ),
        (
            "bidi.db",
            "UPDATE players SET userid = 'ann' || char(8238) WHERE userid = 'ann'",
            "called \"ann\\u{202e}\"",
        ),
    ] {
        change(name, sql);
        refuses(&path(name), 1, why);
    }
}

#[test]
fn a_database_in_use_is_not_replaced() {
    let host = Host::with_a_game();
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.db");
    backup(&host, &saved);
    let served = Served::start(&host, &[]);
    let ran = restore(&host, &saved);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("turnpost.db is in use: stop `turnpost serve`"), "{}", ran.err);
    // It goes on as before.
    served.connect().takes(&letter("ann@example.org", "dvonn show 1", "", 1));
    served.stop();
    // Twice within a second, as from a script.
    for _ in 0..2 {
        restore(&host, &saved).ok();
        host.run(&["admin", "backup", "--keep", "9", folder.path().to_str().unwrap()], b"").ok();
    }
    host.assert_verified();
}
