//! Finds the command that a line names, and lists all commands for the help pages.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::entry::{CommandMatch, Entry, InReply, Scope};
use super::greeting::is_small_talk;
use super::parameters::{OnBoard, Parameters};
use super::reserved::{is_a_mail_role, looks_like_the_robot};
use super::spelling::closest;
use super::token::{Word, words};
use turnpost_games::registry;

/// The grammar around a table of commands.
pub struct Language<C: 'static> {
    entries: &'static [Entry<C>],
    /// What people mean by words of other servers.
    meanings: &'static [WordsElsewhere],
    /// Every word that a command can begin with.
    first: OnceLock<HashSet<&'static str>>,
}

/// Words that are no commands here, with their meaning.
pub struct WordsElsewhere {
    pub words: &'static [&'static str],
    /// What is suggested in their place.
    pub command: &'static str,
}

/// The first word of a Subject that leaves the commands to the body.
pub const MULTIPLE: &str = "multiple";

/// Words of the language that are neither commands nor games. The echo of an unreadable line shows words of
/// the language only, and no player can have one as a userid.
const OTHER_WORDS: &[&str] = &[
    MULTIPLE, "game", "all", "next", "active", "inactive", "new", "end", "quit", "on", "off", "if", "then",
    "me", "you", "nobody", "anyone", "everyone", "server", "operator", "admin", "turnpost", "password",
    "address",
];

/// Placeholders of a userid in the server's mails. Some people send them as they are.
const PLACEHOLDERS: &[&str] =
    &["name", "userid", "opponent", "friend", "yourname", "your-name", "your_name", "newname", "username"];

/// The beginning of the userid of a player whom the host has erased; a number follows.
pub const OF_THE_ERASED: &str = "deleted-";

impl<C> Language<C> {
    pub(crate) const fn new(
        entries: &'static [Entry<C>],
        meanings: &'static [WordsElsewhere],
    ) -> Language<C> {
        Language { entries, meanings, first: OnceLock::new() }
    }

    /// Every command.
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry<C>> + use<C> {
        self.entries.iter()
    }

    /// The command of that scope that answers to `word`, in any case.
    fn find(&self, scope: Scope, word: &str) -> Option<&'static Entry<C>> {
        // The lengths differ as a rule, so this is faster than to hash the word.
        let is = |known: &str| known.eq_ignore_ascii_case(word);
        self.entries().find(|entry| entry.scope == scope && entry.words().any(is))
    }

    /// The command of the server that answers to `word`, in any case.
    pub(super) fn of_server(&self, word: &str) -> Option<&'static Entry<C>> {
        self.find(Scope::Server, word)
    }

    /// The command of the server with that keyword, in any case.
    pub(super) fn of_keyword(&self, word: &str) -> Option<&'static Entry<C>> {
        let is = |known: &&str| known.eq_ignore_ascii_case(word);
        self.entries().find(|entry| entry.scope == Scope::Server && entry.keywords.iter().any(&is))
    }

    /// The command at the head of a line and the game it is for.
    pub(super) fn command_at(&self, words: &[Word]) -> Option<CommandMatch<C>> {
        let first = &words.first()?.text;
        if let Some(game) = registry::find(first) {
            let entry = self.find(Scope::Game, &words.get(1)?.text)?;
            return Some(CommandMatch { entry, game, used: 2, named: true });
        }
        let game = registry::first();
        if let Some(entry) = self.of_server(first) {
            return Some(CommandMatch { entry, game, used: 1, named: false });
        }
        self.entries().find_map(|entry| {
            let used = entry.without_game.iter().find_map(|known| begin_with(words, known))?;
            Some(CommandMatch { entry, game, used, named: false })
        })
    }

    /// True for a line that begins with a game's command and lacks the game's name.
    pub(crate) fn needs_a_game(&self, line: &str) -> bool {
        let first = line.split_whitespace().next().unwrap_or_default();
        let is_without =
            |entry: &Entry<C>| entry.without_game.iter().any(|known| known.eq_ignore_ascii_case(first));
        registry::find(first).is_none()
            && self.of_server(first).is_none()
            && self.find(Scope::Game, first).is_some_and(|entry| !is_without(entry))
    }

    /// The command of a canonical line; `None` for a line with a password, hidden or not.
    pub fn canonical(&self, line: &str) -> Option<C>
    where
        C: Parameters,
    {
        let words = words(line).ok()?;
        self.command_at(&words)?.canonical(&words).filter(|command| command.passwords().is_empty())
    }

    /// The command that a word in the first line of a reply about a board means.
    pub(crate) fn of_reply(&self, word: &str) -> Option<&'static Entry<C>> {
        let is = |known: &str| known.eq_ignore_ascii_case(word);
        self.entries().find(|entry| !matches!(entry.in_reply, InReply::Nothing) && entry.words().any(is))
    }

    /// The command of a word in place of a move; `None` for a move.
    pub(crate) fn for_move(&self, text: &str) -> Option<fn(OnBoard) -> C> {
        let text = text.trim().trim_end_matches(['.', '!']);
        let (word, second) = text.split_once(' ').unwrap_or((text, ""));
        let entry = self.of_reply(word)?;
        match entry.in_reply {
            _ if !second.is_empty() => entry.with_second(second),
            InReply::ForMove(command) | InReply::Decides(command) => Some(command),
            _ => None,
        }
    }

    /// True for a word of the language, in any case.
    pub(crate) fn is_of_the_language(&self, word: &str) -> bool {
        let is = |known: &str| known.eq_ignore_ascii_case(word);
        OTHER_WORDS.iter().any(|known| is(known))
            || self
                .entries()
                .any(|entry| entry.words().any(is) || entry.keywords.iter().any(|known| is(known)))
            || registry::games().iter().any(|game| {
                game.answers_to(word) || game.seats.iter().chain(game.plies.words).any(|known| is(known))
            })
    }

    /// True if a command can begin with this word, in any case: its own word, or a game's name. Called for
    /// every word of a long mail.
    pub(crate) fn begins_a_command(&self, word: &str) -> bool {
        let first = self.first.get_or_init(|| {
            let games = registry::games()
                .iter()
                .flat_map(|game| std::iter::once(&game.key).chain(game.aliases))
                .copied();
            self.entries().flat_map(Entry::words).chain(games).collect()
        });
        first.contains(word.to_ascii_lowercase().as_str())
    }

    /// True if `first` is the short name of a game, which people also write every day, and `second` is no
    /// command of a game.
    pub(crate) fn is_everyday(&self, first: &str, second: &str) -> bool {
        let is_short = first.len() < 5 && registry::find(first).is_some() && self.of_server(first).is_none();
        is_short && self.nearest_of_game(second).is_none()
    }

    /// True for a placeholder of a userid that its reader was to replace.
    pub(crate) fn is_placeholder(&self, word: &str) -> bool {
        PLACEHOLDERS.iter().any(|other| other.eq_ignore_ascii_case(word))
    }

    /// True if an account can have this userid.
    pub fn may_be_a_userid(&self, word: &str) -> bool {
        !self.is_placeholder(word)
            && !self.is_of_the_language(word)
            && !looks_like_the_robot(word)
            && !is_a_mail_role(word)
            && !word.to_ascii_lowercase().starts_with(OF_THE_ERASED)
    }

    /// The command that people mean by words of other servers, or by its two halves.
    fn meaning(&self, first: &str, second: Option<&str>) -> Option<&'static str> {
        let whole = format!("{first}{}", second.unwrap_or_default().to_lowercase());
        let is =
            |meaning: &&WordsElsewhere| meaning.words.iter().any(|word| *word == whole || *word == first);
        self.meanings.iter().find(is).map(|meaning| meaning.command)
    }

    /// The command nearest to these words, if one is near.
    pub(crate) fn nearest(&self, first: &str, second: Option<&str>) -> Option<String> {
        let first = first.to_lowercase();
        if is_small_talk(&first) {
            return None;
        }
        if let Some(meant) = self.meaning(&first, second) {
            return Some(meant.to_owned());
        }
        if let Some(game) = registry::games().iter().find(|game| game.answers_to(&first)) {
            return Some(format!("{} {}", game.key, self.nearest_of_game(second?)?));
        }
        // The game's name left out is the commonest slip, and there may be only one game it can be.
        let game = registry::first().key;
        if let Some(entry) = self.find(Scope::Game, &first) {
            return Some(format!("{game} {}", entry.word));
        }
        let games = registry::games()
            .iter()
            .flat_map(|game| std::iter::once(game.key).chain(game.aliases.iter().copied()))
            // Any short word is near to a short one.
            .filter(|word| word.len() > 4);
        let near = closest(&first, self.words(Scope::Server).chain(games).chain(std::iter::once(MULTIPLE)))?;
        let game = registry::games().iter().find(|game| game.answers_to(near));
        let of_game = game.zip(second).and_then(|(_, second)| self.nearest_of_game(second));
        Some(of_game.map_or_else(|| near.to_owned(), |word| format!("{near} {word}")))
    }

    fn nearest_of_game(&self, word: &str) -> Option<&'static str> {
        closest(&word.to_lowercase(), self.words(Scope::Game))
    }

    fn words(&self, scope: Scope) -> impl Iterator<Item = &'static str> + use<C> {
        self.entries().filter(move |entry| entry.scope == scope).map(|entry| entry.word)
    }
}

/// The number of words in `known`, if the line begins with them.
fn begin_with(words: &[Word], known: &str) -> Option<usize> {
    let used = known.split(' ').count();
    let first = words.get(..used)?;
    first
        .iter()
        .zip(known.split(' '))
        .all(|(word, known)| word.text.eq_ignore_ascii_case(known))
        .then_some(used)
}
