//! Shows the names of a game's spaces.
//!
//! ```text
//! game map
//! ```

use minijinja::context;
use turnpost_games::{GameKind, Setup};

use crate::commands::prelude::*;
use crate::language::{InReply, Offered, Seen};

#[derive(Debug, Clone)]
pub struct Map {
    pub game: &'static GameKind,
}

impl Parameters for Map {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).end()
    }
}

pub(crate) const MAP: Entry = Entry {
    summary: "the empty board with the name of every space",
    details: "If the drawing of a board has no room for the names, the first mail of a game has this map too.",
    example: "GAME map",
    in_reply: InReply::Alone(|at| Command::Map(Map { game: at.game })),
    needs: Seen::Nothing,
    offered: Offered::Mapped,
    ..Entry::of_game("map", "", |args| Ok(Command::Map(Map { game: args.game })))
};

pub(crate) fn map(_: &mut Context<'_>, Map { game }: Map) -> Result<Event, CommandError> {
    let empty = (game.start)(&Setup { options: &[], seed: 0 }).map_err(|why| refusal!("{why}."))?;
    let drawing = game.map.map_or_else(|| empty.drawing().board, |map| map());
    let data = context! { name => game.name, has_map => game.map.is_some(), drawing };
    Ok(Event::page("map.md", data, None))
}
