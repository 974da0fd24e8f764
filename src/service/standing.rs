//! Ratings: Glicko-2, one rating period a game, in the order in which games were finished.
//!
//! The order is the history; what is stored beside it is worked out by the same code that `admin verify` checks it
//! with. Ratings and deviations are kept to a hundredth, so that both come to the same whole numbers.

use crate::service::context::IdentityRefusal;
use std::collections::HashMap;

use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use super::context::Context;
use super::transcript::Event;
use super::view::{GameRow, game_row};
use super::{CommandError, Error};
use crate::command::Ranks;
use crate::ids::{Ply, Seat, Which};
use crate::store::{BoardFilter, BoardRow, Ending, PlayerId, RatingRow, State, Store, StoreError};
use turnpost_games::GameKind;
use turnpost_games::registry::GAMES;

/// With fewer plies by either player a game does not count.
const PLIES_AT_LEAST: usize = 4;

/// From this deviation on, in hundredths, a rating is provisional.
const PROVISIONAL: i64 = 110 * 100;

/// A list shows no more rows.
const ROWS_AT_MOST: u32 = 50;

/// `list` shows no more games that are over, for each game.
const LATELY_AT_MOST: u32 = 20;

/// So many finished games are read at a time.
const PAGE: u32 = 500;

/// A rating in a list.
#[derive(Debug, Clone, Serialize)]
pub struct RankRow {
    /// Its place, from 1.
    pub place: u32,
    /// Whose.
    pub player: String,
    /// `1662.31`.
    pub rating: String,
    /// `290.32`.
    pub deviation: String,
    /// Whether the deviation is still large.
    pub provisional: bool,
    /// Rated games won.
    pub won: u32,
    /// Rated games lost.
    pub lost: u32,
    /// Rated games tied.
    pub tied: u32,
}

/// A list of ratings.
#[derive(Debug, Clone, Serialize)]
pub struct Ranking {
    /// The game's name.
    pub name: &'static str,
    /// Its word.
    pub game: &'static str,
    /// `standings` or `ratings`.
    pub word: &'static str,
    /// The rows, the highest rating first.
    pub rows: Vec<RankRow>,
    /// The place to go on from, when there are more.
    pub next: Option<u32>,
}

/// Boards of one game in a list of all games.
#[derive(Debug, Clone, Serialize)]
pub struct BoardList {
    /// What is listed.
    pub title: String,
    /// The rows.
    pub rows: Vec<GameRow>,
    /// Whether there are more.
    pub more: bool,
}

/// A player's rating before their first rated game.
pub fn unrated(player: PlayerId) -> RatingRow {
    RatingRow {
        player,
        rating: 1500 * 100,
        deviation: 350 * 100,
        volatility: 60_000_000,
        won: 0,
        lost: 0,
        tied: 0,
    }
}

/// What a finished board counts as for the first seat; `None` when it does not count.
///
/// # Errors
/// When the store fails.
pub fn outcome(store: &Store, row: &BoardRow) -> Result<Option<Outcomes>, StoreError> {
    let Some(result) = row.result.as_ref().filter(|_| row.rated && row.state == State::Finished) else {
        return Ok(None);
    };
    if result.ending == Ending::Abandoned {
        return Ok(None);
    }
    let plies = store.plies(row.id, Ply(1), row.plies)?;
    let by = |seat: Seat| plies.iter().filter(|ply| ply.seat == seat).count();
    if Seat::BOTH.into_iter().any(|seat| by(seat) < PLIES_AT_LEAST) {
        return Ok(None);
    }
    Ok(Some(match result.winner {
        Some(Seat::First) => Outcomes::WIN,
        Some(Seat::Second) => Outcomes::LOSS,
        None => Outcomes::DRAW,
    }))
}

/// Both ratings after a game that counts.
pub fn after(first: &RatingRow, second: &RatingRow, outcome: Outcomes) -> [RatingRow; 2] {
    let of = |row: &RatingRow| Glicko2Rating {
        rating: row.rating as f64 / 100.0,
        deviation: row.deviation as f64 / 100.0,
        volatility: row.volatility as f64 / 1e9,
    };
    let (one, two) = glicko2(&of(first), &of(second), &outcome, &Glicko2Config::new());
    let (won, lost, tied) = match outcome {
        Outcomes::WIN => (1, 0, 0),
        Outcomes::LOSS => (0, 1, 0),
        Outcomes::DRAW => (0, 0, 1),
    };
    let kept = |row: &RatingRow, new: Glicko2Rating, won: u32, lost: u32| RatingRow {
        player: row.player,
        rating: (new.rating * 100.0).round() as i64,
        deviation: (new.deviation * 100.0).round() as i64,
        volatility: (new.volatility * 1e9).round() as i64,
        won: row.won + won,
        lost: row.lost + lost,
        tied: row.tied + tied,
    };
    [kept(first, one, won, lost), kept(second, two, lost, won)]
}

/// Counts the games that were finished since it last did. To be called in a write transaction.
///
/// # Errors
/// When the store fails.
pub fn catch_up(store: &Store) -> Result<(), Error> {
    let mut through = store.rated_through()?;
    loop {
        let page = store.finishes(through, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        for finish in &page {
            let Some(row) = store.board(finish.board)? else { continue };
            let Some(outcome) = outcome(store, &row)? else { continue };
            let [first, second] = row.players;
            let before =
                |player| Ok::<_, StoreError>(store.rating(&row.game, player)?.unwrap_or(unrated(player)));
            for new in after(&before(first)?, &before(second)?, outcome) {
                store.keep_rating(&row.game, &new)?;
            }
        }
        through = last.number;
        store.set_rated_through(through)?;
    }
}

/// What is wrong with the stored ratings, a sentence each.
///
/// # Errors
/// When the store fails.
pub fn check(store: &Store) -> Result<Vec<String>, StoreError> {
    let mut wrong: Vec<String> = store
        .unordered_finishes()?
        .into_iter()
        .map(|board| format!("board {board}: is finished and has no place in the order of finished games"))
        .collect();
    let through = store.rated_through()?;
    let mut worked_out: HashMap<(String, PlayerId), RatingRow> = HashMap::new();
    for finish in store.finishes(0, u32::MAX)?.into_iter().take_while(|finish| finish.number <= through) {
        let Some(row) = store.board(finish.board)? else { continue };
        if row.state != State::Finished {
            wrong.push(format!("board {}: has a place among finished games and is not finished", row.id));
        }
        let Some(outcome) = outcome(store, &row)? else { continue };
        let before =
            |player| worked_out.get(&(row.game.clone(), player)).copied().unwrap_or_else(|| unrated(player));
        let [first, second] = row.players;
        for new in after(&before(first), &before(second), outcome) {
            worked_out.insert((row.game.clone(), new.player), new);
        }
    }
    for game in GAMES {
        for stored in store.ratings(game.key, 1, u32::MAX)? {
            let right = worked_out.remove(&(game.key.to_owned(), stored.player));
            if right != Some(stored) {
                wrong.push(format!(
                    "ratings of {}: the games make {right:?}, and stored is {stored:?}",
                    game.key
                ));
            }
        }
    }
    let mut missing: Vec<String> = worked_out
        .into_iter()
        .map(|((game, _), row)| format!("ratings of {game}: {row:?} is missing"))
        .collect();
    missing.sort();
    wrong.extend(missing);
    Ok(wrong)
}

/// Hundredths as people write them.
pub fn hundredths(value: i64) -> String {
    format!("{}{}.{:02}", if value < 0 { "-" } else { "" }, value.abs() / 100, value.abs() % 100)
}

/// A rating in words: `rated 1662.31, provisional`.
pub(super) fn said(row: &RatingRow) -> String {
    let provisional = if row.deviation >= PROVISIONAL { ", provisional" } else { "" };
    format!("rated {}{provisional}", hundredths(row.rating))
}

pub(super) fn ranking(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    word: &'static str,
    ranks: &Ranks,
) -> Result<Event, CommandError> {
    catch_up(ctx.store)?;
    let mut rows = Vec::new();
    let mut next = None;
    match ranks {
        Ranks::From(place) => {
            let mut ratings = ctx.store.ratings(game.key, *place, ROWS_AT_MOST + 1)?;
            if ratings.len() > ROWS_AT_MOST as usize {
                ratings.truncate(ROWS_AT_MOST as usize);
                next = Some(place.saturating_add(ROWS_AT_MOST));
            }
            for (place, rating) in (*place..).zip(&ratings) {
                rows.push(rank(ctx, place, rating)?);
            }
        }
        Ranks::Of(userids) => {
            for userid in userids {
                let Some(account) = ctx.store.player(userid)? else {
                    return Err(IdentityRefusal::NoSuchUserid { near: ctx.nearest(userid)? }.into());
                };
                if let Some(rating) = ctx.store.rating(game.key, account.id)? {
                    rows.push(rank(ctx, ctx.store.place(game.key, &rating)?, &rating)?);
                }
            }
            rows.sort_by_key(|row| row.place);
            rows.dedup_by_key(|row| row.place);
        }
    }
    Ok(Event::Ranked(Ranking { name: game.name, game: game.key, word, rows, next }))
}

fn rank(ctx: &Context<'_>, place: u32, row: &RatingRow) -> Result<RankRow, Error> {
    Ok(RankRow {
        place,
        player: ctx.store.player_by_id(row.player)?.userid.to_string(),
        rating: hundredths(row.rating),
        deviation: hundredths(row.deviation),
        provisional: row.deviation >= PROVISIONAL,
        won: row.won,
        lost: row.lost,
        tied: row.tied,
    })
}

pub(super) fn list(ctx: &mut Context<'_>, games: &[&'static GameKind]) -> Result<Event, CommandError> {
    let mut lists = Vec::new();
    for game in if games.is_empty() { GAMES } else { games } {
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
        lists.push(BoardList { title: format!("{} games in play", game.name), rows, more });
        let mut rows = Vec::new();
        for board in ctx.store.latest_finishes(game.key, LATELY_AT_MOST)? {
            if let Some(over) = ctx.store.board(board)? {
                rows.push(row(&over)?);
            }
        }
        let title = format!("{} games lately ended, the latest first", game.name);
        lists.push(BoardList { title, rows, more: false });
    }
    Ok(Event::Lists(lists))
}
