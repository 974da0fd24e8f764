//! Showing a line without its passwords.

use std::ops::Range;

use super::args::BoardAndPly;
use super::entry::{Found, WriterPlace};
use super::options::is_nearly_an_option;
use super::table::Language;
use super::token::{MASK, Word};
use crate::ids::Userid;

/// `line` with the bytes of `secrets` masked.
pub(super) fn mask_spans(line: &str, secrets: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(line.len());
    let mut from = 0;
    for secret in secrets {
        masked.push_str(line.get(from..secret.start).unwrap_or_default());
        masked.push_str(MASK);
        from = secret.end;
    }
    masked.push_str(line.get(from..).unwrap_or_default());
    masked
}

impl<C> Language<C> {
    /// Only the words of the language, the rest masked.
    pub(super) fn strict_echo(&self, words: &[Word]) -> String {
        masked(words, |_, word| self.is_of_the_language(word)).0
    }

    /// A line that is no command. The words that nearly name one are shown: no password begins a line.
    pub(super) fn echo_unknown(&self, words: &[Word], suggestion: Option<&str>) -> String {
        let near = suggestion.map_or(0, |suggestion| suggestion.split(' ').count());
        masked(words, |at, word| at < near && is_short(word) || self.is_of_the_language(word)).0
    }

    /// A command that cannot be read, and the column in which each word begins. Shown is what stands where no password
    /// can: misspelt options, and the players and boards of a command that takes no password.
    pub(super) fn echo_malformed(&self, words: &[Word], found: &Found<C>) -> (String, Vec<usize>) {
        let is_argument = |at: usize, word: &str| at >= found.used && !word.starts_with('-');
        let is_operand = |(at, word): (usize, &Word)| is_argument(at, &word.text);
        let operands = words.iter().enumerate().filter(|word| is_operand(*word)).count();
        let first = words.iter().enumerate().position(is_operand);
        let all = operands <= found.entry.operands;
        let open = !found.entry.takes_a_secret();
        masked(words, |at, word| {
            at < found.used
                || self.is_of_the_language(word)
                || is_nearly_an_option(found.game, word)
                || open && is_argument(at, word) && (all || Some(at) == first) && names_something(word)
        })
    }
}

/// A command that leaves its writer out. A word where its password could stand is not shown.
pub(super) fn of_left_out<C>(words: &[Word], found: &Found<C>) -> String {
    let is_followed = matches!(found.entry.writer, WriterPlace::BehindBoard(_));
    let place = is_followed.then_some(found.used + 2);
    masked(words, |at, _| Some(at) != place).0
}

/// The words that `shows` allows, the rest masked; and the column in which each begins.
fn masked(words: &[Word], shows: impl Fn(usize, &str) -> bool) -> (String, Vec<usize>) {
    let mut echo = String::new();
    let mut columns = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        if !echo.is_empty() {
            echo.push(' ');
        }
        columns.push(echo.len());
        echo.push_str(if shows(at, &word.text) { &word.text } else { MASK });
    }
    (echo, columns)
}

fn is_short(word: &str) -> bool {
    word.len() <= Userid::MAX
}

/// True for a userid, or what begins like a board's number.
fn names_something(word: &str) -> bool {
    word.parse::<Userid>().is_ok() || is_short(word) && word.parse::<BoardAndPly>().is_ok()
}
