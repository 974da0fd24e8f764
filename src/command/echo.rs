//! Showing a line without its passwords.

use std::ops::Range;

use super::args::BoardAndPly;
use super::line::Found;
use super::options::is_nearly_an_option;
use super::table::is_of_the_language;
use super::token::Word;
use crate::ids::Userid;

/// What stands in place of a word that is not shown.
const MASK: &str = "***";

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

/// Only the words of the language, the rest masked.
pub(super) fn strict(words: &[Word]) -> String {
    masked(words, |_, word| is_of_the_language(word)).0
}

/// A line that is no command. The words that nearly name one are shown: no password begins a line.
pub(super) fn of_unknown(words: &[Word], suggestion: Option<&str>) -> String {
    let near = suggestion.map_or(0, |suggestion| suggestion.split(' ').count());
    masked(words, |at, word| at < near && is_short(word) || is_of_the_language(word)).0
}

/// A command that leaves its writer out. A word where its password could stand is not shown.
pub(super) fn of_left_out(words: &[Word], found: &Found) -> String {
    let place = (found.entry.word == "move").then_some(found.used + 2);
    masked(words, |at, _| Some(at) != place).0
}

/// A command that cannot be read, and the column in which each word begins. Shown is what stands where no password can:
/// misspelt options, and the players and boards of a command that takes no password.
pub(super) fn of_malformed(words: &[Word], found: &Found) -> (String, Vec<usize>) {
    let is_argument = |at: usize, word: &str| at >= found.used && !word.starts_with('-');
    let is_operand = |(at, word): (usize, &Word)| is_argument(at, &word.text);
    let operands = words.iter().enumerate().filter(|word| is_operand(*word)).count();
    let first = words.iter().enumerate().position(is_operand);
    // One word too many may be a password.
    let all = found.entry.word != "challenge" || operands <= 2;
    let open = !found.entry.takes_a_secret();
    masked(words, |at, word| {
        at < found.used
            || is_of_the_language(word)
            || is_nearly_an_option(found.game, word)
            || open && is_argument(at, word) && (all || Some(at) == first) && names_something(word)
    })
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

/// `text` with every word that equals one of `passwords` masked: a password may have been repeated where none
/// belongs. A word ends where something other than a letter or a digit stands.
pub(crate) fn mask_words(text: &str, passwords: &[String]) -> String {
    let mut masked = text.to_owned();
    for password in passwords.iter().filter(|password| !password.is_empty()) {
        if !masked.contains(password.as_str()) {
            continue;
        }
        let mut from = 0;
        while let Some(found) = masked.get(from..).and_then(|rest| rest.find(password.as_str())) {
            let start = from + found;
            let end = start + password.len();
            let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let before = letter(masked.get(..start).and_then(|text| text.chars().next_back()));
            let after = letter(masked.get(end..).and_then(|text| text.chars().next()));
            if before || after {
                from = end;
            } else {
                masked.replace_range(start..end, MASK);
                from = start + MASK.len();
            }
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_masked_wherever_it_stands_as_a_word() {
        let passwords = ["plover".to_owned(), "x y".to_owned()];
        assert_eq!(mask_words("plover F3, plover. plovers (x y)", &passwords), "*** F3, ***. plovers (***)");
        assert_eq!(mask_words("ploverplover", &passwords), "ploverplover");
        assert_eq!(mask_words("\u{e9}plover \u{e9} plover", &passwords), "\u{e9}plover \u{e9} ***");
    }
}
