//! Phrases of people and programs in many languages. Each file of `data` says at its head how to add one.

use std::sync::LazyLock;

pub const AUTOMATIC: &str = include_str!("../../data/automatic.txt");
pub const BANNERS: &str = include_str!("../../data/banners.txt");
pub const BOUNCES: &str = include_str!("../../data/bounces.txt");
pub const FOOTERS: &str = include_str!("../../data/footers.txt");
pub const GREETINGS: &str = include_str!("../../data/greetings.txt");
pub const LOOK_ALIKES: &str = include_str!("../../data/look-alikes.txt");
pub const ORDINARY_WORDS: &str = include_str!("../../data/ordinary-words.txt");
pub const PASSWORDS: &str = include_str!("../../data/passwords.txt");
pub const QUOTES: &str = include_str!("../../data/quotes.txt");
pub const REPLIES: &str = include_str!("../../data/replies.txt");
pub const WISHES: &str = include_str!("../../data/wishes.txt");

/// The phrases of a section, parsed at the first use.
pub type Phrases = LazyLock<Vec<&'static str>>;

/// The phrases below the line `== name` of a file.
pub fn section(file: &'static str, name: &str) -> Vec<&'static str> {
    let Some((_, below)) = file.split_once(&format!("\n== {name}\n")) else { return Vec::new() };
    let lines = below.lines().take_while(|line| !line.starts_with("== "));
    let phrases = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    phrases
        .map(|line| line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line))
        .collect()
}

/// The first phrase with which a text begins.
pub fn first_of(text: &str, phrases: &[&'static str]) -> Option<&'static str> {
    // Comparing the first octet is cheap, and rules out most phrases.
    let octet = text.as_bytes().first();
    phrases.iter().copied().find(|phrase| phrase.as_bytes().first() == octet && text.starts_with(phrase))
}

/// A text that is searched for many phrases. Most phrases have two adjacent octets that the text lacks. A check for
/// such a pair is cheaper than a search.
pub struct Haystack<'t> {
    text: &'t str,
    pairs: u128,
}

impl<'t> Haystack<'t> {
    pub fn new(text: &'t str) -> Haystack<'t> {
        Haystack { text, pairs: pairs(text).fold(0, |all, pair| all | pair) }
    }

    pub fn contains(&self, phrase: &str) -> bool {
        pairs(phrase).all(|pair| self.pairs & pair != 0) && self.text.contains(phrase)
    }
}

/// A bit for each pair of adjacent octets.
fn pairs(text: &str) -> impl Iterator<Item = u128> {
    let key = |pair: &[u8]| pair.iter().fold(0, |key, octet| key * 31 + u32::from(*octet));
    text.as_bytes().windows(2).map(move |pair| 1 << (key(pair) % u128::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_searched_text_contains_what_the_text_contains() {
        for text in [
            "",
            "h",
            "This is an HTML mail: view this mail as html",
            "请在浏览器中查看",
            "no pairs of `html`: h t m l",
        ] {
            let searched = Haystack::new(text);
            for phrase in section(BANNERS, "stubs").into_iter().chain(["", "h", "l"]) {
                assert_eq!(searched.contains(phrase), text.contains(phrase), "{phrase} in {text}");
            }
        }
    }

    #[test]
    fn every_phrase_is_in_lower_case_and_once_in_its_section() {
        for file in [AUTOMATIC, BANNERS, BOUNCES, FOOTERS, GREETINGS, PASSWORDS, QUOTES, REPLIES] {
            let names = file.lines().filter_map(|line| line.strip_prefix("== "));
            for name in names {
                let mut phrases = section(file, name);
                assert!(!phrases.is_empty(), "{name}");
                for phrase in &phrases {
                    assert_eq!(*phrase, phrase.to_lowercase(), "{name}");
                }
                let all = phrases.len();
                phrases.sort_unstable();
                phrases.dedup();
                assert_eq!(phrases.len(), all, "{name} has a phrase twice");
            }
            let lines = file.lines().filter(|line| !line.starts_with(['#', '"']));
            assert!(lines.clone().all(|line| line == line.trim()), "a blank at an end");
        }
    }
}
