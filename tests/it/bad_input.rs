//! What players get wrong, and what no player wrote: each has a clear answer or none, and nothing is changed.

use crate::support::host::Host;
use crate::support::{LetterOutcome, Stage};
use proptest::prelude::*;
use turnpost::mail::Operator;

/// A command, the plies played before it on board 1 (`-symmetry -seed=7`, ann first), and what its answer says.
const REFUSED: &[(&str, &str, &str)] = &[
    // Who speaks.
    ("dvonn move 1 dora plover-42 D1-E1", "", "The userid or the password is not right."),
    ("dvonn move 1 ann Plover-42 D1-E1", "", "The userid or the password is not right."),
    ("dvonn move 1 ann dunlin-7 D1-E1", "", "The userid or the password is not right."),
    ("dvonn resign 1 ann dunlin-7", "", "The userid or the password is not right."),
    ("dvonn move 1 ann - D1-E1", "", "`-` in the password's place works in a mail that proves who sent it"),
    ("dvonn challenge bob carol", "", "this letter comes from an address of neither"),
    ("dvonn challenge ann ann", "", "A game needs two players, and both userids are ann."),
    ("dvonn challenge ann dora", "", "There is no player with the second userid."),
    ("dvonn challenge an bob", "", "There is no player with the first userid. Did you mean ann?"),
    ("dvonn games dora", "", "There is no player with that userid."),
    ("dvonn show dora", "", "There is no player with that userid."),
    ("signup ANN something", "", "The userid ann is taken."),
    ("signup dvonn something", "", "This userid is a word the server uses itself,"),
    ("signup robot-x something", "", "This userid is a word the server uses itself,"),
    // Mail to them is for whoever runs the server; the server's own address is play@.
    ("signup postmaster something", "", "or an office of its mail."),
    ("signup Mailer-Daemon something", "", "or an office of its mail."),
    ("signup no_reply something", "", "or an office of its mail."),
    ("signup Play something", "", "or an office of its mail."),
    ("signup dora abc", "", "A password has from 4 to 100 characters"),
    ("signup dora DORA", "", "A password has from 4 to 100 characters and is not the userid."),
    ("signup dora plover-42 nobody", "", "a mail address such as ann@example.org is expected here"),
    ("signup dora pw a@x.org b@x.org c@x.org d@x.org", "", "an account has at most three addresses"),
    // Which board.
    ("dvonn move 1 ann plover-42 E1-G1", "D1-E1", "It is bob's turn on board 1 (ply 2), not yours."),
    ("dvonn move 1 bob dunlin-7 K3-J2", "", "It is ann's turn on board 1 (ply 1), not yours."),
    ("dvonn move 1 carol ruff-88 D1-E1", "", "Board 1 is not carol's: it is played by ann and bob."),
    ("dvonn resign 1 carol ruff-88", "", "Board 1 is not carol's"),
    ("dvonn move 2 ann plover-42 D1-E1", "", "There is no board 2."),
    ("dvonn resign 2 ann plover-42", "", "There is no board 2."),
    ("dvonn show 2", "", "There is no board 2."),
    ("dvonn preview 2 D1-E1", "", "There is no board 2."),
    ("dvonn show 1#2", "D1-E1", "Board 1 stands after ply 1"),
    ("dvonn move 1 ann plover-42 D1-E1", "resign", "Board 1 is over: bob (black) wins; ann resigned."),
    ("dvonn resign 1 bob dunlin-7", "resign", "Board 1 is over"),
    // What the rules forbid.
    ("dvonn move 1 ann plover-42 A5", "", "There is no such space: column A has A1, A2 and A3."),
    ("dvonn move 1 ann plover-42 A3-A5", "", "There is no such space: column A has A1, A2 and A3."),
    ("dvonn move 1 ann plover-42 D1", "", "a move now names two spaces, like A3-B4."),
    (
        "dvonn move 1 ann plover-42 C1-D1",
        "D1-E1 K3-J2",
        "D1 is empty, and a move ends on a piece or a stack.",
    ),
    ("dvonn move 1 ann plover-42 D1-C1", "D1-E1 K3-J2", "There is nothing on D1."),
    ("dvonn move 1 ann plover-42 D1-F1", "", "A single piece moves exactly 1 space; D1-F1 is 2."),
    ("dvonn move 1 ann plover-42 E1-F1", "D1-E1 K3-J2", "A stack of 2 moves exactly 2 spaces; E1-F1 is 1."),
    ("dvonn move 1 ann plover-42 D1-E3", "", "D1-E3 is not a straight line along the spaces."),
    ("dvonn move 1 ann plover-42 D1-D1", "", "D1-D1 does not move at all."),
    ("dvonn move 1 ann plover-42 E2-E3", "", "E2 is surrounded on all six sides and cannot move."),
    (
        "dvonn move 1 ann plover-42 F3-F4",
        "",
        "F3 holds a single DVONN piece, which belongs to nobody and never moves.",
    ),
    ("dvonn move 1 ann plover-42 K3-J2", "", "K3 holds black's piece, and it is white's turn."),
    ("dvonn move 1 ann plover-42 pass", "", "A side may pass only when it has no legal move."),
    ("dvonn move 1 ann plover-42 banana", "", "That is no move: a move is written as two spaces"),
    (
        "dvonn move 1 ann plover-42 D1-E1 K3-J2",
        "",
        "After D1-E1 it is bob's turn (ply 2), and your command goes on.",
    ),
    (
        "dvonn move 1 ann plover-42 D1-E1 banana",
        "",
        "After D1-E1 it is bob's turn (ply 2), and your command goes on.",
    ),
    ("dvonn move 1 ann plover-42 D1-E1#2", "", "This is ply 1, and your move is marked for ply 2."),
    (
        "dvonn move 1 ann plover-42 D1-E1#",
        "",
        "Behind `#` the number of a ply is expected, as in `D1-E1#50`.",
    ),
    ("dvonn preview 1 D1-F1", "", "A single piece moves exactly 1 space; D1-F1 is 2."),
    // Numbers that are too large, and what is not a number.
    (
        "dvonn move 4294967296 ann plover-42 D1-E1",
        "",
        "a board number is a whole number from 1 to 4294967295",
    ),
    ("dvonn move 4294967295 ann plover-42 D1-E1", "", "There is no board 4294967295."),
    ("dvonn move -1 ann plover-42 D1-E1", "", "a board number is a whole number from 1 to 4294967295"),
    ("dvonn move 1e3 ann plover-42 D1-E1", "", "a board number is a whole number from 1 to 4294967295"),
    ("dvonn show 99999999999999999999999", "", "a board number is a whole number from 1 to 4294967295"),
    ("dvonn show 1#99999999999999999999999", "", "a ply number is a whole number"),
    (
        "dvonn move 1 ann plover-42 D1-E1#99999999999999999999",
        "",
        "Behind `#` the number of a ply is expected",
    ),
    ("dvonn move 1 ann plover-42 D99999999999999999999-E1", "", "There is no such space"),
    ("dvonn challenge --nagtime=99999999999 ann bob", "", "a number of days from 0 to 3650 is expected"),
    ("dvonn challenge --forfeittime=3651 ann bob", "", "a number of days from 0 to 3650 is expected"),
    ("dvonn challenge --totaltime=-1 ann bob", "", "a number of days from 0 to 3650 is expected"),
    (
        "dvonn challenge -random -seed=18446744073709551616 ann bob",
        "",
        "-seed is a whole number from 0 to 18446744073709551615",
    ),
    ("dvonn challenge -random -seed=x ann bob", "", "-seed is a whole number from 0 to"),
    // Options.
    ("dvonn challenge -random -symmetry ann bob", "", "-random and -symmetry exclude each other"),
    ("dvonn challenge -seed=7 ann bob", "", "-seed goes with -random or -symmetry"),
    ("dvonn challenge -symetry ann bob", "", "this is no option of DVONN; did you mean `-symmetry`?"),
    ("dvonn challenge --unrated --unrated ann bob", "", "an option is given twice"),
    (
        "dvonn challenge \"-position=w w\" ann bob",
        "",
        "The board cannot be set up: the position cannot be read",
    ),
    ("dvonn challenge ann", "", "the userid of the second player is missing at the end"),
    ("dvonn challenge ann bob carol", "", "nothing is expected from here on"),
    // Not readable.
    ("dvonn move 1 ann", "", "the password is missing at the end"),
    ("dvonn move 1 ann plover-42", "", "the move is missing at the end"),
    ("dvonn move 1 ann \"plover-42 D1-E1", "", "a quote is opened and not closed"),
    ("dvonn mvoe2 1 ann plover-42 D1-E1", "", "Did you mean `dvonn move`?"),
    ("help nonsense", "", "There is no help page of that name."),
];

const PASSWORDS: &[&str] = &["plover-42", "dunlin-7", "ruff-88"];

/// Ann, bob and carol, and board 1 with these plies played.
fn stage_after(plies: &str) -> Stage {
    let mut stage = Stage::with_a_game();
    stage.sign_up("carol@example.com", "carol", "ruff-88");
    for (index, ply) in plies.split_whitespace().enumerate() {
        let userid = ["ann", "bob"][index % 2];
        let (_, played, _) = stage.submit(Operator::AsAnyone, &format!("dvonn move 1 {userid} - {ply}"));
        assert!(played, "{ply}");
    }
    stage
}

/// As one line, so that where it was folded does not matter.
fn unfolded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_player_of_an_earlier_version_keeps_the_name_of_an_office() {
    let mut stage = Stage::with_players();
    let database =
        rusqlite::Connection::open(stage.folder.path().join(turnpost::data_dir::DATABASE)).unwrap();
    let rename = "UPDATE players SET userid = 'Abuse', userid_key = 'abuse' WHERE userid_key = 'ann'";
    assert_eq!(database.execute(rename, []).unwrap(), 1);
    let left = stage.mail("ann@example.org", "dvonn challenge abuse bob", "");
    assert_eq!(left.len(), 2, "{left:?}");
    stage.mail("ann@example.org", "signoff abuse plover-42", "");
    let left = stage.mail("ann@example.org", "signup abuse plover-42", "");
    assert!(!left[0].text.contains("office"), "{}", left[0].text);
}

#[test]
fn each_mistake_is_told_and_changes_nothing() {
    let mut after = "";
    let mut stage = stage_after(after);
    let mut cases = REFUSED.to_vec();
    cases.sort_by_key(|(_, plies, _)| *plies);
    for (command, plies, says) in cases {
        if plies != after {
            after = plies;
            stage = stage_after(after);
        }
        let before = stage.dump();
        // From an address of ann's, as people write; and the same on the machine.
        let sender = if command.starts_with("dvonn challenge bob carol") {
            "x@example.com"
        } else {
            "ann@example.org"
        };
        stage.wait(48);
        let mails = stage.mail(sender, command, "");
        assert_eq!((mails.len(), &stage.outcome), (1, &LetterOutcome::Acted), "{command}");
        // The answer goes to the player whose password fitted, whoever sent the letter.
        let proven = ["bob dunlin-7", "carol ruff-88"].map(|login| command.contains(login));
        let to = match proven {
            [true, _] => "bob@example.net",
            [_, true] => "carol@example.com",
            _ => sender,
        };
        assert_eq!(mails[0].to, to, "{command}");
        assert!(unfolded(&mails[0].text).contains(says), "{command}\n{}", mails[0].text);
        assert_eq!(stage.dump(), before, "{command}");
        let letter = &stage.store.letters(1).unwrap()[0];
        assert_eq!((letter.tally.done, letter.tally.refused + letter.tally.unreadable), (0, 1), "{command}");
        if !command.contains("bob carol") {
            let (printed, ends_well, mails) = stage.submit(Operator::Nobody, command);
            // Without a sender there is no address to send to, which is found out before the rest.
            let same = unfolded(&printed).contains(says) || printed.contains("There is no address");
            assert!(same && !ends_well && mails.is_empty(), "{command}\n{printed}");
            assert_eq!(stage.dump(), before, "{command}");
        }
        stage.assert_secret(PASSWORDS);
    }
}

/// Bytes that nobody wrote, or not as a mail.
fn noise() -> Vec<(&'static str, Vec<u8>, Option<&'static str>)> {
    let head = "From: ann@example.org\r\nTo: play@turnpost.example\r\nMessage-ID: <NUMBER@example.org>\r\n";
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let megabyte: Vec<u8> = (0..1 << 20).map(|_| random()).collect();
    let with = |body: &[u8]| [head.as_bytes(), b"\r\n", body].concat();
    let subject = |subject: &[u8]| [head.as_bytes(), b"Subject: ", subject, b"\r\n\r\n"].concat();
    vec![
        ("nothing", Vec::new(), None),
        ("a line", b"hello\n".to_vec(), None),
        ("1 MB of noise", megabyte.clone(), None),
        ("NULs", vec![0; 5000], None),
        ("invalid UTF-8", b"\xff\xfe\xc3\x28\xf0\x9f".to_vec(), None),
        ("1 MB of noise behind a header", with(&megabyte), Some("Your mail was not read")),
        ("half a MB of noise behind a header", with(&megabyte[..1 << 19]), Some("")),
        ("an empty Subject", subject(b""), Some("there is no command in your mail")),
        ("no Subject and no text", with(b""), Some("there is no command in your mail")),
        ("NULs in the text", with(b"dvonn\0 show\0 1\0\r\n"), Some("DVONN 1, ann (white) v bob (black)")),
        ("NULs in the Subject", subject(b"dvonn \0show 9\0"), Some("There is no board 9.")),
        ("invalid UTF-8 in the Subject", subject(b"dvonn show 1 \xff\xfe"), Some("This cannot be read")),
        (
            "invalid UTF-8 in the text",
            with(b"dvonn move 1 ann \xff\xfe\xff D1-E1\r\n"),
            Some("The userid or the password"),
        ),
        ("a long line", with("dvonn show ".repeat(5_000).as_bytes()), Some("")),
        ("a userid of 1 MB", subject(&[b"signup ".as_slice(), &[b'a'; 60_000]].concat()), Some("")),
    ]
}

#[test]
fn noise_is_answered_or_set_aside() {
    let mut stage = stage_after("");
    let before = stage.dump();
    for (number, (what, mail, says)) in noise().into_iter().enumerate() {
        let mail = numbered(&mail, number);
        let mails = stage.receive(&mail);
        match says {
            None => {
                assert!(
                    matches!(stage.outcome, LetterOutcome::Ignored(_)) && mails.is_empty(),
                    "{what}: {:?}",
                    stage.outcome
                )
            }
            Some(says) => {
                assert!(
                    stage.outcome == LetterOutcome::Ignored("it cannot be read".to_owned())
                        && says.is_empty()
                        || mails.len() == 1,
                    "{what}"
                );
                assert!(says.is_empty() || mails[0].text.contains(says), "{what}\n{}", mails[0].text);
            }
        }
        assert_eq!(stage.dump(), before, "{what}");
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_program_takes_noise_in_without_a_word() {
    let host = Host::new();
    let players = "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.net\n\
                   dvonn challenge -symmetry -seed=7 ann bob\n";
    host.run(&["submit"], players.as_bytes()).ok();
    let before = crate::support::dump(&host.database());
    for (number, (what, mail, _)) in noise().into_iter().enumerate() {
        let ran = host.receive(&numbered(&mail, number));
        assert_eq!(ran.code, Some(0), "{what}: {}", host.log());
        ran.assert_silent(0);
    }
    for (number, (command, plies, _)) in REFUSED.iter().enumerate().step_by(7) {
        if plies.is_empty() {
            let mail = crate::support::letter("ann@example.org", command, "", number as u32);
            host.receive(&mail).assert_silent(0);
        }
    }
    assert_eq!(crate::support::dump(&host.database()), before);
    host.assert_verified();
    for mail in host.delivered() {
        assert!(PASSWORDS.iter().all(|password| !mail.raw().contains(password)), "{}", mail.raw());
    }
}

/// A Message-ID of its own for each, or the second would be taken for the first come again.
fn numbered(mail: &[u8], number: usize) -> Vec<u8> {
    let Some(at) = mail.windows(6).position(|window| window == b"NUMBER") else { return mail.to_vec() };
    [&mail[..at], number.to_string().as_bytes(), &mail[at + 6..]].concat()
}

fn word() -> impl Strategy<Value = String> {
    let known = [
        "dvonn",
        "move",
        "mvoe",
        "board",
        "challenge",
        "chall",
        "show",
        "games",
        "history",
        "preview",
        "resign",
        "signup",
        "help",
        "multiple",
        "1",
        "2",
        "1#0",
        "1#1",
        "99999999999",
        "ann",
        "bob",
        "carol",
        "plover-42",
        "dunlin-7",
        "-",
        "D1-E1",
        "d1e1",
        "K3-J2",
        "D1-E1#1",
        "F3",
        "pass",
        "A5",
        "-random",
        "-symmetry",
        "-seed=7",
        "-seed=",
        "--unrated",
        "--nagtime=0",
        "-position=\"w w\"",
        "new",
        "all",
        "active",
        "next",
        "end",
        "\"",
        "#",
        ">",
    ];
    prop_oneof![
        6 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
        1 => any::<u64>().prop_map(|number| number.to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// Words near commands, by whomever they are given: no panic, and a refused command changes nothing.
    #[test]
    fn random_words(lines in prop::collection::vec(prop::collection::vec(word(), 1..8), 1..6), speaker in 0..3) {
        let mut stage = Stage::with_a_game();
        let speaks_for = match speaker {
            0 => Operator::Nobody,
            1 => Operator::As("ann".parse().unwrap()),
            _ => Operator::AsAnyone,
        };
        for words in lines {
            let before = stage.dump();
            let (printed, ends_well, mails) = stage.submit(speaks_for.clone(), &words.join(" "));
            prop_assert!(!printed.is_empty());
            if !ends_well {
                prop_assert_eq!(stage.dump(), before, "{:?}", words);
                prop_assert!(mails.is_empty());
            }
        }
        prop_assert_eq!(stage.wrong(), Vec::<String>::new());
    }

    /// The same, as mails: each gets at most one answer, and no mail goes to anybody it does not concern.
    #[test]
    fn random_mails(subject in prop::collection::vec(word(), 0..8), text in "(\\PC{0,30}\n){0,4}", stranger: bool) {
        let mut stage = Stage::with_a_game();
        let sender = if stranger { "eve@example.com" } else { "ann@example.org" };
        let mails = stage.mail(sender, &subject.join(" "), &text);
        for address in ["ann@example.org", "bob@example.net", "eve@example.com"] {
            prop_assert!(mails.iter().filter(|mail| mail.to == address).count() <= 1 + usize::from(mails.len() > 2));
        }
        prop_assert_eq!(stage.wrong(), Vec::<String>::new());
    }
}
