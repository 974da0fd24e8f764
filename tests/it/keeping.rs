//! What a host keeps: mails of dead senders, old mails, copies of the database and their way back.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::support::host::{Host, finish, start};
use crate::support::post_office::PostOffice;
use crate::support::serving::{PATIENCE, Served};
use crate::support::{ANN, Stage, letter};
use turnpost::config::Config;
use turnpost::store::Store;

const PLAYERS: &[u8] = b"signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n\
    dvonn challenge -symmetry -seed=7 ann bob\n";

fn wait_until(what: &str, is: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The files of senders in a data directory.
fn senders(host: &Host) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(host.data()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().contains("-sender-"));
    files
}

/// A `deliver` in the middle of its first mail: the mail server has its connection, and says nothing.
fn in_the_middle(office: &PostOffice) -> (Child, TcpStream) {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut deliver = office.command(&["deliver"]);
    deliver.env("TURNPOST_SMTP_PORT", silent.local_addr().unwrap().port().to_string());
    deliver.env("TURNPOST_SMTP_TIMEOUT_SECONDS", "600");
    let child = start(deliver, b"");
    let (connection, _) = silent.accept().unwrap();
    (child, connection)
}

#[test]
fn what_a_killed_delivery_was_sending_leaves_with_the_next() {
    let office = PostOffice::open();
    let (mut killed, _connection) = in_the_middle(&office);
    assert_eq!(senders(&office.host).len(), 1);
    // A mail that a living process sends is left alone, for as long as that takes.
    for _ in 0..2 {
        office.run(&["deliver"], b"").ok();
        assert_eq!(office.sink.taken().len(), office.due - 1);
        office.time_passes();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    office.run(&["deliver"], b"").ok();
    office.assert_all_left(0);
    assert_eq!(senders(&office.host), Vec::<PathBuf>::new());
}

#[test]
fn a_server_sends_what_a_killed_delivery_was_sending_within_a_minute() {
    let office = PostOffice::open();
    let (mut killed, _connection) = in_the_middle(&office);
    let served = Served::of({
        let mut serve = office.command(&["serve"]);
        serve.env("TURNPOST_SERVE_LMTP", "127.0.0.1:0");
        serve
    });
    wait_until("the other mail leaves", || office.sink.taken().len() == office.due - 1);
    let begun = Instant::now();
    killed.kill().unwrap();
    killed.wait().unwrap();
    while office.sink.taken().len() < office.due {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", served.log());
        std::thread::sleep(Duration::from_millis(50));
    }
    served.stop();
    office.assert_all_left(0);
}

/// A year of a club in small.
fn kept(stage: &Stage) -> (u32, u32) {
    let conn = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get(0)).unwrap();
    (count("SELECT count(*) FROM outbox"), count("SELECT count(*) FROM mail_bytes"))
}

fn forget(stage: &mut Stage) -> usize {
    let now = stage.now;
    let before = Config::default().keep.mails.before(now).unwrap();
    stage.store.forget_mails(before, now, || true).unwrap()
}

#[test]
fn old_mails_lose_their_text_and_nothing_else() {
    let mut stage = Stage::with_a_game();
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    let (mails, old) = kept(&stage);
    assert!(old > 3);
    assert_eq!(forget(&mut stage), 0);
    stage.wait(29 * 24);
    // One of today, and one that waits since long ago.
    stage.mail("ann@example.org", &format!("games ann {ANN}"), "");
    let conn = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    conn.execute("UPDATE outbox SET state = 'waiting' WHERE id = 1", []).unwrap();
    assert_eq!(forget(&mut stage), 0);
    stage.wait(2 * 24);
    let had_text = conn
        .query_row("SELECT count(*) FROM mail_bytes WHERE mail > 1 AND mail <= ?1", [mails], |row| {
            row.get::<_, u32>(0)
        })
        .unwrap();
    assert_eq!(forget(&mut stage), had_text as usize);
    assert_eq!(kept(&stage), (mails + 1, old - had_text + 1));
    assert_eq!(forget(&mut stage), 0);
    // A mail of a year to come, when the clock was wrong, hides nothing behind it.
    conn.execute("UPDATE outbox SET state = 'sent', created_at = created_at + 31536000 WHERE id = 1", [])
        .unwrap();
    stage.wait(40 * 24);
    assert_eq!(forget(&mut stage), 1);
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_clocks_forget_old_mails_as_the_host_says() {
    let host = Host::new();
    host.run(&["submit"], PLAYERS).ok();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    let texts = || conn.query_row("SELECT count(*) FROM mail_bytes", [], |row| row.get::<_, u32>(0)).unwrap();
    let age = "UPDATE outbox SET created_at = created_at - 40 * 86400";
    conn.execute(age, []).unwrap();
    assert_eq!(texts(), 2, "both were told of the game");
    let tick = |keep: &str| {
        let mut tick = host.command(&["tick"]);
        tick.env("TURNPOST_KEEP_MAILS", keep);
        finish(start(tick, b""))
    };
    assert!(!tick("forever").ok().contains("lost their text"));
    assert!(!tick("41d").ok().contains("lost their text"));
    let wrong = tick("30");
    assert!(wrong.err.contains("\"30\" is no number of days such as \"30d\""), "{}", wrong.err);
    assert_eq!(texts(), 2);
    assert!(tick("30d").ok().contains("\n2 old mails lost their text\n"));
    assert_eq!(texts(), 0);
    // So does a server.
    host.run(&["submit", "--as-anyone", "dvonn", "move", "1", "ann", "-", "D1-E1"], b"").ok();
    conn.execute(age, []).unwrap();
    assert!(texts() > 0);
    let served = Served::start(&host, &[]);
    served.wait_for("old mails lost their text");
    served.stop();
    assert_eq!(texts(), 0);
    host.assert_verified();
}

#[test]
fn a_board_whose_mail_is_gone_is_sent_as_it_stands() {
    let mut stage = Stage::with_a_game();
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    stage.wait(40 * 24);
    assert!(forget(&mut stage) > 0);
    for command in ["resend ann plover-42 1", "resend ann plover-42"] {
        let mails = stage.mail("ann@example.org", command, "");
        assert_eq!(mails.len(), 1, "{mails:#?}");
        assert!(mails[0].subject.contains("dvonn 1") || mails[0].text.contains("DVONN 1"), "{:#?}", mails[0]);
        assert!(mails[0].text.contains("D1-E1") && mails[0].text.contains("\\__/"), "{}", mails[0].text);
    }
    let mails = stage.mail("ann@example.org", "resend ann plover-42 2", "");
    assert!(mails[0].text.contains("There is no mail with a board"), "{}", mails[0].text);
    // Nobody gets a board so that they never got.
    stage.sign_up("carol@example.com", "carol", "sanderling-3");
    let mails = stage.mail("carol@example.com", "resend carol sanderling-3 1", "");
    assert!(mails[0].text.contains("There is no mail with a board"), "{}", mails[0].text);
}

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
    let host = Host::new();
    host.run(&["submit"], PLAYERS).ok();
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
    let host = Host::new();
    host.run(&["submit"], PLAYERS).ok();
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
    let host = Host::new();
    host.run(&["submit"], PLAYERS).ok();
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
    assert_eq!(left.collect::<Vec<_>>(), ["turnpost.db", "turnpost.toml"]);
}

#[test]
fn a_damaged_database_is_replaced_and_kept() {
    let host = Host::new();
    host.run(&["submit"], PLAYERS).ok();
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
    let host = Host::new();
    host.run(&["submit"], PLAYERS).ok();
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
    refuses(&path("nothing.db"), 75, "nothing.db: ");
    fs::write(path("empty.db"), "").unwrap();
    refuses(&path("empty.db"), 75, "empty.db is not a Turnpost database");
    fs::write(path("text.db"), "no database ".repeat(1000)).unwrap();
    refuses(&path("text.db"), 75, "text.db is not a Turnpost database");
    rusqlite::Connection::open(path("other.db")).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
    refuses(&path("other.db"), 75, "other.db is not a Turnpost database");
    refuses(&host.database(), 75, "this is the database itself");
    let change = |name: &str, sql: &str| {
        fs::copy(&saved, path(name)).unwrap();
        rusqlite::Connection::open(path(name)).unwrap().execute_batch(sql).unwrap();
    };
    change("later.db", "PRAGMA user_version = 999");
    refuses(&path("later.db"), 75, "use a later Turnpost");
    change("wrong.db", "UPDATE boards SET position = 'x' WHERE id = 1");
    refuses(&path("wrong.db"), 1, "nothing was changed");
}

#[test]
fn a_database_in_use_is_not_replaced() {
    let host = Host::new();
    host.run(&["submit"], PLAYERS).ok();
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.db");
    backup(&host, &saved);
    let served = Served::start(&host, &[]);
    let ran = restore(&host, &saved);
    assert_eq!(ran.code, Some(75), "{ran:?}");
    assert!(ran.err.contains("turnpost.db is in use: stop `turnpost serve`"), "{}", ran.err);
    // It goes on as before.
    served.connect().takes(&letter("ann@example.org", "dvonn show 1", "", 1));
    served.stop();
    restore(&host, &saved).ok();
    host.assert_verified();
}

#[test]
fn the_units_call_commands_that_there_are() {
    let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    let mut units = 0;
    for entry in fs::read_dir(&packaging).unwrap() {
        let path = entry.unwrap().path();
        let text = match path.extension().and_then(|end| end.to_str()) {
            Some("service") => fs::read_to_string(&path).unwrap(),
            Some("timer") => {
                assert!(path.with_extension("service").exists(), "{}", path.display());
                continue;
            }
            _ => continue,
        };
        let (_, line) = text.split_once("\nExecStart=/usr/bin/turnpost ").unwrap();
        let arguments = line.lines().next().unwrap().split(' ').chain(["--help"]).collect::<Vec<_>>();
        finish(start(Host::new().command(&arguments), b"")).ok();
        units += 1;
    }
    assert!(units >= 4);
}
