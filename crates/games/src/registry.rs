//! The list of games.
//!
//! To add a game, add its `KIND` to `GAMES` and its module to `lib.rs`. `docs/games.md` lists what else it needs.

use std::sync::OnceLock;

use crate::{
    GameKind, amazons, backgammon, breakthrough, chess, draughts, dvonn, einstein, go, gomoku, havannah, hex,
    hexmeister, hypergammon, loa, nackgammon, pig, reversi, y,
};

/// Every game, in the order in which lists show them.
static GAMES: &[&GameKind] = &[
    &dvonn::KIND,
    &hexmeister::KIND,
    &hex::KIND,
    &havannah::KIND,
    &y::KIND,
    &breakthrough::KIND,
    &amazons::KIND,
    &go::KIND,
    &reversi::KIND,
    &chess::KIND,
    &draughts::KIND,
    &loa::KIND,
    &gomoku::KIND,
    &backgammon::KIND,
    &nackgammon::KIND,
    &hypergammon::KIND,
    &einstein::KIND,
    &pig::KIND,
];

static WITH_MADE_UP: OnceLock<Vec<&'static GameKind>> = OnceLock::new();

/// Every game, in the order in which lists show them.
pub fn games() -> &'static [&'static GameKind] {
    WITH_MADE_UP.get().map_or(GAMES, Vec::as_slice)
}

/// The first game of the list, for examples in which any game would do.
pub fn first() -> &'static GameKind {
    games()[0]
}

/// The families with their games. The first game of a family decides its place in the list.
pub fn families() -> Vec<(&'static str, Vec<&'static GameKind>)> {
    let mut families: Vec<(&str, Vec<&GameKind>)> = Vec::new();
    for game in games() {
        match families.iter_mut().find(|(family, _)| *family == game.family) {
            Some((_, games)) => games.push(game),
            None => families.push((game.family, vec![game])),
        }
    }
    families
}

/// Adds test games to the list. Works only once per process, before the first call of [`games`].
#[doc(hidden)]
pub fn make_up(games: &[&'static GameKind]) {
    let _ = WITH_MADE_UP.set(GAMES.iter().chain(games).copied().collect());
}

/// The game whose key or alias is `word`, in upper or lower case.
pub fn find(word: &str) -> Option<&'static GameKind> {
    games().iter().copied().find(|game| game.answers_to(word))
}
