//! One line of a letter.

use super::Command;
use super::args::Args;
use super::echo::{self, mask_spans, strict};
use super::entry::{Entry, Scope};
use super::left_out::{self, LeftOut};
use super::show::Target;
use super::table::{self, MULTIPLE};
use super::token::{self, Word};
use crate::clock::work;
use crate::mail::reply_text::is_a_programs;
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
    /// The same words as a command that leaves its writer out, where they can be read both ways.
    pub otherwise: Option<LeftOut>,
}

impl Line {
    fn new(echo: String, strict_echo: String, reading: Reading) -> Line {
        Line { echo, strict_echo, reading, otherwise: None }
    }

    /// A reply in which nothing was written.
    pub(crate) fn silence() -> Line {
        let nothing = || "(an empty reply)".to_owned();
        Line::new(nothing(), nothing(), Reading::Reply(String::new()))
    }

    /// A letter that unsubscribes, whatever else it says.
    pub(crate) fn unsubscription() -> Line {
        let word = || "unsubscribe".to_owned();
        Line::new(word(), word(), Reading::Reply(String::new()))
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
    /// A command without its writer, whom the letter has to prove.
    LeftOut(LeftOut),
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

impl Reading {
    /// True for what a stranger begins with: `signup` or `help`, also misspelt.
    pub(crate) fn begins(&self) -> bool {
        let is_one = |word: &str| matches!(word, "signup" | "help" | "help signup");
        match self {
            Reading::Command(command) => matches!(command, Command::Signup(_) | Command::Help(_)),
            Reading::Malformed(error) => error.word.is_some_and(is_one),
            Reading::Unknown { suggestion } => suggestion.as_deref().is_some_and(is_one),
            _ => false,
        }
    }
}

/// A command that could not be read: where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The command's word, where it is known.
    pub word: Option<&'static str>,
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
    let bare = |reading| Line::new(String::new(), String::new(), reading);
    if is_end(line) {
        return bare(Reading::End);
    }
    if line.len() > LINE_AT_MOST {
        let echo = "***".to_owned();
        return Line::new(echo.clone(), echo, Reading::Unknown { suggestion: None });
    }
    if is_skipped(line) {
        return bare(Reading::Skip);
    }
    let words = match token::words(line) {
        Ok(words) => words,
        Err(unclosed) => return unclosed_quote(line, unclosed.0),
    };
    let word = |n: usize| words.get(n).map(|word| word.text.as_str());
    let unknown = || {
        if is_a_programs(line) {
            return bare(Reading::Skip);
        }
        let suggestion = word(0).and_then(|first| nearest(first, word(1)));
        let echo = echo::of_unknown(&words, suggestion.as_deref());
        Line::new(echo.clone(), strict(&words), Reading::Unknown { suggestion })
    };
    match find_entry(&words) {
        None => unknown(),
        Some(found) => {
            let read = read_entry(line, &words, &found);
            // Without a game's name much prose begins like a command.
            let doubtful = !found.is_named_in_full() && !is_plain(&read.reading);
            if doubtful { unknown() } else { read }
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
    read_in_full(line)
}

fn is_end(line: &str) -> bool {
    line == "--" || line.eq_ignore_ascii_case("end") || line.eq_ignore_ascii_case("quit")
}

fn is_skipped(line: &str) -> bool {
    line.is_empty() || line.starts_with(['>', '#']) || line.eq_ignore_ascii_case(MULTIPLE)
}

/// The command of a line that names its writer.
pub(super) fn read_in_full(line: &str) -> Option<Command> {
    let words = token::words(line).ok()?;
    let found = find_entry(&words)?;
    let mut args = Args::new(&found, words);
    let command = (found.entry.read)(&mut args).ok()?;
    args.finish().is_ok().then_some(command)
}

/// Reads the arguments of a command.
fn read_entry(line: &str, words: &[Word], found: &Found) -> Line {
    let mut args = Args::new(found, words.to_vec());
    let read = (found.entry.read)(&mut args).and_then(|command| args.finish().map(|()| command));
    // The moves of these stand where a login could.
    let may_be_left_out = read.is_err() || matches!(found.entry.word, "move" | "submit" | "queue");
    let left_out = if may_be_left_out { left_out::read(words, found) } else { None };
    match (read, left_out) {
        (Ok(command), otherwise) => {
            let echo = mask_spans(line, args.secrets());
            Line { otherwise, ..Line::new(echo, strict(words), Reading::Command(command)) }
        }
        (Err(_), Some(left_out)) => {
            let echo = echo::of_left_out(words, found);
            Line::new(echo, strict(words), Reading::LeftOut(left_out))
        }
        (Err(expected), None) => {
            let (echo, columns) = echo::of_malformed(words, found);
            let end = echo.len() + 1;
            let column = expected.at.map_or(end, |at| columns.get(at).copied().unwrap_or(end));
            let error = ParseError {
                word: Some(found.entry.word),
                why: expected.why,
                grammar: found.entry.grammar(found.game.key),
                pointer: format!("{:column$}^", ""),
            };
            Line::new(echo, strict(words), Reading::Malformed(error))
        }
    }
}

/// The command that words begin with.
pub(super) struct Found {
    pub entry: &'static Entry,
    pub game: &'static GameKind,
    /// How many words name it.
    pub used: usize,
    /// The line names the game.
    pub named: bool,
}

impl Found {
    /// False for a command of a game that stands without the game's name.
    fn is_named_in_full(&self) -> bool {
        self.named || self.entry.scope == Scope::Server
    }
}

/// Commands of a game that can be read without its name.
const WITHOUT_A_GAME: &[&str] = &["games", "seeks", "show", "rules", "players", "tutorial"];

/// The command at the head of a line and the game it is for.
fn find_entry(words: &[Word]) -> Option<Found> {
    let first = &words.first()?.text;
    if let Some(game) = registry::find(first) {
        let second = &words.get(1)?.text;
        let entry = table::find(Scope::Game, second)?;
        return Some(Found { entry, game, used: 2, named: true });
    }
    let game = *GAMES.first()?;
    let entry = table::find(Scope::Server, first).or_else(|| {
        let known = WITHOUT_A_GAME.iter().any(|word| word.eq_ignore_ascii_case(first));
        known.then(|| table::find(Scope::Game, first)).flatten()
    })?;
    Some(Found { entry, game, used: 1, named: false })
}

/// True for what can be meant as a command without a game's name: it names boards, or one player at most.
fn is_plain(reading: &Reading) -> bool {
    let one = |userids: usize| userids <= 1;
    match reading {
        Reading::LeftOut(_) => true,
        Reading::Command(Command::Show(show)) => {
            one(show.targets.iter().filter(|target| matches!(target, Target::Player(_))).count())
        }
        Reading::Command(Command::Games(games)) => one(games.userids.len()),
        reading => matches!(reading, Reading::Command(_)),
    }
}

fn unclosed_quote(line: &str, at: usize) -> Line {
    // What stands behind the quote is not shown, so only the words before it can be.
    let words = line.get(..at).map(token::words).and_then(Result::ok).unwrap_or_default();
    let echo = strict(&words);
    let found = find_entry(&words);
    let error = ParseError {
        word: found.as_ref().map(|found| found.entry.word),
        why: "a quote is opened and not closed".to_owned(),
        grammar: found.map(|found| found.entry.grammar(found.game.key)).unwrap_or_default(),
        pointer: format!("{:width$}^", "", width = echo.len() + 1),
    };
    Line::new(echo.clone(), echo, Reading::Malformed(error))
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
