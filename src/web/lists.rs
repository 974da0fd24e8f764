//! The pages that list: the first page, a game, a player.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::registry::GAMES;

use super::page::Answer;
use super::{Site, trial};
use crate::ids::{Userid, Which};
use crate::reply::help;
use crate::service::Error;
use crate::service::view::{GameRow, game_row};
use crate::store::{BoardFilter, Store};

/// The most boards that a list shows.
const BOARDS: u32 = 30;
/// The most players of the standings.
const PLAYERS: u32 = 20;

pub(super) fn home(site: &Site, store: &Store, json: bool) -> Result<Answer, Error> {
    let games: Vec<Value> =
        GAMES.iter().map(|game| context! { key => game.key, name => game.name }).collect();
    let boards = rows(store, &BoardFilter { which: Which::Active, ..boards_of(None) })?;
    let boards = Value::from(Serde(&boards));
    match json {
        true => site.shown("home", context! { games, boards }, json),
        false => site.html("home", context! { games, boards, try_svg => trial::first(site)? }),
    }
}

pub(super) fn game(site: &Site, store: &Store, game: &GameKind, json: bool) -> Result<Answer, Error> {
    #[derive(Serialize)]
    struct Standing {
        userid: String,
        rating: i64,
        won: u32,
        lost: u32,
        tied: u32,
    }
    let mut standings = Vec::new();
    for row in store.ratings(game.key, 0, PLAYERS)? {
        let userid = store.player_by_id(row.player)?.userid.to_string();
        let rating = (row.rating + 50) / 100;
        standings.push(Standing { userid, rating, won: row.won, lost: row.lost, tied: row.tied });
    }
    let boards = rows(store, &boards_of(Some(game)))?;
    let rules = help::render(&site.templates, game.key)?;
    let (standings, boards) = (Value::from(Serde(&standings)), Value::from(Serde(&boards)));
    site.shown("game", context! { key => game.key, game => game.name, rules, standings, boards }, json)
}

pub(super) fn player(
    site: &Site,
    store: &Store,
    userid: &Userid,
    json: bool,
) -> Result<Option<Answer>, Error> {
    let Some(account) = store.player(userid)?.filter(|account| account.is_active()) else { return Ok(None) };
    let mut ratings = Vec::new();
    for game in GAMES {
        if let Some(row) = store.rating(game.key, account.id)? {
            let (won, lost, tied) = (row.won, row.lost, row.tied);
            let rating = (row.rating + 50) / 100;
            ratings.push(context! { game => game.name, key => game.key, rating, won, lost, tied });
        }
    }
    let boards = rows(store, &BoardFilter { player: Some(account.id), ..boards_of(None) })?;
    let userid = account.userid.to_string();
    let boards = Value::from(Serde(&boards));
    site.shown("player", context! { userid, ratings, boards }, json).map(Some)
}

fn boards_of(game: Option<&GameKind>) -> BoardFilter {
    BoardFilter {
        game: game.map(|game| game.key.to_owned()),
        player: None,
        which: Which::All,
        limit: BOARDS,
        before: None,
    }
}

/// A line of a list of boards.
#[derive(Serialize)]
struct Row {
    key: &'static str,
    name: &'static str,
    #[serde(flatten)]
    row: GameRow,
}

fn rows(store: &Store, filter: &BoardFilter) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for row in store.boards(filter)? {
        let Some(game) = GAMES.iter().find(|game| game.key == row.game) else { continue };
        rows.push(Row { key: game.key, name: game.name, row: game_row(store, &row, game.seats)? });
    }
    Ok(rows)
}
