//! The boards of every game.
//!
//! ```text
//! list [game ...]
//! ```

use minijinja::context;
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::commands::games::{BoardList, BoardLists};
use crate::commands::prelude::*;
use crate::ids::Which;
use crate::notices::transcript::data;
use crate::notices::view::game_row;
use crate::store::{BoardFilter, BoardRow};

#[derive(Debug, Clone)]
pub struct List {
    /// `None` for all.
    pub games: Vec<&'static GameKind>,
}

impl Parameters for List {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(self.games.iter().map(|game| game.key)).end()
    }
}

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
            let known: Vec<&str> = registry::games().iter().map(|game| game.key).collect();
            let known = known.join(", ");
            return Err(word.error(format!("the name of a game is expected here; there are {known}")));
        };
        if !games.iter().any(|known| known.key == game.key) {
            games.push(game);
        }
    }
    Ok(Command::List(List { games }))
}

const ROWS_AT_MOST: u32 = 50;

/// Ended boards that `list` shows for each game.
const LATELY_AT_MOST: u32 = 20;

pub(crate) fn list(ctx: &mut Context<'_>, command: List) -> Result<Event, CommandError> {
    let games = &command.games;
    let mut lists = BoardLists::default();
    for game in if games.is_empty() { registry::games() } else { games } {
        let filter = BoardFilter {
            game: Some(game.key.to_owned()),
            player: None,
            which: Which::Active,
            limit: ROWS_AT_MOST + 1,
            before: None,
        };
        let mut running = ctx.store.boards(&filter)?;
        let more = running.len() > ROWS_AT_MOST as usize;
        running.truncate(ROWS_AT_MOST as usize);
        let row = |row: &BoardRow| game_row(ctx.store, row, game.seats);
        let rows = running.iter().map(row).collect::<Result<_, _>>()?;
        let last = running.last().filter(|_| more);
        let more = last.map(|last| format!("{} games --before={}", game.key, last.id));
        lists.add(game, BoardList { title: "games in play".to_owned(), rows, more });
        let mut rows = Vec::new();
        for board in ctx.store.latest_finishes(game.key, LATELY_AT_MOST)? {
            if let Some(over) = ctx.store.board(board)? {
                rows.push(row(&over)?);
            }
        }
        let title = "games lately ended, the latest first".to_owned();
        lists.add(game, BoardList { title, rows, more: None });
    }
    Ok(Event::page("list.txt", context! { lists => data(&lists.shown()) }, None))
}
