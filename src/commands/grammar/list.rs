//! The boards of every game.
//!
//! ```text
//! list [game ...]
//! ```

use crate::commands::{Command, Entry};
use crate::language::Parameters;
use crate::language::args::{Args, ArgumentError};
use turnpost_games::GameKind;
use turnpost_games::registry::{self, GAMES};

#[derive(Debug, Clone)]
pub struct List {
    /// None: all.
    pub games: Vec<&'static GameKind>,
}

impl Parameters for List {}

pub(crate) const LIST: Entry = Entry {
    summary: "lists the boards in play and those that ended lately, game by game",
    details: "Without a game's name all games. Of each game the newest 50 boards in play and the last 20 that ended.",
    example: "list",
    ..Entry::of_server("list", "[game ...]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let mut games: Vec<&'static GameKind> = Vec::new();
    for word in args.rest() {
        let Some(game) = registry::find(&word.text) else {
            let known: Vec<&str> = GAMES.iter().map(|game| game.key).collect();
            let known = known.join(", ");
            return Err(word.error(format!("the name of a game is expected here; there are {known}")));
        };
        if !games.iter().any(|known| known.key == game.key) {
            games.push(game);
        }
    }
    Ok(Command::List(List { games }))
}
