//! One line of a letter.

use super::Command;
use super::args::Args;
use super::echo::{mask_spans, strict};
use super::entry::{Entry, Scope};
use super::table::{self, MULTIPLE};
use super::token::{self, Word};
use crate::clock::work;
use turnpost_games::GameKind;
use turnpost_games::registry::{self, GAMES};

/// Longer lines are not looked at: no command comes near.
const LINE_AT_MOST: usize = 10_000;

#[derive(Debug)]
pub struct Line {
    /// As it may be shown: passwords masked by the place they stand in. Of a line that is no readable command, only
    /// the words of the command language.
    pub echo: String,
    /// Only the words of the command language, whatever the line is: for a command whose password did not fit,
    /// which may stand in the wrong place.
    pub strict_echo: String,
    pub reading: Reading,
}

impl Line {
    /// A reply in which nothing was written.
    pub(crate) fn silence() -> Line {
        let nothing = || "(an empty reply)".to_owned();
        Line { echo: nothing(), strict_echo: nothing(), reading: Reading::Reply(String::new()) }
    }

    /// Takes the line for plain words, whatever it says.
    pub(crate) fn without_command(self) -> Line {
        let reading = match self.reading {
            Reading::Reply(text) => Reading::Reply(text),
            _ => Reading::Reply(self.strict_echo.clone()),
        };
        Line { reading, ..self }
    }
}

#[derive(Debug)]
pub enum Reading {
    /// Nothing: blank, quoted, a comment.
    Skip,
    Command(Command),
    /// A command of ours, not written as it should be.
    Malformed(ParseError),
    /// The first line of a reply with a token: a move, or a word in place of one.
    Reply(String),
    /// None of ours.
    Unknown {
        /// The nearest command, when one is near.
        suggestion: Option<String>,
    },
    /// Nothing behind it is read.
    End,
    /// It is a command, and what is read of one letter ends before it.
    Rest,
}

/// A command that could not be read: where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// What was expected there. Never repeats what was found, which may be a misplaced password.
    pub why: String,
    /// How the command is written.
    pub grammar: String,
    /// A line under the echo that points at the word.
    pub pointer: String,
}

/// Reads one line.
pub fn read_line(text: &str) -> Line {
    read_words(text, table::nearest)
}

/// Reads one line without suggesting anything.
pub(super) fn read_without_suggestion(text: &str) -> Line {
    read_words(text, |_, _| None)
}

/// Reads one line; `nearest` suggests a command for two words that begin none.
fn read_words(text: &str, nearest: impl Fn(&str, Option<&str>) -> Option<String>) -> Line {
    work::count(text.len());
    let plain = token::plain(text);
    let line = plain.trim();
    let bare = |reading| Line { echo: String::new(), strict_echo: String::new(), reading };
    if is_end(line) {
        return bare(Reading::End);
    }
    if line.len() > LINE_AT_MOST {
        let echo = "***".to_owned();
        return Line { strict_echo: echo.clone(), echo, reading: Reading::Unknown { suggestion: None } };
    }
    if is_skipped(line) {
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

/// The command of a line, if it is one. Without an echo this costs little where most lines are prose.
pub(super) fn command_in(text: &str) -> Option<Command> {
    work::count(text.len());
    let plain = token::plain(text);
    let line = plain.trim();
    if is_end(line) || line.len() > LINE_AT_MOST || is_skipped(line) {
        return None;
    }
    let words = token::words(line).ok()?;
    let (entry, game, used) = find_entry(&words)?;
    let mut args = Args::new(game, words, used);
    let command = (entry.read)(&mut args).ok()?;
    args.finish().ok().map(|()| command)
}

fn is_end(line: &str) -> bool {
    line == "--" || line.eq_ignore_ascii_case("end") || line.eq_ignore_ascii_case("quit")
}

fn is_skipped(line: &str) -> bool {
    line.is_empty()
        || line.starts_with(['>', '#'])
        || line.eq_ignore_ascii_case(MULTIPLE)
        || is_attribution(line)
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

/// True for a line that introduces a quotation, `On Friday Ann wrote:`, or is what telephones put below a mail.
fn is_attribution(line: &str) -> bool {
    line.starts_with("On ") && line.ends_with("wrote:") || line.starts_with("Sent from my ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_point_at_the_word() {
        let line = read_line("dvonn move ann s3cret F3");
        let Reading::Malformed(error) = line.reading else { panic!() };
        assert_eq!(line.echo, "dvonn move *** *** ***");
        assert_eq!(error.pointer, "           ^");
        assert!(error.why.contains("board's number"), "{}", error.why);
        assert_eq!(error.grammar, "dvonn move board userid password move[#ply] ...");
    }

    proptest! {
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
