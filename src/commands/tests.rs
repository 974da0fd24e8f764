//! The language with its real table: words, lines and letters as they are read.

use std::collections::HashSet;
use std::path::Path;

use proptest::prelude::*;
use turnpost_games::registry;

use super::challenge::Challenge;
use super::{Command, Entry, LANGUAGE, Reading, Request};
use crate::language::{Claim, InReply, Scope};

#[test]
fn no_two_commands_answer_to_one_word() {
    let mut words: Vec<(Scope, &str)> = LANGUAGE
        .entries()
        .flat_map(|entry| {
            std::iter::once(entry.word).chain(entry.aliases.iter().copied()).map(|word| (entry.scope, word))
        })
        .collect();
    let all = words.len();
    words.sort_by_key(|(scope, word)| (*scope == Scope::Game, *word));
    words.dedup();
    assert_eq!(words.len(), all);
    for (_, word) in words {
        assert_eq!(word, word.to_ascii_lowercase(), "as words are looked up");
        assert!(
            LANGUAGE.begins_a_command(word) && LANGUAGE.begins_a_command(&word.to_ascii_uppercase()),
            "{word}"
        );
    }
    for game in registry::games() {
        assert!(LANGUAGE.begins_a_command(&game.key.to_uppercase()), "{}", game.key);
    }
    assert!(!LANGUAGE.begins_a_command("weather") && !LANGUAGE.begins_a_command(""));
}

#[test]
fn slips_lead_to_the_nearest_command() {
    let nearest = |line: &str| {
        let mut words = line.split(' ');
        LANGUAGE.nearest(words.next().unwrap(), words.next())
    };
    assert_eq!(nearest("dvonn mvoe2").as_deref(), Some("dvonn move"));
    assert_eq!(nearest("dvon chalenge").as_deref(), Some("dvonn challenge"));
    assert_eq!(nearest("challenge ann").as_deref(), Some("dvonn challenge"));
    assert_eq!(nearest("singup ann").as_deref(), Some("signup"));
    assert_eq!(nearest("weather forecast"), None);
}

fn commands(subject: &str, text: &str) -> Vec<String> {
    LANGUAGE
        .read(subject, text, 50)
        .into_iter()
        .map(|line| match line.reading {
            Reading::Command(request) if request.is_left_out() => format!("{} (who?)", line.echo),
            Reading::Command(_) => line.echo,
            Reading::Malformed(error) => format!("{} ! {}", line.echo, error.why),
            Reading::Unknown { suggestion } => {
                format!("{} ? {}", line.echo, suggestion.unwrap_or_default())
            }
            Reading::Rest => format!("{} ...", line.echo),
            Reading::Skip | Reading::End | Reading::Reply(_) => unreachable!(),
        })
        .collect()
}

#[test]
fn a_command_in_the_subject_is_the_only_one() {
    for subject in ["help", "Re: help", "AW: Re[2]: [pbm] HELP", "Fwd:help", "RE: SV: (fwd) help"] {
        let found = commands(subject, "dvonn games");
        assert!(found.len() == 1 && found[0].eq_ignore_ascii_case("help"), "{subject}: {found:?}");
    }
}

#[test]
fn else_the_body_is_read_line_by_line() {
    let text =
        "> dvonn games ann\n\n# comment\nOn Friday Ann wrote:\ndvonn games bob\nhelp\n-- \nhelp signup\n";
    assert_eq!(commands("multiple", text), ["dvonn games bob", "help"]);
    let reply =
        "help\n\nOn Mon, Nov 16, 2026 at 5:02 PM Turnpost <play@turnpost.example>\nwrote:\n\n> Your move\n";
    assert_eq!(commands("Re: dvonn 1, ann v bob", reply), ["help"]);
    assert_eq!(commands("", "help\nSent from my iPhone\n"), ["help"]);
    let german = "help\nAm Mo., 16. Nov. 2026 um 17:02 Uhr schrieb Turnpost <play@turnpost.example>:\nGesendet von meinem iPhone\n";
    assert_eq!(commands("", german), ["help"]);
    assert_eq!(commands("", text), ["dvonn games bob", "help"]);
    assert_eq!(commands("My moves", text), ["dvonn games bob", "help"]);
    assert_eq!(commands("Re: dvonn 42, ann v bob", text), ["dvonn games bob", "help"]);
    assert_eq!(commands("multiple", "help\nend\nhelp"), ["help"]);
}

#[test]
fn a_subject_that_nearly_was_a_command_is_answered_when_the_body_is_empty() {
    assert_eq!(commands("dvon chalenge ann bob", ""), ["dvon chalenge *** *** ? dvonn challenge"]);
    assert_eq!(commands("holiday photographs", ""), Vec::<String>::new());
}

/// The lines of a file of data, without blank ones and comments.
fn lines_of(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[test]
fn the_writer_may_be_left_out_and_the_full_form_wins() {
    for line in lines_of(include_str!("../../tests/data/left-out.txt")) {
        let (text, expected) = line.split_once(" | ").unwrap();
        let full = match LANGUAGE.read_line(text).reading {
            Reading::Command(Request { by: Claim::LeftOut(form), .. }) => form.written("ann"),
            Reading::Command(_) => "!".to_owned(),
            _ => "-".to_owned(),
        };
        assert_eq!(full, expected, "{text}");
    }
}

#[test]
fn a_turn_of_moves_that_could_be_a_login_is_kept_both_ways() {
    let line = LANGUAGE.read_line("dvonn move 1 A3-B4 C1-C2 D1-D2");
    assert!(matches!(line.reading, Reading::Command(_)));
    let Some(Request { by: Claim::LeftOut(form), .. }) = line.otherwise else { panic!() };
    assert_eq!(form.written("ann"), "dvonn move 1 ann PASSWORD A3-B4 C1-C2 D1-D2");
    assert!(LANGUAGE.read_line("dvonn move 1 ann plover-42 F3").otherwise.is_none());
}

#[test]
fn a_word_where_a_password_could_stand_is_not_echoed() {
    assert_eq!(LANGUAGE.read_line("dvonn move 1 F3").echo, "dvonn move 1 F3");
    assert_eq!(LANGUAGE.read_line("dvonn move 1 A3-B4 C1-C2").echo, "dvonn move 1 A3-B4 ***");
    assert!(!LANGUAGE.read_line("dvonn move 1 ann hunter2").echo.contains("hunter2"));
    assert!(!LANGUAGE.read_line("dvonn move 1 hunter2").echo.contains("hunter2"));
}

fn words() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "1", "12#3", "ann", "F3", "A3-B4", "-", "--lots", "-symetry", "resign", "seek", "off", "x@y",
    ])
}

#[test]
fn words_and_options_in_any_case_and_place() {
    for line in [
        "DVONN CHALLENGE -RANDOM ann bob --UNRATED",
        "dvonn chall ann -random bob \u{2014}unrated",
        "dvonn challenge ann bob -random --unrated",
    ] {
        let Reading::Command(Request {
            command: Command::Challenge(Challenge { options, first, .. }), ..
        }) = LANGUAGE.read_line(line).reading
        else {
            panic!("{line}")
        };
        assert_eq!(options.game, [("random".to_owned(), None)]);
        assert!(options.unrated);
        assert_eq!(first.unwrap().as_str(), "ann");
    }
}

proptest! {
    #[test]
    fn no_line_that_asks_for_a_password_echoes_one(
        head in prop::sample::select(vec!["dvonn move", "dvonn submit", "dvonn resign", "dvonn seek", "dvonn rematch",
            "dvonn accept", "dvonn accept seek", "dvonn showas", "hexmeister move", "signup", "set", "delete"]),
        before in prop::collection::vec(words(), 0..4),
        after in prop::collection::vec(words(), 0..4),
    ) {
        let line = format!("{head} {} hunter-2 {}", before.join(" "), after.join(" "));
        let line = LANGUAGE.read_line(&line);
        // As a userid it is shown where the rest can be read.
        let form = match &line.reading {
            Reading::Command(Request { by: Claim::LeftOut(form), .. }) => Some(form.written("ann")),
            Reading::Command(_) => return Ok(()),
            _ => None,
        };
        {
            prop_assert!(!line.echo.contains("hunter-2"), "{}", line.echo);
            if let Some(form) = form {
                prop_assert!(!form.contains("hunter-2"));
            }
        }
    }
}

/// The entry of a reply's word says all about it; no other file has a list of such words.
#[test]
fn no_other_file_lists_the_words_of_replies() {
    let is_reply_word = |entry: &&Entry| !matches!(entry.in_reply, InReply::Nothing);
    let words = LANGUAGE.entries().filter(is_reply_word).flat_map(Entry::words);
    let words: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    assert!(words.len() > 15, "{words:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let room = path.strip_prefix(&root).unwrap();
            // The store writes its own names of what happened.
            if path.is_dir() && !room.starts_with("commands") && !room.starts_with("store") {
                folders.push(path.clone());
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            for three in lines.windows(3) {
                let named = words.iter().filter(|word| three.iter().any(|line| line.contains(word.as_str())));
                assert!(named.count() <= 1, "{}: {three:?}", room.display());
            }
        }
    }
}

#[test]
fn a_command_prints_as_a_line_that_is_read_as_the_same_command() {
    let mut tried = HashSet::new();
    for text in lines_of(include_str!("../../tests/data/command-lines.txt")) {
        let read = LANGUAGE.read_line(text);
        let Reading::Command(request) = read.reading else { panic!("{text}") };
        let line = request.command.to_string();
        let again = LANGUAGE.canonical(&line).unwrap_or_else(|| panic!("{text}: {line}"));
        assert_eq!(format!("{again:?}"), format!("{:?}", request.command), "{text}: {line}");
        tried.extend(read.entry.map(|entry| (entry.scope, entry.word)));
    }
    for entry in LANGUAGE.entries() {
        assert!(tried.contains(&(entry.scope, entry.word)) || entry.word == "reset", "{}", entry.word);
    }
}

#[test]
fn a_command_with_a_password_has_no_line_that_is_read_back() {
    for (text, line) in [
        ("signup ann s3cret ann@x.org", "signup ann *** ann@x.org"),
        ("change password ann x s3cret", "change password ***"),
        ("reset ann t0ken s3cret", "reset ann *** ***"),
        ("dvonn tutorial ann s3cret", "dvonn tutorial ann ***"),
    ] {
        let Reading::Command(request) = LANGUAGE.read_line(text).reading else { panic!("{text}") };
        assert_eq!(request.command.to_string(), line);
        assert!(LANGUAGE.canonical(line).is_none() && LANGUAGE.canonical(text).is_none(), "{line}");
    }
}
