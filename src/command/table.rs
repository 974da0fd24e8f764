//! The one list of commands.

use super::args::{Args, Expected};
use super::{
    Command, account, challenge, clock, offer, play, query, record, settings, standing, talk, watch,
};
use turnpost_games::registry::GAMES;

/// The word that stands for the robot, and begins the userids of its accounts.
pub const ROBOT: &str = "robot";

/// What stands before a command's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Nothing.
    Server,
    /// The name of a game.
    Game,
}

/// A command of the language.
pub struct Entry {
    /// Its word, in lower case.
    pub word: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// Whether a game's name stands before it.
    pub scope: Scope,
    /// What stands behind it.
    pub arguments: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What there is to know, in paragraphs parted by `\n\n`.
    pub details: &'static str,
    /// A command that could be sent as it stands. `GAME` stands for the game's word.
    pub example: &'static str,
    /// Reads its arguments.
    pub(super) read: fn(&mut Args) -> Result<Command, Expected>,
}

impl Entry {
    /// How it is written, with `game` as the word in front of a game's command.
    pub fn grammar(&self, game: &str) -> String {
        let mut grammar = match self.scope {
            Scope::Server => self.word.to_owned(),
            Scope::Game => format!("{game} {}", self.word),
        };
        if !self.arguments.is_empty() {
            grammar.push(' ');
            grammar.push_str(self.arguments);
        }
        grammar
    }

    fn answers_to(&self, word: &str) -> bool {
        self.word.eq_ignore_ascii_case(word)
            || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(word))
    }
}

/// Families of commands, in the order in which help shows them.
const FAMILIES: &[&[Entry]] = &[
    account::ENTRIES,
    settings::ENTRIES,
    challenge::ENTRIES,
    play::ENTRIES,
    offer::ENTRIES,
    clock::ENTRIES,
    query::ENTRIES,
    standing::ENTRIES,
    record::ENTRIES,
    talk::ENTRIES,
    watch::ENTRIES,
];

/// Every command.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The command of that scope that answers to `word`, in any case.
pub fn find(scope: Scope, word: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.scope == scope && entry.answers_to(word))
}

/// The word at the head of a Subject that sends the reader to the body.
pub const MULTIPLE: &str = "multiple";

/// Words of the language that are neither commands nor games. With those they are what an echo of an unreadable line
/// may show, and what no player can be called.
const OTHER_WORDS: &[&str] = &[
    MULTIPLE, "game", "next", "active", "inactive", "new", "pass", "done", "end", "quit", "on", "off", "if",
    "then", "me", "you", "nobody", "anyone", "everyone", "server", "operator", "admin", "turnpost",
    "password", "address",
];

/// Whether `word`, in any case, is one of the language.
pub fn is_of_the_language(word: &str) -> bool {
    let is = |other: &str| other.eq_ignore_ascii_case(word);
    OTHER_WORDS.iter().any(|other| is(other))
        || entries().any(|entry| entry.answers_to(word))
        || GAMES.iter().any(|game| game.answers_to(word) || game.seats.iter().any(|seat| is(seat)))
        || settings::is_key(word)
}

/// Whether an account may be called `word`.
pub fn may_be_a_userid(word: &str) -> bool {
    !is_of_the_language(word) && !looks_like_the_robot(word)
}

/// Whether `word` could be taken for an account of the robot's: `Robot_5`, `r0bot`, `ro-bot-3`.
pub fn looks_like_the_robot(word: &str) -> bool {
    let signs = word.chars().filter(|c| c.is_ascii_alphanumeric());
    let letters = signs.map(|c| if c == '0' { 'o' } else { c.to_ascii_lowercase() });
    letters.collect::<String>().starts_with(ROBOT)
}

/// The command nearest to what somebody wrote, when one is near.
pub fn nearest(first: &str, second: Option<&str>) -> Option<String> {
    let first = first.to_lowercase();
    if let Some(game) = GAMES.iter().find(|game| game.answers_to(&first)) {
        let words = entries().filter(|entry| entry.scope == Scope::Game).map(|entry| entry.word);
        return closest(&second?.to_lowercase(), words).map(|word| format!("{} {word}", game.key));
    }
    // The game's name left out is the commonest slip, and there may be only one game it can be.
    let game = GAMES.first().map_or("dvonn", |game| game.key);
    if let Some(entry) = find(Scope::Game, &first) {
        return Some(format!("{game} {}", entry.word));
    }
    let servers = entries().filter(|entry| entry.scope == Scope::Server).map(|entry| entry.word);
    let games = GAMES.iter().flat_map(|game| std::iter::once(game.key).chain(game.aliases.iter().copied()));
    let near = closest(&first, servers.chain(games).chain(std::iter::once(MULTIPLE)))?;
    match (GAMES.iter().any(|game| game.answers_to(near)), second) {
        (true, Some(second)) => {
            let words = entries().filter(|entry| entry.scope == Scope::Game).map(|entry| entry.word);
            Some(
                closest(&second.to_lowercase(), words)
                    .map_or(near.to_owned(), |word| format!("{near} {word}")),
            )
        }
        _ => Some(near.to_owned()),
    }
}

/// The one of `words` nearest to `word`: at most one slip in three letters.
pub fn closest<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let allowed = word.chars().count().min(30).div_ceil(3);
    words
        .map(|candidate| (strsim::damerau_levenshtein(word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_answer_to_one_word() {
        let mut words: Vec<(Scope, &str)> = entries()
            .flat_map(|entry| {
                std::iter::once(entry.word)
                    .chain(entry.aliases.iter().copied())
                    .map(|word| (entry.scope, word))
            })
            .collect();
        let all = words.len();
        words.sort_by_key(|(scope, word)| (*scope == Scope::Game, *word));
        words.dedup();
        assert_eq!(words.len(), all);
    }

    #[test]
    fn slips_lead_to_the_nearest_command() {
        let nearest = |line: &str| {
            let mut words = line.split(' ');
            super::nearest(words.next().unwrap(), words.next())
        };
        assert_eq!(nearest("dvonn mvoe2").as_deref(), Some("dvonn move"));
        assert_eq!(nearest("dvon chalenge").as_deref(), Some("dvonn challenge"));
        assert_eq!(nearest("challenge ann").as_deref(), Some("dvonn challenge"));
        assert_eq!(nearest("singup ann").as_deref(), Some("signup"));
        assert_eq!(nearest("weather forecast"), None);
    }
}
