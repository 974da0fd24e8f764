//! Law: whoever only claims to be a player starts few boards, and sends no messages; `tests/scenes/squatting.txt` tells the
//! rest.

use crate::support::{ANN, Mail, Stage};

fn boards(stage: &Stage) -> usize {
    stage.store.board_numbers().unwrap().len()
}

const CHALLENGE: &str = "dvonn challenge -symmetry ann bob";

#[test]
fn a_reply_to_a_mail_of_ours_and_a_proven_sender_are_not_held_back() {
    let mut stage = Stage::with(|config| config.authserv_id = "mx.turnpost.example".into()).peopled();
    let mut mails = Vec::new();
    for _ in 0..6 {
        mails.extend(stage.mail("ann@example.org", CHALLENGE, ""));
    }
    assert_eq!(boards(&stage), 5);
    let proven = format!(
        "Authentication-Results: mx.turnpost.example; dmarc=pass header.from=example.org\r\nReturn-Path: \
         <ann@example.org>\r\nFrom: ann@example.org\r\nSubject: {CHALLENGE}\r\nMessage-ID: <p@example.org>\r\n\r\n"
    );
    stage.receive(proven.as_bytes());
    assert_eq!(boards(&stage), 6);
    // A token speaks for its player, whatever the budget.
    let reply_to = mails
        .iter()
        .find(|mail| mail.to == "ann@example.org")
        .and_then(|mail| {
            mail.raw().lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned))
        })
        .unwrap();
    let reply = format!(
        "Return-Path: <ann@example.org>\r\nFrom: ann@example.org\r\nTo: {reply_to}\r\nSubject: Re: x\r\nMessage-ID: \
         <r@example.org>\r\n\r\n{CHALLENGE}\r\n"
    );
    stage.receive(reply.as_bytes());
    assert_eq!(boards(&stage), 7);
}

#[test]
fn a_proven_player_starts_fifty_boards_a_day() {
    let mut stage = Stage::with_players();
    for _ in 0..2 {
        let lines = format!("{CHALLENGE}\n").repeat(40);
        stage.mail("ann@example.org", "multiple", &format!("dvonn showas ann {ANN}\n{lines}"));
    }
    assert_eq!(boards(&stage), 50);
}

#[test]
fn nobody_claims_to_be_an_organiser() {
    let mut stage = Stage::with_players();
    stage.sign_up("cleo@example.com", "cleo", "gannet-33");
    let cleo = stage.store.player(&"cleo".parse().unwrap()).unwrap().unwrap();
    stage.store.set_role(cleo.id, turnpost::store::AccountRole::Organiser).unwrap();
    for challenge in [CHALLENGE, "dvonn challenge -random ann bob", "hexmeister challenge ann bob"] {
        let mails = stage.mail("cleo@example.com", challenge, "");
        assert!(mails[0].text.contains("must be proven"), "{}", mails[0].text);
    }
    assert_eq!(boards(&stage), 0);
    stage.mail("cleo@example.com", "multiple", &format!("dvonn showas cleo gannet-33\n{CHALLENGE}\n"));
    assert_eq!(boards(&stage), 1);
}

#[test]
fn messages_end_after_fifty_a_day_and_twenty_recipients_a_letter() {
    let mut stage = Stage::with_players();
    let to_bob = |mails: &[Mail]| mails.iter().filter(|mail| mail.to == "bob@example.net").count();
    let mut sent = 0;
    for n in 0..60 {
        sent +=
            to_bob(&stage.mail("ann@example.org", &format!("message ann {ANN} bob"), &format!("Hello {n}")));
    }
    assert_eq!(sent, 50);
    stage.wait(24);
    let lines = format!("message ann {ANN} bob\nHello\nend\n").repeat(25);
    assert_eq!(to_bob(&stage.mail("ann@example.org", "multiple", &lines)), 20);
}
