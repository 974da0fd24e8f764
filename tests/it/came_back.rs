//! Mails that come back: counted against the address they went to, and against nobody else's.

use crate::support::host::Host;
use crate::support::serving::Served;
use crate::support::{ANN, BOB, Mail, Stage, letter};
use jiff::Timestamp;
use turnpost::delivery::deliver;
use turnpost::mail::bounce::is_verp;
use turnpost::mail::incoming::{Envelope, Ignored, Incoming, read};
use turnpost::mail::transport::{OutEnvelope, SendError, Transport};
use turnpost::timer::bounce::BounceOutcome;

/// A report as Postfix writes it, come to `to`, about a mail to `about`.
fn report(to: &str, about: &str, status: &str, message_id: &str, number: u32) -> Vec<u8> {
    format!(
        "Return-Path: <>\r\nDelivered-To: {to}\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: {to}\r\n\
         Subject: Undelivered Mail Returned to Sender\r\nMessage-ID: <dsn.{number}@mx.example>\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n--b\r\n\r\nSorry.\r\n--b\r\n\
         Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
         Final-Recipient: rfc822; {about}\r\nAction: failed\r\nStatus: {status}\r\n\r\n--b\r\n\
         Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: {message_id}\r\n\r\n--b--\r\n"
    )
    .into_bytes()
}

fn count(stage: &mut Stage, mail: &[u8]) -> BounceOutcome {
    match read(mail, &Envelope::default(), &stage.site()) {
        Incoming::Ignored { why: Ignored::Report { report, .. }, .. }
        | Incoming::Doubtful { why: Ignored::Report { report, .. }, .. } => stage.take_report(&report),
        other => panic!("{other:?}"),
    }
}

/// The mails to bob that a letter of ann's causes, with the envelope senders they left with.
fn mail_to_bob(stage: &mut Stage) -> (Mail, String) {
    let before = stage.envelopes.len();
    stage.mail("ann@example.org", &format!("message ann {ANN} bob"), "Are you there?");
    let envelope =
        stage.envelopes[before..].iter().find(|envelope| envelope.to == "bob@example.net").unwrap();
    let mail = stage.left.iter().rev().find(|mail| mail.to == "bob@example.net").unwrap();
    (mail.clone(), envelope.from.clone().unwrap())
}

fn is_stopped(stage: &Stage) -> bool {
    let bob = stage.store.player(&"bob".parse().unwrap()).unwrap().unwrap();
    stage.store.addresses(bob.id).unwrap().confirmed().next().is_none()
}

#[test]
fn three_that_come_back_for_good_stop_an_address_and_everybody_hears_of_it() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("bob@example.net", &format!("add bob {BOB} bob@work.example"), "");
    stage.confirm(&mails);
    for n in 1..=3 {
        let (mail, path) = mail_to_bob(&mut stage);
        assert!(is_verp(&stage.site(), &path), "{path}");
        let came = report(&path, "bob@example.net", "5.1.1", &mail.id, n);
        let expected = if n < 3 { BounceOutcome::Permanent } else { BounceOutcome::Stopped };
        assert_eq!(count(&mut stage, &came), expected);
        assert_eq!(count(&mut stage, &came), BounceOutcome::Again, "the same report");
        let again = report(&path, "bob@example.net", "5.1.1", &mail.id, 10 + n);
        assert_eq!(count(&mut stage, &again), BounceOutcome::Permanent, "another report about the same mail");
    }
    let told = stage.post();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].to, "operator@turnpost.example");
    assert!(
        told[0]
            .text
            .starts_with("Mail to bob@example.net came back for good 3 times, so no more is sent there.")
    );
    assert!(told[0].text.contains("an address of bob"), "{}", told[0].text);
    // What goes to bob goes to the other address, and his next answer says why, once.
    let mails = stage.mail("bob@work.example", &format!("set bob {BOB} digest off"), "");
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["bob@work.example"]);
    assert!(
        mails[0].text.contains("Mail to bob@example.net came back 3 times, so none is sent there."),
        "{}",
        mails[0].text
    );
    let mails = stage.mail("bob@work.example", &format!("set bob {BOB} digest off"), "");
    assert!(!mails[0].text.contains("came back"));
    // Naming it again asks it, and a reply from there starts it.
    stage.wait(25);
    let mails = stage.mail("bob@work.example", &format!("add bob {BOB} bob@example.net"), "");
    let asked = mails.iter().find(|mail| mail.to == "bob@example.net").unwrap();
    assert!(
        asked.text.starts_with("Mail to this address, which belongs to the account bob, came"),
        "{}",
        asked.text
    );
    stage.confirm(&mails);
    let mails = stage.mail("bob@work.example", "who", "");
    assert_eq!(mails.len(), 2);
    let (mail, path) = mail_to_bob(&mut stage);
    assert_eq!(
        count(&mut stage, &report(&path, "bob@example.net", "5.1.1", &mail.id, 99)),
        BounceOutcome::Permanent
    );
}

/// What a provider writes when a reader of its own calls a mail unwanted, come to our bare address. As a rule it leaves
/// the recipient out.
fn complaint(kind: &str, path: &str, message_id: &str, number: u32) -> Vec<u8> {
    format!(
        "Return-Path: <fbl@provider.example>\r\nDelivered-To: play@turnpost.example\r\nFrom: fbl@provider.example\r\n\
         To: play@turnpost.example\r\nSubject: FW: dvonn\r\nMessage-ID: <fbl.{number}@provider.example>\r\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=\"b\"\r\n\r\n--b\r\n\r\nA report.\r\n\
         --b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: {kind}\r\nUser-Agent: Provider/1\r\n\
         Version: 1\r\n{path}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: {message_id}\r\n\r\nx\r\n\
         --b--\r\n"
    )
    .into_bytes()
}

#[test]
fn a_reader_who_calls_a_mail_unwanted_gets_no_more() {
    {
        let mut stage = Stage::with_players();
        let mails = stage.mail("bob@example.net", &format!("add bob {BOB} bob@work.example"), "");
        stage.confirm(&mails);
        let (mail, path) = mail_to_bob(&mut stage);
        let (path, id) = (format!("Original-Mail-From: <{path}>\r\n"), mail.id.replace('.', "-"));
        // What a server found out, and what a reader wants after all.
        for (n, kind) in ["auth-failure", "not-spam", "virus"].into_iter().enumerate() {
            let report = complaint(kind, &path, &id, n as u32);
            if let Incoming::Ignored { why: Ignored::Report { report, .. }, .. }
            | Incoming::Doubtful { why: Ignored::Report { report, .. }, .. } =
                read(&report, &Envelope::default(), &stage.site())
            {
                assert!(
                    matches!(stage.take_report(&report), BounceOutcome::NotOurs | BounceOutcome::Temporary),
                    "{kind}"
                );
            }
        }
        let forged = complaint("abuse", "", "<turnpost.aaaa@turnpost.example>", 8);
        assert_eq!(count(&mut stage, &forged), BounceOutcome::NotOurs);
        assert!(!is_stopped(&stage));
        let report = complaint("abuse", &path, &id, 9);
        assert_eq!(count(&mut stage, &report), BounceOutcome::Unwanted);
        assert_eq!(count(&mut stage, &report), BounceOutcome::Again);
        let told = stage.post();
        assert_eq!(told.len(), 1);
        assert!(
            told[0].text.starts_with("The reader of bob@example.net told their mail provider"),
            "{}",
            told[0].text
        );
        let mails = stage.mail("bob@work.example", &format!("set bob {BOB} digest off"), "");
        assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["bob@work.example"]);
        let why = "Mail to bob@example.net was reported as unwanted, so none is sent there.";
        assert!(mails[0].text.contains(why), "{}", mails[0].text);
    }
}

#[test]
fn what_may_pass_and_what_nobody_can_show_count_nothing() {
    let mut stage = Stage::with_players();
    for n in 0..4 {
        let (mail, path) = mail_to_bob(&mut stage);
        let about = "bob@example.net";
        assert_eq!(
            count(&mut stage, &report(&path, about, "4.2.2", &mail.id, 100 + n)),
            BounceOutcome::Temporary
        );
        // One letter of the tag changed, another number, no tag at all; each with the right Message-ID.
        let (head, tag) = path.split_once('.').unwrap();
        let changed = format!("{head}.{}{}", if tag.starts_with('a') { 'b' } else { 'a' }, &tag[1..]);
        let other = path.replacen("bounce-", "bounce-1", 1);
        for (m, forged) in [changed, other, "play+bounce-1@turnpost.example".to_owned()].iter().enumerate() {
            let forged = report(forged, about, "5.1.1", &mail.id, 200 + 10 * n + m as u32);
            assert_eq!(count(&mut stage, &forged), BounceOutcome::NotOurs);
        }
        // At the bare address: a Message-ID that we never wrote, and ours with somebody else's address.
        let bare = "play@turnpost.example";
        for (m, (about, id)) in
            [(about, "<turnpost.aaaa@turnpost.example>"), ("eve@example.com", mail.id.as_str())]
                .iter()
                .enumerate()
        {
            let forged = report(bare, about, "5.1.1", id, 300 + 10 * n + m as u32);
            assert_eq!(count(&mut stage, &forged), BounceOutcome::NotOurs);
        }
    }
    assert!(!is_stopped(&stage));
    assert_eq!(stage.store.bounces("bob@example.net").unwrap().map(|row| row.count), None);
}

/// A full mailbox, a filter and a block say nothing against the address.
#[test]
fn what_is_refused_though_the_address_exists_counts_a_third_and_stops_nothing_within_a_week() {
    for (status, said) in [
        ("5.2.2", "552 5.2.2 Mailbox full"),
        ("5.7.1", "550 5.7.1 Message looks like spam"),
        ("5.0.0", "554 blocked"),
    ] {
        let mut stage = Stage::with_players();
        let diagnosis = format!("{status}\r\nDiagnostic-Code: smtp; {said}");
        for n in 1..=12 {
            let (mail, path) = mail_to_bob(&mut stage);
            let came = report(&path, "bob@example.net", &diagnosis, &mail.id, n);
            assert_eq!(count(&mut stage, &came), BounceOutcome::Refused, "{said}");
        }
        assert!(!is_stopped(&stage), "within a day: {said}");
        stage.wait(7 * 24);
        let (mail, path) = mail_to_bob(&mut stage);
        let came = report(&path, "bob@example.net", &diagnosis, &mail.id, 20);
        assert_eq!(count(&mut stage, &came), BounceOutcome::Stopped, "after a week: {said}");
        let told = stage.post();
        assert!(told[0].text.contains("came back for good 13 times"), "{}", told[0].text);
    }
    // Twice for good and twice refused is not enough; three times refused is one more.
    let mut stage = Stage::with_players();
    for (n, status) in ["5.1.1", "5.2.2", "5.1.1", "5.2.2"].into_iter().enumerate() {
        let (mail, path) = mail_to_bob(&mut stage);
        count(&mut stage, &report(&path, "bob@example.net", status, &mail.id, n as u32));
        stage.wait(3 * 24);
    }
    assert!(!is_stopped(&stage));
    let (mail, path) = mail_to_bob(&mut stage);
    let came = report(&path, "bob@example.net", "5.2.2", &mail.id, 9);
    assert_eq!(count(&mut stage, &came), BounceOutcome::Stopped);
    assert!(is_stopped(&stage));
}

/// Ann's letter causes the mail to bob; she must not be able to say that it came back.
#[test]
fn nobody_can_compute_the_message_id_of_a_mail_to_somebody_else() {
    let ids = |secret_differs: bool| {
        let mut stage = Stage::new();
        if secret_differs {
            stage.sign_up("carl@example.com", "carl", "knot-2026");
        }
        let mut stage = stage.peopled();
        let mails =
            stage.receive(&letter("ann@example.org", &format!("message ann {ANN} bob"), "Hello.", 77));
        mails.iter().find(|mail| mail.to == "bob@example.net").unwrap().id.clone()
    };
    assert_eq!(ids(false), ids(false));
    assert_ne!(ids(false), ids(true), "the same letter, another secret of bob's");
}

/// Takes nothing for one address.
struct Refuses(&'static str);

impl Transport for Refuses {
    fn send(&self, envelope: &OutEnvelope, _mail: &[u8]) -> Result<(), SendError> {
        if envelope.to == self.0 { Err(SendError::Permanent("550 no such user".to_owned())) } else { Ok(()) }
    }
}

#[test]
fn what_a_mail_server_refuses_at_once_counts_like_what_comes_back() {
    let mut stage = Stage::with_players();
    for n in 0..3 {
        stage.put_in("ann@example.org", &format!("message ann {ANN} bob"), "Hello?", 500 + n);
        let now: Timestamp = stage.now;
        let sent = deliver(&mut stage.store, &Refuses("bob@example.net"), &stage.app, || now).unwrap();
        assert_eq!(sent.failed, 1);
    }
    assert!(is_stopped(&stage));
}

/// The envelope sender and the Message-ID of the last mail to bob.
fn last_to_bob(host: &Host) -> (String, String) {
    let conn = rusqlite::Connection::open(host.database()).unwrap();
    let sql =
        "SELECT id, message_id FROM outbox WHERE recipient = 'bob@example.net' ORDER BY id DESC LIMIT 1";
    let (number, id): (u32, String) = conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let key: Vec<u8> = conn.query_row("SELECT key FROM server_keys", [], |row| row.get(0)).unwrap();
    (turnpost::mail::bounce::verp(&Stage::new().site(), number.into(), &key), id)
}

/// By LMTP too; and the operator's mail leaves at once.
#[test]
fn the_daemon_counts() {
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n";
    host.run(&["submit"], players.as_bytes()).ok();
    let served = Served::start(&host, &[]);
    let mut client = served.connect();
    for n in 1..=3 {
        let before = host.sent().len();
        client.takes(&letter("ann@example.org", "message ann plover-42 bob", "Hello.", n));
        host.wait_for_mails(before + 2);
        let (path, id) = last_to_bob(&host);
        let report = report(&path, "bob@example.net", "5.1.1", &id, n);
        assert_eq!(client.mail("", &[&path], &report), ["250 2.0.0 taken\r\n"]);
    }
    served.wait_for("no more is sent there");
    let told = || host.sent().iter().any(|mail| mail.to == "operator@turnpost.example");
    let begun = std::time::Instant::now();
    while !told() && begun.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(told(), "the operator is not told");
    served.stop();
    host.assert_verified();
}

/// By the program itself: a report on standard input is counted, and the administrator sees it.
#[test]
fn the_program_counts_and_shows() {
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n";
    host.run(&["submit"], players.as_bytes()).ok();
    for n in 1..=3 {
        host.receive(&letter("ann@example.org", "message ann plover-42 bob", "Hello.", n)).assert_silent(0);
        host.delivered();
        let (path, id) = last_to_bob(&host);
        host.run(
            &["receive", "--sender", "", "--recipient", &path],
            &report(&path, "bob@example.net", "5.1.1", &id, n),
        )
        .assert_silent(0);
        let shown = host.run(&["admin", "user", "bob"], b"");
        let expected = if n < 3 {
            format!("bob@example.net (came back {n}x")
        } else {
            "(mail came back, stopped".to_owned()
        };
        assert!(shown.ok().contains(&expected), "{}", shown.out);
        assert!(host.run(&["admin", "users"], b"").ok().contains("came back"));
    }
    let user = host.run(&["admin", "user", "bob", "--json"], b"");
    let user: serde_json::Value = serde_json::from_str(user.ok()).unwrap();
    assert_eq!(
        (&user["addresses"][0]["came_back"], user["addresses"][0]["stopped_at"].is_string()),
        (&3.into(), true)
    );
    assert!(host.log().contains("no more is sent there"), "{}", host.log());
    assert!(host.delivered().iter().any(|mail| mail.to == "operator@turnpost.example"));
    host.assert_verified();
}
