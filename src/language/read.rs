//! Where in a letter the commands stand.

use super::line::{Line, Reading, command_in, read_line, read_without_suggestion};
use super::subject::{bare_subject, is_command};
use super::table::MULTIPLE;
use super::{Command, body, token};

/// So many lines in a row that are none of ours end the reading.
pub const UNKNOWN_AT_MOST: usize = 5;

/// The commands of a letter: its Subject, when that begins with a command or a game; else the lines of its text, as
/// far as `most` commands.
pub fn read(subject: &str, text: &str, most: usize) -> Vec<Line> {
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
    let lines = read_body(text, most);
    if lines.iter().all(|line| matches!(line.reading, Reading::Unknown { .. })) {
        // Without a game's name a Subject may be prose, so the body comes first.
        let line = read_line(subject);
        if matches!(line.reading, Reading::Command(_) | Reading::LeftOut(_)) {
            return vec![line];
        }
    }
    if lines.is_empty() && !first.eq_ignore_ascii_case(MULTIPLE) {
        // Nothing in the body either: then a Subject that nearly was a command deserves a word.
        let line = read_line(subject);
        if matches!(line.reading, Reading::Unknown { suggestion: Some(_) }) {
            return vec![line];
        }
    }
    lines
}

fn read_body(text: &str, most: usize) -> Vec<Line> {
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
            Reading::Command(_)
            | Reading::LeftOut(_)
            | Reading::Malformed(_)
            | Reading::Reply(_)
            | Reading::Rest => {
                unknown_in_a_row = 0;
            }
        }
        if lines.len() == most {
            lines.push(rest(line));
            break;
        }
        lines.push(line);
        if unknown_in_a_row == UNKNOWN_AT_MOST {
            // What follows is prose as a rule; a command among it deserves a word.
            lines.extend(texts.find(|text| command_in(text).is_some()).map(read_line).map(rest));
            break;
        }
    }
    lines
}

/// The first of the lines that are not read any more.
fn rest(line: Line) -> Line {
    Line { echo: line.strict_echo.clone(), reading: Reading::Rest, otherwise: None, ..line }
}

/// What the writer of a reply wrote now. A whole command in the first line is taken as such; anything else is for the
/// board to read: all lines, with the first as the one that is shown.
pub fn read_reply(new: &str) -> Option<Line> {
    let mut lines = new.lines().map(token::plain).map(|plain| {
        // What is no command is a move or words: nobody is asked whether they meant a command.
        let line = read_without_suggestion(&plain);
        (plain, line)
    });
    let (_, mut line) = lines.find(|(_, line)| !matches!(line.reading, Reading::Skip))?;
    if let Reading::Command(Command::Talk(talk)) = &mut line.reading {
        talk.text = body::below_first_line(new);
    }
    match line.reading {
        // `show` alone is a word of the board.
        Reading::LeftOut(_) if line.echo.split_whitespace().count() == 1 => as_reply(new, line),
        Reading::Command(_) | Reading::LeftOut(_) | Reading::Malformed(_) => Some(line),
        Reading::End | Reading::Skip | Reading::Reply(_) | Reading::Rest => None,
        // Whatever it is, it was not typed where a password belongs, and is still not shown: it may be private.
        Reading::Unknown { .. } => as_reply(new, line),
    }
}

fn as_reply(new: &str, line: Line) -> Option<Line> {
    Some(Line { reading: Reading::Reply(body::whole(new)), ..line })
}

/// True for the second half of a line that introduces a quotation.
fn is_end_of_attribution(line: &str) -> bool {
    line.trim_end().ends_with("wrote:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn commands(subject: &str, text: &str) -> Vec<String> {
        read(subject, text, 50)
            .into_iter()
            .map(|line| match line.reading {
                Reading::Command(_) => line.echo,
                Reading::Malformed(error) => format!("{} ! {}", line.echo, error.why),
                Reading::Unknown { suggestion } => {
                    format!("{} ? {}", line.echo, suggestion.unwrap_or_default())
                }
                Reading::Rest => format!("{} ...", line.echo),
                Reading::LeftOut(_) => format!("{} (who?)", line.echo),
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

    #[test]
    fn five_strange_lines_end_the_reading() {
        let text = "lovely\nweather\nwe\nare\nhaving\nhelp";
        let read = commands("", text);
        assert_eq!((read.len(), read.last().unwrap().as_str()), (6, "help ..."));
        assert_eq!(commands("", "lovely\nweather\nwe\nare\nhaving\nhere\n").len(), 5);
        let read = commands("", &"help\n".repeat(80));
        assert_eq!((read.len(), read.last().unwrap().as_str()), (50 + 1, "help ..."));
        assert_eq!(commands("", &"help\n".repeat(50)).len(), 50);
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

    proptest! {
        #[test]
        fn no_letter_is_too_strange(subject in "\\PC{0,60}", text in "(\\PC{0,30}\n){0,5}") {
            let _ = read(&subject, &text, 50);
        }
    }
}
