//! A player's card, the players who came last, or those of nearly the same rating.
//!
//! ```text
//! who [userid]
//! [game] who near userid
//! ```

use jiff::{SignedDuration, Timestamp};
use minijinja::context;
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::board::ratings;
use crate::commands::prelude::*;
use crate::credentials::Actor;
use crate::credentials::claim::no_such_userid;
use crate::failure::Error;
use crate::ids::Userid;
use crate::language::{NO_USERID, WriterPlace};
use crate::notices::mail_preferences::away;
use crate::notices::transcript::data;
use crate::store::{AccountRole, PlayerId, RatingRow};

#[derive(Debug, Clone)]
pub struct Who {
    pub userid: Option<Userid>,
}

impl Parameters for Who {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(&self.userid).end()
    }
}

/// The players whose ratings are nearest to a player's.
#[derive(Debug, Clone)]
pub struct Near {
    /// `None` for its writer.
    pub userid: Option<Userid>,
    /// `None` for every game they have a rating at.
    pub game: Option<&'static GameKind>,
}

impl Parameters for Near {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and([NEAR]).and(&self.userid).end()
    }
}

/// A word in the place of a userid, so no player can have it as their userid.
pub(crate) const NEAR: &str = "near";

pub(crate) const WHO: Entry = Entry {
    by: Needs::Named,
    summary: "shows a player's card",
    details: "Since when, games in play and finished, and vacations. Without a userid it lists the players who \
                  came last. `who near ann` lists the players whose ratings are nearest to ann's, `GAME who near ann` \
                  those at one game; your own userid may be left out.",
    example: "who ann",
    keywords: &[NEAR],
    writer: WriterPlace::Named(NO_USERID),
    ..Entry::of_server("who", "[userid] | near userid", |args| {
        if args.take(NEAR) {
            return read_near(args);
        }
        let userid = if args.is_empty() { None } else { Some(args.userid("a userid")?) };
        Ok(Command::Who(Who { userid }))
    })
};

pub(crate) const GAME_WHO: Entry = Entry {
    by: Needs::Named,
    summary: "lists players of nearly the same rating",
    details: "The nearest first, each with the rating, rated games and the day of the last move: people who have moved \
                  in the last 90 days. Without the game's name it does so for every game the player has a rating at. \
                  Your own userid may be left out.",
    example: "GAME who near ann",
    writer: WriterPlace::Named(NO_USERID),
    ..Entry::of_game("who", "near userid", |args| {
        if !args.take(NEAR) {
            let word = args.word("`near`")?;
            return Err(word.error("`near` and a userid are expected here; `who` and a userid show a player"));
        }
        read_near(args)
    })
};

fn read_near(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.named_game();
    if args.is_empty() {
        let place = args.place();
        args.means_writer(place, "a userid is missing at the end")?;
        return Ok(Command::Near(Near { userid: None, game }));
    }
    Ok(Command::Near(Near { userid: Some(args.userid("a userid")?), game }))
}

const PLAYERS_AT_MOST: u32 = 50;

const NEAR_AT_MOST: usize = 10;

/// How many players above and below are looked at: some of them no longer play.
const LOOKED_AT: u32 = 50;

/// Players who have not moved for longer are left out.
const ACTIVE_DAYS: i64 = 90;

pub(crate) fn who(ctx: &mut Context<'_>, command: Who) -> Result<Event, CommandError> {
    let userid = command.userid.as_ref();
    let Some(userid) = userid else { return players(ctx) };
    let Some(account) = ctx.store.player(userid)? else {
        return Err(no_such_userid(ctx.nearest(userid)?).into());
    };
    ratings::rate_finished_games(ctx.store)?;
    let mut games = Vec::new();
    for record in ctx.store.records(account.id)? {
        let name = registry::find(&record.game).map_or(record.game.as_str(), |game| game.name);
        let mut line = format!(
            "{name}: {} in play, {} won, {} lost, {} tied",
            record.running, record.won, record.lost, record.tied
        );
        if let Some(rating) = ctx.store.rating(&record.game, account.id)? {
            line = format!("{line}; {}", ratings::said(&rating));
        }
        games.push(line);
    }
    let profile = Profile {
        userid: account.userid.to_string(),
        since: account.created_at.strftime("%Y-%m-%d").to_string(),
        level: account.id.level(),
        plays: account.id.level().and_then(game_of_level),
        state: account.state.to_string(),
        organiser: ctx.store.role(account.id)? == AccountRole::Organiser,
        games,
        vacation: away(ctx.store, ctx.now, account.userid.as_str())?,
    };
    Ok(Event::page("who.txt", data(&profile), None))
}

fn game_of_level(level: u8) -> Option<&'static str> {
    let plays = |key: &&str| turnpost_robot::find(key).is_some_and(|robot| robot.level(level).is_some());
    registry::games().iter().map(|game| game.key).find(plays)
}

fn players(ctx: &Context<'_>) -> Result<Event, CommandError> {
    let newest = ctx.store.newest_players(PLAYERS_AT_MOST + 1)?;
    let more = newest.len() > PLAYERS_AT_MOST as usize;
    let rows = newest.into_iter().take(PLAYERS_AT_MOST as usize).map(|account| {
        let since = account.created_at.strftime("%Y-%m-%d").to_string();
        (account.userid.to_string(), since, account.is_signed_off())
    });
    let rows: Vec<_> = rows.collect();
    Ok(Event::page("players.txt", context! { rows, more }, None))
}

/// What everybody may know of a player.
#[derive(Debug, Clone, Serialize)]
struct Profile {
    /// Who.
    userid: String,
    /// The day they signed up.
    since: String,
    /// Of the robot, its level.
    level: Option<u8>,
    /// Of the robot, a game that it plays at this level.
    plays: Option<&'static str>,
    /// `active`, `signed-off` or `deleted`.
    state: String,
    /// Whether they challenge for others.
    organiser: bool,
    /// A line for each game, with the rating where there is one.
    games: Vec<String>,
    /// The vacation they are on, or the next one, as a sentence.
    vacation: Option<String>,
}

pub(crate) fn near(ctx: &mut Context<'_>, by: &Actor, command: Near) -> Result<Event, CommandError> {
    let account = match &command.userid {
        None => by.player()?.clone(),
        Some(userid) => match ctx.store.player(userid)?.filter(|account| !account.is_deleted()) {
            Some(account) => account,
            None => return Err(no_such_userid(ctx.nearest(userid)?).into()),
        },
    };
    ratings::rate_finished_games(ctx.store)?;
    let mut lists = Vec::new();
    for game in command.game.as_ref().map_or(registry::games(), std::slice::from_ref) {
        lists.push(near_at(ctx, game, &account)?);
    }
    // Who plays one game alone asks about that one, and a newcomer about those with players.
    let tells: [fn(&NearList) -> bool; 2] = [|list| list.rating.is_some(), |list| !list.rows.is_empty()];
    if command.game.is_none()
        && let Some(tells) = tells.into_iter().find(|tells| lists.iter().any(tells))
    {
        lists.retain(tells);
    } else {
        lists.truncate(1);
    }
    let (userid, lists) = (account.userid.as_str(), data(&lists));
    Ok(Event::page("near.txt", context! { userid, lists, days => ACTIVE_DAYS }, None))
}

fn near_at(ctx: &Context<'_>, game: &GameKind, account: &Account) -> Result<NearList, Error> {
    let rated = ctx.store.rating(game.key, account.id)?;
    let rating = rated.unwrap_or_else(|| ratings::unrated(game.key, account.id)).rating;
    let mut candidates = ctx.store.rated_near(game.key, rating, LOOKED_AT)?;
    candidates.sort_by_key(|row| (row.rating.abs_diff(rating), row.player));
    let reader = ctx.player()?;
    let mut rows = Vec::new();
    let mut more = false;
    for row in candidates {
        let Some(last_move) = last_move(ctx, account.id, reader, &row)? else { continue };
        more = rows.len() == NEAR_AT_MOST;
        if more {
            break;
        }
        rows.push(NearRow {
            player: ctx.store.player_by_id(row.player)?.userid.to_string(),
            rating: ratings::hundredths(row.rating),
            provisional: row.deviation >= ratings::PROVISIONAL,
            games: row.won + row.lost + row.tied,
            last_move: last_move.strftime("%Y-%m-%d").to_string(),
        });
    }
    let rating = rated.map(|row| ratings::hundredths(row.rating));
    Ok(NearList { name: game.name, game: game.key, rating, rows, more })
}

/// When a player last moved; `None` for those who are not shown. A block hides its two players from each other alone:
/// other players must not learn of it.
fn last_move(
    ctx: &Context<'_>,
    named: PlayerId,
    reader: Option<PlayerId>,
    row: &RatingRow,
) -> Result<Option<Timestamp>, Error> {
    let is_blocked = match reader {
        Some(reader) => ctx.store.is_block_between(reader, row.player)?,
        None => false,
    };
    if row.player == named || Some(row.player) == reader || is_blocked {
        return Ok(None);
    }
    let since = ctx.now.checked_sub(SignedDuration::from_hours(24 * ACTIVE_DAYS)).unwrap_or(ctx.now);
    Ok(ctx.store.last_move(row.player)?.filter(|last| *last >= since))
}

/// The players near a player at one game.
#[derive(Debug, Clone, Serialize)]
struct NearList {
    /// The name of the game.
    name: &'static str,
    /// Its word.
    game: &'static str,
    /// The player's own rating, if they have one.
    rating: Option<String>,
    /// The nearest first.
    rows: Vec<NearRow>,
    /// There are more.
    more: bool,
}

#[derive(Debug, Clone, Serialize)]
struct NearRow {
    player: String,
    /// `1662.31`.
    rating: String,
    /// The deviation is still large.
    provisional: bool,
    /// Rated games.
    games: u32,
    /// The day of the last move.
    last_move: String,
}
