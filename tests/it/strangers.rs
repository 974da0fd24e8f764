//! Whom the server answers that is none of its players.

use crate::support::{LetterOutcome, Stage};
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

const MAIL: &[u8] = b"From: Eve <eve@example.com>\nSubject: help\nMessage-ID: <1@example.com>\n\n";

#[test]
fn a_stranger_is_answered_where_the_transport_said_and_not_where_from_says() {
    let mut stage = Stage::new();
    let path = EnvelopeSender::Address("eve.sends@example.com".to_owned());
    let mails = stage.receive_from(&Envelope { sender: Some(path), recipient: None }, MAIL);
    let to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(to, ["eve.sends@example.com"]);
    // With the null sender: what comes back of it comes to nobody.
    assert_eq!(stage.envelopes.last().unwrap().from, None);
    // Of a player's mail it is told, which is how an address that no longer works is found.
    let mut stage = Stage::with_players();
    assert_eq!(stage.mail("ann@example.org", "who", "").len(), 1);
    assert!(stage.envelopes.last().unwrap().from.is_some());
}

#[test]
fn a_stranger_of_whom_the_transport_says_nothing_is_not_answered_and_a_player_is() {
    let mut stage = Stage::with_players();
    assert_eq!(stage.receive_from(&Envelope::default(), MAIL), []);
    assert_eq!(stage.outcome, LetterOutcome::Acted);
    let ann = b"From: ann@example.org\nSubject: help\nMessage-ID: <2@example.org>\n\n";
    let mails = stage.receive_from(&Envelope::default(), ann);
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["ann@example.org"]);
    // Nor does such a letter let us write to somebody it names.
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    let watch = b"From: eve@example.com\nSubject: dvonn subscribe 1 carl@example.net\nMessage-ID: <3@example.com>\n\n";
    assert_eq!(stage.receive_from(&Envelope::default(), watch), []);
}

#[test]
fn forged_letters_by_the_thousand_are_not_answered_by_the_thousand() {
    let mut stage = Stage::new();
    let from = |stage: &mut Stage, number: u32| {
        let path = EnvelopeSender::Address(format!("eve{number}@example.com"));
        let mail = format!("From: eve@example.com\nSubject: help\nMessage-ID: <{number}@example.com>\n\n");
        stage.receive_from(&Envelope { sender: Some(path), recipient: None }, mail.as_bytes()).len()
    };
    let answers: usize = (0..600).map(|number| from(&mut stage, number)).sum();
    assert_eq!(answers, 500);
    // The next day others are answered again.
    stage.wait(24);
    assert_eq!(from(&mut stage, 600), 1);
}
