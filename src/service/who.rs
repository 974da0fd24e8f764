//! `who`: shows a player's profile, or the newest players.

use minijinja::context;
use serde::Serialize;
use turnpost_games::registry;

use crate::command::who::Who;
use crate::service::context::{Context, IdentityRefusal};
use crate::service::mail_preferences::away;
use crate::service::transcript::{Event, data};
use crate::service::{CommandError, ratings};
use crate::store::Role;

const PLAYERS_AT_MOST: usize = 50;

pub(super) fn who(ctx: &mut Context<'_>, command: Who) -> Result<Event, CommandError> {
    let userid = command.userid.as_ref();
    let Some(userid) = userid else { return players(ctx) };
    let Some(account) = ctx.store.player(userid)? else {
        return Err(IdentityRefusal::NoSuchUserid { near: ctx.nearest(userid)? }.into());
    };
    ratings::catch_up(ctx.store)?;
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
        state: account.state.to_string(),
        organiser: ctx.store.role(account.id)? == Role::Organiser,
        games,
        vacation: away(ctx.store, ctx.now, account.userid.as_str())?,
    };
    Ok(Event::page("who.txt", data(&profile), None))
}

fn players(ctx: &Context<'_>) -> Result<Event, CommandError> {
    let mut accounts = ctx.store.players()?;
    accounts.retain(|account| !account.is_deleted());
    let more = accounts.len() > PLAYERS_AT_MOST;
    let newest = accounts.into_iter().rev().take(PLAYERS_AT_MOST);
    let rows = newest.map(|account| {
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
    /// `active`, `signed-off` or `deleted`.
    state: String,
    /// Whether they challenge for others.
    organiser: bool,
    /// A line for each game, with the rating where there is one.
    games: Vec<String>,
    /// The vacation they are on, or the next one, as a sentence.
    vacation: Option<String>,
}
