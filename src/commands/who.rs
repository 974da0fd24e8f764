//! Shows a player's card, or lists the newest players.
//!
//! ```text
//! who [userid]
//! ```

use minijinja::context;
use serde::Serialize;
use turnpost_games::registry;

use crate::board::ratings;
use crate::commands::prelude::*;
use crate::credentials::claim::no_such_userid;
use crate::ids::Userid;
use crate::notices::mail_preferences::away;
use crate::notices::transcript::data;
use crate::play::robot::SeatedEngine;
use crate::store::AccountRole;

#[derive(Debug, Clone)]
pub struct Who {
    pub userid: Option<Userid>,
}

impl Parameters for Who {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(&self.userid).end()
    }
}

/// A reserved word in the place of a userid: no player can have it as a userid.
pub(crate) const NEAR: &str = "near";

pub(crate) const WHO: Entry = Entry {
    summary: "shows a player's card",
    details: "It shows the date of the account, the games in play and finished, and vacations. Without a name it \
              lists the players who came last. `GAME standings near ann` lists the players whose ratings are \
              near ann's.",
    example: "who ann",
    ..Entry::of_server("who", "[userid]", |args| {
        // `who near ann` means `who ann`.
        args.take(NEAR);
        let userid = if args.is_empty() { None } else { Some(args.userid("a userid")?) };
        Ok(Command::Who(Who { userid }))
    })
};

const PLAYERS_AT_MOST: u32 = 50;

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
        since: account.created_at.strftime("%-d %b %Y").to_string(),
        level: account.id.level(),
        plays: account.id.level().and_then(game_of_level),
        engine: ctx.robot.rules.engines.of(&account.userid).map(card),
        state: account.state.to_string(),
        bot: account.is_bot,
        organiser: ctx.store.role(account.id)? == AccountRole::Organiser,
        games,
        vacation: away(ctx.store, ctx.now, account.userid.as_str())?,
    };
    Ok(Event::page("who.md", data(&profile), None))
}

/// An engine of the host's, as the card shows it.
#[derive(Debug, Clone, Serialize)]
struct EngineCard {
    name: String,
    level: u8,
    /// The key of its game.
    plays: String,
}

fn card(seated: SeatedEngine<'_>) -> EngineCard {
    EngineCard { name: seated.name.to_owned(), level: seated.level, plays: seated.config.game.clone() }
}

fn game_of_level(level: u8) -> Option<&'static str> {
    let plays = |key: &&str| turnpost_robot::find(key).is_some_and(|robot| robot.level(level).is_some());
    registry::games().iter().map(|game| game.key).find(plays)
}

fn players(ctx: &Context<'_>) -> Result<Event, CommandError> {
    let newest = ctx.store.newest_players(PLAYERS_AT_MOST + 1)?;
    let more = newest.len() > PLAYERS_AT_MOST as usize;
    let rows = newest.into_iter().take(PLAYERS_AT_MOST as usize).map(|account| {
        let since = account.created_at.strftime("%-d %b %Y").to_string();
        let mark = match account.is_signed_off() {
            true => "signed off",
            false if account.is_bot => "bot",
            false => "",
        };
        (account.userid.to_string(), since, mark)
    });
    let rows: Vec<_> = rows.collect();
    let engines = ctx.robot.rules.engines.sentences();
    Ok(Event::page("players.md", context! { rows, more, engines }, None))
}

/// The public data of a player.
#[derive(Debug, Clone, Serialize)]
struct Profile {
    userid: String,
    /// The day of sign-up.
    since: String,
    /// The robot's level; `None` for people.
    level: Option<u8>,
    /// A game that the robot plays at this level; `None` for people.
    plays: Option<&'static str>,
    /// Set for an engine of the host's.
    engine: Option<EngineCard>,
    /// `active`, `signed-off` or `deleted`.
    state: String,
    bot: bool,
    /// True if the player can start games between others.
    organiser: bool,
    /// One line per game, with the rating if there is one.
    games: Vec<String>,
    /// A sentence about the running or the next vacation.
    vacation: Option<String>,
}
