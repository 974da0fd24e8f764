//! A server knows that it was set up: what is missing or another server's stops it, and no letter and no mail is lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::support::data::DataFile;
use crate::support::host::{Host, Ran, finish, start};
use crate::support::serving::Served;
use crate::support::{files_below, letter};
use turnpost::store::migrate_to;

/// A server with two players, to whom two mails wait to be sent by a program that notes what it gets in `sent`.
fn server() -> Host {
    let host = Host::new();
    let (program, sent) = (host.data().join("sends"), host.data().join("sent"));
    fs::write(&program, format!("#!/bin/sh\ncat >>{}\n", sent.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let key = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dkim/key.pem");
    fs::copy(key, host.data().join("key.pem")).unwrap();
    let settings = fs::read_to_string(host.data().join("turnpost.toml")).unwrap();
    let settings = format!(
        "{settings}[mail]\ntransport = \"sendmail\"\nafter_submit = false\n[sendmail]\nprogram = \"{}\"\n\
         [dkim]\nselector = \"club\"\nkey = \"{}\"\n",
        program.display(),
        host.data().join("key.pem").display()
    );
    fs::write(host.data().join("turnpost.toml"), settings).unwrap();
    let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n\
                   dvonn challenge ann bob\n";
    host.run(&["submit"], players.as_bytes()).ok();
    host
}

fn init(host: &Host) -> Ran {
    host.run(&["init", "--user", &crate::init::user()], b"")
}

/// The files of a server but those that every reader touches, and the log. SQLite moves what its own log holds to a database.
fn files(host: &Host) -> Vec<(PathBuf, Vec<u8>)> {
    if !host.data().is_dir() {
        return Vec::new();
    }
    let mut files = files_below(host.data());
    files.retain(|(path, _)| {
        !["db-shm", "db-wal", "log"].iter().any(|end| path.to_str().unwrap().ends_with(end))
    });
    files
        .iter_mut()
        .filter(|(path, _)| path.ends_with("turnpost.db"))
        .for_each(|(_, bytes)| bytes.truncate(16));
    files
}

/// What is new, or not as it was.
fn changed(host: &Host, before: &[(PathBuf, Vec<u8>)]) -> Vec<PathBuf> {
    let now = files(host);
    let gone = before.len() != now.len();
    let new = now.into_iter().filter(|file| gone || !before.contains(file));
    new.map(|(path, _)| path).collect()
}

fn damage(host: &Host, what: &str, name: &str, other: &Host) {
    let path = if name == "." { host.data().to_owned() } else { host.data().join(name) };
    let settings = fs::read_to_string(host.data().join("turnpost.toml")).unwrap();
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap();
    } else {
        // What SQLite keeps beside a database goes with it.
        let beside = ["", "-wal", "-shm"].map(|end| format!("{}{end}", path.display()));
        beside.iter().for_each(|file| drop(fs::remove_file(file)));
    }
    match what {
        "remove" => {}
        "folder" => fs::create_dir(&path).unwrap(),
        "empty" if name == "." => fs::create_dir(&path).unwrap(),
        "empty" | "file" => fs::write(&path, "").unwrap(),
        "rubbish" => fs::write(&path, "rubbish").unwrap(),
        "other" => drop(fs::copy(other.data().join(name), &path).unwrap()),
        "directory" => fs::write(&path, settings.replace("sendmail\"", "directory\"")).unwrap(),
        what => panic!("{what}"),
    }
}

#[test]
fn what_is_missing_or_anothers_stops_every_command_and_nothing_is_lost() {
    let other = Host::new();
    fs::write(other.data().join("turnpost.toml"), "address = \"play@other.example\"\n").unwrap();
    other.run(&["submit", "help"], b"").ok();
    let host = server();
    let whole = files_below(host.data());
    let mail = letter("ann@example.org", "help", "", 1);
    let mut rows = 0;
    for (_, section) in DataFile::read("whole.txt").sections() {
        for row in section.lines() {
            let (done, says) = row.split_once(" | ").unwrap();
            let (what, name) = done.split_once(' ').unwrap();
            let says = says.replace("{data}", host.data().to_str().unwrap());
            damage(&host, what, name, &other);
            let before = files(&host);
            if says == "ok" {
                host.run(&["admin", "outbox"], b"").ok();
                host.receive(&mail).assert_silent(0);
                assert!(!fs::read_to_string(host.data().join("turnpost.id")).unwrap().is_empty());
            } else {
                for words in [
                    "receive",
                    "serve",
                    "deliver",
                    "tick",
                    "submit help",
                    "admin users",
                    "admin backup copy",
                    "doctor",
                ] {
                    // A folder that never had a database gets one by `submit`; commands that only read send
                    // nothing, and need no key.
                    let makes = words == "submit help" && name == "." && what != "file";
                    let reads = words.starts_with("admin") && (name == "key.pem" || what == "directory");
                    if makes || reads {
                        continue;
                    }
                    let words: Vec<&str> = words.split(' ').collect();
                    let mut command = host.command(&words);
                    command.current_dir("/");
                    let ran = finish(start(command, &mail));
                    let code = if words[0] == "doctor" { 1 } else { 75 };
                    assert_eq!(ran.code, Some(code), "{row}: {words:?}\n{ran:?}");
                    let said = if words[0] == "receive" { host.log() } else { ran.out + &ran.err };
                    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
                    // It does not name itself.
                    let says = if code == 1 { says.split(';').next().unwrap() } else { &says };
                    assert!(said.contains(says) || name == ".", "{row}: {words:?}\n{said}");
                    assert_eq!(changed(&host, &before), Vec::<PathBuf>::new(), "{row}: {words:?}");
                }
                if name == "turnpost.db" && what != "other" {
                    assert_eq!(init(&host).code, Some(75), "{row}");
                    assert_eq!(changed(&host, &before), Vec::<PathBuf>::new(), "{row}");
                }
            }
            let _ = fs::remove_dir_all(host.data()).or_else(|_| fs::remove_file(host.data()));
            fs::create_dir(host.data()).unwrap();
            for (path, bytes) in &whole {
                fs::write(path, bytes).unwrap();
            }
            rows += 1;
        }
    }
    assert_eq!(rows, 19);
    for path in [host.data().join("sends"), host.data().to_owned()] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    }
    assert_eq!(host.run(&["deliver"], b"").ok(), "2 sent, 0 to be tried again, 0 refused for good\n");
}

#[test]
fn a_host_changes_address_and_transport_by_init() {
    let host = server();
    let file = host.data().join("turnpost.toml");
    let settings = fs::read_to_string(&file).unwrap();
    let changed = settings.replace("sendmail\"", "directory\"").replace("play@turnpost", "chess@turnpost");
    fs::write(&file, &changed).unwrap();
    assert!(
        init(&host).err.contains("2 mails wait to be sent by sendmail, and directory does not send them")
    );
    fs::write(&file, settings).unwrap();
    host.run(&["deliver"], b"").ok();
    fs::write(&file, changed).unwrap();
    assert_eq!(host.run(&["deliver"], b"").code, Some(75));
    let said = "# the address was play@turnpost.example, and is chess@turnpost.example from now on\n\
                # the transport was sendmail, and is directory from now on\n";
    assert!(init(&host).ok().contains(said));
    host.run(&["deliver"], b"").ok();
}

#[test]
fn a_trial_needs_no_configuration_and_becomes_any_server() {
    let host = Host::new();
    let file = host.data().join("turnpost.toml");
    let settings = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    host.run(&["submit", "signup ann plover-42 ann@example.org"], b"").ok();
    host.receive(&letter("ann@example.org", "help", "", 1)).assert_silent(0);
    fs::write(&file, format!("{settings}[mail]\ntransport = \"smtp\"\n")).unwrap();
    assert_eq!(host.run(&["deliver"], b"").code, Some(75), "that mail waits to become a file");
    fs::write(&file, &settings).unwrap();
    assert_eq!(host.delivered().len(), 1);
    fs::rename(&file, host.data().join("elsewhere")).unwrap();
    assert_eq!(host.run(&["deliver"], b"").code, Some(75), "it has an address now");
    let elsewhere = host.data().join("elsewhere");
    let moved = ["--config", elsewhere.to_str().unwrap()];
    host.run(&[&moved[..], &["deliver"]].concat(), b"").ok();
    assert!(host.run(&["deliver"], b"").err.contains("elsewhere, the configuration of "));
    // A folder beside that configuration is another's, or that of a disk that is missing.
    let empty = tempfile::tempdir().unwrap();
    let data = ["--data", empty.path().to_str().unwrap()];
    assert_eq!(host.run(&[&moved[..], &data, &["submit", "help"]].concat(), b"").code, Some(75));
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn a_database_without_an_identity_and_a_copy_belong_to_the_server_with_their_configuration() {
    let host = server();
    let copy = host.data().join("copy.db");
    host.run(&["admin", "backup", copy.to_str().unwrap()], b"").ok();
    let settings = fs::read(host.data().join("turnpost.toml")).unwrap();
    // As Litestream brings it, as a backup is restored, and as it was before version 21.
    for way in ["copied", "restored", "earlier"] {
        let second = Host::new();
        if way == "restored" {
            second.run(&["submit", "help"], b"").ok();
            second.run(&["admin", "restore", copy.to_str().unwrap()], b"").ok();
        } else {
            fs::copy(&copy, second.database()).unwrap();
        }
        if way == "earlier" {
            fs::remove_file(second.database()).unwrap();
            let mut conn = Connection::open(second.database()).unwrap();
            // "Tpst".
            conn.pragma_update(None, "application_id", 0x5470_7374).unwrap();
            migrate_to(&mut conn, 20).unwrap();
            conn.execute_batch(include_str!("../data/migrations/0020.sql")).unwrap();
            fs::rename(second.data().join("turnpost.toml"), second.data().join("away")).unwrap();
            assert!(second.run(&["deliver"], b"").err.contains("turnpost.toml is missing"));
            let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
            assert_eq!(version, 20, "what is refused stays as it is");
        }
        fs::write(second.data().join("turnpost.toml"), &settings).unwrap();
        let sent = if way == "earlier" { 1 } else { 2 };
        assert_eq!(
            second.run(&["deliver"], b"").ok(),
            format!("{sent} sent, 0 to be tried again, 0 refused for good\n"),
            "{way}"
        );
        fs::remove_file(second.data().join("turnpost.toml")).unwrap();
        assert_eq!(second.run(&["tick"], b"").code, Some(75), "{way}");
    }
}

#[test]
fn a_server_at_work_takes_no_letter_once_its_database_is_gone() {
    let host = Host::with_players();
    let served = Served::start(&host, &[("TURNPOST_SERVE_TIMER_SECONDS", "1")]);
    let mut client = served.connect();
    client.takes(&letter("ann@example.org", "help", "", 1));
    ["", "-wal", "-shm"].iter().for_each(|end| {
        fs::remove_file(format!("{}{end}", host.database().display())).unwrap();
    });
    let replies =
        client.mail("ann@example.org", &[crate::support::ADDRESS], &letter("ann@example.org", "help", "", 2));
    assert!(replies[0].starts_with("451 "), "{replies:?}");
    let (code, log) = served.end();
    assert!(code == Some(75) && log.contains("turnpost.db was removed or replaced"), "{code:?}\n{log}");
    assert!(!host.database().exists());
}
