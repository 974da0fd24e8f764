//! What confirms an address, as far as no scene tells of it (`tests/scenes/addresses.txt`).

use crate::support::{ANN, Mail, Stage};
use turnpost::mail::incoming::Envelope;

fn recipients(mails: &[Mail]) -> Vec<&str> {
    mails.iter().map(|mail| mail.to.as_str()).collect()
}

fn reply_to(mail: &Mail) -> String {
    mail.raw().lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned)).unwrap()
}

/// A reply from `from` to the address with the token, with these words.
fn reply(to: &str, from: &str, words: &str, number: u32) -> Vec<u8> {
    format!(
        "Return-Path: <{from}>\r\nFrom: {from}\r\nTo: {to}\r\nSubject: Re: welcome\r\nMessage-ID: <r.{number}@{from}>\r\n\r\n{words}\r\n"
    )
    .into_bytes()
}

fn is_confirmed(stage: &Stage, userid: &str, address: &str) -> bool {
    let player = stage.store.player(&userid.parse().unwrap()).unwrap().unwrap();
    stage.store.addresses(player.id).unwrap().row(address).is_some_and(|row| row.confirmed_at.is_some())
}

#[test]
fn a_token_confirms_its_own_address_alone_and_proves_nothing_else() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", &format!("add ann {ANN} one@example.org two@example.org"), "");
    let to: Vec<String> = mails.iter().filter(|mail| mail.to != "ann@example.org").map(reply_to).collect();
    assert_eq!(to.len(), 2);
    stage.receive(&reply(&to[0], "two@example.org", "yes", 1));
    assert!(
        is_confirmed(&stage, "ann", "one@example.org") && !is_confirmed(&stage, "ann", "two@example.org")
    );
    // Another account's number, one letter changed: neither.
    let token = to[1].split_once("+c1.").unwrap().1.split_once('@').unwrap().0;
    let changed = format!("{}{}", if token.starts_with('a') { 'b' } else { 'a' }, &token[1..]);
    for forged in [to[1].replace("+c1.", "+c2."), to[1].replace(token, &changed)] {
        stage.receive(&reply(&forged, "two@example.org", "yes", 2));
        assert!(!is_confirmed(&stage, "ann", "two@example.org"), "{forged}");
    }
    let mails = stage.receive(&reply(&to[1], "eve@example.com", "signoff ann -", 4));
    assert!(mails.iter().all(|mail| mail.text.contains("works in a mail that proves")), "{mails:?}");
    assert_eq!(
        stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap().state,
        turnpost::store::AccountState::Active
    );
}

#[test]
fn an_absence_note_confirms_nothing() {
    let mut stage = Stage::new();
    let mails = stage.mail("ann@example.org", &format!("signup ann {ANN}"), "");
    let mut note = b"Auto-Submitted: auto-replied\r\n".to_vec();
    note.extend(reply(&reply_to(&mails[0]), "ann@example.org", "yes", 1));
    assert_eq!(stage.receive(&note), []);
    assert!(!is_confirmed(&stage, "ann", "ann@example.org"));
}

#[test]
fn what_the_mail_server_proves_needs_no_asking() {
    let mut stage = Stage::with(|config| config.authserv_id = "mx.turnpost.example".to_owned());
    let proven = |from: &str, subject: &str, number: u32| {
        let domain = from.split_once('@').unwrap().1;
        format!(
            "Return-Path: <{from}>\r\nAuthentication-Results: mx.turnpost.example; dmarc=pass header.from={domain}\r\n\
             From: {from}\r\nSubject: {subject}\r\nMessage-ID: <p.{number}@{domain}>\r\n\r\n"
        )
        .into_bytes()
    };
    let mails = stage.receive(&proven("ann@example.org", &format!("signup ann {ANN}"), 1));
    assert_eq!(recipients(&mails), ["ann@example.org"]);
    assert!(mails[0].text.starts_with("Welcome, ann. Your mail goes to ann@example.org."));
    // Named by somebody else's proven letter it is asked; a letter of its own, proven, confirms it.
    let mails = stage.receive(&proven("ann@example.org", &format!("add ann {ANN} ann@work.example"), 2));
    assert!(
        recipients(&mails).contains(&"ann@work.example") && !is_confirmed(&stage, "ann", "ann@work.example")
    );
    stage.receive(&proven("ann@work.example", "set ann - html off", 3));
    assert!(is_confirmed(&stage, "ann", "ann@work.example"));
}

#[test]
fn a_letter_full_of_guesses_has_five_tries() {
    let mut stage = Stage::with_players();
    let lines: String = (0..30).map(|n| format!("set ann guess-{n} html off\n")).collect();
    stage.mail("eve@example.com", "multiple", &format!("{lines}set ann {ANN} html off\n"));
    let letter = &stage.store.letters(1).unwrap()[0];
    assert_eq!((letter.tally.done, letter.tally.refused), (0, 31));
    let ann = stage.store.player(&"ann".parse().unwrap()).unwrap().unwrap();
    let hits = stage.store.limit_hits_of(ann.id).unwrap();
    assert_eq!(
        hits.iter().map(|hits| (hits.what.as_str(), hits.hits)).collect::<Vec<_>>(),
        [("passwords a letter", 26)]
    );
    // What is no userid may be a password in the wrong place.
    stage.mail("carl@example.com", "set sanderling-5 ann html off", "");
    assert!(!stage.text().contains("sanderling-5"));
}

#[test]
fn a_refused_letter_of_a_waiting_address_is_not_a_strangers() {
    let mut stage = Stage::new();
    stage.mail("ann@example.org", &format!("signup ann {ANN}"), "");
    let help = b"From: ann@example.org\r\nSubject: help\r\nMessage-ID: <9@example.org>\r\n\r\n";
    assert_eq!(stage.receive_from(&Envelope::default(), help), [], "asked today already");
}

#[test]
fn two_hundred_questions_an_hour_are_enough_for_all_together() {
    let mut stage = Stage::new();
    let asked = (0..250)
        .map(|n| stage.mail(&format!("p{n}@example.com"), &format!("signup player{n} ruff-2026"), "").len())
        .sum::<usize>();
    assert_eq!(asked, 200);
    stage.wait(1);
    assert_eq!(stage.mail("late@example.com", "signup late ruff-2026", "").len(), 1);
}
