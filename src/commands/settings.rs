//! The player's settings.
//!
//! ```text
//! set userid password [key value ...]
//! ```

use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::board::clocks;
use crate::commands::prelude::*;
use crate::credentials::claim::no_such_userid;
use crate::ids::Userid;
use crate::language::closest;
use crate::notices::transcript::data;
use crate::settings::{ChosenValue, CurrentSetting, HELP, KEYS, SETTINGS, SPELLINGS, WEEKENDS};
use crate::store::GameSettings;

/// The most contests that the answer to a block names.
const CONTESTS: u32 = 20;

#[derive(Debug, Clone)]
pub struct Set {
    /// Empty shows the settings.
    pub changes: Vec<SettingChange>,
}

impl Parameters for Set {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(self.changes.iter().flat_map(SettingChange::words)).end()
    }

    fn may_be_prose(&self) -> bool {
        let is_known = |change: &SettingChange| match change {
            SettingChange::Zone(name) => crate::zone::find(name).is_some(),
            _ => true,
        };
        !self.changes.iter().all(is_known)
    }
}

impl SettingChange {
    fn words(&self) -> Vec<String> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match self {
            SettingChange::To(to) => {
                let is_written =
                    |(.., known): &&(&str, &str, ChosenValue)| known == to && to.in_place_of.is_some();
                let written = SPELLINGS.iter().find(is_written);
                written.map_or_else(
                    || words(&[to.setting.word, to.value]),
                    |(key, value, _)| words(&[key, value]),
                )
            }
            SettingChange::Zone(zone) => words(&["zone", zone]),
            SettingChange::GameLimit(game, Some(most)) => words(&["limit", game.key, &most.to_string()]),
            SettingChange::GameLimit(game, None) => words(&["limit", game.key, "off"]),
            SettingChange::Reject(game, rejects) => {
                words(&[if *rejects { "reject" } else { "accept" }, game.key])
            }
            SettingChange::Block(userid, blocks) => {
                words(&[if *blocks { "block" } else { "unblock" }, userid.as_str()])
            }
        }
    }
}

/// A setting with its new value.
#[derive(Debug, Clone)]
pub enum SettingChange {
    To(ChosenValue),
    /// The IANA name of the time zone of dates and hours; not yet checked.
    Zone(String),
    /// Maximum number of games at once; `None` for no limit.
    GameLimit(&'static GameKind, Option<u32>),
    /// True refuses challenges to the game.
    Reject(&'static GameKind, bool),
    /// True blocks that player.
    Block(Userid, bool),
}

/// The largest limit that a player can set.
const LIMIT_AT_MOST: u32 = 999;

pub(crate) const SET: Entry = Entry {
    by: Needs::Proven,
    summary: "shows and changes your settings",
    details: HELP,
    example: "set ann plover-42 zone Europe/Paris digest on",
    keywords: KEYS,
    ..Entry::of_server("set", "userid password [key value ...]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    args.writer()?;
    let mut changes = Vec::new();
    while !args.is_empty() {
        changes.push(change(args)?);
    }
    Ok(Command::Set(Set { changes }))
}

fn change(args: &mut Args) -> Result<SettingChange, ArgumentError> {
    let key = args.word("what is to be set")?;
    Ok(match key.text.to_ascii_lowercase().as_str() {
        "zone" => SettingChange::Zone(args.word("a zone such as Europe/Paris")?.text),
        "limit" => {
            let game = game(args)?;
            SettingChange::GameLimit(game, limit(args)?)
        }
        "reject" => SettingChange::Reject(game(args)?, true),
        "accept" => SettingChange::Reject(game(args)?, false),
        "block" => SettingChange::Block(args.userid("the name to block")?, true),
        "unblock" => SettingChange::Block(args.userid("the name to unblock")?, false),
        other => match values_of(other).as_slice() {
            [] => return Err(key.error(unknown_key(other))),
            values => SettingChange::To(chosen(values, args)?),
        },
    })
}

/// The values that a setting's word accepts, with those of old spellings.
fn values_of(key: &str) -> Vec<(&'static str, ChosenValue)> {
    let spelled = SPELLINGS.iter().filter(|(old, ..)| *old == key).map(|(_, value, to)| (*value, *to));
    let setting = SETTINGS.iter().find(|setting| setting.word == key);
    let values = setting
        .into_iter()
        .flat_map(|setting| setting.values.iter().map(|value| (*value, setting.to(value))));
    values.chain(spelled).collect()
}

fn chosen(values: &[(&str, ChosenValue)], args: &mut Args) -> Result<ChosenValue, ArgumentError> {
    let names: Vec<String> = values.iter().map(|(value, _)| format!("`{value}`")).collect();
    let names = match names.as_slice() {
        [some @ .., last] => format!("{} or {last}", some.join(", ")),
        [] => String::new(),
    };
    let word = args.word(&names)?;
    let found = values.iter().find(|(value, _)| value.eq_ignore_ascii_case(&word.text));
    found.map(|(_, to)| *to).ok_or_else(|| word.error(format!("{names} is expected here")))
}

fn unknown_key(key: &str) -> String {
    match closest(key, KEYS.iter().copied()) {
        Some(near) => format!("this is nothing that can be set; did you mean `{near}`?"),
        None => {
            format!("this is nothing that can be set; there are {}", KEYS.join(", "))
        }
    }
}

fn game(args: &mut Args) -> Result<&'static GameKind, ArgumentError> {
    let word = args.word("the name of a game")?;
    registry::find(&word.text)
        .ok_or_else(|| word.error("the name of a game is expected here; `help rules` lists them"))
}

fn limit(args: &mut Args) -> Result<Option<u32>, ArgumentError> {
    let word = args.word("the number of games")?;
    if word.text.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let is_number = word.text.bytes().all(|b| b.is_ascii_digit());
    let number = if is_number { word.text.parse().ok() } else { None };
    match number.filter(|number| *number <= LIMIT_AT_MOST) {
        Some(number) => Ok(Some(number)),
        None => Err(word.error(format!("a number from 0 to {LIMIT_AT_MOST} or `off` is expected here"))),
    }
}

pub(crate) fn set(ctx: &mut Context<'_>, by: &Account, command: Set) -> Result<Event, CommandError> {
    for change in command.changes {
        set_one(ctx, by, change)?;
    }
    settings_of(ctx, by)
}

fn set_one(ctx: &mut Context<'_>, account: &Account, change: SettingChange) -> Result<(), CommandError> {
    match change {
        SettingChange::To(ChosenValue { setting, value, .. }) if *setting == WEEKENDS => {
            clocks::set_weekends(ctx.store, account.id, value == "off", ctx.now)?;
        }
        SettingChange::To(to) => ctx.store.set(account.id, to, ctx.now)?,
        SettingChange::Zone(name) => {
            let Some(zone) = crate::zone::find(&name) else {
                return refuse!(
                    "There is no time zone of that name. Zones are written as Europe/Paris or America/New_York, or UTC."
                );
            };
            ctx.store.set_zone(account.id, zone.iana_name().unwrap_or("UTC"))?;
            let free = !ctx.store.is_on(account.id, &WEEKENDS)?;
            clocks::set_weekends(ctx.store, account.id, free, ctx.now)?;
        }
        SettingChange::GameLimit(game, at_most) => {
            let settings = ctx.store.game_settings(account.id, game.key)?;
            let settings = GameSettings { at_most, ..settings };
            ctx.store.set_game_settings(account.id, game.key, &settings)?;
        }
        SettingChange::Reject(game, rejects) => {
            let settings = ctx.store.game_settings(account.id, game.key)?;
            let settings = GameSettings { rejects, ..settings };
            ctx.store.set_game_settings(account.id, game.key, &settings)?;
        }
        SettingChange::Block(userid, on) => set_block(ctx, account, &userid, on)?,
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
    match on {
        true => {
            ctx.store.block(account.id, other.id)?;
            tell_of_contests(ctx, account, &other)?;
        }
        false => ctx.store.end_block(account.id, other.id)?,
    }
    Ok(())
}

/// Says in which contests a player can still meet the player whom they block.
fn tell_of_contests(ctx: &mut Context<'_>, account: &Account, other: &Account) -> Result<(), CommandError> {
    let theirs = ctx.store.contests_with(other.id, CONTESTS)?;
    let mut both = ctx.store.contests_with(account.id, CONTESTS)?;
    both.retain(|contest| theirs.contains(contest));
    if !both.is_empty() {
        let names: Vec<&str> = both.iter().map(|contest| contest.name.as_str()).collect();
        let (names, userid) = (names.join(" and "), &other.userid);
        ctx.remarks.push(format!("In {names} you can still meet {userid} on a board, but no words pass."));
    }
    Ok(())
}

fn settings_of(ctx: &Context<'_>, account: &Account) -> Result<Event, CommandError> {
    let mut games = Vec::new();
    for game in registry::games() {
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
        settings: ctx.store.settings(account.id)?,
        zone: ctx.store.player_by_id(account.id)?.zone,
        games,
        blocked,
    };
    Ok(Event::page("set.md", data(&settings), None))
}

/// The settings of a player, as `set.txt` shows them.
#[derive(Debug, Clone, Serialize)]
struct SettingsView {
    /// The player.
    userid: String,
    settings: Vec<CurrentSetting>,
    zone: String,
    /// The settings of games, one sentence each.
    games: Vec<String>,
    /// Userids of the blocked players.
    blocked: Vec<String>,
}
