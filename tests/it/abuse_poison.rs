//! Law 5: mail that can never be written fails neither the letter that causes it nor the board.

use proptest::prelude::*;
use rusqlite::Connection;
use turnpost::data_dir::DATABASE;
use turnpost::ids::Identity;
use turnpost::mail::Operator;
use turnpost::mail::incoming::{Envelope, EnvelopeSender, Incoming, read};
use turnpost::mail::outgoing::{AttachedFile, AutoSubmitted, Draft, compose, message_id};

use crate::support::host::Host;
use crate::support::{LetterOutcome, Stage, letter};

/// Addresses that an earlier version stored, or that an operator wrote into the database.
const POISON: [&str; 4] = ["x@[127.0.0.1]", "x@[IPv6:::1]", "no address", "x@exa mple.org"];

fn spoil(stage: &Stage, address: &str) {
    let conn = Connection::open(stage.folder.path().join(DATABASE)).unwrap();
    let sql = "UPDATE addresses SET address = ?1, address_key = lower(?1) WHERE address = 'bob@example.net'";
    assert_eq!(conn.execute(sql, [address]).unwrap(), 1);
}

#[test]
fn a_player_to_whom_no_mail_can_be_written_stops_no_board() {
    for address in POISON {
        let mut stage = Stage::with_a_game();
        spoil(&stage, address);
        let mails = stage.mail("ann@example.org", "dvonn move 1 ann plover-42 D1-E1", "");
        assert_eq!(stage.outcome, LetterOutcome::Acted, "{address}");
        assert_eq!(
            mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(),
            ["ann@example.org"],
            "{address}"
        );
        assert!(mails[0].text.contains("bob"), "{}", mails[0].text);
        let aside = stage.store.mails_aside(10).unwrap();
        assert_eq!((aside.len(), aside[0].recipient.as_str()), (1, address));
        assert_eq!(aside[0].board.map(|board| board.0), Some(1));
        // The clocks that remind him go on, too.
        stage.ticks(stage.now.checked_add(jiff::SignedDuration::from_hours(24 * 60)).unwrap());
        assert!(stage.store.mails_aside(100).unwrap().len() > 1);
        assert_eq!(stage.wrong(), Vec::<String>::new());
        assert_eq!(stage.store.outbox_counts().unwrap().waiting, 0);
    }
}

#[test]
fn a_stranger_to_whom_no_mail_can_be_written_is_not_answered() {
    for path in POISON {
        let mut stage = Stage::with_players();
        let envelope = Envelope { sender: Some(EnvelopeSender::Address(path.to_owned())), recipient: None };
        for (number, mail) in [
            letter("eve@example.com", "help", "", 1),
            letter("eve@example.com", "signup eve secret-1 eve@example.com", "", 2),
            format!("From: {path}\nSubject: help\n\n").into_bytes(),
            b"Subject: help\n\n".to_vec(),
        ]
        .into_iter()
        .enumerate()
        {
            let mail = String::from_utf8(mail).unwrap().replacen("Return-Path", "X-Path", 1);
            let sent = stage.receive_from(&envelope, mail.as_bytes());
            assert!(sent.iter().all(|mail| mail.to == "eve@example.com"), "{path} {number}");
        }
    }
}

#[test]
fn nothing_of_a_mail_set_aside_is_kept_but_whom_and_why() {
    let mut stage = Stage::with_a_game();
    spoil(&stage, "x@[127.0.0.1]");
    stage.mail("ann@example.org", "dvonn move 1 ann plover-42 D1-E1", "");
    stage.mail("ann@example.org", "reset bob", "");
    let aside = stage.store.mails_aside(10).unwrap();
    assert!(!aside.is_empty());
    assert!(aside.iter().all(|mail| mail.reason == "no mail can be sent to this address"), "{aside:?}");
    stage.assert_secret(&["plover-42", "dunlin-7"]);
}

#[test]
fn address_literals_and_names_without_a_dot_are_refused_where_addresses_are_read() {
    let mut stage = Stage::with_a_game();
    for address in [
        "x@[127.0.0.1]",
        "x@[IPv6:2001:db8::1]",
        "bob2@example",
        "bob2@example.",
        "x@",
        "@example.org",
        "x@exa\\mple.org",
    ] {
        for command in [
            format!("signup carl heron-12 {address}"),
            format!("signup carl heron-12 carl@example.org {address}"),
            format!("change ann plover-42 {address}"),
            format!("add ann plover-42 {address}"),
            format!("dvonn subscribe 1 {address}"),
            format!("dvonn unsubscribe 1 {address}"),
        ] {
            let (said, done, mails) = stage.submit(Operator::AsAnyone, &command);
            assert!(!done && mails.is_empty(), "{command}: {said}");
            assert!(!said.contains("heron-12") && !said.contains("plover-42"), "{said}");
            let left = stage.mail("ann@example.org", &command, "");
            assert!(left.iter().all(|mail| mail.to == "ann@example.org"), "{command}");
        }
        let added = stage.submit(Operator::AsAnyone, &format!("add {address} carl"));
        assert!(!added.1, "{added:?}");
    }
    assert_eq!(stage.store.outbox_counts().unwrap().aside, 0);
    let (said, done, _) = stage.submit(Operator::AsAnyone, "signup carl heron-12 x@[127.0.0.1]");
    assert!(!done && said.contains("in brackets"), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever people wrote into a letter, its answer can be written.
    #[test]
    fn no_words_of_people_keep_a_mail_from_being_written(
        subject in any::<String>(), parent in any::<String>(), thread in proptest::collection::vec(any::<String>(), 0..4),
        unsubscribe in any::<String>(), text in any::<String>(), name in any::<String>(),
    ) {
        let mut site = Stage::new().site();
        site.name = name;
        let draft = Draft {
            to: "ann@example.org".to_owned(),
            reply_to: Some("play+b42.abc@turnpost.example".to_owned()),
            message_id: message_id(&Identity([7; 32]), "ann@example.org", "answer", &[], "turnpost.example"),
            in_reply_to: Some(format!("<{parent}>")),
            references: thread.into_iter().chain([parent]).collect(),
            subject,
            date: "2026-11-20T10:00:00Z".parse().unwrap(),
            mark: AutoSubmitted::Replied,
            unsubscribe: Some(unsubscribe.into()),
            html: Some(text.clone()),
            files: vec![AttachedFile { name: "chess-1.pgn".to_owned(), text: text.clone() }],
            text,
        };
        prop_assert!(compose(&draft, &site).is_ok());
    }

    /// Whatever stands in From and in the envelope, an address that is read can be written to, or is set aside.
    #[test]
    fn no_address_fails_a_letter(local in "[ -~é]{0,12}", domain in "[a-z0-9.:\\[\\]é_-]{0,16}", name in "\\PC{0,12}") {
        let address = format!("{local}@{domain}");
        let site = Stage::new().site();
        let mail = format!("From: {name} <{address}>\nSubject: help\n\n");
        let envelope = Envelope { sender: Some(EnvelopeSender::Address(address)), recipient: None };
        let read = read(mail.as_bytes(), &envelope, &site);
        if let Incoming::Letter(letter) | Incoming::Refused { letter, .. } = read {
            for to in [letter.sender, letter.return_path].into_iter().flatten() {
                let draft = Draft {
                    to,
                    reply_to: None,
                    message_id: message_id(&Identity([7; 32]), "x", "answer", &[], "turnpost.example"),
                    in_reply_to: letter.message_id.clone(),
                    references: letter.references.clone(),
                    subject: letter.subject.clone(),
                    date: "2026-11-20T10:00:00Z".parse().unwrap(),
                    mark: AutoSubmitted::Replied,
                    unsubscribe: None,
                    html: None,
                    files: Vec::new(),
                    text: String::new(),
                };
                prop_assert!(compose(&draft, &site).is_ok() || compose(&draft, &site).unwrap_err().is_of_this_mail());
            }
        }
    }
}

#[test]
fn the_operator_sees_that_a_stranger_at_an_address_literal_was_not_answered() {
    let host = Host::set_up();
    let mail = b"From: eve@example.com\nSubject: help\nMessage-ID: <1@example.com>\n\n";
    host.run(&["receive", "--sender", "x@[127.0.0.1]"], mail).assert_silent(0);
    assert!(host.log().contains("could not be written"), "{}", host.log());
    assert!(host.run(&["admin", "outbox"], b"").ok().contains("x@[127.0.0.1]"));
    assert_eq!(host.delivered(), []);
}
