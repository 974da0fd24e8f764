//! Law: nobody takes a mailbox's questions, or a userid, from somebody else.

use crate::support::{Mail, Stage, mails};

fn recipients(mails: &[Mail]) -> Vec<&str> {
    mails.iter().map(|mail| mail.to.as_str()).collect()
}

fn is_confirmed(stage: &Stage, userid: &str) -> bool {
    let player = stage.store.player(&userid.parse().unwrap()).unwrap().unwrap();
    stage.store.addresses(player.id).unwrap().confirmed().next().is_some()
}

/// A reply to one of our mails from where it went, with these words.
fn reply(stage: &mut Stage, mail: &Mail, words: &str) -> Vec<Mail> {
    let yes = mails::yes(mail, 7_000 + stage.left.len() as u32).unwrap();
    let reply = String::from_utf8(yes).unwrap();
    stage.receive(reply.replacen("\r\n\r\nyes\r\n", &format!("\r\n\r\n{words}\r\n"), 1).as_bytes())
}

#[test]
fn a_signup_that_names_another_mailbox_writes_nothing_there() {
    let mut stage = Stage::new();
    for n in 0..20 {
        let from = format!("mallory{n}@example.com");
        let mails = stage.mail(&from, &format!("signup zoe_{n} ruff-2026 zoe@example.net"), "");
        assert_eq!(recipients(&mails), [from.as_str()]);
    }
    // Zoe's own question is not used up.
    let mails = stage.mail("zoe@example.net", "signup zoe knot-2026", "");
    assert_eq!(recipients(&mails), ["zoe@example.net"]);
    assert!(mails[0].text.starts_with("Welcome, zoe."), "{}", mails[0].text);
    reply(&mut stage, &mails[0], "yes");
    assert!(is_confirmed(&stage, "zoe"));
    assert!((0..20).all(|n| !is_confirmed(&stage, &format!("zoe_{n}"))));
}

#[test]
fn a_forged_signup_does_not_take_the_question_of_the_mailbox() {
    let mut stage = Stage::new();
    let forged = stage.mail("zoe@example.net", "signup zoe_ ruff-2026", "");
    assert_eq!(recipients(&forged), ["zoe@example.net"]);
    let own = stage.mail("zoe@example.net", "signup zoe knot-2026", "");
    assert!(own[0].text.starts_with("Welcome, zoe."), "{}", own[0].text);
    reply(&mut stage, &own[0], "yes");
    assert!(is_confirmed(&stage, "zoe") && !is_confirmed(&stage, "zoe_"));
}

/// A mailbox gets three questions a day, so that nobody can flood it; its owner is not shut out by them.
#[test]
fn whoever_gets_anothers_question_may_name_their_own_userid() {
    let mut stage = Stage::new();
    let forged: Vec<Mail> = (0..5)
        .flat_map(|n| stage.mail("zoe+x@example.net", &format!("signup zoe_{n} ruff-2026"), ""))
        .collect();
    assert_eq!(forged.len(), 3, "three a day to a mailbox");
    assert_eq!(recipients(&stage.mail("zoe+x@example.net", "signup zoe knot-2026", "")), [""; 0]);
    let answer = reply(&mut stage, &forged[0], "Yes, zoe.");
    assert!(answer[0].text.starts_with("Welcome, zoe."), "{}", answer[0].text);
    assert!(is_confirmed(&stage, "zoe"));
    assert!((0..3).all(|n| !is_confirmed(&stage, &format!("zoe_{n}"))));
}

#[test]
fn only_a_written_yes_confirms() {
    for words in [
        "",
        "> yes",
        "ok",
        "no",
        "yesterday",
        "yes zoe_",
        "yes, I do not know you",
        "help",
        "y",
        "-- \r\nyes",
    ] {
        let mut stage = Stage::new();
        let asked = stage.mail("zoe@example.net", "signup zoe ruff-2026", "");
        reply(&mut stage, &asked[0], words);
        assert!(!is_confirmed(&stage, "zoe"), "{words:?}");
        reply(&mut stage, &asked[0], "Yes!");
        assert!(is_confirmed(&stage, "zoe"), "after {words:?}");
    }
}

#[test]
fn every_question_names_the_userid_it_confirms() {
    let mut stage = Stage::new();
    let asked = stage.mail("zoe@example.net", "signup mallory ruff-2026", "");
    assert!(asked[0].text.contains("mallory"), "{}", asked[0].text);
}

#[test]
fn a_userid_that_nobody_confirmed_is_free_after_a_week() {
    let mut stage = Stage::new();
    stage.mail("mallory@example.com", "signup zoe ruff-2026", "");
    stage.wait(6 * 24);
    let taken = stage.mail("zoe@example.net", "signup zoe knot-2026", "");
    assert!(taken[0].text.contains("The userid zoe is taken."), "{}", taken[0].text);
    stage.wait(24);
    let asked = stage.mail("zoe@example.net", "signup zoe knot-2026", "");
    reply(&mut stage, &asked[0], "yes");
    assert!(is_confirmed(&stage, "zoe"));
    // The squatter's password and mail are gone.
    let mails = stage.mail("mallory@example.com", "set zoe ruff-2026 html off", "");
    assert!(mails.iter().all(|mail| !mail.text.contains("HTML")), "{mails:?}");
    assert_eq!(stage.store.letters(1).unwrap()[0].tally.done, 0);
    stage.mail("zoe@example.net", "set zoe knot-2026 html off", "");
    assert_eq!(stage.store.letters(1).unwrap()[0].tally.done, 1);
    // A confirmed account keeps its name for good.
    stage.wait(1000);
    let taken = stage.mail("mallory@example.com", "signup zoe ruff-2026", "");
    assert!(taken.iter().any(|mail| mail.text.contains("The userid zoe is taken.")), "{taken:?}");
    assert_eq!(stage.wrong(), Vec::<String>::new());
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
