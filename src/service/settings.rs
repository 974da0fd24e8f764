//! `set` and `vacation`.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::context::Context;
use super::note::{Note, SettingsView};
use super::objection::Objection;
use super::{CommandError, Refusal};
use crate::command::Login;
use crate::command::settings::{Setting, Switch};
use crate::ids::Userid;
use crate::store::{Account, Settings, Vacation};
use turnpost_games::registry::GAMES;

/// Days of vacation for a calendar year.
const DAYS_A_YEAR: usize = 30;

/// A vacation is announced no longer before.
const YEARS_AHEAD: i64 = 2;

impl Context<'_> {
    pub(super) fn set(&mut self, login: &Login, settings: Vec<Setting>) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        for setting in settings {
            self.set_one(&account, setting)?;
        }
        self.settings_of(&account)
    }

    fn set_one(&mut self, account: &Account, setting: Setting) -> Result<(), CommandError> {
        match setting {
            Setting::Switch(switch, on) => {
                let mut settings = self.store.settings(account.id)?;
                *field(&mut settings, switch) = on;
                self.store.set_settings(account.id, &settings)?;
            }
            Setting::Zone(name) => {
                let zone = crate::zone::find(&name).ok_or(Objection::NoSuchZone)?;
                self.store.set_zone(account.id, zone.iana_name().unwrap_or("UTC"))?;
            }
            Setting::RateLimit(game, at_most) => {
                let settings = self.store.game_settings(account.id, game.key)?;
                let settings = crate::store::GameSettings { at_most, ..settings };
                self.store.set_game_settings(account.id, game.key, &settings)?;
            }
            Setting::Reject(game, rejects) => {
                let settings = self.store.game_settings(account.id, game.key)?;
                let settings = crate::store::GameSettings { rejects, ..settings };
                self.store.set_game_settings(account.id, game.key, &settings)?;
            }
            Setting::Block(userid, on) => self.set_block(account, &userid, on)?,
        }
        Ok(())
    }

    fn set_block(&mut self, account: &Account, userid: &Userid, on: bool) -> Result<(), CommandError> {
        let other = self.store.player(userid)?.filter(|other| !other.is_deleted());
        let Some(other) = other else {
            return Err(Refusal::NoSuchUserid { near: self.nearest(userid)? }.into());
        };
        if other.id == account.id {
            return Err(Objection::BlocksThemselves.into());
        }
        Ok(self.store.set_block(account.id, other.id, on)?)
    }

    fn settings_of(&self, account: &Account) -> Result<Note, CommandError> {
        let mut settings = self.store.settings(account.id)?;
        let keys = [
            ("html", Switch::Html),
            ("picture", Switch::Picture),
            ("broadcast", Switch::Broadcast),
            ("digest", Switch::Digest),
            ("openness", Switch::Openness),
        ];
        let mut games = Vec::new();
        for game in GAMES {
            let set = self.store.game_settings(account.id, game.key)?;
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
        for other in self.store.blocked(account.id)? {
            blocked.push(self.store.player_by_id(other)?.userid.to_string());
        }
        Ok(Note::Settings(Box::new(SettingsView {
            userid: account.userid.to_string(),
            switches: keys.map(|(key, switch)| (key, *field(&mut settings, switch))).to_vec(),
            zone: self.store.player_by_id(account.id)?.zone,
            games,
            blocked,
        })))
    }

    pub(super) fn vacation(
        &mut self,
        login: &Login,
        days: Option<(Date, Date)>,
    ) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        let zone = self.zone(account.id)?;
        let today = self.at.to_zoned(zone.clone()).date();
        let Some((first, last)) = days else {
            let any = self.store.end_vacations(account.id, self.at, today)? > 0;
            return Ok(Note::VacationOff { any });
        };
        if first < today {
            return Err(Objection::VacationPast { today }.into());
        }
        if last < first {
            return Err(Objection::VacationBackwards.into());
        }
        let horizon = today.checked_add(Span::new().years(YEARS_AHEAD)).unwrap_or(Date::MAX);
        if last > horizon {
            return Err(Objection::VacationFar.into());
        }
        let others = self.store.vacations(account.id)?;
        let ahead = others.iter().filter(|other| other.ends_at > self.at);
        if let Some(other) = ahead.into_iter().find(|other| other.first <= last && other.last >= first) {
            return Err(Objection::VacationOverlaps { first: other.first, last: other.last }.into());
        }
        enough_left(&others, first, last)?;
        let starts_at = begins(first, &zone).map_or(self.at, |begins| begins.max(self.at));
        let ends_at =
            last.tomorrow().ok().and_then(|day| begins(day, &zone)).ok_or(Objection::VacationFar)?;
        self.store.add_vacation(account.id, &Vacation { first, last, starts_at, ends_at })?;
        Ok(Note::Vacation { first: first.to_string(), last: last.to_string() })
    }
}

/// The first instant of a day in a zone.
fn begins(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    day.to_zoned(zone.clone()).ok().map(|day| day.timestamp())
}

/// Whether the days fit into what is left of the years they are in.
fn enough_left(others: &[Vacation], first: Date, last: Date) -> Result<(), Objection> {
    let days =
        |first: Date, last: Date| first.series(Span::new().days(1)).take_while(move |day| *day <= last);
    // A day counts once, however often a vacation was taken back and announced again on it.
    let taken: BTreeSet<Date> = others.iter().flat_map(|other| days(other.first, other.last)).collect();
    for year in first.year()..=last.year() {
        let of_year = taken.iter().filter(|day| day.year() == year).count();
        let new = days(first, last).filter(|day| day.year() == year && !taken.contains(day)).count();
        if of_year + new > DAYS_A_YEAR {
            return Err(Objection::VacationTooLong { year, left: DAYS_A_YEAR.saturating_sub(of_year) });
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
