//! `set` and `vacation`.

use crate::service::context::IdentityRefusal;
use crate::service::refusal::{Refuse, refuses};
use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::CommandError;
use super::context::Context;
use super::note::{Note, SettingsView};
use crate::command::Login;
use crate::command::settings::{Setting, Switch};
use crate::ids::Userid;
use crate::store::{Account, Settings, Vacation};
use turnpost_games::registry::GAMES;

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum SettingsRefusal {
    #[error(
        "There is no time zone of that name. Zones are written as Europe/Paris or America/New_York, or UTC."
    )]
    NoSuchZone,
    #[error("Nobody blocks themselves.")]
    BlocksThemselves,
    #[error("A vacation cannot begin in the past; it is {today} in your zone.")]
    VacationPast { today: Date },
    #[error("The last day of a vacation is not before its first.")]
    VacationBackwards,
    #[error("A vacation begins and ends within the next two years.")]
    VacationFar,
    #[error(
        "Your vacation from {first} to {last} shares days with it. `vacation userid password off` takes that back."
    )]
    VacationOverlaps { first: Date, last: Date },
    #[error("There are 30 days of vacation for a year, and you have {left} left for {year}.")]
    VacationTooLong { year: i16, left: usize },
}

impl Refuse for SettingsRefusal {}

refuses!(SettingsRefusal);

/// Days of vacation for a calendar year.
const DAYS_A_YEAR: usize = 30;

/// A vacation is announced no longer before.
const YEARS_AHEAD: i64 = 2;

pub(super) fn set(
    ctx: &mut Context<'_>,
    login: &Login,
    settings: Vec<Setting>,
) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
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
            ctx.store.set_settings(account.id, &settings)?;
        }
        Setting::Zone(name) => {
            let zone = crate::zone::find(&name).ok_or(SettingsRefusal::NoSuchZone)?;
            ctx.store.set_zone(account.id, zone.iana_name().unwrap_or("UTC"))?;
        }
        Setting::RateLimit(game, at_most) => {
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
    let other = ctx.store.player(userid)?.filter(|other| other.state != "deleted");
    let Some(other) = other else {
        return Err(IdentityRefusal::NoSuchUserid { near: ctx.nearest(userid)? }.into());
    };
    if other.id == account.id {
        return Err(SettingsRefusal::BlocksThemselves.into());
    }
    Ok(ctx.store.set_block(account.id, other.id, on)?)
}

fn settings_of(ctx: &Context<'_>, account: &Account) -> Result<Note, CommandError> {
    let mut settings = ctx.store.settings(account.id)?;
    let keys = [
        ("html", Switch::Html),
        ("picture", Switch::Picture),
        ("broadcast", Switch::Broadcast),
        ("digest", Switch::Digest),
        ("openness", Switch::Openness),
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
    Ok(Note::Settings(Box::new(SettingsView {
        userid: account.userid.to_string(),
        switches: keys.map(|(key, switch)| (key, *field(&mut settings, switch))).to_vec(),
        zone: ctx.store.player_by_id(account.id)?.zone,
        games,
        blocked,
    })))
}

pub(super) fn vacation(
    ctx: &mut Context<'_>,
    login: &Login,
    days: Option<(Date, Date)>,
) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
    let zone = ctx.zone(account.id)?;
    let today = ctx.now.to_zoned(zone.clone()).date();
    let Some((first, last)) = days else {
        let any = ctx.store.end_vacations(account.id, ctx.now, today)? > 0;
        return Ok(Note::VacationOff { any });
    };
    if first < today {
        return Err(SettingsRefusal::VacationPast { today }.into());
    }
    if last < first {
        return Err(SettingsRefusal::VacationBackwards.into());
    }
    let horizon = today.checked_add(Span::new().years(YEARS_AHEAD)).unwrap_or(Date::MAX);
    if last > horizon {
        return Err(SettingsRefusal::VacationFar.into());
    }
    let others = ctx.store.vacations(account.id)?;
    let ahead = others.iter().filter(|other| other.ends_at > ctx.now);
    if let Some(other) = ahead.into_iter().find(|other| other.first <= last && other.last >= first) {
        return Err(SettingsRefusal::VacationOverlaps { first: other.first, last: other.last }.into());
    }
    enough_left(&others, first, last)?;
    let starts_at = begins(first, &zone).map_or(ctx.now, |begins| begins.max(ctx.now));
    let ends_at =
        last.tomorrow().ok().and_then(|day| begins(day, &zone)).ok_or(SettingsRefusal::VacationFar)?;
    ctx.store.add_vacation(account.id, &Vacation { first, last, starts_at, ends_at })?;
    Ok(Note::Vacation { first: first.to_string(), last: last.to_string() })
}

/// The first instant of a day in a zone.
fn begins(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    day.to_zoned(zone.clone()).ok().map(|day| day.timestamp())
}

/// Whether the days fit into what is left of the years they are in.
fn enough_left(others: &[Vacation], first: Date, last: Date) -> Result<(), SettingsRefusal> {
    let days =
        |first: Date, last: Date| first.series(Span::new().days(1)).take_while(move |day| *day <= last);
    // A day counts once, however often a vacation was taken back and announced again on it.
    let taken: BTreeSet<Date> = others.iter().flat_map(|other| days(other.first, other.last)).collect();
    for year in first.year()..=last.year() {
        let of_year = taken.iter().filter(|day| day.year() == year).count();
        let new = days(first, last).filter(|day| day.year() == year && !taken.contains(day)).count();
        if of_year + new > DAYS_A_YEAR {
            return Err(SettingsRefusal::VacationTooLong { year, left: DAYS_A_YEAR.saturating_sub(of_year) });
        }
    }
    Ok(())
}

fn field(settings: &mut Settings, switch: Switch) -> &mut bool {
    match switch {
        Switch::Html => &mut settings.html,
        Switch::Picture => &mut settings.picture,
        Switch::Broadcast => &mut settings.broadcast,
        Switch::Digest => &mut settings.digest,
        Switch::Openness => &mut settings.openness,
    }
}
