//! `standings`, `ratings`, `list`.

use turnpost_games::GameKind;
use turnpost_games::registry::GAMES;

use crate::command::Ranks;
use crate::ids::Which;
use crate::service::context::{Context, IdentityRefusal};
use crate::service::ratings::{PROVISIONAL, catch_up, hundredths};
use crate::service::results::{BoardList, RankRow, Ranking};
use crate::service::transcript::Event;
use crate::service::view::game_row;
use crate::service::{CommandError, Error};
use crate::store::{BoardFilter, BoardRow, RatingRow};

/// A list shows no more rows.
const ROWS_AT_MOST: u32 = 50;

/// `list` shows no more games that are over, for each game.
const LATELY_AT_MOST: u32 = 20;

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
