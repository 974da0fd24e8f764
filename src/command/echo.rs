//! Showing a line without its passwords.

use std::ops::Range;

use super::table::is_of_the_language;
use super::token::Word;

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

/// Only the words of the language, the rest masked; and the column in which each word begins.
pub(super) fn strict(words: &[Word]) -> (String, Vec<usize>) {
    let mut echo = String::new();
    let mut columns = Vec::with_capacity(words.len());
    for word in words {
        if !echo.is_empty() {
            echo.push(' ');
        }
        columns.push(echo.len());
        echo.push_str(if is_of_the_language(&word.text) { &word.text } else { MASK });
    }
    (echo, columns)
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
