//! Passwords that people tell in words, such as `my password is ...`, outside commands.

use std::sync::LazyLock;

use super::dress::narrow;
use super::secrets::has_a_form;
use super::token::MASK;
use crate::ids::Userid;
use crate::mail::phrases::{PASSWORDS, Phrases, section};

static WORDS: Phrases = LazyLock::new(|| section(PASSWORDS, "words"));
static SHORT: Phrases = LazyLock::new(|| section(PASSWORDS, "short"));
static LINKS: Phrases = LazyLock::new(|| section(PASSWORDS, "links"));
static NOT: Phrases = LazyLock::new(|| section(PASSWORDS, "not"));

/// The most words between a word for a password and the password itself.
const BETWEEN: usize = 4;

/// A password that a text tells, and its owner if only the userid before it shows that it is a password.
pub(crate) type Told = (Option<Userid>, String);

/// The words of `text` that can be passwords, judged by the words before them.
pub(crate) fn passwords_told(text: &str) -> Vec<Told> {
    let mut words: Vec<Spoken<'_>> = Vec::new();
    for line in text.lines() {
        let begins = words.len();
        line.split_whitespace().for_each(|word| Spoken::push(&mut words, word));
        if let Some(last) = words.get_mut(begins..).and_then(<[_]>::last_mut) {
            last.ends = true;
        }
    }
    let mut told = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at..).unwrap_or_default();
        if let Some(password) = behind_a_word(rest) {
            told.push((None, password.to_owned()));
        }
        if let Some(next) = words.get(at + 1).filter(|next| looks_like_one(next.core))
            && let Ok(userid) = word.core.parse::<Userid>()
        {
            told.push((Some(userid), next.core.to_owned()));
        }
    }
    told
}

/// Words of sentences about a password, the likeliest first: for texts in which [`passwords_told`] finds
/// none.
pub(crate) fn suspects(text: &str) -> Vec<&str> {
    // No password is in a script without blanks.
    let is_end = |c: char| c.is_whitespace() || c >= '\u{2E80}' && c.is_alphabetic();
    let mut found: Vec<&str> = Vec::new();
    let mut speaks_of_one = false;
    for line in text.lines() {
        let lower = line.to_lowercase();
        let names_one = WORDS.iter().any(|phrase| lower.contains(phrase));
        if names_one || speaks_of_one {
            found.extend(line.split(is_end).map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())));
        }
        speaks_of_one = names_one || speaks_of_one && line.trim().is_empty();
    }
    let is_plain = |word: &str| {
        let lower = word.to_lowercase();
        [&WORDS, &LINKS, &NOT].iter().any(|phrases| phrases.contains(&lower.as_str()))
    };
    found.retain(|word| word.chars().count() >= 4 && !is_plain(word) && !has_a_form(word));
    // The password usually comes last.
    found.reverse();
    found.sort_by_key(|word| (!looks_like_one(word), word.chars().all(char::is_alphabetic)));
    found.dedup();
    found
}

/// A word of a text.
struct Spoken<'a> {
    /// Without the marks around it.
    core: &'a str,
    lower: String,
    /// True if a colon or a similar mark follows.
    names: bool,
    is_quoted: bool,
    /// True if its sentence or line ends with it.
    ends: bool,
}

impl<'a> Spoken<'a> {
    /// Adds a word, or the two of `pw=x` and `ann/x`.
    fn push(words: &mut Vec<Spoken<'a>>, word: &'a str) {
        if let Some((name, value)) = word.split_once([':', '=', '/', '\u{FF1A}'])
            && name.chars().any(char::is_alphanumeric)
            && value.chars().any(char::is_alphanumeric)
            && !value.starts_with('/')
        {
            words.push(Spoken { names: true, ..Spoken::of(name) });
            words.push(Spoken::of(value));
            return;
        }
        let spoken = Spoken::of(word);
        match words.last_mut() {
            // A mark that stands alone belongs to the word before it.
            Some(before) if spoken.core.is_empty() && !word.starts_with(MASK) => before.names |= spoken.names,
            _ => words.push(spoken),
        }
    }

    fn of(word: &'a str) -> Spoken<'a> {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        Spoken {
            core,
            lower: core.to_lowercase(),
            names: word.ends_with([':', '=', '\u{FF1A}']),
            is_quoted: word
                .starts_with(['"', '\'', '(', '`', '<', '\u{201C}', '\u{201E}', '\u{AB}', '\u{2018}']),
            ends: word.ends_with(['.', '!', ',', ';']),
        }
    }
}

/// The password after a word for one at the beginning of `words`.
fn behind_a_word<'a>(words: &[Spoken<'a>]) -> Option<&'a str> {
    let begins = |phrase: &&&str| {
        let mut length = 0;
        phrase.split(' ').all(|word| {
            length += 1;
            words.get(length - 1).is_some_and(|spoken| spoken.lower == word)
        })
    };
    let whole = WORDS.iter().find(begins);
    let length = whole.or_else(|| SHORT.iter().find(begins))?.split(' ').count();
    let mut is_named = words.get(length - 1)?.names;
    let mut is_linked = false;
    for word in words.get(length..)?.iter().take(BETWEEN) {
        let is_a_link = LINKS.contains(&word.lower.as_str());
        if is_a_link && !word.is_quoted && (word.names || !is_named) {
            is_linked = whole.is_some();
            is_named |= word.names;
            continue;
        }
        let says_so = is_named || word.is_quoted || is_linked && word.ends;
        let is_one = says_so && !NOT.contains(&word.lower.as_str()) || looks_like_one(word.core);
        return (is_one && !word.core.is_empty()).then_some(word.core);
    }
    None
}

/// True for a word that can only be a password or a code.
fn looks_like_one(word: &str) -> bool {
    let has = |is: fn(char) -> bool| word.chars().any(is);
    let is_mixed =
        has(|c| c.is_ascii_digit()) || has(|c| !c.is_alphanumeric() && !"-'_.\u{2019}".contains(c));
    let is_other = has_a_form(word) || is_a_turn(word) || word.contains("://");
    word.len() >= 6 && has(char::is_alphabetic) && is_mixed && !is_other
}

/// True for spaces of a board, joined in any way: a move is no password.
fn is_a_turn(word: &str) -> bool {
    let plain = narrow(word);
    let mut rest = plain.chars().filter(|c| c.is_alphanumeric()).peekable();
    while let Some(first) = rest.next() {
        let is_a_space = first.is_alphabetic() && rest.next_if(char::is_ascii_digit).is_some();
        let is_turned = first.is_ascii_digit() && rest.next_if(|c| c.is_alphabetic()).is_some();
        if !is_a_space && !is_turned {
            return false;
        }
        if is_a_space {
            rest.next_if(char::is_ascii_digit);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_words_are_no_passwords() {
        for text in [
            "Dear Ann,\n\u{2039}\u{FF44}\u{FF11}\u{27A1}\u{FE0F}\u{FF45}\u{FF11}\u{203A}",
            "I forgot my password again",
            "my password is wrong",
            "the password is not here yet. Shall we play on?",
            "pass the ball to bob",
            "I pass to bob. A pass on that!",
            "I pass. D1-E1 was better, ann",
            "login does not work for bob",
            "bob played A3-B4 and ann C1-C2",
            "Hi Bob,\n'g8\u{21D2}f10' and D1\u{2192}E1; Bob\n1D-1E, ann a1xb2",
            "my password is ***, and so on",
            "ann v bob, 2026-11-16, 23 to 10",
            "see https://play.example.org/dvonn/12 and mail ann",
        ] {
            let told = passwords_told(text);
            assert!(told.is_empty(), "{text}: {told:?}");
        }
    }
}
