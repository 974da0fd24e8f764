//! Delivery reports, and the envelope senders that they come back to.

use std::path::PathBuf;

use crate::support::files_below;
use crate::support::mails::{reported, site, why_ignored};
use proptest::prelude::*;
use turnpost::mail::ServerIdentity;
use turnpost::mail::bounce::{Report, Status, is_verp, is_verp_of, verp, verp_number};
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Ignored, Incoming, Mark, read};

const KEY: &[u8] = b"a key of this host alone";

/// The recipient and the Message-ID of the mails.
const MAIL: [&str; 2] = ["ann@example.org", "<turnpost.aaaa@turnpost.example>"];

/// The number of the mail that an address shows to be about.
fn read_verp(server: &ServerIdentity, address: &str, key: &[u8]) -> Option<u64> {
    verp_number(server, address).filter(|_| is_verp_of(server, address, MAIL, key))
}

fn report(mail: &str, envelope: &Envelope) -> Option<Report> {
    reported(mail.as_bytes(), envelope)
}

fn recipients(mail: &str) -> Vec<(String, Status)> {
    report(mail, &Envelope::default()).map(|report| report.recipients).unwrap_or_default()
}

/// A report with these groups about recipients.
fn dsn(groups: &str) -> String {
    format!(
        "Return-Path: <>\r\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example>\r\nTo: play@turnpost.example\r\n\
         Subject: Undelivered Mail Returned to Sender\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b/1\"\r\n\r\n\
         --b/1\r\n\r\nI am sorry: <ann@example.org>: 451 try later\r\nresign\r\n\
         --b/1\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n{groups}\r\n\
         --b/1\r\nContent-Type: text/rfc822-headers\r\n\r\nFrom: play@turnpost.example\r\n\
         Message-ID: <turnpost.aaaa@turnpost.example>\r\n\r\n--b/1--\r\n"
    )
}

#[test]
fn a_report_as_postfix_writes_it() {
    let mail = dsn(
        "Final-Recipient: rfc822; ann@example.org\r\nOriginal-Recipient: rfc822;Ann@Example.org\r\nAction: failed\r\n\
         Status: 5.1.1\r\nRemote-MTA: dns; mx.example.org\r\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.org>:\r\n    unknown\r\n\r\n\
         Final-Recipient: rfc822; bob@example.net\r\nAction: delayed\r\nStatus: 4.4.1\r\n\r\n\
         Final-Recipient: rfc822; cleo@example.net\r\nAction: relayed\r\nStatus: 2.0.0\r\n",
    );
    let report = report(&mail, &Envelope::default()).unwrap();
    let named = |name: &str, status| (name.to_owned(), status);
    assert_eq!(
        report.recipients,
        [
            named("ann@example.org", Status::Permanent),
            named("bob@example.net", Status::Temporary),
            named("cleo@example.net", Status::Delivered),
        ]
    );
    assert_eq!(report.message_id.as_deref(), Some("<turnpost.aaaa@turnpost.example>"));
    assert_eq!(report.verp, None);
}

#[test]
fn statuses() {
    for (fields, expected) in [
        ("Action: failed\r\nStatus: 4.4.7", Status::Temporary),
        ("Action: failed\r\nStatus: 5.0.0 (permanent failure)", Status::Permanent),
        ("Action: failed", Status::Permanent),
        ("Action: Failed (bad address)\r\nDiagnostic-Code: smtp; 452 full", Status::Temporary),
        ("Action: delayed\r\nStatus: 5.1.1", Status::Temporary),
        ("Action: expanded", Status::Delivered),
        ("Action: delivered\r\nStatus: 2.1.5", Status::Delivered),
        ("Status: 5.2.2", Status::Permanent),
        ("Diagnostic-Code: smtp; 550-5.7.1 no", Status::Permanent),
        ("X: y", Status::Temporary),
        ("Action: failed\r\nStatus: 2.0.0", Status::Permanent),
    ] {
        let mail = dsn(&format!("Final-Recipient: RFC822; <ann@example.org>\r\n{fields}\r\n"));
        assert_eq!(recipients(&mail), [("ann@example.org".to_owned(), expected)], "{fields}");
    }
}

#[test]
fn reports_of_other_kinds() {
    let failed = "Return-Path: <>\nX-Failed-Recipients: ann@example.org,\n bob@example.net, junk\n\
        From: Mail Delivery System <Mailer-Daemon@mx.example>\nSubject: Mail delivery failed\n\nHello\n";
    let both = recipients(failed);
    assert_eq!(both.len(), 2);
    assert!(both.iter().all(|(_, status)| *status == Status::Permanent));
    let delayed = failed.replace("delivery failed", "delivery DELAYED");
    assert!(recipients(&delayed).iter().all(|(_, status)| *status == Status::Temporary));
    // Prose counts for the one mail whose envelope sender it came to.
    let prose = "From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\nHi. I am sorry.\n\n<ann@example.org>:\n\
        Remote host said: 550 5.1.1 unknown\n\n--- Below this line is a copy of the message.\n\n\
        Message-ID: <turnpost.aaaa@turnpost.example>\n\n4.2.2 over quota\n";
    assert_eq!(report(prose, &Envelope::default()), None);
    let ours = Envelope { recipient: Some(verp(&site(), 42, MAIL, KEY)), ..Envelope::default() };
    let found = report(prose, &ours).unwrap();
    assert_eq!((found.recipients.len(), found.overall()), (0, Some(Status::Permanent)));
    assert_eq!(found.message_id.as_deref(), Some("<turnpost.aaaa@turnpost.example>"));
    // An absence note with an address and figures in it reports nothing.
    let note = "Return-Path: <>\nAuto-Submitted: auto-replied\nFrom: ann@example.org\n\n\
        I am away. Ask\nbob@example.org or call 555 1234.\n";
    assert_eq!(report(note, &Envelope::default()), None);
}

#[test]
fn what_comes_to_a_sender_of_ours_is_a_report() {
    let sender = verp(&site(), 42, MAIL, KEY);
    let to = |address: &str| Envelope {
        sender: Some(EnvelopeSender::Address("ann@example.org".to_owned())),
        recipient: Some(address.to_owned()),
    };
    let mail = "From: ann@example.org\nSubject: help\n\nresign\n";
    let found = report(mail, &to(&sender)).unwrap();
    assert_eq!(found, Report { identity: found.identity, verp: Some(sender.clone()), ..Report::default() });
    assert_eq!(read_verp(&site(), found.verp.as_deref().unwrap(), KEY), Some(42));
    let why = why_ignored(mail.as_bytes(), &to("play+bounce-x@turnpost.example"));
    assert!(matches!(why, Ignored::Report { mark: Mark::Report, .. }), "{why:?}");
    assert!(matches!(read(mail.as_bytes(), &to("play@turnpost.example"), &site()), Incoming::Letter(_)));
}

#[test]
fn senders_of_ours_and_of_nobody() {
    let sender = verp(&site(), 42, MAIL, KEY);
    let (start, rest) = sender.split_once('.').unwrap();
    let (tag, domain) = rest.split_once('@').unwrap();
    assert_eq!((start, tag.len(), domain), ("play+bounce-42", 16, "turnpost.example"));
    assert!(sender.parse::<lettre::Address>().is_ok() && is_verp(&site(), &sender));
    assert_eq!(read_verp(&site(), &sender.to_uppercase(), KEY), Some(42), "some servers change the case");
    assert_eq!(read_verp(&site(), &sender.replace("play+", "pbm-"), KEY), Some(42));
    assert_eq!(verp(&site(), 42, MAIL, KEY), sender);
    for other in [
        sender.replace("-42.", "-43."),
        sender.replace("-42.", "-042."),
        sender.replace("-42.", "-+42."),
        sender.replace("-42.", "-."),
        sender.replace("play+", "other+"),
        sender.replace(".example", ".evil"),
        sender.replace('@', "a@"),
        format!("{start}.@{domain}"),
        format!("{start}.{}@{domain}", &tag[..14]),
        format!("{start}.{}@{domain}", "a".repeat(16)),
        "play@turnpost.example".to_owned(),
        String::new(),
    ] {
        assert_eq!(read_verp(&site(), &other, KEY), None, "{other}");
    }
    assert_eq!(read_verp(&site(), &sender, b"another key"), None);
    // A number may be given again: the address says which mail it was.
    for other in [["ann@example.net", MAIL[1]], [MAIL[0], "<turnpost.b@turnpost.example>"], ["", ""]] {
        assert!(!is_verp_of(&site(), &sender, other, KEY), "{other:?}");
    }
}

/// The reports among the real mails that `TURNPOST_EMAILS` names.
fn real_reports() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = crate::support::real_mails().map(|root| root.join("bounces"));
    if folder.is_none() {
        println!("TURNPOST_EMAILS is not set: no report is read");
    }
    folder.as_deref().map(files_below).unwrap_or_default()
}

/// How many of the corpus's reports in fields name a recipient with a status.
#[test]
fn corpus() {
    let (mut files, mut named, mut machine, mut machine_named, mut ids) = (0, 0, 0, 0, 0);
    for (path, bytes) in real_reports() {
        files += 1;
        let is_machine =
            String::from_utf8_lossy(&bytes).to_lowercase().contains("type: message/delivery-status");
        machine += u32::from(is_machine);
        let found = reported(&bytes, &Envelope::default()).unwrap_or_default();
        if found.recipients.is_empty() {
            println!("no recipient{}: {}", if is_machine { " (!)" } else { "" }, path.display());
        } else {
            named += 1;
            machine_named += u32::from(is_machine);
        }
        ids += u32::from(found.message_id.is_some());
        if std::env::var_os("TURNPOST_EMAILS_LIST").is_some() {
            println!("{}: {:?}", path.display(), found);
        }
    }
    println!(
        "{files} reports: {named} name a recipient and a status, {ids} the mail they are about; of the {machine} with \
         a delivery-status part {machine_named} do"
    );
    assert!(machine_named * 100 >= machine * 97, "{machine_named} of {machine}");
}

/// What a report says in fields of its own, wherever they stand: true for class 5, false for class 4 or a delay, nothing
/// where several recipients fared differently.
fn fields_say(mail: &str) -> Option<bool> {
    let has = |start: &str| mail.lines().any(|line| line.starts_with(start));
    match (has("status: 4") || has("action: delayed"), has("status: 5")) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    }
}

/// With a person in From, as if no server's name gave a report away: its words alone count.
#[test]
fn a_report_at_an_envelope_sender_of_ours_is_read_whoever_sends_it() {
    let to =
        Envelope { sender: Some(EnvelopeSender::Null), recipient: Some(verp(&site(), 42, MAIL, b"key")) };
    let (mut permanent, mut found, mut passing, mut wrong, mut silent) = (0, 0, 0, Vec::new(), Vec::new());
    for (path, bytes) in real_reports() {
        let report = reported(&bytes, &to).unwrap_or_else(|| panic!("no report: {}", path.display()));
        let read = report.overall();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match fields_say(&String::from_utf8_lossy(&bytes).to_lowercase()) {
            Some(true) => {
                permanent += 1;
                found += usize::from(read == Some(Status::Permanent));
                if read != Some(Status::Permanent) {
                    println!("{name}: {read:?}");
                }
            }
            Some(false) => {
                passing += 1;
                if read == Some(Status::Permanent) {
                    wrong.push(name.clone());
                }
            }
            None => {}
        }
        if read.is_none() {
            silent.push(name);
        }
    }
    println!(
        "{found} of {permanent} permanent failures are found; {passing} passing ones, of which permanent: {wrong:?}"
    );
    println!("nothing is counted: {silent:?}");
    assert_eq!(wrong, Vec::<String>::new());
    assert!(found * 100 >= permanent * 97, "{found} of {permanent}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sender_is_read_back_and_no_other_key_reads_it(number: u64, key in "\\PC{0,80}", other in "\\PC{0,80}") {
        let sender = verp(&site(), number, MAIL, key.as_bytes());
        prop_assert_eq!(read_verp(&site(), &sender, key.as_bytes()), Some(number));
        prop_assume!(key != other);
        prop_assert_eq!(read_verp(&site(), &sender, other.as_bytes()), None);
    }

    #[test]
    fn no_address_and_no_report_is_too_strange(tail in "\\PC{0,60}", groups in "(\\PC{0,30}\n){0,8}") {
        let _ = read_verp(&site(), &format!("play+bounce-{tail}"), KEY);
        let found = recipients(&dsn(&groups));
        prop_assert!(found.len() <= 100);
    }
}
