//! Law: nobody takes answers, passwords or moves from a player by wrong passwords or spent answers.

use crate::support::{ANN, BOB, Mail, Stage};
use turnpost::mail::Operator;

fn reply_to(mails: &[Mail], to: &str) -> String {
    let raw = mails.iter().rev().find(|mail| mail.to == to).unwrap().raw();
    raw.lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned)).unwrap()
}

fn reply(to: &str, from: &str, words: &str) -> Vec<u8> {
    format!("Return-Path: <{from}>\r\nFrom: {from}\r\nTo: {to}\r\nSubject: Re: x\r\nMessage-ID: <{words}@x.example>\r\n\r\n{words}\r\n").into_bytes()
}

fn done(stage: &Stage) -> u32 {
    stage.store.letters(1).unwrap()[0].tally.done
}

#[test]
fn wrong_passwords_of_invented_userids_lock_nobody() {
    let mut stage = Stage::with_players();
    for n in 0..20 {
        stage.mail("ann@example.org", &format!("set nobody{n} guess-{n} html off"), "");
    }
    stage.mail("ann@example.org", &format!("set ann {ANN} html off"), "");
    assert_eq!(done(&stage), 1);
}

#[test]
fn a_pause_of_passwords_ends_by_a_reset_and_stops_no_reply() {
    let mut stage = Stage::with_a_game();
    let mails = stage.left.clone();
    for n in 0..40 {
        // Under her own name, and for her userid from elsewhere.
        stage.mail("ann@example.org", &format!("set ann guess-{n} html off"), "");
        stage.mail(&format!("eve{n}@example.com"), &format!("set ann guess-{n} html off"), "");
    }
    stage.mail("ann@example.org", &format!("set ann {ANN} html off"), "");
    assert_eq!(done(&stage), 0, "paused");
    // A reply plays.
    stage.receive(&reply(&reply_to(&mails, "ann@example.org"), "ann@example.org", "D1-E1"));
    assert_eq!(done(&stage), 1);
    // A reset is mailed, carried out, and lifts the pause.
    let mails = stage.mail("ann@example.org", "forgot ann", "");
    let line = mails
        .iter()
        .flat_map(|mail| mail.text.lines())
        .find_map(|line| line.trim().strip_prefix("reset ann "))
        .unwrap();
    let token = line.split_whitespace().next().unwrap();
    let mails = stage.mail("ann@example.org", &format!("reset ann {token} sanderling-5"), "");
    assert_eq!((done(&stage), mails.len()), (1, 1), "it is answered, too");
    stage.mail("ann@example.org", "set ann sanderling-5 html off", "");
    assert_eq!(done(&stage), 1);
}

#[test]
fn a_proven_sender_needs_no_password_that_is_paused() {
    let mut stage = Stage::with(|config| config.authserv_id = "mx.turnpost.example".into()).peopled();
    for n in 0..40 {
        stage.mail("ann@example.org", &format!("set ann guess-{n} html off"), "");
    }
    let proven = |n: u32, password: &str| {
        format!(
            "Authentication-Results: mx.turnpost.example; dmarc=pass header.from=example.org\r\nReturn-Path: \
             <ann@example.org>\r\nFrom: ann@example.org\r\nSubject: set ann {password} html off\r\nMessage-ID: \
             <p{n}@example.org>\r\n\r\n"
        )
    };
    for (n, password) in [(1, ANN), (2, "-")] {
        stage.receive(proven(n, password).as_bytes());
        assert_eq!(done(&stage), 1, "{password}");
    }
}

#[test]
fn spent_answers_hold_back_no_answer_to_a_move() {
    let mut stage = Stage::with_a_game();
    let mails = stage.left.clone();
    for _ in 0..22 {
        stage.mail("ann@example.org", "who", "");
    }
    assert_eq!(stage.mail("ann@example.org", "who", ""), []);
    // A refused move, a move, and whatever a reply or a password asks.
    let refused = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} Z9"), "");
    assert_eq!(refused.len(), 1);
    let wrong = stage.mail("ann@example.org", "dvonn move 1 ann guess-1 D1-E1", "");
    assert_eq!(wrong.len(), 1, "a refusal about a running board");
    let reply = reply(&reply_to(&mails, "ann@example.org"), "ann@example.org", "help");
    assert_eq!(stage.receive(&reply).len(), 1);
    let moved = stage.mail("ann@example.org", &format!("dvonn move 1 ann {ANN} D1-E1"), "");
    assert_eq!(moved.len(), 2);
}

#[test]
fn a_letter_has_five_passwords_checked() {
    let mut stage = Stage::with_players();
    let guesses: String = (0..5).map(|n| format!("set nobody{n} guess-{n} html off\n")).collect();
    let mails = stage.mail("ann@example.org", "multiple", &format!("{guesses}set ann {ANN} html off\n"));
    assert!(mails[0].text.contains("A letter may hold 5 different passwords"), "{}", mails[0].text);
    // The same pair is one, however often it stands there.
    let lines = format!("set bob {BOB} html off\n").repeat(20);
    stage.mail("bob@example.net", "multiple", &lines);
    assert_eq!(done(&stage), 20);
}

#[test]
fn nobody_takes_forgot_from_a_player_by_asking_for_others_in_their_name() {
    let mut stage = Stage::with_players();
    for number in 0..12 {
        stage.sign_up(&format!("p{number}@example.com"), &format!("player{number}"), "grebe-2026");
    }
    for number in 0..12 {
        stage.mail("ann@example.org", &format!("forgot player{number}"), "");
    }
    let mails = stage.mail("ann@example.org", "forgot ann", "");
    assert!(
        mails.iter().any(|mail| mail.to == "ann@example.org" && mail.text.contains("reset ann ")),
        "{mails:?}"
    );
    // Still one an hour.
    let mails = stage.mail("ann@example.org", "forgot ann", "");
    assert!(!mails.iter().any(|mail| mail.text.contains("reset ann ")), "{mails:?}");
}

#[test]
fn fifty_commands_of_a_letter_are_carried_out_and_the_operator_has_no_limit() {
    let mut stage = Stage::with_players();
    let many = "who ann\n".repeat(80);
    let answer = stage.mail("ann@example.org", "multiple", &many);
    assert_eq!(answer[0].text.matches("> who ann").count(), 50, "{}", answer[0].text);
    assert!(answer[0].text.contains("The rest of this mail was not read"));
    let (printed, ends_well, _) = stage.submit(Operator::Nobody, &many);
    assert!(ends_well && !printed.contains("not read"), "{printed}");
    assert_eq!(printed.matches("> who ann").count(), 80);
    // A password among them counts like any other.
    let (printed, ends_well, _) =
        stage.submit(Operator::Nobody, &format!("{many}games ann\nwho ann {ANN}\n"));
    assert!(!ends_well || !printed.contains(ANN), "{printed}");
}
