//! One line of a letter.

use super::claim::{Claim, Request};
use super::entry::{CommandMatch, Entry, Scope, WriterPlace};
use super::parameters::Parameters;
use super::secrets::mask_spans;
use super::table::{Language, MULTIPLE};
use super::token::{self, MASK, Word};
use super::wish::is_around;
use crate::mail::reply_text::is_by_a_program;
use crate::store::PlayerId;

/// Longer lines are not read: no command is nearly that long.
const LINE_AT_MOST: usize = 10_000;

/// Replaces the password in a line that is suggested.
const PASSWORD: &str = "PASSWORD";

/// Words that people write before an argument: `signup name rosa password x`.
const NAMES_OF_ARGUMENTS: &[&str] =
    &["name", "userid", "username", "user", "password", "passwort", "pw", "as", "with", "and", "my", "is"];

pub struct Line<C: 'static> {
    /// The line as it can be shown, with passwords masked by their place. For a line that is no readable
    /// command, shows only the words of the command language.
    pub echo: String,
    /// The line with only the words of the command language, for a command with a wrong password: the real
    /// one might be in the wrong place.
    pub strict_echo: String,
    /// The command that its words name, or nearly name.
    pub entry: Option<&'static Entry<C>>,
    pub reading: Reading<C>,
    /// The same words as a command that leaves its writer out, if they can be read both ways.
    pub otherwise: Option<Request<C>>,
}

impl<C> Line<C> {
    fn new(echo: String, strict_echo: String, reading: Reading<C>) -> Line<C> {
        Line { echo, strict_echo, entry: None, reading, otherwise: None }
    }

    /// A line that is not shown.
    fn bare(reading: Reading<C>) -> Line<C> {
        Line::new(String::new(), String::new(), reading)
    }

    /// A reply in which nothing was written.
    pub(crate) fn silence() -> Line<C> {
        let nothing = || "(an empty reply)".to_owned();
        Line::new(nothing(), nothing(), Reading::Reply(String::new()))
    }

    /// The command of a page's button, for the holder of the page's token.
    pub(crate) fn of_page(command: C, holder: Option<PlayerId>) -> Line<C>
    where
        C: std::fmt::Display,
    {
        let line = command.to_string();
        let request = Request { by: holder.map_or(Claim::Nobody, Claim::Holder), command };
        Line::new(line.clone(), line, Reading::Command(request))
    }

    /// One of several parts of a reply; `echo` shows which.
    pub(crate) fn part_of_reply(echo: String, text: String) -> Line<C> {
        Line::new(echo, "a turn".to_owned(), Reading::Reply(text))
    }

    /// A letter that unsubscribes. The rest of it is not read.
    pub(crate) fn unsubscription() -> Line<C> {
        let word = || "unsubscribe".to_owned();
        Line::new(word(), word(), Reading::Reply(String::new()))
    }

    /// Takes the line for plain words, even if it is a command.
    pub(crate) fn without_command(self) -> Line<C> {
        let reading = match self.reading {
            Reading::Reply(text) => Reading::Reply(text),
            _ => Reading::Reply(self.strict_echo.clone()),
        };
        Line { reading, ..self }
    }

    /// True for a command with which a sender without an account can start, even if it is misspelt.
    pub(crate) fn is_for_strangers(&self) -> bool {
        let may_be = match &self.reading {
            Reading::Command(request) => !request.is_left_out(),
            Reading::Malformed(_) | Reading::Unknown { .. } => true,
            _ => false,
        };
        may_be && self.entry.is_some_and(|entry| entry.for_strangers)
    }
}

pub enum Reading<C: 'static> {
    /// No command: a blank line, a quoted line or a comment.
    Skip,
    Command(Request<C>),
    /// A command of the language that is not written as it should be.
    Malformed(ParseError),
    /// The first line of a reply with a token: a move, or a word in place of one.
    Reply(String),
    /// No command.
    Unknown {
        /// The nearest command, if one is near.
        suggestion: Option<String>,
    },
    /// A line that ends the reading.
    End,
    /// The first line that is not read, because a letter has too many lines or too much prose before it.
    Rest,
}

/// An error in a command: its place, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// What was expected there. Never repeats what was found, which may be a misplaced password.
    pub why: String,
    /// How the command is written.
    pub grammar: String,
    /// A line under the echo that points at the word.
    pub pointer: String,
    /// The whole line that was probably meant.
    pub meant: Option<String>,
}

impl<C: Parameters> Language<C> {
    pub fn read_line(&self, text: &str) -> Line<C> {
        self.read_words(text, |first, second| self.nearest(first, second))
    }

    /// A line of a reply as its answer repeats it.
    pub(crate) fn quoted(&self, text: &str) -> String {
        let line = self.read_line(text);
        match (line.reading, token::words(&token::plain(text))) {
            (Reading::Unknown { .. }, Ok(words)) if text.len() <= LINE_AT_MOST => self.echo_prose(&words),
            _ => line.echo,
        }
    }

    pub(super) fn read_without_suggestion(&self, text: &str) -> Line<C> {
        self.read_words(text, |_, _| None)
    }

    /// Reads one line; `nearest` suggests a command for two words that begin none.
    fn read_words(&self, text: &str, nearest: impl Fn(&str, Option<&str>) -> Option<String>) -> Line<C> {
        let plain = token::plain(text);
        let line = plain.trim();
        if is_end(line) {
            return Line::bare(Reading::End);
        }
        if line.len() > LINE_AT_MOST {
            return Line::new(MASK.to_owned(), MASK.to_owned(), Reading::Unknown { suggestion: None });
        }
        if is_skipped(line) {
            return Line::bare(Reading::Skip);
        }
        let words = match token::words(line) {
            Ok(words) => words,
            Err(unclosed) => return self.unclosed_quote(line, unclosed.0),
        };
        let read = self.command_at(&words).map(|found| (found, self.read_found(line, &words, &found)));
        let is_prose = read.as_ref().is_some_and(|(found, read)| is_prose(line, found, &read.reading));
        match read {
            // Without a game's name, much prose begins like a command.
            Some((found, read)) if !is_prose && (found.is_named_in_full() || is_plain(&read.reading)) => read,
            _ if is_by_a_program(line) => Line::bare(Reading::Skip),
            _ => {
                let word = |n: usize| words.get(n).map(|word| word.text.as_str());
                let nearest = word(0).filter(|_| !is_prose).and_then(|first| nearest(first, word(1)));
                let near = nearest.as_ref().map_or(0, |nearest| nearest.split(' ').count());
                let echo = self.strict_echo(&words, near);
                let suggestion = nearest.map(|meant| self.whole_line(&words, Some(&meant)).unwrap_or(meant));
                let meant = suggestion.as_deref().and_then(|suggestion| suggestion.split(' ').next());
                let entry = meant.and_then(|word| self.of_server(word));
                let strict = self.strict_echo(&words, 0);
                Line { entry, ..Line::new(echo, strict, Reading::Unknown { suggestion }) }
            }
        }
    }

    /// True for a sentence that begins with a command's word: `Message from Ann`, `Who plays chess?`
    pub(super) fn is_prose(&self, line: &str) -> bool {
        let words = token::words(line).unwrap_or_default();
        let found = self.command_at(&words);
        found.is_some_and(|found| is_prose(line, &found, &self.read_found(line, &words, &found).reading))
    }

    /// The command of a line, if it is one. Makes no echo, so it is cheap in texts that are mostly prose.
    pub(super) fn command_in(&self, text: &str) -> Option<Request<C>> {
        let plain = token::plain(text);
        let line = plain.trim();
        if is_end(line) || line.len() > LINE_AT_MOST || is_skipped(line) {
            return None;
        }
        let words = token::words(line).ok()?;
        let found = self.command_at(&words)?;
        found.request(&mut found.args(words)).ok()
    }

    /// The line that a sender without an account probably meant, with a placeholder for the password. `meant`
    /// replaces the first words; words that only name the next argument are dropped.
    pub(super) fn whole_line(&self, words: &[Word], meant: Option<&str>) -> Option<String> {
        let texts = || words.iter().map(|word| word.text.trim_end_matches([':', '=']));
        let skipped = if meant.is_some() { 1..=2 } else { 0..=0 };
        skipped.rev().find_map(|skipped| {
            let arguments = texts()
                .skip(skipped)
                .filter(|text| !NAMES_OF_ARGUMENTS.iter().any(|name| name.eq_ignore_ascii_case(text)));
            let line: Vec<&str> = meant.into_iter().chain(arguments).collect();
            let words = token::words(&line.join(" ")).ok()?;
            let found = self.command_at(&words).filter(|found| found.entry.for_strangers)?;
            let mut args = found.args(words.clone());
            found.read(&mut args).ok()?;
            let secret = args.secrets().first()?.clone();
            let line = line.join(" ");
            let (before, behind) = (line.get(..secret.start)?, line.get(secret.end..)?);
            Some(format!("{before}{PASSWORD}{behind}"))
        })
    }

    fn read_found(&self, line: &str, words: &[Word], found: &CommandMatch<C>) -> Line<C> {
        let mut args = found.args(words.to_vec());
        let read = found.request(&mut args);
        let otherwise = found.request_left_out(words);
        let strict = self.strict_echo(words, 0);
        let line = match (read, otherwise) {
            (Ok(request), otherwise) => {
                let echo = mask_spans(line, args.secrets());
                Line { otherwise, ..Line::new(echo, strict, Reading::Command(request)) }
            }
            (Err(_), Some(request)) => {
                // A password could follow the board's number.
                let is_followed = matches!(found.entry.writer, WriterPlace::BehindBoard(_));
                let second = words.get(found.used + 2).filter(|_| is_followed);
                let hidden: Vec<_> = second.map(|word| word.span.clone()).into_iter().collect();
                Line::new(mask_spans(line, &hidden), strict, Reading::Command(request))
            }
            (Err(expected), None) => {
                let (echo, columns) = self.echo_malformed(words, found);
                let end = echo.len() + 1;
                let column = expected.at.map_or(end, |at| columns.get(at).copied().unwrap_or(end));
                let error = malformed(Some(found), expected.why, column);
                let meant = self.whole_line(words, None);
                Line::new(echo, strict, Reading::Malformed(ParseError { meant, ..error }))
            }
        };
        Line { entry: Some(found.entry), ..line }
    }

    fn unclosed_quote(&self, line: &str, at: usize) -> Line<C> {
        // A password could follow the quote, so only the words before it are shown.
        let words = line.get(..at).map(token::words).and_then(Result::ok).unwrap_or_default();
        let echo = self.strict_echo(&words, 0);
        let found = self.command_at(&words);
        let error = malformed(found.as_ref(), token::UNCLOSED.to_owned(), echo.len() + 1);
        let entry = found.map(|found| found.entry);
        Line { entry, ..Line::new(echo.clone(), echo, Reading::Malformed(error)) }
    }
}

fn malformed<C>(found: Option<&CommandMatch<C>>, why: String, column: usize) -> ParseError {
    let grammar = found.map(|found| found.entry.grammar(found.game.key)).unwrap_or_default();
    ParseError { why, grammar, pointer: format!("{:column$}^", ""), meant: None }
}

fn is_end(line: &str) -> bool {
    line == "--" || line.eq_ignore_ascii_case("end") || line.eq_ignore_ascii_case("quit")
}

fn is_skipped(line: &str) -> bool {
    line.is_empty() || line.starts_with(['>', '#']) || line.eq_ignore_ascii_case(MULTIPLE)
}

/// True for a line of plain words that begins with a command of the server and cannot be read as one, if it asks or has
/// a word that no command takes.
fn is_prose<C: Parameters>(line: &str, found: &CommandMatch<C>, reading: &Reading<C>) -> bool {
    let is_unreadable = match reading {
        Reading::Malformed(error) => error.meant.is_none(),
        Reading::Command(request) => {
            request.command.may_be_prose()
                || request.userid().is_some_and(|userid| is_around(userid.as_str()))
        }
        _ => false,
    };
    let is_plain = |c: char| c.is_alphabetic() || c.is_whitespace() || "',.!?".contains(c);
    let behind =
        || line.split_whitespace().skip(1).map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
    let is_keyword = |word: &str| found.entry.keywords.iter().any(|known| known.eq_ignore_ascii_case(word));
    found.entry.scope == Scope::Server
        && is_unreadable
        && line.chars().all(is_plain)
        && (line.ends_with('?') || behind().any(is_around))
        && !behind().any(is_keyword)
}

/// True for what can be meant as a command although the line names no game.
fn is_plain<C: Parameters>(reading: &Reading<C>) -> bool {
    match reading {
        Reading::Command(request) => request.is_left_out() || !request.command.may_be_prose(),
        _ => false,
    }
}
