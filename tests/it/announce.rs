//! The weekly mail: when it comes, when not, and what its unsubscribe address can do.

use crate::support::host::Host;
use crate::support::{ANN, BOB, LetterOutcome, Mail, Stage};
use jiff::{SignedDuration, Timestamp};
use turnpost::mail::incoming::Envelope;

const SUBJECT: &str = "Turnpost: open seeks and finished games";

fn announcements(mails: &[Mail]) -> Vec<&Mail> {
    mails.iter().filter(|mail| mail.subject == SUBJECT).collect()
}

/// A server with ann, who wants the weekly mail, and bob, who seeks an opponent.
fn stage() -> Stage {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    stage.mail("bob@example.net", &format!("dvonn seek bob {BOB}"), "");
    stage
}

/// The mails of so many days, the timer running every six hours.
fn days(stage: &mut Stage, days: i64) -> Vec<Mail> {
    let mut mails = Vec::new();
    for _ in 0..days * 4 {
        stage.wait(6);
        mails.extend(stage.tick().1);
    }
    mails
}

/// The address that a mail's List-Unsubscribe names, and the Subject.
fn unsubscribe(mail: &Mail) -> (String, String) {
    let raw = mail.raw().replace("\n ", " ");
    let field = raw.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: <mailto:")).unwrap();
    let (address, subject) = field.trim_end_matches('>').split_once("?subject=").unwrap();
    (address.to_owned(), subject.replace("%20", " "))
}

/// What a mail program sends by itself: no text at all.
fn automatic(from: &str, to: &str, subject: &str, more: &str, number: u32) -> Vec<u8> {
    let head =
        format!("From: {from}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <auto.{number}@{from}>\r\n");
    format!("{head}{more}\r\n").into_bytes()
}

fn is_on(stage: &Stage, userid: &str) -> bool {
    let player = stage.store.player(&userid.parse().unwrap()).unwrap().unwrap().id;
    stage.store.settings(player).unwrap().announce
}

#[test]
fn it_is_off_at_first() {
    let mut stage = Stage::with_players();
    stage.mail("bob@example.net", &format!("dvonn seek bob {BOB}"), "");
    assert!(announcements(&days(&mut stage, 21)).is_empty());
    assert!(!is_on(&stage, "ann"));
}

#[test]
fn one_a_week_however_often_the_timer_runs() {
    let mut stage = stage();
    let mut sent: Vec<Timestamp> = Vec::new();
    for day in 0..30 {
        // Every day has news, and the timer breaks off and runs anew.
        stage.mail("bob@example.net", &format!("dvonn seek off bob {BOB}"), "");
        stage.mail("bob@example.net", &format!("dvonn seek bob {BOB}"), "");
        for _ in 0..3 {
            let hours = if day % 10 == 9 { 31 } else { 8 };
            stage.wait(hours);
            for mail in announcements(&stage.tick().1) {
                assert_eq!(mail.to, "ann@example.org");
                sent.push(stage.now);
            }
            assert!(announcements(&stage.tick().1).is_empty());
        }
    }
    assert!(sent.len() >= 4, "{sent:?}");
    let day = |at: &Timestamp| at.as_second().div_euclid(86_400);
    for two in sent.windows(2) {
        assert!(day(&two[1]) - day(&two[0]) >= 7, "{two:?}");
    }
}

#[test]
fn nothing_to_tell_is_no_mail() {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    // Ann's own seek, one for players of another rating, and one of somebody she blocks are no news to her.
    stage.mail("ann@example.org", &format!("dvonn seek ann {ANN}"), "");
    stage.mail("bob@example.net", &format!("dvonn seek --rating=1900-2000 bob {BOB}"), "");
    stage.sign_up("cleo@example.com", "cleo", "gannet-3");
    stage.mail("cleo@example.com", "dvonn seek cleo gannet-3", "");
    stage.mail("ann@example.org", &format!("set ann {ANN} block cleo"), "");
    assert!(announcements(&days(&mut stage, 15)).is_empty());
    stage.mail("ann@example.org", &format!("set ann {ANN} unblock cleo"), "");
    stage.mail("cleo@example.com", "hexmeister seek cleo gannet-3", "");
    let mails = days(&mut stage, 8);
    let told = announcements(&mails);
    assert_eq!(told.len(), 1);
    assert!(told[0].text.contains("hexmeister accept seek 4 ann PASSWORD"), "{}", told[0].text);
    assert!(!told[0].text.contains("accept seek 2 "), "{}", told[0].text);
    // What she has been told is none either.
    assert!(announcements(&days(&mut stage, 8)).is_empty());
}

#[test]
fn whoever_is_away_or_gone_gets_none() {
    let mut stage = stage();
    stage.mail("ann@example.org", &format!("vacation ann {ANN} 2026-11-20 2026-12-03"), "");
    assert!(announcements(&days(&mut stage, 17)).is_empty());
    // The first day back.
    assert_eq!(announcements(&days(&mut stage, 2)).len(), 1);
    stage.mail("bob@example.net", &format!("dvonn seek off bob {BOB}"), "");
    stage.mail("bob@example.net", &format!("dvonn seek bob {BOB}"), "");
    stage.mail("ann@example.org", &format!("signoff ann {ANN}"), "");
    assert!(announcements(&days(&mut stage, 15)).is_empty());
    stage.mail("ann@example.org", &format!("delete ann {ANN}"), "");
    assert!(announcements(&days(&mut stage, 15)).is_empty());
    assert!(!is_on(&stage, "ann"));
}

#[test]
fn an_address_that_was_stopped_gets_none() {
    let mut stage = stage();
    rusqlite::Connection::open(stage.folder.path().join(turnpost::data_dir::DATABASE))
        .unwrap()
        .execute(
            "UPDATE addresses SET confirmed_at = NULL, stopped_at = 1 WHERE address = 'ann@example.org'",
            [],
        )
        .unwrap();
    assert!(announcements(&days(&mut stage, 15)).is_empty());
}

#[test]
fn a_mail_without_a_text_unsubscribes_once_and_twice() {
    for more in ["", "Auto-Submitted: auto-generated\r\n", "Precedence: bulk\r\nList-Unsubscribe: <x>\r\n"] {
        let mut stage = stage();
        let mails = days(&mut stage, 8);
        let (address, subject) = unsubscribe(announcements(&mails)[0]);
        let before = is_on(&stage, "ann");
        // Gmail writes from the account's address, others from wherever they like.
        for (number, from) in ["ann@example.org", "somebody@example.com"].into_iter().enumerate() {
            let mail = automatic(from, &address, &subject, more, number as u32);
            let answers = stage.receive(&mail);
            assert_eq!(stage.outcome, LetterOutcome::Acted);
            // Programs get no answer. Ann hears of it wherever the mail came from, and nobody else does.
            assert_eq!(answers.len(), usize::from(more.is_empty()), "{answers:?}");
            assert!(answers.iter().all(|mail| mail.to == "ann@example.org"));
            assert!(
                answers
                    .iter()
                    .all(|mail| mail.text.starts_with("No weekly mail comes to you any more, ann;"))
            );
            assert!(!is_on(&stage, "ann"));
            stage.receive(&mail);
            assert_eq!(stage.outcome, LetterOutcome::Again);
        }
        assert!(before);
        stage.mail("bob@example.net", &format!("dvonn seek bob {BOB}"), "");
        assert!(announcements(&days(&mut stage, 15)).is_empty());
    }
}

#[test]
fn a_server_without_extensions_puts_the_token_into_the_subject() {
    let mut stage = Stage::with(|config| config.extensions = false).peopled();
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    stage.mail("bob@example.net", &format!("dvonn seek bob {BOB}"), "");
    let mails = days(&mut stage, 8);
    let told = announcements(&mails)[0];
    let (address, subject) = unsubscribe(told);
    assert_eq!(address, "play@turnpost.example");
    assert!(subject.starts_with("unsubscribe u1."), "{subject}");
    assert!(!told.text.contains("[reply "), "{}", told.text);
    stage.receive(&automatic("ann@example.org", &address, &subject, "", 1));
    assert!(!is_on(&stage, "ann"));
}

#[test]
fn its_token_does_nothing_else() {
    let mut stage = stage();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage.mail("ann@example.org", &format!("set ann {ANN} digest on"), "");
    let mails = days(&mut stage, 8);
    let (address, _) = unsubscribe(announcements(&mails)[0]);
    let (_, code) = address.split_once("u1.").unwrap();
    let code = code.split('@').next().unwrap();
    let others = stage
        .dump()
        .lines()
        .filter(|line| !line.starts_with("players "))
        .map(str::to_owned)
        .collect::<Vec<_>>();
    let now_others = |stage: &Stage| {
        stage
            .dump()
            .lines()
            .filter(|line| !line.starts_with("players "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let texts = [
        "D1-E1",
        "resign",
        "yes",
        "dvonn seek",
        "dvonn resign 1 ann -",
        "set ann - digest off",
        "dvonn seek bob dunlin-7",
    ];
    for (number, text) in texts.into_iter().enumerate() {
        let head = automatic("ann@example.org", &address, text, "", number as u32);
        let mail = [head, format!("{text}\r\n").into_bytes()].concat();
        let answers = stage.receive(&mail);
        assert_eq!(answers.len(), 1);
        assert!(answers[0].text.starts_with("No weekly mail comes"), "{text}: {}", answers[0].text);
        assert_eq!(now_others(&stage), others, "{text}");
    }
    // The same code in the syntax of another token opens nothing, and another player's number not theirs.
    stage.mail("ann@example.org", &format!("set ann {ANN} announce on"), "");
    stage.mail("bob@example.net", &format!("set bob {BOB} announce on"), "");
    for (number, other) in ["b1", "c1", "w1", "u2", "u3"].into_iter().enumerate() {
        let to = format!("play+{other}.{code}@turnpost.example");
        stage.receive(&automatic("eve@example.com", &to, "unsubscribe", "", 100 + number as u32));
        let mut resigns = automatic("ann@example.org", &to, "Re: dvonn 1", "", 200 + number as u32);
        resigns.extend(b"resign\r\n");
        stage.receive(&resigns);
        assert!(is_on(&stage, "ann") && is_on(&stage, "bob"), "{other}");
        assert_eq!(now_others(&stage), others, "{other}");
    }
}

/// Its token is masked like every other where words go to people.
#[test]
fn its_token_does_not_travel() {
    let mut stage = stage();
    let mails = days(&mut stage, 8);
    let (address, _) = unsubscribe(announcements(&mails)[0]);
    let code = address.split_once("u1.").unwrap().1.split('@').next().unwrap();
    for text in [format!("unsubscribe by <{address}>"), format!("the code is {code}")] {
        let mails = stage.mail("ann@example.org", &format!("message ann {ANN} bob"), &text);
        let to_bob = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
        assert!(to_bob.text.contains("***") && !to_bob.text.contains(code), "{}", to_bob.text);
    }
}

/// Two processes and a killed one tell each player once: the week is over in the transaction that writes the mail.
#[test]
fn two_timers_at_once_tell_once() {
    let mut stage = stage();
    stage.now = stage.now.checked_add(SignedDuration::from_hours(8 * 24)).unwrap();
    let path = stage.folder.path().join(turnpost::data_dir::DATABASE);
    let now = stage.now;
    let mails: usize = std::thread::scope(|scope| {
        let timers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let config = turnpost::config::Config {
                        address: crate::support::ADDRESS.to_owned(),
                        ..turnpost::config::Config::default()
                    };
                    let mut store = turnpost::store::Store::open(&path).unwrap();
                    turnpost::pipeline::tick(&mut store, &config.app(), now).unwrap().mails
                })
            })
            .collect();
        timers.into_iter().map(|timer| timer.join().unwrap()).sum()
    });
    assert_eq!(mails, 1);
    assert_eq!(announcements(&stage.post()).len(), 1);
}

/// Killed at any moment, the timer tells each player once.
#[test]
fn a_killed_timer_tells_once() {
    let host = Host::new();
    let players = 40;
    let mut commands = String::new();
    for number in 1..=players {
        commands.push_str(&format!("signup p{number}x plover-{number}x p{number}x@example.org\n"));
        commands.push_str(&format!("set p{number}x plover-{number}x announce on\n"));
    }
    commands.push_str("dvonn seek p1x plover-1x\nhexmeister seek p2x plover-2x\n");
    host.run(&["submit"], commands.as_bytes()).ok();
    host.delivered();
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    conn.execute("UPDATE players SET announced_at = announced_at - 8 * 86400", []).unwrap();
    conn.execute("UPDATE seeks SET made_at = made_at - 86400", []).unwrap();
    drop(conn);
    for moment in [1, 3, 6, 10, 15, 22, 30] {
        let mut child = host.command(&["tick"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(moment));
        let _ = child.kill();
        child.wait().unwrap();
    }
    host.run(&["tick"], b"").ok();
    host.run(&["tick"], b"").ok();
    let mut told: Vec<String> =
        announcements(&host.delivered()).into_iter().map(|mail| mail.to.clone()).collect();
    assert_eq!(told.len(), players);
    told.sort();
    told.dedup();
    assert_eq!(told.len(), players);
}

/// A transport that knows no recipient finds the address in To.
#[test]
fn the_address_is_found_in_the_header_too() {
    let mut stage = stage();
    let mails = days(&mut stage, 8);
    let (address, subject) = unsubscribe(announcements(&mails)[0]);
    let mail = automatic("ann@example.org", &address, &subject, "Auto-Submitted: auto-generated\r\n", 1);
    stage.receive_from(&Envelope::default(), &mail);
    assert!(!is_on(&stage, "ann"));
}
