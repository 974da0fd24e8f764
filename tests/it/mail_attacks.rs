//! Mails that no person sent, and mails made to do harm: of one whose reading took the square of its length the test
//! would never end.

use crate::support::data::DataFile;
use crate::support::mails::{read_letter, site, why_ignored};
use crate::support::rounds;
use proptest::prelude::*;
use turnpost::mail::Letter;
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Ignored, Incoming, Mark, TooMuch, Unread, read};

fn take(mail: impl AsRef<[u8]>) -> Incoming {
    read(mail.as_ref(), &Envelope::default(), &site())
}

fn letter(mail: impl AsRef<[u8]>) -> Letter {
    read_letter(mail.as_ref(), &Envelope::default())
}

fn aside(mail: impl AsRef<[u8]>) -> Ignored {
    match why_ignored(mail.as_ref(), &Envelope::default()) {
        // What it reports has tests of its own.
        Ignored::Report { mark, .. } => Ignored::Automatic(mark),
        why => why,
    }
}

fn refused(mail: impl AsRef<[u8]>) -> TooMuch {
    match take(mail) {
        Incoming::Refused { letter, why: Unread::TooMuch(why) } => {
            assert_eq!((letter.sender.as_deref(), letter.text.as_str()), (Some("ann@example.org"), ""));
            why
        }
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn marks_of_automatic_mail() {
    for line in DataFile::read("marks.txt").entries("marks") {
        let (field, mark) = line.split_once(" | ").unwrap();
        let from = if field.starts_with("From: ") { "" } else { "From: ann@example.org\n" };
        let why = aside(format!("{from}{field}\n\nresign\n"));
        assert!(matches!(&why, Ignored::Automatic(found) if format!("{found:?}") == mark), "{line}: {why:?}");
    }
    let hops = "Received: by x\n".repeat(51);
    assert_eq!(aside(format!("{hops}From: ann@example.org\n\nhelp\n")), Ignored::Automatic(Mark::Hops));
    let report = "From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nresign\n\
        --b\nContent-Type: message/delivery-status\n\nx: y\n--b--\n";
    assert_eq!(aside(report), Ignored::Automatic(Mark::Report));
    let null = Envelope { sender: Some(EnvelopeSender::Null), recipient: None };
    let mail = b"Return-Path: <ann@example.org>\nFrom: ann@example.org\n\nhelp\n";
    assert_eq!(why_ignored(mail, &null), Ignored::Automatic(Mark::NullSender));
    // Fetched from a mailbox and handed on in an envelope of its own.
    let other =
        Envelope { sender: Some(EnvelopeSender::Address("ann@example.org".to_owned())), recipient: None };
    let fetched = b"Return-Path: <>\nFrom: ann@example.org\n\nresign\n";
    assert_eq!(why_ignored(fetched, &other), Ignored::Automatic(Mark::NullSender));
}

#[test]
fn marks_that_are_none() {
    for field in DataFile::read("marks.txt").entries("no marks") {
        assert_eq!(letter(format!("{field}\nFrom: ann@example.org\n\nhelp\n")).text, "help\n", "{field}");
    }
}

#[test]
fn an_encoded_name_is_never_an_address_nor_a_header() {
    let spoof = "From: =?utf-8?Q?=22admin=40x.org=22_=3Cadmin=40x.org=3E=2C?= <evil@x.y.org>\n\nhelp\n";
    assert_eq!(letter(spoof).sender.as_deref(), Some("evil@x.y.org"));
    let bcc =
        "From: =?utf-8?Q?Eve=0D=0ABcc:_x?= <e@x.org>\nSubject: =?utf-8?B?aGVscA0KQmNjOiB4QHkueg==?=\n\nx\n";
    let letter = letter(bcc);
    assert_eq!((letter.sender.as_deref(), letter.subject.as_str()), (Some("e@x.org"), "help Bcc: x@y.z"));
    assert_eq!(aside("From: =?utf-8?Q?admin=40x.org?=\n\nhelp\n"), Ignored::NoSender);
    assert_eq!(aside("From: <=?utf-8?Q?admin=40x.org?=>\n\nhelp\n"), Ignored::NoSender);
}

#[test]
fn one_from_with_one_address() {
    for from in DataFile::read("marks.txt").entries("several senders") {
        assert_eq!(aside(format!("From: {from}\n\nhelp\n")), Ignored::SeveralSenders, "{from}");
    }
    for from in DataFile::read("marks.txt").entries("no sender") {
        assert_eq!(aside(format!("From: {from}\n\nhelp\n")), Ignored::NoSender, "{from}");
    }
    assert_eq!(aside("Subject: help\n\nhelp\n"), Ignored::NoSender);
    assert_eq!(aside(""), Ignored::Unreadable);
    assert_eq!(aside("\r\n \r\n"), Ignored::Unreadable);
}

#[test]
fn noise() {
    let noise: Vec<u8> = (0..1_000_000_u64).map(|n| (n.wrapping_mul(n + 977) >> 7) as u8).collect();
    take(&noise);
    let mut mail = b"From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\n".to_vec();
    mail.extend(&noise[..900_000]);
    assert!(!letter(&mail).text.contains('\0'));
    assert_eq!(
        letter("From: ann@example.org\n\nhe\0lp \u{7}\u{202E}dv\u{200B}onn\u{A0}x\n").text,
        "help dvonn x\n"
    );
    assert_eq!(letter(b"From: ann@example.org\nSubject: \xFFhelp\x80\0\n\n\xC3(\n").subject, "ÿhelp");
    let mail = format!("From: ann@example.org\n\n{}", "x".repeat(1_000_000));
    assert_eq!(letter(&mail).text.len(), 1_000_001);
}

#[test]
fn too_much_is_refused_with_somebody_to_answer() {
    let head = "From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n";
    let line = format!("{head}\n{}", "x".repeat(10_000_000));
    assert_eq!(refused(&line), TooMuch::Bytes);
    let parts = format!("{head}\n{}", "--b\n\n\n".repeat(500_000));
    assert_eq!(refused(&parts), TooMuch::Bytes);
    let parts = format!("{head}\n{}", "--b\n\n".repeat(200_000));
    assert_eq!(refused(&parts), TooMuch::Parts);
    let fits = format!("{head}\n{}", "--b\n\nx\n".repeat(99));
    assert_eq!(letter(&fits).text, "x\n");
    assert_eq!(refused(format!("{head}\n{}", "--b\n\nx\n".repeat(100))), TooMuch::Parts);
    let nest = |deep: usize| {
        let mut mail = head.to_owned();
        for level in 1..deep {
            let outer = if level == 1 { "b".to_owned() } else { format!("b{}", level - 1) };
            mail += &format!("\n--{outer}\nContent-Type: multipart/mixed; boundary=b{level}\n");
        }
        format!("{mail}\n--b{}\n\nhelp\n", deep - 1)
    };
    assert_eq!(letter(nest(20)).text, "help\n");
    assert_eq!(refused(nest(21)), TooMuch::Depth);
    assert_eq!(refused(nest(255)), TooMuch::Depth);
    // CR alone ends a line.
    let padded = nest(20).replacen("\nhelp", &format!("\n{}help", "--b\r".repeat(200_000)), 1);
    assert_eq!(refused(&padded), TooMuch::Parts);
    let header = format!("From: ann@example.org\nX: {}\n\nhelp\n", "y".repeat(70_000));
    assert_eq!(refused(header), TooMuch::Bytes);
}

#[test]
fn headers_made_to_take_long() {
    for word in ["=?", "?=", "=?x?q?", "=?utf-8?q?a?= ", "(", "\"", "\\", "<", ",", ";", ":", "=", "\n "] {
        let value = word.repeat(60_000 / word.len());
        for field in ["Subject", "From", "To", "Content-Type", "Auto-Submitted", "Message-ID", "References"] {
            take(format!("{field}: {value}\nX: y\n\nhelp\n"));
            take(format!("From: ann@example.org\n{field}: {value}\n\nhelp\n"));
        }
    }
    let parameters: String = (0..4000).map(|n| format!(";a*{n}*=x''%41")).collect();
    letter(format!("From: ann@example.org\nContent-Type: text/plain{parameters}\n\nhelp\n"));
    take("From: ann@example.org\n".to_owned() + &"a:\n".repeat(20_000) + "\nhelp\n");
}

#[test]
fn html_made_to_take_long() {
    let head = "From: ann@example.org\nContent-Type: text/html\n\n";
    let words = DataFile::read("marks.txt").entries("pieces of a page");
    let length = rounds(100_000, 1_000_000) as usize;
    for word in words {
        take(format!("{head}{}", word.repeat(length / word.len())));
        let tags = word.matches('<').count().max(1);
        take(format!("{head}{}", word.repeat(10_000 / tags)));
        take(format!("{head}{}{}", word.repeat(3_000 / tags), "<x>y</p>".repeat(3_500)));
        take(format!("{head}{}help", word.repeat(60)));
    }
}

proptest! {
    /// Whatever follows, and however a real mail is damaged, something is said about it.
    #[test]
    fn anything_is_read(bytes in prop::collection::vec(any::<u8>(), 0..400), sample in 0..3_usize, at in 0..2000_usize) {
        let mails = [
            &include_bytes!("../letters/gmail-reply.eml")[..],
            include_bytes!("../letters/apple-mail-multiple.eml"),
            include_bytes!("../letters/outlook-html-only.eml"),
        ];
        take(&bytes);
        let mut mail = mails[sample].to_vec();
        let at = at.min(mail.len());
        mail.splice(at..(at + bytes.len() / 8).min(mail.len()), bytes.iter().copied().take(bytes.len() / 4));
        if let Incoming::Letter(letter) = take(&mail) {
            prop_assert!(!letter.subject.chars().any(char::is_control));
            prop_assert!(!letter.text.chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}
