//! What a host asks of a server, and what the program prints.
//!
//! `tests/questions.txt` holds the whole answers for a small club; `docs/hosting.md` shows parts of it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::host::{Host, Ran, finish, start};
use crate::support::mails::transported;
use crate::support::serving::Served;
use crate::support::{ADDRESS, ANN, BOB, Stage, letter};
use serde_json::Value;

/// Ann and bob play; carol never confirms her address; a list writes; a mail to bob comes back.
fn club() -> Stage {
    let mut stage = Stage::with(|config| config.limits.messages_a_day = 1).peopled();
    stage.wait(1);
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage.wait(1);
    stage.mail(
        "ann@example.org",
        "",
        &format!("dvonn move 1 ann {ANN} D1-D5\ndvonn move 1 ann {ANN} D1-E1\ndvonn resign\n"),
    );
    stage.mail("ann@example.org", "dvonn challenge -unrated -seed=8 ann bob", "");
    stage.mail("carol@example.com", "signup carol ruff-88", "");
    stage.wait(1);
    let list = String::from_utf8(letter("news@lists.example", "News", "Hello all", 500)).unwrap();
    let list = list.replace("Subject:", "List-Id: <news.lists.example>\r\nSubject:");
    stage.receive(list.as_bytes());
    stage.mail("ann@example.org", &format!("message ann {ANN} bob"), "Are you there?");
    let path = stage.envelopes.last().unwrap().from.clone().unwrap();
    stage.mail("ann@example.org", &format!("message ann {ANN} bob"), "Hello?");
    stage.wait(1);
    let report = format!(
        "Return-Path: <>\r\nDelivered-To: {path}\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: {path}\r\n\
         Subject: Undelivered Mail Returned to Sender\r\nMessage-ID: <dsn.1@mx.example>\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n--b\r\n\r\nSorry.\r\n--b\r\n\
         Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
         Final-Recipient: rfc822; bob@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\n\
         Diagnostic-Code: smtp; 550 5.1.1 <bob@example.net>: no such mailbox, write\r\n to \
         b42.k7q2m5xw3n4abcdefghijklmno about it\r\n\r\n--b--\r\n"
    );
    stage.receive(report.as_bytes());
    stage
}

/// Runs the program on the database of a stage.
fn ask(stage: &Stage, arguments: &[&str]) -> Ran {
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(stage.folder.path(), private).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpost"));
    command.env_clear().env("TURNPOST_DATA", stage.folder.path()).arg("admin").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(start(command, b""))
}

fn json(stage: &Stage, arguments: &[&str]) -> Value {
    let ran = ask(stage, &[arguments, &["--json"]].concat());
    serde_json::from_str(ran.ok()).unwrap_or_else(|why| panic!("{arguments:?}: {why}\n{}", ran.out))
}

const QUESTIONS: &[&str] = &[
    "boards",
    "boards --waiting",
    "boards --due 5000w",
    "boards --user carol",
    "letters",
    "letters --user ann --limit 2",
    "letters --board 1",
    "letters --since 2026-11-16T12:00:00Z",
    "letter 6",
    "letter <news.500@lists.example>",
    "outbox --limit 3",
    "outbox --board 1",
    "mail 7",
    "users",
    "user ann",
    "user bob",
    "user carol",
    "bounces",
];

#[test]
fn the_answers_are_those_written_down() {
    let stage = club();
    let before = stage.dump();
    let mut answers = String::new();
    for question in QUESTIONS {
        let ran = ask(&stage, &question.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.err, "", "{question}");
        answers += &format!("$ turnpost admin {question}\n{}\n", ran.ok());
        assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{question}\n{}", ran.out);
    }
    for secret in [ANN, BOB, "argon2", "k7q2m5xw3n4"] {
        assert!(!answers.contains(secret), "{secret}\n{answers}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions.txt");
    if std::env::var_os("TURNPOST_BLESS").is_some() {
        std::fs::write(&path, &answers).unwrap();
    }
    assert_eq!(answers, std::fs::read_to_string(path).unwrap());
    assert_eq!(stage.dump(), before, "who asks changes nothing");
}

#[test]
fn json_holds_every_row_an_object_a_line() {
    let mut stage = club();
    for n in 0..60 {
        stage.mail("ann@example.org", "games", &format!("{n}"));
    }
    let letters = stage.store.letters(1000).unwrap().len();
    assert!(letters > 60);
    let ran = ask(&stage, &["letters", "--json"]);
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!((lines.len(), lines[0], *lines.last().unwrap()), (letters + 2, "[", "]"));
    for line in &lines[1..=letters] {
        serde_json::from_str::<Value>(line.trim_end_matches(',')).unwrap();
    }
    assert_eq!(json(&stage, &["letters"]).as_array().unwrap().len(), letters);
    let bounce = &json(&stage, &["bounces"])[0]["came_back_with"];
    assert!(bounce.as_str().unwrap().ends_with("write to *** about it"), "{bounce}");
    assert_eq!(json(&stage, &["outbox"]).as_array().unwrap().len(), stage.store.outbox(1000).unwrap().len());
    // A list for people is cut, and says so; one for programs is cut when asked to, and says so elsewhere.
    let ran = ask(&stage, &["letters"]);
    assert!(ran.ok().ends_with("\n\nthe list is cut after 50 rows; --limit 100 shows more\n"), "{}", ran.out);
    assert!(!ask(&stage, &["letters", "--limit", "500"]).ok().contains("is cut"));
    let ran = ask(&stage, &["letters", "--json", "--limit", "3"]);
    assert_eq!(serde_json::from_str::<Value>(ran.ok()).unwrap().as_array().unwrap().len(), 3);
    assert_eq!(ran.err, "turnpost: the list is cut after 3 rows; --limit 6 shows more\n");
    let all: BTreeSet<i64> = json(&stage, &["letters", "--user", "ann"])
        .as_array()
        .unwrap()
        .iter()
        .map(|letter| letter["letter"].as_i64().unwrap())
        .collect();
    assert!(all.len() > 60 && all.len() < letters, "{} of {letters}", all.len());
}

#[test]
fn a_letter_tells_its_entrance_proof_and_outcomes() {
    let mut stage = club();
    let moved = json(&stage, &["letter", "6"]);
    assert_eq!(
        (&moved["proof"], &moved["player"], &moved["door"]),
        (&"password".into(), &"ann".into(), &"mail".into())
    );
    let outcomes: Vec<&str> =
        moved["commands"].as_array().unwrap().iter().map(|line| line["outcome"].as_str().unwrap()).collect();
    assert!(
        outcomes[0].starts_with("refused: ")
            && outcomes[1..] == ["done", "not understood: the board's number is missing at the end"],
        "{outcomes:?}"
    );
    assert_eq!(moved["mails"].as_array().unwrap().len(), 2);
    // By its Message-ID, with or without brackets.
    let name = moved["message_id"].as_str().unwrap().to_owned();
    for name in [name.as_str(), name.trim_matches(['<', '>'])] {
        assert_eq!(json(&stage, &["letter", name])[0]["letter"], 6);
    }
    // By nothing but From, and at the terminal.
    let challenge = json(&stage, &["letter", "5"]);
    assert_eq!(challenge["proof"], "nothing");
    stage.submit(turnpost::mail::Operator::AsAnyone, "games ann");
    let last = stage.store.letters(1).unwrap()[0].id.to_string();
    let said = json(&stage, &["letter", &last]);
    assert_eq!((&said["door"], &said["proof"]), (&"submit".into(), &"operator".into()));
}

#[test]
fn what_nobody_acts_on_is_kept_with_the_reason_and_not_for_ever() {
    let mut stage = club();
    let aside = json(&stage, &["letter", "news.500@lists.example"]);
    assert_eq!((&aside[0]["sender"], &aside[0]["door"]), (&"news@lists.example".into(), &"mail".into()));
    assert_eq!(aside[0]["aside"], "automatic mail: it comes from a mailing list");
    // A report that was counted is one letter, not two.
    let report = json(&stage, &["letter", "dsn.1@mx.example"]);
    assert_eq!((report.as_array().unwrap().len(), &report[0]["door"]), (1, &"report".into()));
    assert!(report[0]["aside"].as_str().unwrap().ends_with("(a mail came back for good)"), "{report}");
    // One that proves nothing is set aside, and still counts when it comes to the right address.
    let count = |stage: &Stage| stage.store.letters(100_000).unwrap().len();
    let before = count(&stage);
    let auto = |n: u32| {
        let mail = String::from_utf8(letter("robot@lists.example", "News", "", n)).unwrap();
        mail.replace("Subject:", "Precedence: bulk\r\nSubject:")
    };
    for _ in 0..2 {
        stage.receive_from(&transported(auto(700).as_bytes()), auto(700).as_bytes());
    }
    assert_eq!(count(&stage), before + 1, "the same mail twice");
    // A letter too large to read is answered, and says why it was not read.
    let large = letter("ann@example.org", "help", &"x\n".repeat(600_000), 701);
    stage.receive(&large);
    let last = stage.store.letters(1).unwrap()[0].clone();
    assert!(last.aside.unwrap().starts_with("it is larger than 1 MiB"));
}

#[test]
fn secrets_are_in_no_answer() {
    let mut stage = Stage::with_players();
    // Waits in the outbox, its token unused.
    stage.put_in("ann@example.org", "forgot ann", "", 800);
    let waiting = stage.store.outbox(1).unwrap()[0].id;
    let bytes = stage.store.stored_mail(waiting).unwrap().unwrap().bytes;
    let text = String::from_utf8(bytes).unwrap().replace("=\r\n", "");
    let is_code = |word: &&str| {
        word.len() == 26
            && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'))
            && word.bytes().any(|b| b.is_ascii_digit())
    };
    let code = text.split(|c: char| !c.is_ascii_alphanumeric()).find(is_code).expect("a token").to_owned();
    let id = waiting.to_string();
    let shown = ask(&stage, &["mail", &id]);
    assert!(shown.ok().contains("Subject: ") && shown.out.contains("***"), "{}", shown.out);
    assert!(!shown.out.contains(&code), "{}", shown.out);
    assert!(!json(&stage, &["mail", &id]).to_string().contains(&code));
    stage.post();
    assert!(ask(&stage, &["mail", &id]).ok().ends_with("Its text is no longer kept.\n"));
    // The token and the new password, right and wrong.
    stage.mail(
        "ann@example.org",
        "",
        &format!("reset ann {code}x sandpiper-1\nreset ann {code} sandpiper-1\n"),
    );
    stage.mail("ann@example.org", "", &format!("password ann {ANN}x sandpiper-2\nnonsense {ANN}\n"));
    for list in [&["letters"][..], &["letters", "--json"], &["outbox", "--json"], &["user", "ann", "--json"]]
    {
        let ran = ask(&stage, list);
        for secret in [code.as_str(), "sandpiper", ANN] {
            assert!(!ran.ok().contains(secret), "{secret}: {}", ran.out);
        }
    }
    for letter in stage.store.letters(2).unwrap() {
        let ran = ask(&stage, &["letter", &letter.id.to_string()]);
        for secret in [code.as_str(), "sandpiper", ANN] {
            assert!(!ran.ok().contains(secret), "{secret}: {}", ran.out);
        }
    }
}

#[test]
fn waiting_and_due_boards_come_in_their_order() {
    let mut stage = Stage::with_players();
    for seed in 1..=3 {
        stage.mail("ann@example.org", &format!("dvonn challenge -symmetry -seed={seed} ann bob"), "");
        stage.wait(24);
    }
    stage.mail("ann@example.org", &format!("dvonn resign 2 ann {ANN}"), "");
    // Board 1 moves, so board 3 waits longest; the program's own clock says what is due.
    let database = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    let now: i64 = database.query_row("SELECT unixepoch()", [], |row| row.get(0)).unwrap();
    let set = |board: u32, changed: i64, deadline: Option<i64>| {
        let sql = "UPDATE boards SET changed_at = ?2, deadline_at = ?3 WHERE id = ?1";
        database.execute(sql, rusqlite::params![board, now + changed, deadline.map(|at| now + at)]).unwrap();
    };
    set(1, -100, Some(3600));
    set(3, -900, Some(100 * 3600));
    let boards = |arguments: &[&str]| -> Vec<i64> {
        let found = json(&stage, &[&["boards"], arguments].concat());
        found.as_array().unwrap().iter().map(|board| board["board"].as_i64().unwrap()).collect()
    };
    assert_eq!(boards(&[]), [3, 2, 1]);
    assert_eq!(boards(&["--waiting"]), [3, 1]);
    assert_eq!(boards(&["--waiting", "--user", "bob"]), [3, 1]);
    assert_eq!(boards(&["--due", "2d"]), [1]);
    assert_eq!(boards(&["--due", "2w", "--user", "ann"]), [1, 3]);
    assert_eq!(boards(&["--finished"]), [2]);
    assert_eq!(boards(&["--board", "2"]), [2]);
    assert_eq!(boards(&["--waiting", "--board", "1"]), [1]);
    assert_eq!(boards(&["--waiting", "--since", "5m"]), [1]);
    assert_eq!(boards(&["--due", "2w", "--since", "5m"]), [1]);
    assert_eq!(ask(&stage, &["boards", "--board", "99"]).err, "turnpost: there is no board 99\n");
    set(3, -900, None);
    assert_eq!(boards(&["--due", "5000w"]), [1], "without a deadline nothing is due");
    assert!(ask(&stage, &["boards", "--waiting"]).ok().contains("for ever"));
    assert_eq!(ask(&stage, &["boards", "--due", "soon"]).code, Some(2));
}

#[test]
fn a_token_and_lmtp_are_told() {
    let host = Host::with_a_game();
    let raw = host
        .sent()
        .into_iter()
        .find(|mail| mail.to == "ann@example.org" && mail.raw().contains("Reply-To: "));
    let raw = raw.unwrap().raw().replace("\n ", " ");
    let reply_to = raw.split_once("Reply-To: ").unwrap().1.lines().next().unwrap().trim().to_owned();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    let reply = letter("ann@example.org", "Re: dvonn 1", "D1-E1", 1);
    assert!(client.mail("ann@example.org", &[&reply_to], &reply)[0].starts_with("250"));
    let list = String::from_utf8(letter("news@lists.example", "News", "", 2)).unwrap();
    let list = list.replace("Subject:", "List-Id: <news.lists.example>\r\nSubject:");
    assert!(client.mail("news@lists.example", &[ADDRESS], list.as_bytes())[0].starts_with("250"));
    let show = |name: &str| -> Value {
        let ran = host.run(&["admin", "letter", name, "--json"], b"");
        serde_json::from_str(ran.ok()).unwrap()
    };
    let moved = &show("ann.1@example.org")[0];
    assert_eq!(
        (&moved["door"], &moved["proof"], &moved["done"]),
        (&"lmtp".into(), &"token".into(), &1.into())
    );
    assert_eq!(moved["commands"][0]["command"], "D1-E1", "{moved}");
    assert_eq!(moved["mails"].as_array().unwrap().len(), 2, "{moved}");
    let aside = &show("news.2@lists.example")[0];
    assert_eq!((&aside["door"], &aside["sender"]), (&"lmtp".into(), &"news@lists.example".into()));
    assert!(aside["aside"].as_str().unwrap().contains("mailing list"), "{aside}");
    served.stop();
    // Whoever asks sees no token, wherever the mail holds it.
    let (_, token) = reply_to.split_once('+').unwrap();
    let (token, _) = token.split_once('@').unwrap();
    for mail in host.run(&["admin", "outbox", "--json"], b"").ok().lines().filter(|line| line.len() > 1) {
        let mail: Value = serde_json::from_str(mail.trim_end_matches(',')).unwrap();
        for arguments in [&[][..], &["--json"]] {
            let ran = host.run(&[&["admin", "mail", &mail["mail"].to_string()], arguments].concat(), b"");
            assert!(ran.ok().contains("Subject") && !ran.out.contains(token), "{}", ran.out);
            let (_, code) = token.split_once('.').unwrap();
            assert!(!ran.out.contains(code), "{}", ran.out);
        }
    }
}

/// A flood of mails that nobody acts on fills no disk, and takes no letter with it.
#[test]
fn the_oldest_of_what_nobody_acts_on_go() {
    let mut stage = Stage::with_players();
    let letters = stage.store.letters(100).unwrap().len();
    let database = rusqlite::Connection::open(stage.folder.path().join("turnpost.db")).unwrap();
    database
        .execute_batch(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10100)
             INSERT INTO letters (identity, received_at, door, aside) SELECT randomblob(32), n, 'mail', 'x' FROM n",
        )
        .unwrap();
    for n in 0..64 {
        let mail = String::from_utf8(letter("robot@lists.example", "News", "", n)).unwrap();
        stage.receive(mail.replace("Subject:", "Precedence: bulk\r\nSubject:").as_bytes());
    }
    let count = |condition: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM letters WHERE {condition}");
        database.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    let kept = count("aside IS NOT NULL");
    assert!((10_000..10_064).contains(&kept), "{kept}");
    assert_eq!(count("aside IS NULL"), letters as i64);
    assert_eq!(count("sender = 'robot@lists.example'"), 64, "the newest stay");
}
