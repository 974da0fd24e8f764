//! `standings` and `ratings`.

use minijinja::context;
use serde::Serialize;
use turnpost_games::GameKind;

use crate::board::ratings::{PROVISIONAL, hundredths, rate_finished_games};
use crate::commands::grammar::standings::{Ranks, Standings};
use crate::failure::{CommandError, Error};
use crate::notices::Event;
use crate::notices::transcript::data;
use crate::play::Context;
use crate::play::context::no_such_userid;
use crate::store::RatingRow;

const ROWS_AT_MOST: u32 = 50;

pub(crate) fn standings(ctx: &mut Context<'_>, command: Standings) -> Result<Event, CommandError> {
    ranking(ctx, command.game, "standings", &command.ranks)
}

pub(crate) fn ratings(ctx: &mut Context<'_>, command: Standings) -> Result<Event, CommandError> {
    ranking(ctx, command.game, "ratings", &command.ranks)
}

fn ranking(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    word: &'static str,
    ranks: &Ranks,
) -> Result<Event, CommandError> {
    rate_finished_games(ctx.store)?;
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
                    return Err(no_such_userid(ctx.nearest(userid)?).into());
                };
                if let Some(rating) = ctx.store.rating(game.key, account.id)? {
                    rows.push(rank(ctx, ctx.store.place(game.key, &rating)?, &rating)?);
                }
            }
            rows.sort_by_key(|row| row.place);
            rows.dedup_by_key(|row| row.place);
        }
    }
    Ok(Event::page(
        "standings.txt",
        context! { name => game.name, game => game.key, word, rows => data(&rows), next },
        None,
    ))
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

/// A rating in a list.
#[derive(Debug, Clone, Serialize)]
struct RankRow {
    /// Its place, from 1.
    place: u32,
    /// Whose.
    player: String,
    /// `1662.31`.
    rating: String,
    /// `290.32`.
    deviation: String,
    /// Whether the deviation is still large.
    provisional: bool,
    /// Rated games won.
    won: u32,
    /// Rated games lost.
    lost: u32,
    /// Rated games tied.
    tied: u32,
}
