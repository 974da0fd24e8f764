//! `set`: changes a player's settings and shows them.

use serde::Serialize;
use turnpost_games::registry::GAMES;

use crate::commands::grammar::settings::{Set, Setting, Switch};
use crate::failure::{CommandError, refusal, refuse};
use crate::ids::Userid;
use crate::notices::Event;
use crate::notices::transcript::data;
use crate::play::Context;
use crate::play::context::no_such_userid;
use crate::store::{Account, Settings};

pub(crate) fn set(ctx: &mut Context<'_>, command: Set) -> Result<Event, CommandError> {
    let Set { login, settings } = command;
    let account = ctx.prove(&login)?;
    for setting in settings {
        set_one(ctx, &account, setting)?;
    }
    settings_of(ctx, &account)
}

fn set_one(ctx: &mut Context<'_>, account: &Account, setting: Setting) -> Result<(), CommandError> {
    match setting {
        Setting::Switch(switch, on) => {
            let mut settings = ctx.store.settings(account.id)?;
            *field(&mut settings, switch) = on;
            ctx.store.set_settings(account.id, &settings, ctx.now)?;
        }
        Setting::Zone(name) => {
            let zone = crate::zone::find(&name).ok_or_else(|| refusal!("There is no time zone of that name. Zones are written as Europe/Paris or America/New_York, or UTC."))?;
            ctx.store.set_zone(account.id, zone.iana_name().unwrap_or("UTC"))?;
        }
        Setting::GameLimit(game, at_most) => {
            let settings = ctx.store.game_settings(account.id, game.key)?;
            let settings = crate::store::GameSettings { at_most, ..settings };
            ctx.store.set_game_settings(account.id, game.key, &settings)?;
        }
        Setting::Reject(game, rejects) => {
            let settings = ctx.store.game_settings(account.id, game.key)?;
            let settings = crate::store::GameSettings { rejects, ..settings };
            ctx.store.set_game_settings(account.id, game.key, &settings)?;
        }
        Setting::Block(userid, on) => set_block(ctx, account, &userid, on)?,
    }
    Ok(())
}

fn set_block(
    ctx: &mut Context<'_>,
    account: &Account,
    userid: &Userid,
    on: bool,
) -> Result<(), CommandError> {
    let other = ctx.store.player(userid)?.filter(|other| !other.is_deleted());
    let Some(other) = other else {
        return Err(no_such_userid(ctx.nearest(userid)?).into());
    };
    if other.id == account.id {
        return refuse!("You cannot block yourself.");
    }
    Ok(ctx.store.set_block(account.id, other.id, on)?)
}

fn settings_of(ctx: &Context<'_>, account: &Account) -> Result<Event, CommandError> {
    let mut settings = ctx.store.settings(account.id)?;
    let keys = [
        ("html", Switch::Html),
        ("picture", Switch::Picture),
        ("broadcast", Switch::Broadcast),
        ("digest", Switch::Digest),
        ("openness", Switch::Openness),
        ("afterword", Switch::Afterword),
        ("announce", Switch::Announce),
    ];
    let mut games = Vec::new();
    for game in GAMES {
        let set = ctx.store.game_settings(account.id, game.key)?;
        if set.rejects {
            games.push(format!("No challenges to {}.", game.name));
        } else if let Some(limit) = set.at_most {
            let games_word = if limit == 1 { "game" } else { "games" };
            games.push(format!("No more than {limit} {games_word} of {} at once.", game.name));
        }
        if set.tells_ends {
            games.push(format!("A mail whenever a game of {} ends.", game.name));
        }
    }
    let mut blocked = Vec::new();
    for other in ctx.store.blocked(account.id)? {
        blocked.push(ctx.store.player_by_id(other)?.userid.to_string());
    }
    let settings = SettingsView {
        userid: account.userid.to_string(),
        switches: keys.map(|(key, switch)| (key, *field(&mut settings, switch))).to_vec(),
        zone: ctx.store.player_by_id(account.id)?.zone,
        games,
        blocked,
    };
    Ok(Event::page("set.txt", data(&settings), None))
}

fn field(settings: &mut Settings, switch: Switch) -> &mut bool {
    match switch {
        Switch::Html => &mut settings.html,
        Switch::Picture => &mut settings.picture,
        Switch::Broadcast => &mut settings.broadcast,
        Switch::Digest => &mut settings.digest,
        Switch::Openness => &mut settings.openness,
        Switch::Afterword => &mut settings.afterword,
        Switch::Announce => &mut settings.announce,
    }
}

/// All that a player has set.
#[derive(Debug, Clone, Serialize)]
struct SettingsView {
    /// Whose.
    userid: String,
    /// Switches by their keys.
    switches: Vec<(&'static str, bool)>,
    /// The zone.
    zone: String,
    /// What is set for games, a sentence each.
    games: Vec<String>,
    /// Whom they keep away.
    blocked: Vec<String>,
}
