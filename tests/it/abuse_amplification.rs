//! Law: no letter makes the server send more than a little to anybody who has proven nothing, nor to many.

use crate::support::{Mail, Stage};

/// What a stranger's letter may cost beyond four times its own size.
const KIB_64: usize = 64 * 1024;

fn bytes(mails: &[Mail]) -> usize {
    mails.iter().map(|mail| mail.raw().len()).sum()
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
