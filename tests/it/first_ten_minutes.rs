//! The first ten minutes of a newcomer, as far as no scene tells of them (`tests/scenes/first_ten_minutes.txt`).

use turnpost::commands::{LANGUAGE, Reading};
use turnpost::mail::Operator;
use turnpost_games::registry::GAMES;

use crate::support::{ANN, Mail, Stage};

/// A mail whose sender the host's mail server vouches for.
fn vouched(stage: &mut Stage, from: &str, subject: &str, number: u32) -> Vec<Mail> {
    let domain = from.split_once('@').unwrap().1;
    let mail = format!(
        "Authentication-Results: mx.turnpost.example; dmarc=pass header.from={domain}\r\nReturn-Path: <{from}>\r\n\
         From: {from}\r\nTo: play@turnpost.example\r\nSubject: {subject}\r\nMessage-ID: <vouched.{number}@x.example>\r\n\r\n"
    );
    stage.receive(mail.as_bytes())
}

fn vouching() -> Stage {
    Stage::with(|config| config.authserv_id = "mx.turnpost.example".into()).peopled()
}

fn text(mails: &[Mail]) -> &str {
    mails.first().map(|mail| mail.text.as_str()).unwrap_or_default()
}

#[test]
fn prose_is_no_list() {
    for prose in ["show me the way", "games people play", "rules are rules", "players wanted"] {
        let reading = LANGUAGE.read_line(prose).reading;
        assert!(matches!(reading, Reading::Unknown { .. }), "{prose}");
    }
}

#[test]
fn a_vouched_sender_needs_no_name() {
    let mut stage = vouching();
    for (number, command) in
        ["dvonn challenge bob -symmetry -seed=7", "dvonn move 1 D1-D2", "dvonn seek", "dvonn resign 1"]
            .iter()
            .enumerate()
    {
        let mails = vouched(&mut stage, "ann@example.org", command, number as u32);
        let letter = &stage.store.letters(1).unwrap()[0];
        assert_eq!(letter.tally.done, 1, "{command}\n{}", text(&mails));
    }
}

#[test]
fn what_can_be_read_in_full_is_read_in_full() {
    let mut stage = Stage::with_players();
    stage.sign_up("c1@example.com", "c1-d4", "a5-a6");
    stage.submit(Operator::AsAnyone, "hexmeister challenge c1-d4 bob");
    let ann = || Operator::As("ann".parse().unwrap());
    // The words are also three moves; c1-d4 is a player, and this is that player's password.
    let (answer, ..) = stage.submit(ann(), "hexmeister move 1 c1-d4 a5-a6 c1");
    assert!(!answer.contains("not ann's"), "{answer}");
    let (answer, ..) = stage.submit(ann(), "hexmeister move 1 d8-c9 a5-a6 c1");
    assert!(answer.contains("not ann's"), "{answer}");
}

#[test]
fn a_typo_is_shown_and_a_password_is_not() {
    for (line, echo) in [
        ("dvonn challenge --unratd ann bob", "dvonn challenge --unratd ann bob"),
        ("dvonn challenge -symetry ann bob", "dvonn challenge -symetry ann bob"),
        ("dvonn challenge ann hunter2 bob", "dvonn challenge ann *** ***"),
        ("dvonn challenge ann pa$$word", "dvonn challenge ann ***"),
        ("dvonn challenge --level=x ann robot", "dvonn challenge *** ann robot"),
        ("dvonn chalenge ann bob", "dvonn chalenge *** ***"),
        ("singup ann hunter2", "singup *** ***"),
        ("dvonn seek --ratng=1400 ann hunter2 x", "dvonn seek --ratng=1400 *** *** ***"),
        ("dvonn move x1 ann hunter2 F3", "dvonn move *** *** *** ***"),
        ("hunter2 signup ann", "*** signup ***"),
    ] {
        assert_eq!(LANGUAGE.read_line(line).echo, echo, "{line}");
    }
}

#[test]
fn a_missing_password_is_called_that() {
    for line in ["dvonn move 1 ann F3", "dvonn submit 1 ann A3-B4", "dvonn move 1 ann"] {
        let Reading::Malformed(error) = LANGUAGE.read_line(line).reading else { panic!("{line}") };
        assert!(error.why.contains("the password is missing"), "{line}: {}", error.why);
    }
    let Reading::Malformed(error) = LANGUAGE.read_line("dvonn move 1 ann hunter2").reading else { panic!() };
    assert!(error.why.contains("the move is missing"), "{}", error.why);
    assert_eq!(GAMES.len(), 2);
}

#[test]
fn help_takes_no_answers_from_a_player_up_to_twenty_pages_a_day() {
    let answers = |pages: usize| {
        let mut stage = Stage::with_players();
        for page in ["dvonn", "time", "robot", "draw"].iter().cycle().take(pages) {
            assert_eq!(stage.mail("ann@example.org", &format!("help {page}"), "").len(), 1);
        }
        let listed = |mails: Vec<Mail>| !mails.is_empty() && !text(&mails).contains("many answers");
        (0..30).filter(|_| listed(stage.mail("ann@example.org", "who", ""))).count()
    };
    assert_eq!(answers(20), answers(0));
    assert_eq!(answers(22), answers(0) - 2);
}

#[test]
fn one_quoted_argument_on_the_command_line_is_a_line() {
    let host = crate::support::host::Host::new();
    host.run(&["submit", "signup ann plover-42 ann@example.org"], b"").ok();
    host.run(&["submit", "who ann"], b"").ok();
    host.run(&["submit", "help"], b"").ok();
}

#[test]
fn no_mail_of_the_first_ten_minutes_is_longer_than_a_page() {
    let mut stage = Stage::new();
    let mut mails = stage.mail("eve@example.com", "Hello", "What is this?");
    mails.extend(stage.mail("eve@example.com", "signup eve", ""));
    for (from, userid, password) in [("eve@example.com", "eve", "hunter2-x"), ("ann@example.org", "ann", ANN)]
    {
        mails.extend(stage.mail(from, &format!("signup {userid} {password}"), ""));
        let asked = mails.last().cloned();
        mails.extend(stage.confirm(asked.as_slice()));
        mails.extend(stage.mail(from, &format!("dvonn seek -symmetry {userid} {password}"), ""));
    }
    for challenge in
        ["dvonn challenge robot --level=1", "dvonn challenge -symmetry --lots ann", "seeks", "help"]
    {
        mails.extend(stage.mail("eve@example.com", challenge, ""));
    }
    assert!(mails.len() >= 10, "{}", mails.len());
    for mail in mails {
        assert!(mail.text.lines().count() <= 40, "{} lines:\n{}", mail.text.lines().count(), mail.text);
    }
}
