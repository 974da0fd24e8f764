//! The first ten minutes of a newcomer, as far as no scene tells of them (`tests/scenes/first_ten_minutes.txt`).

use turnpost::commands::{LANGUAGE, Reading};
use turnpost_games::registry::GAMES;

#[test]
fn prose_is_no_list() {
    for prose in ["show me the way", "games people play", "rules are rules", "players wanted"] {
        let reading = LANGUAGE.read_line(prose).reading;
        assert!(matches!(reading, Reading::Unknown { .. }), "{prose}");
    }
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
fn one_quoted_argument_on_the_command_line_is_a_line() {
    let host = crate::support::host::Host::new();
    host.run(&["submit", "signup ann plover-42 ann@example.org"], b"").ok();
    host.run(&["submit", "who ann"], b"").ok();
    host.run(&["submit", "help"], b"").ok();
}
