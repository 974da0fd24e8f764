//! What the table, the parser and the help pages know of a command.

use super::Command;
use super::args::{Args, ArgumentError};

/// What stands before a command's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Nothing.
    Server,
    /// The name of a game.
    Game,
}

/// A command of the language. In its texts `GAME` stands for the game's word.
pub struct Entry {
    /// In lower case.
    pub word: &'static str,
    pub aliases: &'static [&'static str],
    pub scope: Scope,
    /// The grammar of what stands behind the word.
    pub arguments: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Paragraphs parted by `\n\n`.
    pub details: &'static str,
    /// A command that could be sent as it stands.
    pub example: &'static str,
    pub(super) read: fn(&mut Args) -> Result<Command, ArgumentError>,
}

impl Entry {
    /// Every word that names it.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.word).chain(self.aliases.iter().copied())
    }

    /// How the command is written, with `game` in front of a game's command.
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

    /// True when a password, token or code may stand among its arguments.
    pub(super) fn takes_a_secret(&self) -> bool {
        ["password", "token", "code"].iter().any(|secret| self.arguments.contains(secret))
    }
}
