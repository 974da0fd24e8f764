//! Who is erased is gone from the bytes of the files, not from the rows alone.

use crate::support::host::Host;
use crate::support::{ANN, Mail, Stage, files_below};
use data_encoding::BASE64;
use std::time::{Duration, Instant};
use turnpost::commands::LANGUAGE;
use turnpost::data_dir::DATABASE;
use turnpost::ids::BoardId;
use turnpost::mail::Operator;
use turnpost::store::questions::ACTS;
use turnpost::store::{CodeHash, PlayerId, Store};
use turnpost::timer::host_acts::{Act, AddressAct, BoardAct, UserAct};

const WORDS: &str = "Three wheatears on the seawall";
/// In a mail it stands as quoted-printable.
const GREETING: &str = "Grüße vom Wattenmeer";

/// An address of ann's that no row holds.
const OLD: &str = "of-old@ann.example";

/// An address that ann has removed from her account, to which mail came back.
const FORMER: &str = "ann.formerly@moor.example";

/// What must not be found, each with a name.
type Needles = Vec<(String, Vec<u8>)>;

/// Every form in which a text may be stored: as it is in any case, and in base64 wherever it begins.
fn forms(text: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![text.to_lowercase().into_bytes()];
    for before in 0..3 {
        let encoded = BASE64.encode(&[&vec![b'.'; before], text.as_bytes()].concat());
        // The ends depend on what stands beside.
        let inside = &encoded[(before * 4).div_ceil(3)..encoded.trim_end_matches('=').len() - 2];
        forms.push(inside.to_lowercase().into_bytes());
    }
    forms
}

/// The files of the database, and a backup made now, in lower case.
fn bytes(stage: &Stage) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("backup.db");
    stage.store.backup(&copy).unwrap();
    let own = std::fs::read_dir(stage.folder.path()).unwrap().map(|entry| entry.unwrap().path());
    own.chain([copy])
        .map(|path| (path.display().to_string(), std::fs::read(path).unwrap().to_ascii_lowercase()))
        .collect()
}

fn found(needles: &Needles, files: &[(String, Vec<u8>)]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, needle) in needles {
        for (path, bytes) in files {
            if memchr::memmem::find(bytes, needle).is_some() {
                found.push(format!("{name} in {path}"));
            }
        }
    }
    found
}

fn tokens(mails: &[Mail], to: &str) -> Vec<String> {
    let theirs = mails.iter().filter(|mail| mail.to.eq_ignore_ascii_case(to));
    let reply_to = theirs.filter_map(|mail| {
        let raw = mail.raw();
        let line = raw.lines().find_map(|line| line.strip_prefix("Reply-To: play+"))?.to_owned();
        line.split_once('@').map(|(token, _)| token.to_owned())
    });
    reply_to.collect()
}

/// A server on which ann has done what a player can do, and others about her.
fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.sign_up("Ann.Wader+games@Example.org", "ann", ANN);
    stage.sign_up("bob@example.net", "bob", crate::support::BOB);
    stage.mail("Ann.Wader+games@Example.org", &format!("add ann {ANN} annw@home.example"), "");
    let asked: Vec<Mail> = stage.left.iter().filter(|mail| mail.to == "annw@home.example").cloned().collect();
    stage.confirm(&asked);
    stage.mail("annw@home.example", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage.mail("annw@home.example", &format!("set ann {ANN} openness on zone Europe/Paris"), "");
    stage.mail(
        "annw@home.example",
        &format!("dvonn move 1 ann {ANN} D1-E1"),
        &format!("{WORDS}\n{GREETING}\n"),
    );
    stage.mail("bob@example.net", "dvonn move 1 bob dunlin-7 K3-J2", "A reply.\n");
    stage.mail("annw@home.example", &format!("dvonn chat 1 ann {ANN}"), &format!("{WORDS}\n"));
    stage.mail("annw@home.example", &format!("message ann {ANN} bob"), &format!("{GREETING}: {WORDS}\n"));
    stage.mail("annw@home.example", &format!("dvonn queue 1 ann {ANN} E1-G1"), "");
    stage.mail("annw@home.example", &format!("vacation ann {ANN} 2026-12-20 2026-12-27"), "");
    stage.mail("annw@home.example", &format!("dvonn seek ann {ANN}"), "");
    stage.mail("annw@home.example", "forgot ann", "");
    stage.mail("bob@example.net", "dvonn subscribe 1 annw@home.example", "");
    for wrong in ["wigeon-1", "wigeon-2", "wigeon-3"] {
        stage.mail("annw@home.example", &format!("set ann {wrong} html off"), "");
    }
    // A game that is over, in which both played enough to be rated.
    stage.mail("annw@home.example", "dvonn challenge ann bob", "");
    for (n, space) in ["F3", "E3", "D3", "C3", "B3", "A3", "G3", "H3"].iter().enumerate() {
        let name = ["ann", "bob"][n % 2];
        assert!(stage.submit(Operator::AsAnyone, &format!("dvonn move 2 {name} - {space}")).1);
    }
    assert!(stage.submit(Operator::AsAnyone, "dvonn resign 2 bob -").1);
    let user = |act| Act::OnUser("ann".parse().unwrap(), act);
    stage
        .host(user(UserAct::AddAddress("third@ann.example".into())), "She wrote from third@ann.example.")
        .unwrap();
    stage.host(Act::OnBoard(BoardId(1), BoardAct::Adjourn), "Asked by annw@home.example.").unwrap();
    stage.host(user(UserAct::Suspend("Abuse by annw@home.example.".to_owned())), "").unwrap();
    // An earlier version left in the file what it deleted.
    let earlier = rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    earlier
        .execute_batch(&format!(
            "PRAGMA secure_delete = OFF; CREATE TABLE old (x); INSERT INTO old VALUES ('{OLD}'); DROP TABLE old"
        ))
        .unwrap();
    // A mail that came back, one to ann that waits, and one to bob that was tried in vain.
    let conn = rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    conn.execute_batch(
        "INSERT INTO bounces (address_key, address, count, last_at) VALUES ('annw@home.example', 'annw@home.example', 1, 0);
         INSERT INTO asked_addresses VALUES ('annw@home.example', 0);
         UPDATE outbox SET recipient = 'ann.formerly@moor.example'
            WHERE id = (SELECT min(id) FROM outbox WHERE player = 1 AND state = 'sent');
         INSERT INTO bounces (address_key, address, count, last_at)
            VALUES ('ann.formerly@moor.example', 'ann.formerly@moor.example', 1, 0);
         INSERT INTO limits VALUES ('answers', 'ann.formerly@moor.example', 0, 1);
         INSERT INTO mails_aside (letter, player, recipient, reason, created_at) VALUES (1, 1, 'annw@home.example', 'x', 0);
         UPDATE outbox SET state = 'waiting' WHERE id IN (
            SELECT max(id) FROM outbox WHERE player = 1 AND id IN (SELECT mail FROM mail_bytes)
            UNION SELECT max(id) FROM outbox WHERE player = 2 AND id IN (SELECT mail FROM mail_bytes) AND board = 1);
         UPDATE outbox SET last_error = '550 5.1.1 <annw@home.example> no such user' WHERE player = 1;",
    )
    .unwrap();
    stage
}

fn needles(stage: &Stage) -> Needles {
    let mut needles = Vec::new();
    let addresses =
        ["Ann.Wader+games@Example.org", "ann.wader@example.org", "annw@home.example", "third@ann.example"];
    for text in addresses.into_iter().chain([OLD, FORMER, WORDS, GREETING]) {
        needles.extend(forms(text).into_iter().map(|form| (text.to_owned(), form)));
    }
    needles.push(("a greeting, quoted".into(), b"gr=c3=bc=c3=9fe vom wattenmeer".to_vec()));
    for address in addresses {
        let mailbox = address.to_lowercase().replace("+games", "");
        needles.push((format!("the hash of {address}"), CodeHash::of(&mailbox).hex().into_bytes()));
    }
    for address in &addresses[..3] {
        for token in tokens(&stage.left, address) {
            needles.push((format!("the token {token}"), token.into_bytes()));
        }
    }
    let account = stage.store.player_by_id(PlayerId(1)).unwrap();
    needles.push(("the password's hash".into(), account.password_hash.unwrap().to_lowercase().into_bytes()));
    let secret = stage.store.secret(PlayerId(1)).unwrap();
    needles.push(("the secret".into(), secret.to_ascii_lowercase()));
    needles
}

#[test]
fn no_byte_of_an_erased_person_is_left() {
    let mut stage = stage();
    let needles = needles(&stage);
    let before = found(&needles, &bytes(&stage));
    for text in [
        "annw@home.example",
        "third@ann.example",
        OLD,
        FORMER,
        WORDS,
        "quoted",
        "the token",
        "hash",
        "the secret",
    ] {
        assert!(before.iter().any(|found| found.contains(text)), "{text} was never there: {before:#?}");
    }
    let bobs = stage.store.rating("dvonn", PlayerId(2)).unwrap();
    let (said, mails) = stage.host(Act::Erase("ann".parse().unwrap()), "").unwrap();
    assert_eq!(
        said,
        "Nothing is left but finished games, under the userid deleted-1. Boards resigned: 1. Backups made before still \
         hold the rest."
    );
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(
        (mails[0].to.as_str(), mails[0].first_line()),
        ("bob@example.net", "bob, you won your game with deleted-1: deleted-1 resigned.")
    );
    assert_eq!(found(&needles, &bytes(&stage)), Vec::<String>::new());
    assert_eq!(stage.wrong(), Vec::<String>::new());
    assert_eq!(
        stage.store.rating("dvonn", PlayerId(2)).unwrap(),
        bobs,
        "a short game that was resigned counts nothing"
    );
    assert!(stage.store.player(&"ann".parse().unwrap()).unwrap().is_none());
    let acts = stage.store.ask(ACTS, (None::<i64>, None::<i64>, false)).unwrap();
    assert_eq!((acts.len(), acts.iter().all(|act| act["reason"] == "")), (4, true));
    assert!(stage.store.letters(100).unwrap().iter().all(|letter| !letter.commands.contains(" ann ")));
    for act in [BoardAct::Resume, BoardAct::Undo(turnpost::ids::Ply(8))] {
        let why = stage.host(Act::OnBoard(BoardId(2), act), "They ask for it.").unwrap_err();
        assert_eq!(why, "deleted-1 has left, so board 2 cannot go on");
    }
    // The userid is free, the other name is not.
    assert!(
        stage.mail("new@example.com", "signup deleted-77 sanderling-3", "")[0]
            .text
            .replace('\n', " ")
            .contains("server uses itself")
    );
    assert_eq!(stage.sign_up("new@example.com", "ann", "sanderling-3").len(), 1);
    assert!(stage.submit(Operator::AsAnyone, "dvonn show 2").0.contains("deleted-1"));
    assert!(stage.host(Act::Erase("robot-1".parse().unwrap()), "").unwrap_err().contains("robot"));
    assert!(stage.host(Act::Erase("nobody".parse().unwrap()), "").unwrap_err().contains("no player"));
}

/// A stopped address is named to the operator; where that mail still waits, it is not sent.
#[test]
fn the_operators_mail_about_a_person_goes_too() {
    let mut stage = Stage::with_players();
    stage.host(Act::OnAddress("ann@example.org".into(), AddressAct::Resume), "").unwrap_err();
    let conn = rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    for (state, to) in
        [("waiting", "ann=\r\n@example.org"), ("waiting", "bob@example.net"), ("sent", "ann@example.org")]
    {
        let mail = format!(
            "To: operator@turnpost.example\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nNo mail goes to {to} now.\r\n"
        );
        conn.execute(
            "INSERT INTO outbox (letter, recipient, message_id, created_at, due_at, state)
             VALUES ((SELECT max(id) FROM letters), 'operator@turnpost.example', '<x@y>', 0, ?2, ?1)",
            (state, stage.now.as_second() + 3600),
        )
        .unwrap();
        conn.execute(
            "INSERT INTO mail_bytes (mail, bytes) VALUES (last_insert_rowid(), ?1)",
            [mail.as_bytes()],
        )
        .unwrap();
    }
    // One to another, with the name in passing, leaves before it goes.
    let passing = "To: bob@example.net\r\nSubject: =?utf-8?B?w7xiZXIgYW5u?=\r\n\r\nHello.\r\n";
    conn.execute_batch(
        "INSERT INTO outbox (letter, player, recipient, message_id, created_at, due_at)
         VALUES ((SELECT max(id) FROM letters), 2, 'bob@example.net', '<z@y>', 0, 0)",
    )
    .unwrap();
    let keep = "INSERT INTO mail_bytes (mail, bytes) VALUES (last_insert_rowid(), ?1)";
    conn.execute(keep, [passing.as_bytes()]).unwrap();
    let mails = stage.host(Act::Erase("ann".parse().unwrap()), "").unwrap().1;
    assert_eq!(mails.iter().filter(|mail| mail.text == "Hello.\n").count(), 1);
    let gone = "SELECT state = 'sent' AND id NOT IN (SELECT mail FROM mail_bytes) FROM outbox WHERE message_id = '<z@y>'";
    assert!(conn.query_row(gone, [], |row| row.get::<_, bool>(0)).unwrap());
    let left: Vec<(i64, String)> = conn
        .prepare(
            "SELECT coalesce(length(bytes), 0), state FROM outbox LEFT JOIN mail_bytes ON mail = id
             WHERE recipient = 'operator@turnpost.example' ORDER BY id",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(left[0], (0, "failed".into()));
    assert!(left[1].0 > 0 && left[1].1 == "waiting");
    assert_eq!(left[2].0, 0);
}

/// `delete` leaves the userid, and the words that others have got; addresses, tokens and password go from the bytes with
/// the first tick after the farewell has left.
#[test]
fn who_deletes_the_account_leaves_no_address_in_the_file() {
    let mut stage = Stage::with_a_game();
    stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "Good luck!\n");
    let mut needles: Needles =
        forms("ann@example.org").into_iter().map(|form| ("ann@example.org".to_owned(), form)).collect();
    for token in tokens(&stage.left, "ann@example.org") {
        needles.push((format!("the token {token}"), token.into_bytes()));
    }
    assert!(!found(&needles, &bytes(&stage)).is_empty());
    let mails = stage.mail("ann@example.org", &format!("delete ann {ANN}"), "");
    assert!(mails.iter().any(|mail| mail.to == "ann@example.org"));
    assert!(!found(&needles, &bytes(&stage)).is_empty(), "the log holds pages as they were");
    stage.tick();
    assert_eq!(found(&needles, &bytes(&stage)), Vec::<String>::new());
}

#[test]
fn an_erased_person_is_a_stranger() {
    let mut stage = Stage::with_players();
    stage.host(Act::Erase("ann".parse().unwrap()), "").unwrap();
    assert!(stage.mail("ann@example.org", "list", "")[0].text.contains("signup"), "a stranger");
    let store = Store::open_read_only(&stage.folder.path().join(DATABASE)).unwrap();
    assert!(store.players_at("ann@example.org").unwrap().is_empty());
}

/// Another process that reads keeps the log from being emptied. The clocks go on trying, however long it reads.
#[test]
fn what_a_reader_holds_goes_when_it_has_read() {
    let address = "ann@example.org";
    let needles: Needles = forms(address).into_iter().map(|form| (address.to_owned(), form)).collect();
    for by_herself in [true, false] {
        let mut stage = Stage::with_a_game();
        let reader = rusqlite::Connection::open(stage.folder.path().join(DATABASE)).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM boards").unwrap();
        let begun = Instant::now();
        if by_herself {
            stage.mail(address, &format!("delete ann {ANN}"), "");
        } else {
            stage.host(Act::Erase("ann".parse().unwrap()), "").unwrap();
        }
        stage.tick();
        assert!(begun.elapsed() < Duration::from_secs(10), "writers wait for {:?}", begun.elapsed());
        assert!(stage.store.held_in_files_since().unwrap().is_some());
        stage.ticks(stage.now + Duration::from_hours(2));
        assert!(!found(&needles, &bytes(&stage)).is_empty());
        drop(reader);
        stage.tick();
        assert_eq!(found(&needles, &bytes(&stage)), Vec::<String>::new(), "{by_herself}");
        assert_eq!(stage.store.held_in_files_since().unwrap(), None);
    }
}

/// Others name a person in every command, in words, and the host in reasons. What is kept of it goes, from tables of which
/// nobody thought too.
#[test]
fn what_others_wrote_of_a_person_goes_too() {
    let mut stage = Stage::with_players();
    stage.sign_up("Diego.Vega+d@Seville.example", "Diego-V", "redshank-6");
    stage.sign_up("cleo@example.com", "cleo", "redshank-7");
    let rename = Act::Rename { old: "Diego-V".parse().unwrap(), new: "Zorro77".parse().unwrap() };
    stage.mail("cleo@example.com", "message cleo redshank-7 ann", "diego-v is annual, (DIEGO-V)!\n");
    stage.host(rename, "Asked for it.").unwrap();
    stage.submit(
        Operator::AsAnyone,
        "dvonn challenge ann bob\ndvonn challenge zorro77 ann\ndvonn event new Vega-Cup -size=3 zorro77 -\n\
         dvonn event join vega-cup ann -\ndvonn event join vega-cup bob -\ndvonn league join zorro77 -\n\
         dvonn chat 1 ann -\nMove Zorro77 from the annual, zorro77.\nend\n",
    );
    stage.tick();
    for entry in LANGUAGE.entries() {
        let example = entry.example.replace("GAME", "dvonn");
        let (subject, text) = example.split_once('\n').unwrap_or((&example, ""));
        for (from, old, new) in [
            ("Diego.Vega+d@Seville.example", "ann plover-42", "zorro77 redshank-6"),
            ("ann@example.org", "bob", "Zorro77"),
            ("cleo@example.com", "ann", "zorro77"),
            ("cleo@example.com", "spring-cup", "vega-cup"),
            ("bob@example.net", "example.com", "example.com zorro77 diego.vega+d@seville.example"),
        ] {
            if !["delete", "signoff", "change password", "reset", "decline"].contains(&entry.word) {
                stage.wait(1);
                stage.mail(from, &subject.replace(old, new), &format!("{text}\nzorro77\n"));
            }
        }
    }
    stage
        .host(Act::OnUser("cleo".parse().unwrap(), UserAct::Suspend("Zorro77 says so.".to_owned())), "")
        .unwrap();
    stage.change(
        "CREATE TABLE scribbles (who TEXT PRIMARY KEY, words TEXT NOT NULL);
         INSERT INTO scribbles VALUES ('zorro77', 'x'), ('bob', 'ann is annual, Zorro77')",
    );
    let names = ["zorro77", "diego-v", "vega-cup", "diego.vega"];
    let needles: Needles = names
        .iter()
        .flat_map(|name| forms(name).into_iter().map(|form| ((*name).to_owned(), form)))
        .collect();
    let before = found(&needles, &bytes(&stage));
    assert!(names.iter().all(|name| before.iter().any(|found| found.starts_with(name))), "{before:?}");
    stage.host(Act::Erase("zorro77".parse().unwrap()), "").unwrap();
    stage.tick();
    assert_eq!(found(&needles, &bytes(&stage)), Vec::<String>::new());
    assert_eq!(stage.wrong(), Vec::<String>::new());
    let rest = stage.text();
    for stays in
        ["Move *** from the annual, ***.", "ann is annual, ***", "dvonn challenge ann ***", "*** says so."]
    {
        assert!(rest.contains(stays), "{stays}");
    }
    assert!(stage.submit(Operator::AsAnyone, "dvonn event table event-1").0.contains("deleted-3"));

    // A word that stands in every mail names nobody, and `ann` is no part of other words.
    stage.change("UPDATE players SET userid = 'move', userid_key = 'move' WHERE userid = 'cleo'");
    let kept = "SELECT count(*) FROM mail_bytes JOIN outbox ON id = mail WHERE player = 2 AND board IS NULL";
    let count = |stage: &Stage| -> i64 { stage.database().query_row(kept, [], |row| row.get(0)).unwrap() };
    let mails = count(&stage);
    stage.host(Act::Erase("move".parse().unwrap()), "").unwrap();
    assert_eq!(count(&stage), mails);
    assert!(stage.text().contains("Move *** from the annual"));
    stage.host(Act::Erase("ann".parse().unwrap()), "").unwrap();
    assert!(stage.text().contains("*** is annual, ***"));
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_folder_of_mails_and_the_log_are_cleaned() {
    let host = Host::new();
    host.run(&["submit"], include_bytes!("../first-game.txt")).ok();
    host.delivered();
    let folder = host.data().join("mail");
    for (number, text) in [("00000998", "What *** said to ann."), ("00000999", "The annual meeting.")] {
        std::fs::write(
            folder.join(format!("{number}.eml")),
            format!("To: cleo@example.com\r\n\r\n{text}\r\n"),
        )
        .unwrap();
    }
    std::fs::write(host.data().join("turnpost.log"), "to <ann@example.org>: no\nto <bob@example.net>: no\n")
        .unwrap();
    let needle: Needles = vec![("ann".into(), b"ann@example.org".to_vec())];
    let files = || -> Vec<(String, Vec<u8>)> {
        let all = files_below(host.data()).into_iter();
        all.map(|(path, bytes)| (path.display().to_string(), bytes)).collect()
    };
    assert!(found(&needle, &files()).len() > 2);
    host.run(&["admin", "erase", "ann", "--yes"], b"").ok();
    assert_eq!(found(&needle, &files()), Vec::<String>::new());
    assert_eq!(host.log(), "to <***>: no\nto <bob@example.net>: no\n");
    let left: Vec<_> = files_below(&folder).into_iter().map(|(path, _)| path).collect();
    assert_eq!(left, [folder.join("00000999.eml")]);
}
