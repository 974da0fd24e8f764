//! Databases of every earlier version, and files that are none of ours.

use std::path::{Path, PathBuf};

use crate::support::data::DataFile;
use crate::support::host::Host;
use crate::support::pages::{newest, seated};
use crate::support::{self, rounds};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use tempfile::TempDir;
use turnpost::board::Board;
use turnpost::board::record;
use turnpost::board::verify::verify;
use turnpost::config::Config;
use turnpost::contest::faults::faults;
use turnpost::data_dir::DATABASE;
use turnpost::ids::BoardId;
use turnpost::store::{ContestEventRow, ContestId, LATEST, PlayerId, Store, StoreError, migrate_to};
use turnpost::timer::tick::tick;
use turnpost_games::{Setup, go, replay};

/// What a server of a version had stored, in SQL. A version is never without it, and none is changed once its version has
/// been released.
fn fixture(version: u32) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/migrations");
    let text = std::fs::read_to_string(folder.join(format!("{version:04}.sql"))).unwrap();
    let Some((_, changes)) = text.split_once(", with each first line as the second.\n\n") else {
        return text;
    };
    changes.trim_end().split("\n\n").fold(fixture(version - 1), |fixture, change| {
        let (line, new) = change.split_once('\n').unwrap();
        assert!(fixture.contains(line), "{line}");
        fixture.replace(line, new)
    })
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

/// The schema is that of a new database, too.
#[test]
fn every_version_is_brought_up_with_what_is_in_it() {
    let schema = |path: &Path| -> Vec<String> {
        let conn = Connection::open(path).unwrap();
        let mut statement =
            conn.prepare("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let folder = support::folder();
    let fresh = folder.path().join("fresh.db");
    drop(Store::make(&fresh).unwrap());
    for version in 1..=LATEST {
        let path = folder.path().join(format!("from-{version}.db"));
        earlier(version, &path);
        assert_eq!(version_of(&path), version);
        let record = || -> String {
            let sql =
                "SELECT group_concat(board || kind || at || ifnull(ply, '') || text, char(10)) FROM events";
            Connection::open(&path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
        };
        let before = record();
        let mut store = Store::open(&path).unwrap();
        assert_eq!(version_of(&path), LATEST);
        assert_eq!(before, record(), "the codes of sent mails cover the events");
        assert_eq!(schema(&path), schema(&fresh), "from version {version}");
        let findings = verify(&store).unwrap();
        assert_eq!(findings.wrong, Vec::<String>::new(), "from version {version}");
        assert_eq!(faults(&store).unwrap(), Vec::<String>::new(), "from version {version}");
        assert_eq!((findings.boards, findings.events > 3), (2, true), "from version {version}");
        assert!(store.player(&"ann".parse().unwrap()).unwrap().unwrap().password_hash.is_some());
        assert_eq!(store.waiting_mails().unwrap(), 1);
        let leased = store.lease_mails(1, || "2030-01-01T00:00:00Z".parse().unwrap()).unwrap();
        let leased = store.leased_mail(leased[0]).unwrap().unwrap();
        assert!(leased.mail.starts_with(b"From: "), "from version {version}");
        let app = Config::default().app();
        tick(&mut store, (&app.limits, &app.leagues, &app.operator), &app, Timestamp::UNIX_EPOCH).unwrap();
        let (archived, expected) = store.archive_sizes().unwrap();
        assert!(archived == expected && archived > 0, "from version {version}: {archived} of {expected}");
        assert_eq!(store.unarchived(1).unwrap(), []);
    }
}

#[test]
fn what_players_have_set_is_kept_as_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE);
    earlier(21, &path);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("UPDATE players SET picture = 0, digest = 1, confirm = 0 WHERE id = 1").unwrap();
    let store = Store::open(&path).unwrap();
    let set = |player| -> Vec<String> {
        let settings = store.settings(PlayerId(player)).unwrap();
        settings.into_iter().map(|setting| format!("{} {}", setting.word, setting.value)).collect()
    };
    let of_ann = "mail html, board words, broadcast on, digest on, openness off, afterword on, announce on, confirm off, receipts on, \
        letters any, auto on, weekends off";
    let of_bob = "mail picture, board wide, broadcast on, digest off, openness off, afterword on, announce off, confirm on, receipts on, \
        letters any, auto on, weekends on";
    assert_eq!([set(1), set(2)].map(|set| set.join(", ")), [of_ann, of_bob]);
}

/// Also the acts from before, which named their contest.
#[test]
fn acts_are_part_of_the_record_of_their_contest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE);
    earlier(32, &path);
    let conn = Connection::open(&path).unwrap();
    let act = "INSERT INTO acts (at, os_user, act, player, other, detail, reason) VALUES (1795230110, '', ";
    for rest in [
        "'withdraw', 2, 1, 'Spring-Cup, by its organiser', 'Ill.')",
        "'rename', 2, NULL, 'Spring-Cup', 'Rude.')",
    ] {
        conn.execute_batch(&format!("{act}{rest}")).unwrap();
    }
    let acts = Store::open(&path).unwrap().acts_on(ContestId(1)).unwrap();
    assert_eq!(acts.iter().map(|act| act.reason.as_str()).collect::<Vec<_>>(), ["Ill."]);
}

#[test]
fn what_unproven_letters_stored_does_not_outlive_the_upgrade() {
    let folder = support::folder();
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

/// A database of `version`, in which ann has a rating at `game` that her games do not make today, after its upgrade.
fn rated_before(version: u32, game: &str) -> (TempDir, Store) {
    let folder = support::folder();
    let path = folder.path().join(DATABASE);
    earlier(version, &path);
    let conn = Connection::open(&path).unwrap();
    conn.execute("INSERT INTO ratings VALUES (?1, 1, 133769, 29032, 60000000, 0, 1, 0)", [game]).unwrap();
    (folder, Store::open(&path).unwrap())
}

#[test]
fn ratings_are_worked_out_again_since_the_levels_are_measured() {
    let (_folder, store) = rated_before(11, "dvonn");
    assert_eq!(store.rated_through().unwrap(), 0);
    assert_eq!(verify(&store).unwrap().wrong, Vec::<String>::new());
    assert_eq!(store.rated_games(PlayerId(1), "dvonn", 9).unwrap(), []);
}

/// The game of the fixture was with a level that has no rating today.
#[test]
fn an_upgrade_that_rates_again_tells_whom_it_moved() {
    let (_folder, mut store) = rated_before(29, "chess");
    let app = Config::default().app();
    let now = "2026-11-30T10:00:00Z".parse().unwrap();
    let told = |store: &mut Store| {
        tick(store, (&app.limits, &app.leagues, &app.operator), &app, now).unwrap().rated_again
    };
    assert_eq!(told(&mut store), ["ann at chess: 1338 -> unrated"]);
    assert_eq!(told(&mut store), Vec::<String>::new());
}

/// Mails of a grown database are checked as those of a new one, and SQLite makes no table for it.
#[test]
fn what_a_mail_may_be_is_checked_cheaply() {
    let folder = support::folder();
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

/// Whoever was called as the robot is called now keeps the account, under another name.
#[test]
fn namesakes_of_the_robot_keep_their_accounts() {
    let folder = support::folder();
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
/// and the copy that is made first is of the earlier version and can be restored. A plain run tries the first version and
/// the last but one.
#[test]
fn an_earlier_database_is_named_as_what_it_is_and_upgraded_by_the_line_that_is_told() {
    for version in (1..LATEST).step_by(rounds(u64::from(LATEST) - 2, 1) as usize) {
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

/// A game of Go in play on 13 lines, as versions before the letters of today stored it.
const OLD_GO: &str = r#"
    INSERT INTO boards (id, game, rated, state, position, plies, events, to_move, nag_days, forfeit_days, total_days, started_at,
        changed_at, deadline_at)
        VALUES (3, 'go', 0, 'running', 'POSITION', 3, 4, 1, 7, 21, 0, 1795220110, 1795220110, 1797034510);
    INSERT INTO seats (board, seat, player) VALUES (3, 0, 1), (3, 1, 2);
    INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at) VALUES
        (3, 1, 'start', 1795220110, NULL, NULL, NULL, '{"game":"go","players":[1,2],"options":[["size","13"]],"seed":7,"from_position":false,"position":"START","rated":false,"days":{"nag":7,"forfeit":21,"total":0}}', 1797034510),
        (3, 2, 'ply', 1795220110, 0, 1, 1, 'h9', 1797034510), (3, 3, 'ply', 1795220110, 1, 2, 2, 'i10', 1797034510),
        (3, 4, 'ply', 1795220110, 0, 1, 3, 'm1', 1797034510);"#;

/// The migration that gives Go its letters of today.
const LETTERS_OF_GO: u32 = 26;

const OLD_PLANS_OF_GO: &str = r#"
    INSERT INTO drafts (board, player, events, plies) VALUES (3, 2, 4, 'j5');
    INSERT INTO queues (board, player, plan) VALUES
        (3, 1, '[{"on":"k3","play":"I4","then":[{"on":"pass","play":"b2"}]},{"play":"l12"}]');"#;

#[test]
fn games_of_go_are_read_in_the_letters_of_today() {
    let options = [("size".to_owned(), Some("13".to_owned()))];
    let mut table = (go::KIND.start)(&Setup { options: &options, seed: 7 }).unwrap();
    let start = table.position();
    replay(&mut *table, ["H9", "J10", "N1"]).unwrap();
    let sql = OLD_GO.replace("POSITION", &table.position()).replace("START", &start);
    for version in 1..LETTERS_OF_GO {
        let folder = support::folder();
        let path = folder.path().join(DATABASE);
        earlier(version, &path);
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch(&sql).unwrap();
        if version > 1 {
            conn.execute_batch(OLD_PLANS_OF_GO).unwrap();
        }
        let digests = || -> String {
            let sql = "SELECT group_concat(number || kind || ifnull(ply, '') || text, char(10)) FROM events WHERE board = 3";
            Connection::open(&path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
        };
        let before = digests();
        let store = Store::open(&path).unwrap();
        assert_eq!(before, digests(), "from version {version}");
        assert_eq!(verify(&store).unwrap().wrong, Vec::<String>::new(), "from version {version}");
        let board = Board::load(&store, BoardId(3)).unwrap().unwrap();
        assert_eq!(board.table.position(), table.position(), "from version {version}");
        let text = record::write(&store, &board).unwrap();
        let plies: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(". ")?.1.split(' ').next()).skip(1).collect();
        assert_eq!(plies, ["H9", "J10", "N1"], "from version {version}");
        assert!(store.is_newly_renamed(BoardId(3)).unwrap());
        if version > 1 {
            let queue = store.queue(BoardId(3), PlayerId(1)).unwrap().unwrap();
            let expected = r#"[{"on":"L3","play":"J4","then":[{"on":"pass","play":"B2"}]},{"play":"M12"}]"#;
            assert_eq!(queue, expected, "from version {version}");
            let draft = store.draft(BoardId(3), PlayerId(2)).unwrap().unwrap();
            let asked = store.asked_plies(BoardId(3), PlayerId(2)).unwrap();
            assert_eq!((draft.plies.as_str(), asked.as_str()), ("K5", "j5"), "from version {version}");
        }
    }
}

/// A page that was open during the upgrade calls a point by another name than the board has now.
#[test]
fn a_page_with_the_letters_of_before_plays_nothing() {
    let (host, _served, visitor) = seated("go challenge");
    let play = newest(&host, "ann@example.org");
    Connection::open(host.database()).unwrap().execute_batch("INSERT INTO renamed VALUES (1, 1)").unwrap();
    for (turn, status, plies) in [("i5", 409, 0), ("j5", 409, 0), ("J5", 303, 1)] {
        let answer = visitor.post(&play, &format!("act=move&turn={turn}"));
        assert_eq!((answer.status, host.plies(1)), (status, plies), "{turn}: {}", answer.text());
    }
}

/// A record that an earlier version wrote is read by its meaning, and a later one too.
#[test]
fn records_of_go_in_the_letters_of_before_are_loaded() {
    let host = Host::with_players();
    host.run(
        &["submit", "--as-anyone"],
        b"go challenge -size=13 ann bob\ngo move 1 ann - H9\ngo move 1 bob - J10\n",
    )
    .ok();
    let record = host.run(&["submit", "--as-anyone"], b"go record 1\n").out;
    let earlier = record.replace(" H9 ", " h9 ").replace(" J10 ", " i10 ");
    assert!(record != earlier, "{record}");
    for (number, text) in [(2, record), (3, earlier)] {
        host.run(&["admin", "import", "-"], text.as_bytes()).ok();
        let loaded = host.run(&["admin", "board", &number.to_string()], b"").out;
        assert!(loaded.contains("J10") && !loaded.contains("i10"), "{loaded}");
    }
    host.assert_verified();
}

/// What the last version before records named their games had stored of a league with games between two seasons, a season,
/// and a ladder.
const OLD_CONTESTS: &str = r#"
    INSERT INTO contests (id, form, game, name, name_key, state, entrants, events, changed_at) VALUES
        (2, 'league', 'dvonn', 'dvonn-league', 'dvonn-league', 'open', 1, 12, 12),
        (3, 'season', 'dvonn', 'dvonn-league-1', 'dvonn-league-1', 'closed', 4, 10, 10),
        (4, 'ladder', 'dvonn', 'dvonn-ladder', 'dvonn-ladder', 'open', 2, 11, 11),
        (5, 'event', 'dvonn', 'damaged', 'damaged', 'open', 0, 2, 2);
    INSERT INTO contest_events (contest, number, kind, at, player, text)
        SELECT id, 1, 'made', 1, NULL, json_object('form', form, 'game', game, 'name', name, 'size', 0, 'rounds', 1 + (id = 3),
            'options', json('{"game":[],"position":null,"nag":null,"forfeit":null,"total":null,"unrated":false,"lots":false,"swap":false}'))
        FROM contests WHERE id > 1;
    INSERT INTO contest_events (contest, number, kind, at, player, text) VALUES
        (2, 2, 'joined', 2, 1, ''), (2, 3, 'joined', 3, 2, 'once'), (2, 4, 'more', 4, 1, 'on'),
        (2, 5, 'challenged', 5, 1, 'second'), (2, 6, 'meets', 6, 2, ''),
        (2, 7, 'planned', 7, NULL, '{"starts_at":1795220110,"weeks":9}'), (2, 8, 'announced', 8, NULL, ''),
        (2, 9, 'changed', 9, NULL, '{"game":[],"position":null,"nag":3,"forfeit":null,"total":null,"unrated":false,"lots":false,"swap":false}'),
        (2, 10, 'began', 10, NULL, '1'), (2, 11, 'left', 11, 2, 'once'), (2, 12, 'more', 12, 1, 'off'),
        (3, 2, 'seated', 2, 1, '{"group":0,"rating":150000,"deviation":35000}'),
        (3, 3, 'seated', 3, 2, '{"group":0,"rating":140000,"deviation":35000,"sent":1}'),
        (3, 4, 'seated', 4, 1, '{"group":1,"rating":130000,"deviation":35000}'),
        (3, 5, 'seated', 5, 2, '{"group":1,"rating":120000,"deviation":35000}'), (3, 6, 'started', 6, NULL, ''),
        (3, 7, 'opened', 7, NULL, '1'), (3, 8, 'opened', 8, NULL, '2 3'), (3, 9, 'decided', 9, NULL, '0'),
        (3, 10, 'closed', 10, NULL, 'played'),
        (4, 2, 'joined', 2, 1, ''), (4, 3, 'joined', 3, 2, ''), (4, 4, 'auto', 4, 2, 'off'), (4, 5, 'warned', 5, 2, ''),
        (4, 6, 'challenged', 6, 2, 'second'), (4, 7, 'meets', 7, 1, ''), (4, 8, 'ended', 8, NULL, '0'),
        (4, 9, 'resumed', 9, NULL, '0'), (4, 10, 'ended', 10, NULL, '0'), (4, 11, 'paired', 11, NULL, ''),
        (5, 2, 'planned', 2, NULL, 'no plan');
    UPDATE boards SET contest = 3, pair = 0 WHERE id = 2;
    INSERT INTO contest_snapshots (contest, text) VALUES (4, '{}');
    INSERT INTO contest_news (player, contest, kind, at) VALUES (1, 3, 'decided', 1795220110), (2, 3, 'closed', 1795220110);"#;

#[test]
fn old_records_of_contests_name_their_games() {
    let folder = support::folder();
    let path = folder.path().join(DATABASE);
    earlier(21, &path);
    Connection::open(&path).unwrap().execute_batch(OLD_CONTESTS).unwrap();
    let store = Store::open(&path).unwrap();
    let record = |name: &str| -> String {
        let row = store.contest_named(name).unwrap().unwrap();
        let line = |event: &ContestEventRow| {
            let ids = [event.player.map(|player| player.0), event.other.map(|player| player.0)];
            let of = ids.into_iter().chain([event.pair.map(i64::from)]).flatten();
            let of: String = of.map(|number| format!(" {number}")).collect();
            format!("{} {}{of} {}\n", event.at.as_second(), event.kind, event.text)
        };
        store.contest_events(row.id).unwrap().iter().skip(1).map(line).collect()
    };
    assert_eq!(
        record("dvonn-league"),
        r#"2 entered 1 {}
3 entered 2 {"once":true}
6 opened 2 1 second
7 ruled {"plan":{"starts_at":1795220110,"weeks":9}}
8 ruled "announced"
9 ruled {"options":{"game":[],"position":null,"nag":3,"forfeit":null,"total":null,"unrated":false,"lots":false,"swap":false}}
10 ruled "began"
11 left 2 once
"#
    );
    assert_eq!(
        record("dvonn-league-1"),
        r#"2 entered 1 {"seat":{"group":0,"rating":150000,"deviation":35000}}
3 entered 2 {"seat":{"group":0,"rating":140000,"deviation":35000,"sent":1}}
4 entered 1 {"seat":{"group":1,"rating":130000,"deviation":35000}}
5 entered 2 {"seat":{"group":1,"rating":120000,"deviation":35000}}
6 ruled "started"
7 opened {"group":0,"pairs":[[0,1],[1,0]],"without":[1]}
8 opened {"group":1,"pairs":[[0,1],[1,0]],"without":[2,3]}
10 closed played
"#
    );
    assert_eq!(
        record("dvonn-ladder"),
        r#"2 entered 1 {}
3 entered 2 {}
4 ruled 2 {"auto":false}
5 ruled 2 "warned"
7 opened 1 2 second
8 closed 0 
9 reopened 0 
10 closed 0 
11 ruled "paired"
"#
    );
    let told: Vec<_> = store.players_with_contest_news(Timestamp::MAX).unwrap();
    assert_eq!(told, [PlayerId(2)]);
    // A game of the league and of the ladder has no board here, and one record was damaged before.
    let wrong = faults(&store).unwrap().join("\n");
    assert_eq!(wrong.lines().count(), 3, "{wrong}");
    for part in
        ["dvonn-league: its record makes 1 boards", "dvonn-ladder: its record makes 1 boards", "damaged"]
    {
        assert!(wrong.contains(part), "{part}: {wrong}");
    }
}

/// The deadline event of a turn that the earlier version began has the vacation to its end.
#[test]
fn a_vacation_that_is_called_off_after_the_upgrade_stops_no_clock() {
    let folder = support::folder();
    let path = folder.path().join(DATABASE);
    earlier(21, &path);
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            r#"INSERT INTO vacations (player, first_day, last_day, starts_at, ends_at) VALUES
                (2, '2026-11-27', '2026-12-03', 1795993200, 1796598000);
            INSERT INTO events (board, number, kind, at, seat, text, deadline_at) VALUES (1, 6, 'deadline', 1795906500, 0,
                '{"why":"vacation","zone":"Europe/Paris","stopped":[[1795220110,1795230110],[1795993200,1796598000]]}', 1797999999);
            UPDATE boards SET events = 6, changed_at = 1795906500, deadline_at = 1797999999 WHERE id = 1;"#,
        )
        .unwrap();
    let mut store = Store::open(&path).unwrap();
    let app = Config::default().app();
    let mut now = Timestamp::from_second(1795906600).unwrap();
    let mut deadline = |store: &mut Store, hours: i64| {
        for _ in 0..hours {
            now += SignedDuration::from_hours(1);
            tick(store, (&app.limits, &app.leagues, &app.operator), &app, now).unwrap();
        }
        assert_eq!(verify(store).unwrap().wrong, Vec::<String>::new());
        store.board(BoardId(1)).unwrap().unwrap().deadline_at.unwrap()
    };
    let with_vacation = deadline(&mut store, 1);
    store
        .end_vacations(
            PlayerId(2),
            Timestamp::from_second(1795910200).unwrap(),
            jiff::civil::date(2026, 11, 26),
        )
        .unwrap();
    let without = deadline(&mut store, 1);
    assert!(without < with_vacation, "{without}");
    assert_eq!(deadline(&mut store, 4 * 24), without);
}

/// A damaged record must not keep the others from being upgraded.
#[test]
fn what_was_damaged_before_is_upgraded_and_told() {
    let folder = support::folder();
    let path = folder.path().join(DATABASE);
    earlier(21, &path);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(OLD_CONTESTS).unwrap();
    conn.execute_batch(
        "INSERT INTO events (board, number, kind, at, seat, text) VALUES (1, 6, 'deadline', 1795906500, 0, 'no JSON');
         UPDATE contest_events SET text = 'no numbers' WHERE contest = 3 AND kind = 'opened';
         UPDATE contest_events SET text = 'no JSON' WHERE contest = 2 AND kind = 'made';",
    )
    .unwrap();
    let store = Store::open(&path).unwrap();
    let wrong = [verify(&store).unwrap().wrong, faults(&store).unwrap()].concat().join("\n");
    for part in ["board 1", "contest dvonn-league:", "contest dvonn-league-1: "] {
        assert!(wrong.contains(part), "{part}: {wrong}");
    }
}
