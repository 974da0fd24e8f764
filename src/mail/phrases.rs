//! Phrases of people and of programs in many languages, which are files of `data`: each says at its head how to add one.

use std::sync::LazyLock;

pub const AUTOMATIC: &str = include_str!("../../data/automatic.txt");
pub const BANNERS: &str = include_str!("../../data/banners.txt");
pub const BOUNCES: &str = include_str!("../../data/bounces.txt");
pub const FOOTERS: &str = include_str!("../../data/footers.txt");
pub const GREETINGS: &str = include_str!("../../data/greetings.txt");
pub const PASSWORDS: &str = include_str!("../../data/passwords.txt");
pub const QUOTES: &str = include_str!("../../data/quotes.txt");
pub const REPLIES: &str = include_str!("../../data/replies.txt");

/// The phrases of a section, found when they are first asked for.
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

#[cfg(test)]
mod tests {
    use super::{AUTOMATIC, BANNERS, BOUNCES, FOOTERS, GREETINGS, PASSWORDS, QUOTES, REPLIES, section};

    #[test]
    fn every_phrase_is_in_lower_case_and_stands_once_in_its_section() {
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
