//! Looking commands up: the parser does by their words, the help pages one by one.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::entry::{Entry, Scope};
use super::greeting::is_small_talk;
use super::mail_role::is_a_mail_role;
use super::robot::looks_like_the_robot;
use super::spelling::closest;
use super::who::NEAR;
use super::{ENTRIES, settings};
use crate::clock::work;
use turnpost_games::registry::GAMES;

/// Every command.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter()
}

/// The command of that scope that answers to `word`, in any case.
pub fn find(scope: Scope, word: &str) -> Option<&'static Entry> {
    // The lengths differ as a rule, so this is faster than to hash the word.
    entries()
        .find(|entry| entry.scope == scope && entry.words().any(|known| known.eq_ignore_ascii_case(word)))
}

/// The word at the head of a Subject that sends the reader to the body.
pub const MULTIPLE: &str = "multiple";

/// Words of the language that are neither commands nor games. With those they are what an echo of an unreadable line
/// may show, and what no player can be called.
const OTHER_WORDS: &[&str] = &[
    MULTIPLE, NEAR, "game", "next", "active", "inactive", "new", "pass", "done", "end", "quit", "on", "off",
    "if", "then", "me", "you", "nobody", "anyone", "everyone", "server", "operator", "admin", "turnpost",
    "password", "address",
];

/// True for a word of the language, in any case.
pub fn is_of_the_language(word: &str) -> bool {
    work::count(1);
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    OTHER_WORDS.iter().chain(settings::KEYS).any(|known| is(known))
        || entries().flat_map(Entry::words).any(is)
        || GAMES.iter().any(|game| game.answers_to(word) || game.seats.iter().any(|seat| is(seat)))
}

/// True for the first word of commands, in any case: their own, or a game's name. It is asked about every word of a long mail.
pub fn begins_a_command(word: &str) -> bool {
    static FIRST: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let games = GAMES.iter().flat_map(|game| std::iter::once(&game.key).chain(game.aliases)).copied();
        entries().flat_map(Entry::words).chain(games).collect()
    });
    FIRST.contains(word.to_ascii_lowercase().as_str())
}

/// Words that stand for a userid in our mails. Somebody sends them as they are.
const PLACEHOLDERS: &[&str] = &["name", "userid", "opponent", "friend"];

/// True when an account may have that userid.
pub fn may_be_a_userid(word: &str) -> bool {
    !PLACEHOLDERS.iter().any(|other| other.eq_ignore_ascii_case(word))
        && !is_of_the_language(word)
        && !looks_like_the_robot(word)
        && !is_a_mail_role(word)
        && !word.to_ascii_lowercase().starts_with(OF_THE_ERASED)
}

/// How the userids begin that people have whom the host has erased; a number follows.
pub const OF_THE_ERASED: &str = "deleted-";

/// The command that people mean by words of other servers, or by its two halves. Nobody logs in here.
fn other_words(first: &str, second: Option<&str>) -> Option<&'static str> {
    let second = second.unwrap_or_default().to_lowercase();
    let written = [format!("{first}{second}"), first.to_owned()];
    let is = |words: &[&str]| written.iter().any(|written| words.contains(&written.as_str()));
    if is(&["signup", "register", "enroll", "enrol", "newaccount", "createaccount", "sign-up", "regist"]) {
        return Some("signup");
    }
    if is(&["signoff", "signout", "sign-off", "logout", "logoff", "log-out"]) {
        return Some("signoff");
    }
    is(&["login", "logon", "signin", "log-in", "sign-in"]).then_some("help signup")
}

/// The command nearest to what somebody wrote, when one is near.
pub fn nearest(first: &str, second: Option<&str>) -> Option<String> {
    let first = first.to_lowercase();
    if is_small_talk(&first) {
        return None;
    }
    if let Some(meant) = other_words(&first, second) {
        return Some(meant.to_owned());
    }
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
        for (_, word) in words {
            assert_eq!(word, word.to_ascii_lowercase(), "as words are looked up");
            assert!(begins_a_command(word) && begins_a_command(&word.to_ascii_uppercase()), "{word}");
        }
        for game in GAMES {
            assert!(begins_a_command(&game.name.to_uppercase()), "{}", game.name);
        }
        assert!(!begins_a_command("weather") && !begins_a_command(""));
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
        for (line, meant) in [
            ("sign up", "signup"),
            ("Sign Up", "signup"),
            ("register ann", "signup"),
            ("sign off", "signoff"),
            ("sign out", "signoff"),
            ("log out", "signoff"),
            ("log in", "help signup"),
            ("login ann", "help signup"),
        ] {
            assert_eq!(nearest(line).as_deref(), Some(meant), "{line}");
        }
    }
}
