//! The games of this server. A new one is its folder and its line here.

use super::{GameKind, dvonn, hexmeister};

/// Every game, in the order in which lists show them.
pub static GAMES: &[&GameKind] = &[&dvonn::KIND, &hexmeister::KIND];

/// The game that answers to `word`, by key or alias, in any case.
pub fn find(word: &str) -> Option<&'static GameKind> {
    GAMES.iter().copied().find(|game| game.answers_to(word))
}
