//! Databases of every earlier version, and files that are none of ours.

use std::path::{Path, PathBuf};

use crate::support::data::DataFile;
use crate::support::host::Host;
use rusqlite::Connection;
use turnpost::board::verify::verify;
use turnpost::contest::record::faults;
use turnpost::data_dir::DATABASE;
use turnpost::store::{LATEST, PlayerId, Store, StoreError, migrate_to};

/// What a server of a version had stored, in SQL. A version is never without it, and none is changed once its version has
/// been released.
fn fixture(version: u32) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/migrations");
    std::fs::read_to_string(folder.join(format!("{version:04}.sql"))).unwrap()
}

/// "Tpst".
const APPLICATION_ID: i32 = 0x5470_7374;

/// A database of `version` with what its fixture stores.
fn earlier(version: u32, path: &Path) {
    let mut conn = Connection::open(path).unwrap();
    conn.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    migrate_to(&mut conn, version).unwrap();
    conn.execute_batch(&fixture(version)).unwrap();
}

fn version_of(path: &Path) -> u32 {
    let conn = Connection::open(path).unwrap();
    conn.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

#[test]
fn every_version_is_brought_up_with_what_is_in_it() {
    for version in 1..=LATEST {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(DATABASE);
        earlier(version, &path);
        assert_eq!(version_of(&path), version);
        let mut store = Store::open(&path).unwrap();
        assert_eq!(version_of(&path), LATEST);
        let findings = verify(&store).unwrap();
        assert_eq!(findings.wrong, Vec::<String>::new(), "from version {version}");
        assert_eq!(faults(&store).unwrap(), Vec::<String>::new(), "from version {version}");
        assert_eq!((findings.boards, findings.events > 3), (2, true), "from version {version}");
        assert!(store.player(&"ann".parse().unwrap()).unwrap().unwrap().password_hash.is_some());
        assert_eq!(store.waiting_mails().unwrap(), 1);
        let leased = store.lease_mails(1, || "2030-01-01T00:00:00Z".parse().unwrap()).unwrap();
        let leased = store.leased_mail(leased[0]).unwrap().unwrap();
        assert!(leased.mail.starts_with(b"From: "), "from version {version}");
    }
}

#[test]
fn what_unproven_letters_stored_does_not_outlive_the_upgrade() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE);
    earlier(10, &path);
    let conn = Connection::open(&path).unwrap();
    let player = "INSERT INTO players (id, userid, userid_key, password_hash, secret, created_at)";
    for (id, userid, confirmed) in [(7, "carol", "NULL"), (8, "dora", "1")] {
        conn.execute_batch(&format!(
            "{player} VALUES ({id}, '{userid}', '{userid}', 'evil', zeroblob(32), 1);
             INSERT INTO addresses VALUES ({id}, '\u{212A}{userid}@x.org', 'k{userid}@x.org', 1, {confirmed}, NULL, 0, 0, 0, 0);
             INSERT INTO addresses VALUES ({id}, 'evil@x.org', 'evil@x.org', 1, NULL, NULL, 0, 0, 1, 1);"
        ))
        .unwrap();
    }
    let store = Store::open(&path).unwrap();
    for (userid, has_password) in [("carol", false), ("dora", true)] {
        let account = store.player(&userid.parse().unwrap()).unwrap().unwrap();
        assert_eq!(account.password_hash.is_some(), has_password, "{userid}");
        assert_eq!(store.addresses(account.id).unwrap().rows.len(), 1, "{userid}");
    }
    assert!(store.players_at("kdora@x.org").unwrap().is_empty());
    assert_eq!(store.players_at("\u{212A}dora@X.org").unwrap().len(), 1);
}

/// The games make other numbers than before the levels of the robot were measured.
#[test]
fn ratings_are_worked_out_again_since_the_levels_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE);
    earlier(11, &path);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("INSERT INTO ratings VALUES ('dvonn', 1, 133769, 29032, 60000000, 0, 1, 0)").unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.rated_through().unwrap(), 0);
    assert_eq!(verify(&store).unwrap().wrong, Vec::<String>::new());
    assert_eq!(store.rated_games(PlayerId(1), "dvonn", 9).unwrap(), []);
}

/// Mails of a grown database are checked as those of a new one, and SQLite makes no table for it.
#[test]
fn what_a_mail_may_be_is_checked_cheaply() {
    let folder = tempfile::tempdir().unwrap();
    for version in [9, LATEST] {
        let path = folder.path().join(format!("from-{version}.db"));
        earlier(version, &path);
        drop(Store::open(&path).unwrap());
        let conn = Connection::open(&path).unwrap();
        for (change, allowed) in [
            ("state = 'sent', secret = 2", true),
            ("state = 'failed'", true),
            ("state = 'lost'", false),
            ("state = NULL", false),
            ("secret = 3", false),
            ("secret = -1", false),
        ] {
            let changed = conn.execute(&format!("UPDATE outbox SET {change} WHERE id = 1"), []);
            assert_eq!(changed.is_ok(), allowed, "{change}: {changed:?}");
        }
        let columns = "(letter, recipient, message_id, created_at, due_at)";
        let mut statement = conn
            .prepare(&format!("EXPLAIN INSERT INTO outbox {columns} VALUES (1, 'a', 'b', 1, 1)"))
            .unwrap();
        let steps: Vec<String> =
            statement.query_map([], |row| row.get(1)).unwrap().map(Result::unwrap).collect();
        assert!(steps.iter().any(|step| step == "Insert"), "{steps:?}");
        assert!(!steps.iter().any(|step| step == "OpenEphemeral"), "{steps:?}");
    }
}

/// The schema is the same whether a database began at the latest version or grew up to it.
#[test]
fn the_way_does_not_show() {
    let schema = |path: &Path| -> Vec<String> {
        let conn = Connection::open(path).unwrap();
        let mut statement =
            conn.prepare("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("fresh.db");
    drop(Store::make(&fresh).unwrap());
    for version in 1..=LATEST {
        let path = folder.path().join(format!("from-{version}.db"));
        earlier(version, &path);
        drop(Store::open(&path).unwrap());
        assert_eq!(schema(&path), schema(&fresh), "from version {version}");
    }
}

/// Whoever was called as the robot is called now keeps the account, under another name.
#[test]
fn namesakes_of_the_robot_keep_their_accounts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE);
    earlier(4, &path);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(
        "UPDATE players SET userid = 'Robot-3', userid_key = 'robot-3' WHERE userid_key = 'bob';
         INSERT INTO players (id, userid, userid_key, secret, created_at) VALUES
            (7, 'p2-Robot-3', 'p2-robot-3', randomblob(32), 0), (8, 'robot', 'robot', randomblob(32), 0);",
    )
    .unwrap();
    drop(conn);
    let store = Store::open(&path).unwrap();
    assert_eq!(verify(&store).unwrap().wrong, Vec::<String>::new());
    let found = |userid: &str| store.player(&userid.parse().unwrap()).unwrap().map(|player| player.id.0);
    let now = ["robot-3", "p3-robot-3", "p2-Robot-3", "p8-robot", "robot", "robot-9"].map(found);
    assert_eq!(now, [Some(-3), Some(2), Some(7), Some(8), None, Some(-9)]);
    let people: Vec<i64> = store.players().unwrap().iter().map(|player| player.id.0).collect();
    assert_eq!(people, [1, 2, 7, 8], "the robot is not among them");
}

#[test]
fn what_migrations_say_is_never_changed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), LATEST as usize);
    let told = include_str!("../../CHANGELOG.md");
    assert_eq!(
        (1..=LATEST).find(|version| !told.contains(&format!("\n| {version:04} "))),
        None,
        "CHANGELOG.md"
    );
    // Who means to change a released file writes the next instead.
    for line in DataFile::read("released-migrations.txt").lines("SHA-256") {
        use sha2::Digest;
        let (digest, name) = line.split_once("  ").unwrap();
        let found = sha2::Sha256::digest(std::fs::read(folder.join(name)).unwrap());
        let found: String = found.iter().map(|octet| format!("{octet:02x}")).collect();
        assert_eq!(found, digest, "{name}");
    }
}

#[test]
fn a_later_database_is_refused_and_left_alone() {
    let host = Host::new();
    host.run(&["submit", "help"], b"").ok();
    let conn = Connection::open(host.database()).unwrap();
    conn.pragma_update(None, "user_version", LATEST + 1).unwrap();
    conn.execute_batch("CREATE TABLE tomorrow (x)").unwrap();
    drop(conn);
    let before = std::fs::read(host.database()).unwrap();
    let sentence = format!(
        "the database is of version {}, and this Turnpost knows versions up to {LATEST}: use a later Turnpost",
        LATEST + 1
    );
    let Err(why) = Store::open(&host.database()) else { panic!("opened") };
    assert_eq!((why.to_string(), matches!(why, StoreError::TooNew(_))), (sentence.clone(), true));
    let ran = host.run(&["submit", "help"], b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(ran.err, format!("turnpost: {sentence}\n"));
    assert_eq!(host.run(&["admin", "boards"], b"").err, format!("turnpost: {sentence}\n"));
    let doctor = host.run(&["doctor", "--json", "--resolver", "127.0.0.1:9"], b"").out;
    assert!(doctor.contains(&sentence) && doctor.contains("install the version that wrote it"), "{doctor}");
    host.receive(&crate::support::letter("ann@example.org", "help", "", 1)).assert_silent(75);
    assert_eq!(std::fs::read(host.database()).unwrap(), before);
}

#[test]
fn another_programs_database_is_refused_and_left_alone() {
    for pragma in ["", "PRAGMA application_id = 42;"] {
        let host = Host::new();
        let conn = Connection::open(host.database()).unwrap();
        conn.execute_batch(&format!(
            "{pragma} CREATE TABLE songs (title); INSERT INTO songs VALUES ('Plover');"
        ))
        .unwrap();
        drop(conn);
        let before = std::fs::read(host.database()).unwrap();
        let Err(why) = Store::open(&host.database()) else { panic!("opened") };
        assert!(why.to_string().ends_with("turnpost.db is not a Turnpost database"), "{why}");
        host.receive(&crate::support::letter("ann@example.org", "help", "", 1)).assert_silent(75);
        assert_eq!(std::fs::read(host.database()).unwrap(), before, "{pragma:?}");
    }
}

/// Whoever only looks at a database of an earlier version hears its version and what brings it up; a trial changes nothing,
/// and the copy that is made first is of the earlier version and can be restored.
#[test]
fn an_earlier_database_is_named_as_what_it_is_and_upgraded_by_the_line_that_is_told() {
    for version in 1..LATEST {
        let host = Host::new();
        earlier(version, &host.database());
        let line = format!("turnpost --data {} upgrade", host.data().display());
        let sentence = format!(
            "the database is of version {version}; the first write brings it to {LATEST}, and `{line}` copies it first"
        );
        for words in [
            "boards",
            "board 1",
            "users",
            "user ann",
            "export-user ann",
            "letters",
            "letter 1",
            "outbox",
            "mail 1",
            "bounces",
            "log",
            "verify",
        ] {
            let words: Vec<&str> = ["admin"].into_iter().chain(words.split(' ')).collect();
            let ran = host.run(&words, b"");
            assert_eq!((ran.code, ran.err), (Some(1), format!("turnpost: {sentence}\n")), "{words:?}");
        }
        let doctor = host.run(&["doctor", "--json", "--resolver", "127.0.0.1:9"], b"").out;
        assert!(doctor.contains(&sentence) && !doctor.contains("damaged"), "{doctor}");

        let before = std::fs::read(host.database()).unwrap();
        let tried = host.run(&["upgrade", "--dry-run"], b"");
        let brought = format!("brought from version {version} to {LATEST} in ");
        assert!(tried.ok().contains(&format!("a copy was made and {brought}")), "{tried:?}");
        assert!(tried.out.starts_with("a copy") && tried.out.ends_with(" 0 findings\n"), "{tried:?}");
        assert_eq!(
            (version_of(&host.database()), std::fs::read(host.database()).unwrap()),
            (version, before)
        );
        assert_eq!(copies(&host), Vec::<PathBuf>::new());

        let upgraded = host.run(&line.split(' ').skip(1).collect::<Vec<_>>(), b"");
        assert!(upgraded.ok().contains(&format!("the database was {brought}")), "{upgraded:?}");
        assert!(upgraded.out.ends_with(" 0 findings\n"), "{upgraded:?}");
        let [copy] = &copies(&host)[..] else { panic!("{:?}", copies(&host)) };
        assert!(upgraded.out.starts_with(&format!("copied to {}\n", copy.display())), "{upgraded:?}");
        assert_eq!((version_of(&host.database()), version_of(copy)), (LATEST, version));
        for words in [&["upgrade"][..], &["upgrade", "--dry-run"]] {
            let said = format!("the database is of version {LATEST} already\n");
            assert_eq!(host.run(words, b"").ok(), said);
        }
        host.run(&["admin", "restore", copy.to_str().unwrap()], b"").ok();
        host.assert_verified();
    }
}

/// The files in the data directory that are none of a database at work.
fn copies(host: &Host) -> Vec<PathBuf> {
    let of_the_server = ["turnpost.db", "turnpost.db-wal", "turnpost.db-shm", "turnpost.id", "turnpost.toml"];
    let found = std::fs::read_dir(host.data()).unwrap().map(|file| file.unwrap().path());
    found.filter(|path| !of_the_server.iter().any(|name| path.ends_with(name))).collect()
}

#[test]
fn an_upgrade_names_what_is_wrong_and_a_trial_leaves_nothing() {
    let host = Host::new();
    earlier(2, &host.database());
    Connection::open(host.database()).unwrap().execute_batch("UPDATE boards SET plies = plies + 1").unwrap();
    for (words, kept) in [(&["upgrade", "--dry-run"][..], 0), (&["upgrade"], 1)] {
        let ran = host.run(words, b"");
        assert_eq!((ran.code, copies(&host).len()), (Some(1), kept), "{ran:?}");
        assert!(ran.out.contains("board 1") && !ran.out.contains(" 0 findings"), "{ran:?}");
    }
    let empty = Host::new();
    assert!(empty.run(&["upgrade"], b"").err.contains("there is no Turnpost database"), "nothing is made");
}

/// Games between the seasons of a league, and groups whose places could change no more, are in old records alone.
#[test]
fn records_of_games_between_seasons_stay_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE);
    earlier(LATEST, &path);
    let made = |form: &str, name: &str| {
        let options = r#"{"game":[],"position":null,"nag":null,"forfeit":null,"total":null,"unrated":false,"lots":false,"swap":false}"#;
        format!(
            r#"{{"form":"{form}","game":"dvonn","name":"{name}","size":0,"rounds":1,"options":{options}}}"#
        )
    };
    let league = made("league", "dvonn-league");
    let season = made("season", "dvonn-league-1");
    let seat = r#"{"group":0,"rating":150000,"deviation":35000}"#;
    let sql = format!(
        "INSERT INTO contests (id, form, game, name, name_key, state, entrants, events, changed_at)
         VALUES (2, 'league', 'dvonn', 'dvonn-league', 'dvonn-league', 'open', 1, 5, 1795220110),
                (3, 'season', 'dvonn', 'dvonn-league-1', 'dvonn-league-1', 'closed', 2, 7, 1795220110);
         INSERT INTO contest_events (contest, number, kind, at, player, text)
         VALUES (2, 1, 'made', 1795220110, NULL, '{league}'), (2, 2, 'joined', 1795220110, 1, ''),
                (2, 3, 'more', 1795220110, 1, 'on'), (2, 4, 'challenged', 1795220110, 1, 'first'),
                (2, 5, 'meets', 1795220110, 2, ''),
                (3, 1, 'made', 1795220110, NULL, '{season}'), (3, 2, 'seated', 1795220110, 1, '{seat}'),
                (3, 3, 'seated', 1795220110, 2, '{seat}'), (3, 4, 'started', 1795220110, NULL, ''),
                (3, 5, 'opened', 1795220110, NULL, '0'), (3, 6, 'decided', 1795220110, NULL, '0'),
                (3, 7, 'closed', 1795220110, NULL, 'played');
         UPDATE boards SET contest = 2, pair = 0 WHERE id = 2;
         INSERT INTO contest_news (player, contest, kind, at) VALUES (1, 3, 'decided', 1795220110);"
    );
    Connection::open(&path).unwrap().execute_batch(&sql).unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(faults(&store).unwrap(), Vec::<String>::new());
    assert_eq!(
        store.players_with_contest_news("2030-01-01T00:00:00Z".parse().unwrap()).unwrap(),
        [PlayerId(1), PlayerId(2)]
    );
}
