//! Passwords that people tell in words, such as `my password is ...`, outside commands.

use std::sync::LazyLock;

use turnpost_games::registry;

use super::dress::narrow;
use super::phrasebook::is_of_a_phrase;
use super::secrets::has_a_form;
use super::token::MASK;
use crate::ids::Userid;
use crate::mail::phrases::{PASSWORDS, Phrases, section};

static WORDS: Phrases = LazyLock::new(|| section(PASSWORDS, "words"));
static SHORT: Phrases = LazyLock::new(|| section(PASSWORDS, "short"));
static LINKS: Phrases = LazyLock::new(|| section(PASSWORDS, "links"));
static NOT: Phrases = LazyLock::new(|| section(PASSWORDS, "not"));
static CHANGES: Phrases = LazyLock::new(|| section(PASSWORDS, "changes"));
static ADDRESSES: Phrases = LazyLock::new(|| section(PASSWORDS, "addresses"));
static LOGINS: Phrases = LazyLock::new(|| section(PASSWORDS, "logins"));

/// The most words between a word for a password and the password itself.
const BETWEEN: usize = 4;

/// The most words after a word for a password in a line for the server. A longer line is a sentence.
const VALUES: usize = 4;

/// A password that a text tells, and its owner if only the userid before it shows that it is a password.
pub(crate) type Told = (Option<Userid>, String);

/// The words of `text` that can be passwords, judged by the words before them.
pub(crate) fn passwords_told(text: &str) -> Vec<Told> {
    let words = spoken(text);
    let mut told = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at..).unwrap_or_default();
        if let Some(password) = behind_a_word(rest).filter(|password| password.core != MASK) {
            told.push((None, password.core.to_owned()));
        }
        if let Some(next) = words.get(at + 1).filter(|next| looks_like_one(next.core))
            && let Ok(userid) = word.core.parse::<Userid>()
        {
            told.push((Some(userid), next.core.to_owned()));
        }
    }
    told
}

/// `text` without what follows a word for a password in the line of the password: it can be more of it.
pub(crate) fn without_told(text: &str) -> String {
    let words = spoken(text);
    let mut told: Vec<&Spoken<'_>> =
        (0..words.len()).filter_map(|at| behind_a_word(words.get(at..).unwrap_or_default())).collect();
    told.reverse();
    let line = |(number, line): (usize, &str)| {
        let own = told.iter().filter(|word| word.line == number).map(|word| word.core);
        let value = for_an_account(line)
            .filter(|(change, _)| *change == AccountChange::Password)
            .map(|(_, value)| value);
        match own.chain(value).filter_map(|value| line.find(value)).min() {
            Some(at) => format!("{}{MASK}", line.get(..at).unwrap_or_default()),
            None => line.to_owned(),
        }
    };
    text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// What a line would change in an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccountChange {
    Password,
    Address,
}

/// The change that a line asks for. The line begins like a command for it and names a value: `password x`, `change
/// address a@b.example`. Such a line is for the server, never for another player.
pub(crate) fn account_change(line: &str) -> Option<AccountChange> {
    for_an_account(line).map(|(change, _)| change)
}

/// The change of an account and the first word of its value.
fn for_an_account(line: &str) -> Option<(AccountChange, &str)> {
    let words = spoken(line);
    let mut rest = words.as_slice();
    if line.trim_end().ends_with('?') {
        return None;
    }
    while let length @ 1.. = length_at(&CHANGES, rest) {
        rest = rest.get(length..)?;
    }
    let begins = |phrases: &Phrases| {
        let length = length_at(phrases, rest);
        let values = rest.get(length..).filter(|_| length > 0)?;
        let is_link = |word: &&Spoken<'_>| LINKS.contains(&word.lower.as_str());
        let values: Vec<_> = values.iter().skip_while(is_link).collect();
        (!values.is_empty()).then_some(values)
    };
    let is_secret = |word: &&&Spoken<'_>| word.core == MASK || looks_like_one(word.core);
    let is_more = |word: &&&Spoken<'_>| !NOT.contains(&word.lower.as_str());
    // `My password to happiness is chess` tells none.
    let is_prose = |values: &[&Spoken<'_>]| {
        let behind = values.iter().rposition(|word| LINKS.contains(&word.lower.as_str()));
        let named = behind.and_then(|at| values.get(at + 1..)).unwrap_or_default();
        !named.is_empty()
            && named.iter().all(|word| registry::find(&word.lower).is_some() || is_of_a_phrase(&word.lower))
    };
    let whole = begins(&WORDS).filter(|values| {
        values.len() <= VALUES && values.iter().any(|word| is_more(&word)) && !is_prose(values)
    });
    let whole = whole.and_then(|values| values.first().map(|word| word.core));
    let short = || {
        begins(&SHORT).and_then(|values| values.first().filter(|word| is_secret(word)).map(|word| word.core))
    };
    let login = || {
        let values = begins(&LOGINS).filter(|values| values.len() <= VALUES)?;
        values.iter().find(is_secret).map(|word| word.core)
    };
    let address = || begins(&ADDRESSES)?.iter().find(|word| word.core.contains('@')).map(|word| word.core);
    let password = whole.or_else(short).or_else(login).map(|value| (AccountChange::Password, value));
    password.or_else(|| address().map(|value| (AccountChange::Address, value)))
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
    /// Without the marks around it; a masked password stays as it is.
    core: &'a str,
    /// The number of its line.
    line: usize,
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
            Some(before) if spoken.core.is_empty() => before.names |= spoken.names,
            _ => words.push(spoken),
        }
    }

    fn of(word: &'a str) -> Spoken<'a> {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let core = if bare.is_empty() && word.contains(MASK) { MASK } else { bare };
        Spoken {
            core,
            line: 0,
            lower: core.to_lowercase(),
            names: word.ends_with([':', '=', '\u{FF1A}']),
            is_quoted: word
                .starts_with(['"', '\'', '(', '`', '<', '\u{201C}', '\u{201E}', '\u{AB}', '\u{2018}']),
            ends: word.ends_with(['.', '!', ',', ';']),
        }
    }
}

/// The words of a text with the numbers of their lines.
fn spoken(text: &str) -> Vec<Spoken<'_>> {
    let mut words: Vec<Spoken<'_>> = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        let begins = words.len();
        line.split_whitespace().for_each(|word| Spoken::push(&mut words, word));
        let own = words.get_mut(begins..).unwrap_or_default();
        own.iter_mut().for_each(|word| word.line = number);
        if let Some(last) = own.last_mut() {
            last.ends = true;
        }
    }
    words
}

/// The number of words in the longest phrase at the beginning of `words`; 0 for none.
fn length_at(phrases: &Phrases, words: &[Spoken<'_>]) -> usize {
    let begins = |phrase: &&&str| {
        let mut said = words.iter();
        phrase.split(' ').all(|word| said.next().is_some_and(|spoken| spoken.lower == word))
    };
    phrases.iter().filter(begins).map(|phrase| phrase.split(' ').count()).max().unwrap_or_default()
}

/// The password after a word for one at the beginning of `words`.
fn behind_a_word<'w, 'a>(words: &'w [Spoken<'a>]) -> Option<&'w Spoken<'a>> {
    let whole = length_at(&WORDS, words);
    let length = if whole > 0 { whole } else { length_at(&SHORT, words) };
    let mut is_named = words.get(length.checked_sub(1)?)?.names;
    let mut is_linked = false;
    for word in words.get(length..)?.iter().take(BETWEEN) {
        let is_a_link = LINKS.contains(&word.lower.as_str());
        if is_a_link && !word.is_quoted && (word.names || !is_named) {
            is_linked = whole > 0;
            is_named |= word.names;
            continue;
        }
        let says_so = is_named || word.is_quoted || is_linked && word.ends;
        let is_one =
            says_so && !NOT.contains(&word.lower.as_str()) || looks_like_one(word.core) || word.core == MASK;
        return Some(word).filter(|word| is_one && !word.core.is_empty());
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
