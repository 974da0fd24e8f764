//! Masks passwords in texts and lines that are shown.

use std::collections::HashMap;
use std::ops::Range;

use turnpost_games::registry;

use super::entry::CommandMatch;
use super::options::is_nearly_an_option;
use super::phrasebook::is_of_a_phrase;
use super::table::Language;
use super::token::{MASK, Word, typed};
use super::values::{BoardAndPly, read_address};
use crate::ids::Userid;
use crate::mail::look_alikes::{is_of_a_word, plain};

/// Passwords to mask in every text that is shown: a player might repeat one where none belongs.
///
/// Finds a password as it is, with other forms of its letters, or with signs between all its letters, as in
/// `p l o v e r`. Other words stay: `to get her` is not `together`. The passwords make two trees of letters,
/// so two passes over a text find any number of them.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    whole: PasswordTree,
    /// The passwords without their signs.
    spaced: PasswordTree,
}

/// A tree of letters. The first node is the root; at each node, a password can continue.
#[derive(Debug, Default)]
struct PasswordTree(Vec<SecretNode>);

#[derive(Debug, Default)]
struct SecretNode {
    next: HashMap<char, usize>,
    /// True if a password ends here.
    ends: bool,
}

/// The most letters of a password in one branch. A longer one is masked in stretches of that length.
const LETTERS: usize = 64;

impl Secrets {
    pub fn add(&mut self, password: &str) {
        self.whole.add(password.chars());
        self.spaced.add(password.chars().filter(|c| is_of_a_word(*c)));
    }

    pub fn is_empty(&self) -> bool {
        self.whole.0.is_empty()
    }

    /// `text` with every password masked that is a whole word. If several begin at one place, masks the
    /// longest.
    pub fn mask(&self, text: &str) -> String {
        self.mask_up_to(text, usize::MAX)
    }

    /// Like [`Secrets::mask`], but stops after `bytes` bytes of masked text or one piece more.
    pub fn mask_up_to(&self, text: &str, bytes: usize) -> String {
        let mut masked = String::with_capacity(text.len().min(bytes));
        let mut rest = text;
        while masked.len() < bytes
            && let Some(piece) = first_piece(rest)
        {
            let secret = self.longest(rest);
            masked.push_str(if secret > 0 { MASK } else { piece });
            rest = rest.get(secret.max(piece.len())..).unwrap_or_default();
        }
        masked
    }

    /// The length of the longest password at the beginning of `text`; zero for none.
    fn longest(&self, text: &str) -> usize {
        let whole = self.whole.longest(text, text.char_indices());
        if !text.starts_with(is_of_a_word) {
            return whole;
        }
        let mut after_letter = false;
        // Letters with their marks, up to the first letter that directly follows another.
        let letters = text.char_indices().map_while(|(start, c)| {
            let is_mark = plain(c).next().is_none();
            let is_letter = !is_mark && is_of_a_word(c);
            let is_second = is_letter && after_letter;
            after_letter = is_letter || is_mark && after_letter;
            (!is_second).then_some((is_letter || is_mark).then_some((start, c)))
        });
        whole.max(self.spaced.longest(text, letters.flatten()))
    }
}

impl PasswordTree {
    fn add(&mut self, password: impl Iterator<Item = char>) {
        if self.0.is_empty() {
            self.0.push(SecretNode::default());
        }
        let (mut at, mut depth) = (0, 0);
        for letter in password.flat_map(letters_of) {
            if depth == LETTERS {
                self.end(at);
                (at, depth) = (0, 0);
            }
            let new = self.0.len();
            let Some(node) = self.0.get_mut(at) else { return };
            at = *node.next.entry(letter).or_insert(new);
            if at == new {
                self.0.push(SecretNode::default());
            }
            depth += 1;
        }
        if depth > 0 {
            self.end(at);
        }
    }

    fn end(&mut self, at: usize) {
        if let Some(node) = self.0.get_mut(at) {
            node.ends = true;
        }
    }

    /// The end in `text` of the longest password at the start of `characters`, which are those of `text`. Zero if there
    /// is none.
    fn longest(&self, text: &str, characters: impl Iterator<Item = (usize, char)>) -> usize {
        let (mut at, mut longest) = (0, 0);
        for (start, c) in characters {
            for letter in letters_of(c) {
                let Some(next) = self.0.get(at).and_then(|node| node.next.get(&letter)) else {
                    return longest;
                };
                at = *next;
            }
            let end = start + c.len_utf8();
            let goes_on =
                is_of_a_word(c) && text.get(end..).is_some_and(|rest| rest.starts_with(is_of_a_word));
            if !goes_on && self.0.get(at).is_some_and(|node| node.ends) {
                longest = end;
            }
        }
        longest
    }
}

/// The plain letters of a character, by which passwords are compared. All blanks are alike: a line can end at
/// one.
fn letters_of(c: char) -> impl Iterator<Item = char> {
    plain(if c.is_whitespace() { ' ' } else { typed(c) })
}

/// A run of letters and digits, or one other character.
fn first_piece(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let end = match is_of_a_word(first) {
        true => text.find(|c| !is_of_a_word(c)).unwrap_or(text.len()),
        false => first.len_utf8(),
    };
    text.get(..end)
}

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
    /// A shown line as it is stored, and the words that are not stored. A password can be at an unexpected
    /// place, so a word is stored only if it is of the language, looks like a board, ply, day or option, or
    /// is known.
    pub(crate) fn kept<'e, E>(
        &self,
        echo: &'e str,
        mut is_known: impl FnMut(&str) -> Result<bool, E>,
    ) -> Result<(String, Vec<&'e str>), E> {
        let (mut kept, mut suspects) = (Vec::new(), Vec::new());
        for word in echo.split_whitespace() {
            let is_plain = self.is_of_the_language(word)
                || has_a_form(word) && read_address(word).is_err()
                || registry::games().iter().any(|game| is_nearly_an_option(game, word));
            if is_plain || is_known(word)? {
                kept.push(word);
            } else {
                kept.push(MASK);
                suspects.push(word);
            }
        }
        Ok((kept.join(" "), suspects))
    }

    /// Shows the words of the language, and the first `near` words if they nearly name a command: no password
    /// begins a line. Masks the rest.
    pub(super) fn strict_echo(&self, words: &[Word], near: usize) -> String {
        masked(words, |at, word| at < near && is_short(word) || self.is_of_the_language(word)).0
    }

    /// A line of words that is no command. It holds no password, so everyday words and spaces of boards are shown.
    pub(super) fn echo_prose(&self, words: &[Word]) -> String {
        masked(words, |_, word| self.is_of_the_language(word) || has_a_form(word) || is_of_a_phrase(word)).0
    }

    /// The echo of a command that cannot be read, and the column in which each word begins. Shows only words
    /// at places where no password can be: misspelt options, and the players and boards of a command that
    /// takes no password.
    pub(super) fn echo_malformed(&self, words: &[Word], found: &CommandMatch<C>) -> (String, Vec<usize>) {
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

/// True for boards, plies, days, addresses, and what has neither letters nor digits.
pub(super) fn has_a_form(word: &str) -> bool {
    let is_number =
        |text: &str| (1..=5).contains(&text.len()) && text.bytes().all(|octet| octet.is_ascii_digit());
    let is_space = |text: &str| {
        let mut characters = text.chars();
        characters.next().is_some_and(|c| c.is_ascii_alphabetic()) && is_number(characters.as_str())
    };
    !word.contains(char::is_alphanumeric)
        || word.split('#').all(is_number)
        || word.len() <= 20 && word.split(['-', '+', ':', ',']).all(is_space)
        || word.parse::<jiff::civil::Date>().is_ok()
        || read_address(word).is_ok()
}

fn is_short(word: &str) -> bool {
    word.len() <= Userid::MAX
}

/// True for a userid, or for a board with or without a ply.
fn names_something(word: &str) -> bool {
    word.parse::<Userid>().is_ok() || is_short(word) && word.parse::<BoardAndPly>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask_words(text: &str, passwords: &[&str]) -> String {
        let mut secrets = Secrets::default();
        passwords.iter().for_each(|password| secrets.add(password));
        secrets.mask(text)
    }

    #[test]
    fn a_password_is_masked_wherever_it_stands_as_a_word() {
        let passwords = ["plover", "x y"];
        assert_eq!(mask_words("plover F3, plover. plovers (x y)", &passwords), "*** F3, ***. plovers (***)");
        assert_eq!(mask_words("ploverplover", &passwords), "ploverplover");
        assert_eq!(mask_words("\u{e9}plover \u{e9} plover", &passwords), "\u{e9}plover \u{e9} ***");
        assert_eq!(mask_words("plover-4, plover-42", &["plover", "plover-4"]), "***, ***-42");
        assert_eq!(mask_words("anything", &["", "any"]), "anything");
        assert_eq!(mask_words("a plover", &[]), "a plover");
        for text in [
            "ＰＬＯＶＥＲ－４２",
            "p l o v e r - 4 2",
            "P.L.O.V.E.R.4.2",
            "p\u{336}\nl\no\nv\ne\u{336} r 4 2\u{336}",
            "𝓹𝓵𝓸𝓿𝓮𝓻-42",
            "р\u{301}lоvеr-42",
            "ⓟⓛⓞⓥⓔⓡ-42",
            "plover\u{2013}42",
            "?? ??",
            "??\n??",
        ] {
            assert_eq!(
                mask_words(&format!("it is {text}!"), &["plover-42", "?? ??"]),
                "it is ***!",
                "{text}"
            );
        }
        assert_eq!(mask_words("plover-4", &["plover-42"]), "plover-4");
    }

    #[test]
    fn words_that_have_the_letters_of_a_password_together_stay() {
        let passwords = ["together", "notable", "manslaughter", "nowhere", "ahead-4", "icecream"];
        for text in [
            "to get her birthday",
            "I am not able to come",
            "The man's laughter",
            "now here, no where, n owhere, nowher e",
            "a head 4, ahead 4",
            "I c e cream",
        ] {
            assert_eq!(mask_words(text, &passwords), text);
        }
        assert_eq!(mask_words("Together, N-o-w-h-e-r-e", &passwords), "***, ***");
    }

    #[test]
    fn a_password_of_many_letters_is_masked_in_stretches() {
        let long = "x-".repeat(100);
        assert!(!mask_words(&format!("it is {long}."), &[&long]).contains('x'));
    }
}
