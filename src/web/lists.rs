//! The pages that list: the first page and a game.

use std::collections::BTreeMap;

use jiff::Timestamp;
use minijinja::context;
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::registry;

use super::address::{FinishedBoards, Format};
use super::answer::Answer;
use super::{Site, prose, trial};
use crate::board::ratings::{PROVISIONAL, whole_points};
use crate::compose::{help, plain};
use crate::failure::Error;
use crate::ids::{BoardId, Which};
use crate::notices::open_seeks::{WaitingSeek, waiting};
use crate::notices::transcript::OpenSeek;
use crate::notices::view::{GameRow, game_row};
use crate::store::{BoardFilter, BoardRow, Narrowing, PlayerId, Store};

/// The most boards that a page shows as pictures: each is a request of its own.
const PICTURES: u32 = 12;
/// The most finished boards of a list.
const FINISHED: u32 = 30;
/// The most players of the standings.
const PLAYERS: u32 = 50;
const SEEKS: usize = 20;

pub(super) fn home(site: &Site, store: &Store, format: Format) -> Result<Answer, Error> {
    let game = |game: &&'static GameKind| GameLine { key: game.key, name: game.name, family: game.family };
    let page = HomePage {
        games: registry::games().iter().map(game).collect(),
        boards: in_play(store, None, None)?,
        seeks: seeks(site, store, registry::games())?,
    };
    site.shown_with("home", &page, format, || Ok(context! { offer => trial::first(site) }))
}

#[derive(Serialize, JsonSchema)]
pub(super) struct HomePage {
    games: Vec<GameLine>,
    boards: Vec<Row>,
    seeks: Vec<SeekLine>,
}

#[derive(Serialize, JsonSchema)]
struct GameLine {
    key: &'static str,
    name: &'static str,
    /// The family of the game. Lists are grouped by it.
    family: &'static str,
}

/// A seek as a page offers it.
#[derive(Serialize, JsonSchema)]
pub(super) struct SeekLine {
    name: &'static str,
    #[serde(flatten)]
    seek: OpenSeek,
}

fn seeks(site: &Site, store: &Store, games: &[&'static GameKind]) -> Result<Vec<SeekLine>, Error> {
    Ok(waiting(store, (site.now)(), games, SEEKS)?.into_iter().map(SeekLine::of).collect())
}

/// The seeks that a player can accept, and the player's own seeks.
pub(super) fn seeks_for(site: &Site, store: &Store, player: PlayerId) -> Result<[Vec<SeekLine>; 2], Error> {
    let mut lines = [Vec::new(), Vec::new()];
    let [others, own] = &mut lines;
    for seek in waiting(store, (site.now)(), registry::games(), SEEKS)? {
        if seek.row.player == player {
            own.push(SeekLine::of(seek));
        } else if seek.is_for(store, player)? {
            others.push(SeekLine::of(seek));
        }
    }
    Ok(lines)
}

impl SeekLine {
    fn of(WaitingSeek { shown: seek, .. }: WaitingSeek) -> SeekLine {
        let game = registry::games().iter().find(|game| game.key == seek.game);
        SeekLine { name: game.map_or("", |game| game.name), seek }
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct GamePage {
    key: &'static str,
    game: &'static str,
    rules: String,
    standings: Vec<Standing>,
    boards: Vec<Row>,
    finished: Vec<Row>,
    seeks: Vec<SeekLine>,
}

#[derive(Serialize, JsonSchema)]
struct Standing {
    place: u32,
    userid: String,
    rating: i64,
    provisional: bool,
    won: u32,
    lost: u32,
    tied: u32,
}

pub(super) fn game(
    site: &Site,
    store: &Store,
    game: &'static GameKind,
    over: &FinishedBoards,
    format: Format,
) -> Result<Answer, Error> {
    let mut standings = Vec::new();
    for (place, row) in (1..).zip(store.ratings(game.key, 1, PLAYERS)?) {
        let userid = store.player_by_id(row.player)?.userid.to_string();
        let (rating, provisional) = (whole_points(row.rating), row.deviation >= PROVISIONAL);
        let (won, lost, tied) = (row.won, row.lost, row.tied);
        standings.push(Standing { place, userid, rating, provisional, won, lost, tied });
    }
    let blocks = help::blocks(&site.templates, game.key)?;
    let player = over.player.as_ref().map(|userid| store.player(userid)).transpose()?;
    let finished = match player {
        Some(None) => Vec::new(),
        player => finished_of(store, Some(game), player.flatten().map(|account| account.id), over)?,
    };
    let page = GamePage {
        key: game.key,
        game: game.name,
        rules: plain::write(&blocks).trim_end().to_owned(),
        standings,
        boards: in_play(store, Some(game), None)?,
        finished,
        seeks: seeks(site, store, &[game])?,
    };
    site.shown_with("game", &page, format, || {
        let plays = trial::robot_of(game).is_some() && site.robot.is_some();
        let mut asked: BTreeMap<&str, String> =
            ["player"].into_iter().chain(Narrowing::WORDS).map(|name| (name, String::new())).collect();
        asked.extend(over.narrowing.options());
        asked.extend(over.player.iter().map(|userid| ("player", userid.to_string())));
        let searches = asked.values().any(|value| !value.is_empty());
        let last = page.finished.last().filter(|_| page.finished.len() >= FINISHED as usize);
        let older = last.map(|last| over.address(game, BoardId(last.row.board)));
        Ok(context! { plays, asked, searches, older, parts => prose::parts(&blocks, Some(game)) })
    })
}

/// A line of a list of boards.
#[derive(Serialize, JsonSchema)]
pub(super) struct Row {
    /// The word of the game.
    key: &'static str,
    name: &'static str,
    /// The day in UTC on which something last happened there.
    day: String,
    #[serde(flatten)]
    row: GameRow,
}

/// The newest boards in play.
pub(super) fn in_play(
    store: &Store,
    game: Option<&GameKind>,
    player: Option<PlayerId>,
) -> Result<Vec<Row>, Error> {
    let game = game.map(|game| game.key.to_owned());
    rows(
        store,
        &BoardFilter { game, player, which: Which::Active, limit: PICTURES, ..BoardFilter::default() },
    )
}

/// The newest boards of a player that are over.
pub(super) fn finished(store: &Store, player: PlayerId) -> Result<Vec<Row>, Error> {
    finished_of(store, None, Some(player), &FinishedBoards::default())
}

fn finished_of(
    store: &Store,
    game: Option<&GameKind>,
    player: Option<PlayerId>,
    &FinishedBoards { before, narrowing, .. }: &FinishedBoards,
) -> Result<Vec<Row>, Error> {
    let game = game.map(|game| game.key.to_owned());
    rows(store, &BoardFilter { game, player, which: Which::Inactive, limit: FINISHED, before, narrowing })
}

fn rows(store: &Store, filter: &BoardFilter) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for row in store.boards(filter)? {
        let Some(game) = registry::games().iter().find(|game| game.key == row.game) else { continue };
        rows.push(self::row(store, game, &row)?);
    }
    Ok(rows)
}

pub(super) fn row(store: &Store, game: &GameKind, board: &BoardRow) -> Result<Row, Error> {
    let (day, row) = (day(board.changed_at), game_row(store, board, game.seats)?);
    Ok(Row { key: game.key, name: game.name, day, row })
}

/// The day in UTC: `2026-11-16`.
pub(super) fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}
