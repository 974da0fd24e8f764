//! What players get wrong, and what no player wrote: each has a clear answer or none, and nothing is changed.

use crate::support::data::{DataFile, decoded};
use crate::support::host::Host;
use crate::support::{LetterOutcome, Stage};
use proptest::prelude::*;
use turnpost::mail::Operator;

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
fn each_mistake_is_told_and_changes_nothing() {
    let file = DataFile::read("refusals.txt");
    for (plies, table) in file.sections() {
        let mut stage = stage_after(plies.strip_prefix("no ply").unwrap_or(plies));
        for line in table.lines() {
            let (command, says) = line.rsplit_once(" | ").unwrap();
            assert_refused(&mut stage, &decoded(command), says);
        }
        stage.assert_secret(PASSWORDS);
    }
}

/// The mistake is told and changes nothing.
fn assert_refused(stage: &mut Stage, command: &str, says: &str) {
    let before = stage.dump();
    // From an address of ann's, as people write; and the same on the machine.
    let sender =
        if command.starts_with("dvonn challenge bob carol") { "x@example.com" } else { "ann@example.org" };
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
        ("1 MB of noise behind a header", with(&megabyte), Some("We did not read your mail")),
        ("half a MB of noise behind a header", with(&megabyte[..1 << 19]), Some("")),
        ("an empty Subject", subject(b""), Some("did not understand your mail")),
        ("no Subject and no text", with(b""), Some("did not understand your mail")),
        ("NULs in the text", with(b"dvonn\0 show\0 1\0\r\n"), Some("DVONN 1, ann (white) v bob (black)")),
        ("NULs in the Subject", subject(b"dvonn \0show 9\0"), Some("There is no board 9.")),
        ("invalid UTF-8 in the Subject", subject(b"dvonn show 1 \xff\xfe"), Some("We cannot read this")),
        (
            "invalid UTF-8 in the text",
            with(b"dvonn move 1 ann \xff\xfe\xff D1-E1\r\n"),
            Some("The name or the password"),
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
                assert!(
                    says.is_empty() || unfolded(&mails[0].text).contains(says),
                    "{what}\n{}",
                    mails[0].text
                );
            }
        }
        assert_eq!(stage.dump(), before, "{what}");
    }
    assert_eq!(stage.wrong(), Vec::<String>::new());
}

#[test]
fn the_program_takes_noise_in_without_a_word() {
    let host = Host::with_a_game();
    let before = crate::support::dump(&host.database());
    for (number, (what, mail, _)) in noise().into_iter().enumerate() {
        let ran = host.receive(&numbered(&mail, number));
        assert_eq!(ran.code, Some(0), "{what}: {}", host.log());
        ran.assert_silent(0);
    }
    let refused = DataFile::read("refusals.txt").entries("no ply");
    for (number, line) in refused.iter().enumerate().step_by(7) {
        let (command, _) = line.rsplit_once(" | ").unwrap();
        host.receive(&crate::support::letter("ann@example.org", command, "", number as u32)).assert_silent(0);
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
    let known = "dvonn move mvoe board challenge chall show games history preview resign signup help multiple \
        1 2 1#0 1#1 99999999999 ann bob carol plover-42 dunlin-7 - D1-E1 d1e1 K3-J2 D1-E1#1 F3 pass \
        A5 -random -symmetry -seed=7 -seed= --unrated --nagtime=0 new all active next end \" # >";
    let known: Vec<&str> = known.split(' ').chain(["-position=\"w w\""]).collect();
    prop_oneof![
        6 => prop::sample::select(known).prop_map(str::to_owned),
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
