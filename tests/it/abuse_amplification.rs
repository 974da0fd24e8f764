//! Law: no letter makes the server send more than a little to anybody who has proven nothing, nor to many.

use crate::support::{ANN, Mail, Stage};

/// What a stranger's letter may cost beyond four times its own size.
const KIB_64: usize = 64 * 1024;

fn bytes(mails: &[Mail]) -> usize {
    mails.iter().map(|mail| mail.raw().len()).sum()
}

fn recipients(mails: &[Mail]) -> Vec<&str> {
    let mut to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    to.sort_unstable();
    to
}

/// Eleven lines that each ask for the same two pages a thousand times: once a mail of 113 MB.
fn greedy_help() -> String {
    format!("help{}\n", " commands dvonn".repeat(550)).repeat(11)
}

#[test]
fn help_asked_for_a_thousand_times_is_refused_and_not_printed() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "multiple", &greedy_help());
    assert!(bytes(&mails) <= 256 * 1024, "{}", bytes(&mails));
    assert!(mails[0].text.contains("A line of `help` may name 5 subjects."), "{}", mails[0].text);
}

#[test]
fn each_page_of_help_stands_in_an_answer_once() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("ann@example.org", "multiple", &"help dvonn dvonn tutorial\n".repeat(50));
    assert_eq!(mails[0].text.matches("This answer holds that page already.").count(), 49);
    assert!(bytes(&mails) <= KIB_64, "{}", bytes(&mails));
}

#[test]
fn a_players_answer_ends_at_its_size_and_says_so() {
    let mut stage = Stage::with_a_game();
    let line = format!("dvonn show{}\n", " 1".repeat(20));
    let mails = stage.mail("ann@example.org", "multiple", &line.repeat(50));
    assert!(bytes(&mails) <= 256 * 1024, "{}", bytes(&mails));
    assert!(mails[0].text.contains("The rest was left out: ask for less at a time."));
    // Half as much as fits comes whole.
    let mails = stage.mail("ann@example.org", "", &line.repeat(2));
    assert!(!mails[0].text.contains("left out"));
    assert_eq!(mails[0].text.matches("White controls").count(), 40);
    // More boards than a line may name are refused at once.
    let mails = stage.mail("ann@example.org", &format!("dvonn show{}", " 1".repeat(21)), "");
    assert!(mails[0].text.contains("may name 20 boards"), "{}", mails[0].text);
}

#[test]
fn the_operators_terminal_has_no_limit() {
    let mut stage = Stage::with_a_game();
    let line = format!("dvonn show{}\n", " 1".repeat(60));
    let (answer, ..) = stage.submit(turnpost::mail::Operator::AsAnyone, &line.repeat(60));
    assert_eq!(answer.matches("White controls").count(), 3600);
}

#[test]
fn whatever_a_stranger_asks_for_the_answer_is_the_strangers() {
    let letters = [
        greedy_help(),
        "dvonn games ann\n".repeat(50),
        format!("dvonn show{}\n", " 1".repeat(20)).repeat(50),
        "dvonn position 1 1 1 1 1\n".repeat(50),
        "standings dvonn\nwho\nall show ann\n".repeat(20),
        format!("dvonn challenge {} ann\n", "x".repeat(40_000)),
        format!("help {}\n", "\u{1F4A3}".repeat(20_000)),
    ];
    for (number, text) in letters.iter().enumerate() {
        let mut stage = Stage::with_a_game();
        let mails = stage.mail("eve@example.com", "multiple", text);
        assert!(mails.len() <= 1, "{number}");
        assert!(bytes(&mails) <= KIB_64, "{number}: {}", bytes(&mails));
    }
}

#[test]
fn a_letter_of_fifty_signups_mails_one_mailbox() {
    let mut stage = Stage::new();
    let lines: String =
        (0..50).map(|n| format!("signup eve{n} ruff-2026 a{n}@example.net b{n}@example.net\n")).collect();
    let mails = stage.mail("eve@example.com", "multiple", &lines);
    assert_eq!(recipients(&mails), ["eve@example.com"]);
    assert_eq!(stage.store.players().unwrap().len(), 1, "one account a letter");
    // Nor does the same by fifty letters.
    let mut to = Vec::new();
    for n in 0..50 {
        let mails = stage.mail("eve@example.com", &format!("signup eva{n} ruff-2026 c+{n}@example.net"), "");
        to.extend(mails.into_iter().map(|mail| mail.to));
    }
    assert!(to.iter().all(|to| to == "eve@example.com"), "{to:?}");
    assert!(to.len() <= 3 + 5, "three questions and five answers a day, and not {}", to.len());
}

#[test]
fn watching_by_a_claimed_player_mails_the_claimed_address_alone() {
    let mut stage = Stage::with_a_game();
    let lines: String = (0..49).map(|n| format!("dvonn subscribe 1 stranger{n}@example.net\n")).collect();
    let mails = stage.mail("ann@example.org", "multiple", &lines);
    assert_eq!(recipients(&mails), ["ann@example.org"], "the answer");
    // Whoever proves to be ann may name others, ten a day.
    let mails = stage.mail("ann@example.org", "multiple", &format!("dvonn showas ann {ANN}\n{lines}"));
    let asked = mails.iter().filter(|mail| mail.to.starts_with("stranger")).count();
    assert_eq!(asked, 10);
}

#[test]
fn forgotten_passwords_are_mailed_one_a_letter() {
    let mut stage = Stage::with_players();
    let mails = stage.mail("eve@example.com", "multiple", "forgot ann\nforgot bob\n");
    assert_eq!(recipients(&mails), ["ann@example.org", "eve@example.com"]);
}
