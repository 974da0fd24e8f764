//! Where in a letter the commands stand.

use super::args::Args;
use super::echo::{mask_spans, strict};
use super::table::{self, Entry, MULTIPLE, Scope};
use super::token::{self, Word};
use super::{Command, Line, ParseError, Reading, body};
use crate::ids::BoardId;
use turnpost_games::GameKind;
use turnpost_games::registry::{self, GAMES};

/// No more commands than this are read from one letter.
pub const COMMANDS_AT_MOST: usize = 50;

/// So many lines in a row that are none of ours end the reading.
pub const UNKNOWN_AT_MOST: usize = 5;

/// Longer lines are not looked at: no command comes near.
const LINE_AT_MOST: usize = 10_000;

/// The commands of a letter: its Subject, when that begins with a command or a game; else the lines of its text.
pub fn read(subject: &str, text: &str) -> Vec<Line> {
    let subject = token::plain(subject);
    let subject = bare_subject(&subject);
    let first = subject.split_whitespace().next().unwrap_or_default();
    if is_command(subject) {
        let mut line = read_line(subject);
        if let Reading::Command(Command::Talk(talk)) = &mut line.reading {
            talk.text = body::own_words(text);
        }
        return vec![line];
    }
    let lines = read_body(text);
    if lines.is_empty() && !first.eq_ignore_ascii_case(MULTIPLE) {
        // Nothing in the body either: then a Subject that nearly was a command deserves a word.
        let line = read_line(subject);
        if matches!(line.reading, Reading::Unknown { suggestion: Some(_) }) {
            return vec![line];
        }
    }
    lines
}

/// Whether the letter's one command stands in its Subject; its text is then what the player has to say.
pub fn is_in_subject(subject: &str) -> bool {
    is_command(bare_subject(&token::plain(subject)))
}

fn is_command(bare_subject: &str) -> bool {
    let first = bare_subject.split_whitespace().next().unwrap_or_default();
    let known = registry::find(first).is_some() || table::find(Scope::Server, first).is_some();
    known && !is_thread_subject(bare_subject)
}

fn read_body(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut unknown_in_a_row = 0;
    let mut texts = text.lines().peekable();
    while let Some(text) = texts.next() {
        // Gmail folds the line that introduces a quotation when it is long.
        if text.starts_with("On ") && texts.next_if(|next| is_end_of_attribution(next)).is_some() {
            continue;
        }
        let mut line = read_line(text);
        body::take_text(&mut line.reading, &mut texts);
        match line.reading {
            Reading::Skip => continue,
            Reading::End => break,
            Reading::Unknown { .. } => unknown_in_a_row += 1,
            Reading::Command(_) | Reading::Malformed(_) | Reading::Reply(_) | Reading::Rest => {
                unknown_in_a_row = 0;
            }
        }
        if lines.len() == COMMANDS_AT_MOST {
            lines.push(rest(line));
            break;
        }
        lines.push(line);
        if unknown_in_a_row == UNKNOWN_AT_MOST {
            // What follows is prose as a rule; a command among it deserves a word.
            let is_command = |line: &Line| matches!(line.reading, Reading::Command(_));
            lines.extend(texts.map(read_line).find(is_command).map(rest));
            break;
        }
    }
    lines
}

/// The first of the lines that are not read any more.
fn rest(line: Line) -> Line {
    Line { echo: line.strict_echo.clone(), reading: Reading::Rest, ..line }
}

/// The first line of what the writer of a reply wrote now. A whole command is taken as such; anything else is a move, or a
/// word in place of one.
pub fn read_reply(new: &str) -> Option<Line> {
    let mut lines = new.lines().map(token::plain).map(|plain| {
        // What is no command is a move: nobody is asked whether they meant a command.
        let line = read_plainly(&plain);
        (plain, line)
    });
    let (plain, mut line) = lines.find(|(_, line)| !matches!(line.reading, Reading::Skip))?;
    if let Reading::Command(Command::Talk(talk)) = &mut line.reading {
        talk.text = body::below_first_line(new);
    }
    match line.reading {
        Reading::Command(_) | Reading::Malformed(_) => Some(line),
        Reading::End | Reading::Skip | Reading::Reply(_) | Reading::Rest => None,
        Reading::Unknown { .. } => {
            let text = plain.trim().to_owned();
            // Whatever it is, it was not typed where a password belongs, and is still not shown: it may be private.
            Some(Line { echo: line.echo, strict_echo: line.strict_echo, reading: Reading::Reply(text) })
        }
    }
}

/// Reads one line.
pub fn read_line(text: &str) -> Line {
    read_words(text, table::nearest)
}

/// Reads one line without suggesting anything.
pub(super) fn read_plainly(text: &str) -> Line {
    read_words(text, |_, _| None)
}

/// Reads one line; `nearest` suggests a command for two words that begin none.
fn read_words(text: &str, nearest: impl Fn(&str, Option<&str>) -> Option<String>) -> Line {
    let plain = token::plain(text);
    let line = plain.trim();
    let bare = |reading| Line { echo: String::new(), strict_echo: String::new(), reading };
    if line == "--" || line.eq_ignore_ascii_case("end") || line.eq_ignore_ascii_case("quit") {
        return bare(Reading::End);
    }
    if line.len() > LINE_AT_MOST {
        let echo = "***".to_owned();
        return Line { strict_echo: echo.clone(), echo, reading: Reading::Unknown { suggestion: None } };
    }
    if line.is_empty()
        || line.starts_with(['>', '#'])
        || line.eq_ignore_ascii_case(MULTIPLE)
        || is_attribution(line)
    {
        return bare(Reading::Skip);
    }
    let words = match token::words(line) {
        Ok(words) => words,
        Err(unclosed) => return unclosed_quote(line, unclosed.0),
    };
    let (strict_echo, columns) = strict(&words);
    let Some((entry, game, used)) = find_entry(&words) else {
        let word = |n: usize| words.get(n).map(|word| word.text.as_str());
        let suggestion = word(0).and_then(|first| nearest(first, word(1)));
        return Line { echo: strict_echo.clone(), strict_echo, reading: Reading::Unknown { suggestion } };
    };
    let mut args = Args::new(game, words, used);
    match (entry.read)(&mut args).and_then(|command| args.finish().map(|()| command)) {
        Ok(command) => {
            Line { echo: mask_spans(line, args.secrets()), strict_echo, reading: Reading::Command(command) }
        }
        Err(expected) => {
            let end = strict_echo.len() + 1;
            let column = expected.at.map_or(end, |at| columns.get(at).copied().unwrap_or(end));
            let error = ParseError {
                why: expected.why,
                grammar: entry.grammar(game.key),
                pointer: format!("{:column$}^", ""),
            };
            Line { echo: strict_echo.clone(), strict_echo, reading: Reading::Malformed(error) }
        }
    }
}

/// The command at the head of a line, the game it is for, and how many words name it.
fn find_entry(words: &[Word]) -> Option<(&'static Entry, &'static GameKind, usize)> {
    let first = &words.first()?.text;
    if let Some(game) = registry::find(first) {
        let second = &words.get(1)?.text;
        return Some((table::find(Scope::Game, second)?, game, 2));
    }
    Some((table::find(Scope::Server, first)?, GAMES.first()?, 1))
}

fn unclosed_quote(line: &str, at: usize) -> Line {
    // What stands behind the quote is not shown, so only the words before it can be.
    let words = line.get(..at).map(token::words).and_then(Result::ok).unwrap_or_default();
    let (strict_echo, _) = strict(&words);
    let error = ParseError {
        why: "a quote is opened and not closed".to_owned(),
        grammar: find_entry(&words).map(|(entry, game, _)| entry.grammar(game.key)).unwrap_or_default(),
        pointer: format!("{:width$}^", "", width = strict_echo.len() + 1),
    };
    Line { echo: strict_echo.clone(), strict_echo, reading: Reading::Malformed(error) }
}

/// Marks that mail programs of many languages put in front of the Subject of a reply or a forwarded mail.
const SUBJECT_MARKS: &[&str] = &[
    "re", "aw", "antw", "sv", "vs", "ref", "rv", "res", "fwd", "fw", "wg", "vl", "enc", "tr", "i", "r",
    "rif", "odp", "pd", "ynt", "atb", "bls", "doorst", "reply",
];

/// The Subject without marks such as `Re:`, `Re[2]:`, `AW:` and without list tags such as `[pbm]`.
fn bare_subject(subject: &str) -> &str {
    let mut bare = subject.trim();
    loop {
        let before = bare;
        if let Some((_, rest)) = bare.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            bare = rest.trim_start();
        }
        if let Some((mark, rest)) = bare.split_once([':', '\u{FF1A}']) {
            let word = mark.trim_end_matches(|c: char| c.is_ascii_digit() || "[]()^ ".contains(c));
            if SUBJECT_MARKS.iter().any(|known| known.eq_ignore_ascii_case(word)) {
                bare = rest.trim_start();
            }
        }
        if bare.len() == before.len() {
            return bare;
        }
    }
}

/// Whether it is the Subject of our own mails about a board, `dvonn 42, ann v bob`: then the answer is in the body.
fn is_thread_subject(subject: &str) -> bool {
    let mut words = subject.split_whitespace().skip(1);
    words
        .next()
        .and_then(|word| word.strip_suffix(','))
        .is_some_and(|number| number.parse::<BoardId>().is_ok())
}

/// Whether the line introduces a quotation, as in `On Friday Ann wrote:`, or is what telephones put below a mail.
fn is_attribution(line: &str) -> bool {
    line.starts_with("On ") && line.ends_with("wrote:") || line.starts_with("Sent from my ")
}

/// Whether a line is the second half of one that introduces a quotation.
fn is_end_of_attribution(line: &str) -> bool {
    line.trim_end().ends_with("wrote:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn commands(subject: &str, text: &str) -> Vec<String> {
        read(subject, text)
            .into_iter()
            .map(|line| match line.reading {
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
            let expected: &[&str] = if subject.contains("(fwd)") { &["games"] } else { &[] };
            let found = commands(subject, "dvonn games");
            assert_eq!(found.len(), 1, "{subject}");
            assert_eq!(found[0].contains("games"), !expected.is_empty(), "{subject}");
        }
    }

    #[test]
    fn else_the_body_is_read_line_by_line() {
        let text =
            "> dvonn games ann\n\n# comment\nOn Friday Ann wrote:\ndvonn games bob\nhelp\n-- \nhelp signup\n";
        assert_eq!(commands("multiple", text), ["dvonn games bob", "help"]);
        let reply = "help\n\nOn Mon, Nov 16, 2026 at 5:02 PM Turnpost <play@turnpost.example>\nwrote:\n\n> Your move\n";
        assert_eq!(commands("Re: dvonn 1, ann v bob", reply), ["help"]);
        assert_eq!(commands("", "help\nSent from my iPhone\n"), ["help"]);
        assert_eq!(commands("", text), ["dvonn games bob", "help"]);
        assert_eq!(commands("My moves", text), ["dvonn games bob", "help"]);
        assert_eq!(commands("Re: dvonn 42, ann v bob", text), ["dvonn games bob", "help"]);
        assert_eq!(commands("multiple", "help\nend\nhelp"), ["help"]);
    }

    #[test]
    fn a_subject_that_nearly_was_a_command_is_answered_when_the_body_is_empty() {
        assert_eq!(commands("dvon chalenge ann bob", ""), ["*** *** *** *** ? dvonn challenge"]);
        assert_eq!(commands("holiday photographs", ""), Vec::<String>::new());
    }

    #[test]
    fn five_strange_lines_end_the_reading() {
        let text = "lovely\nweather\nwe\nare\nhaving\nhelp";
        let read = commands("", text);
        assert_eq!((read.len(), read.last().unwrap().as_str()), (6, "help ..."));
        assert_eq!(commands("", "lovely\nweather\nwe\nare\nhaving\nhere\n").len(), 5);
        let read = commands("", &"help\n".repeat(80));
        assert_eq!((read.len(), read.last().unwrap().as_str()), (COMMANDS_AT_MOST + 1, "help ..."));
        assert_eq!(commands("", &"help\n".repeat(COMMANDS_AT_MOST)).len(), COMMANDS_AT_MOST);
    }

    #[test]
    fn passwords_are_masked_in_every_echo() {
        assert_eq!(commands("dvonn move 42 ann s3cret F3", ""), ["dvonn move 42 ann *** F3"]);
        assert_eq!(commands(r#"dvonn move 42 ann "s3 cret" F3"#, ""), ["dvonn move 42 ann *** F3"]);
        assert_eq!(commands("signup ann s3cret ann@x.org", ""), ["signup ann *** ann@x.org"]);
        for line in [
            "dvonn move s3cret 42 F3",
            "dvonn move ann s3cret",
            "dvonn mvoe2 42 ann s3cret",
            "dvonn move 42 ann \"s3cret",
        ] {
            let found = commands(line, "");
            assert!(!found[0].contains("s3cret"), "{found:?}");
        }
    }

    #[test]
    fn errors_point_at_the_word() {
        let line = read_line("dvonn move ann s3cret F3");
        let Reading::Malformed(error) = line.reading else { panic!() };
        assert_eq!(line.echo, "dvonn move *** *** ***");
        assert_eq!(error.pointer, "           ^");
        assert!(error.why.contains("board's number"), "{}", error.why);
        assert_eq!(error.grammar, "dvonn move board userid password move[#ply] ...");
    }

    #[test]
    fn words_and_options_in_any_case_and_place() {
        for line in [
            "DVONN CHALLENGE -RANDOM ann bob --UNRATED",
            "dvonn chall ann -random bob \u{2014}unrated",
            "dvonn challenge ann bob -random --unrated",
        ] {
            let Reading::Command(Command::Challenge { options, first, .. }) = read_line(line).reading else {
                panic!("{line}")
            };
            assert_eq!(options.game, [("random".to_owned(), None)]);
            assert!(options.unrated);
            assert_eq!(first.as_str(), "ann");
        }
    }

    proptest! {
        #[test]
        fn no_letter_is_too_strange(subject in "\\PC{0,60}", text in "(\\PC{0,30}\n){0,5}") {
            let _ = read(&subject, &text);
        }

        #[test]
        fn nothing_near_a_command_is_too_strange(words in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec!["dvonn", "move", "challenge", "show", "signup", "help", "42", "ann", "-random",
                    "-seed=", "--nagtime=99999999999", "\"", "#", "42#", "A3-B4", "-position=\"w w", "preview", "new"])
                    .prop_map(str::to_owned),
                "\\PC{0,6}",
            ], 0..9)) {
            let _ = read_line(&words.join(" "));
        }
    }
}
