//! Lists players by rating.
//!
//! ```text
//! game standings [place | userid ... | near userid]
//! game ratings [place | userid ... | near userid]
//! ```

use super::who::{NEAR, Who};
use crate::commands::prelude::*;
use crate::commands::show::listed;
use minijinja::context;
use serde::Serialize;
use turnpost_games::GameKind;

use crate::board::ratings::{PROVISIONAL, hundredths, rate_finished_games, unrated};
use crate::failure::Error;
use crate::ids::Userid;
use crate::notices::transcript::data;
use crate::store::RatingRow;

/// The parameters of `standings` and of `ratings`, which show different columns.
#[derive(Debug, Clone)]
pub struct Standings {
    pub game: &'static GameKind,
    pub ranks: Ranks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ranks {
    /// Players from this place on; places start at 1.
    From(u32),
    Of(Vec<Userid>),
    /// Players from a few places above this one.
    Near(Userid),
}

impl Parameters for Standings {
    fn line(&self, word: &str) -> String {
        let line = Written::new(self.game, word);
        match &self.ranks {
            Ranks::From(1) => line.end(),
            Ranks::From(place) => line.and([place]).end(),
            Ranks::Of(userids) => line.and(userids).end(),
            Ranks::Near(userid) => line.and([NEAR, userid.as_str()]).end(),
        }
    }
}

pub(crate) const STANDINGS: Entry = Entry {
    aliases: &["players", "who"],
    summary: "lists players by rating, with rated games won, lost and drawn",
    details: "It shows the first 50 places. With a number it shows the 50 places from that one, with names only \
              those players, and with `near ann` the players above and below ann. A player without a rated game \
              has no place.",
    keywords: &[NEAR],
    example: "GAME standings",
    without_game: &["players"],
    ..Entry::of_game("standings", "[place | userid ... | near userid]", |args| match args.named_game() {
        Some(_) => Ok(Command::Standings(read(args)?)),
        // `players` without a game's name.
        None => Ok(Command::Who(Who { userid: None })),
    })
};

pub(crate) const RATINGS: Entry = Entry {
    summary: "lists players by rating, with the deviation of each",
    details: "It is like `standings`. Ratings are Glicko-2 and change after each game. Every player begins at \
              1500. Until the deviation is under 110, a rating is provisional and marked with `?`. These games \
              are not rated: those that were declined or replayed, those in which a player made fewer than four \
              moves, and boards whose start says so.",
    example: "GAME ratings",
    ..Entry::of_game("ratings", "[place | userid ... | near userid]", |args| {
        Ok(Command::Ratings(read(args)?))
    })
};

fn read(args: &mut Args) -> Result<Standings, ArgumentError> {
    Ok(Standings { game: args.game, ranks: ranks(args)? })
}

fn ranks(args: &mut Args) -> Result<Ranks, ArgumentError> {
    if args.take(NEAR) && !args.is_empty() {
        return Ok(Ranks::Near(args.userid("a userid")?));
    }
    let words = args.rest();
    match words.as_slice() {
        [] => return Ok(Ranks::From(1)),
        [word] if word.text.starts_with(|c: char| c.is_ascii_digit()) => {
            let place = word.text.parse().ok().filter(|place| *place > 0);
            return place
                .map(Ranks::From)
                .ok_or_else(|| word.error("a place, which is a whole number from 1 on, is expected here"));
        }
        _ => {}
    }
    let userids = words
        .iter()
        .map(|word| word.text.parse().map_err(|_| word.error("a name, or a place alone, is expected here")));
    Ok(Ranks::Of(userids.collect::<Result<_, _>>()?))
}

const ROWS_AT_MOST: u32 = 50;

/// Number of places that `near` shows above the player.
const PLACES_ABOVE: u32 = 10;

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
    let first = match ranks {
        Ranks::From(place) => Some(*place),
        Ranks::Near(userid) => {
            let player = listed(ctx, userid)?;
            let rating = ctx.store.rating(game.key, player)?.unwrap_or_else(|| unrated(game.key, player));
            Some(ctx.store.place(game.key, &rating)?.saturating_sub(PLACES_ABOVE).max(1))
        }
        Ranks::Of(userids) => {
            for userid in userids {
                if let Some(rating) = ctx.store.rating(game.key, listed(ctx, userid)?)? {
                    rows.push(rank(ctx, ctx.store.place(game.key, &rating)?, &rating)?);
                }
            }
            rows.sort_by_key(|row| row.place);
            rows.dedup_by_key(|row| row.place);
            None
        }
    };
    if let Some(first) = first {
        let mut ratings = ctx.store.ratings(game.key, first, ROWS_AT_MOST + 1)?;
        if ratings.len() > ROWS_AT_MOST as usize {
            ratings.truncate(ROWS_AT_MOST as usize);
            next = Some(first.saturating_add(ROWS_AT_MOST));
        }
        for (place, rating) in (first..).zip(&ratings) {
            rows.push(rank(ctx, place, rating)?);
        }
    }
    Ok(Event::page(
        "standings.md",
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

/// A row of the table.
#[derive(Debug, Clone, Serialize)]
struct RankRow {
    /// The place in the ranking, from 1.
    place: u32,
    /// The userid.
    player: String,
    /// For example `1662.31`.
    rating: String,
    /// For example `290.32`.
    deviation: String,
    /// True if the deviation is still large.
    provisional: bool,
    won: u32,
    lost: u32,
    tied: u32,
}
