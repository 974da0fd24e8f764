//! Leagues: one season after the other, each in groups of players of about the same strength.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use turnpost_games::registry;

use super::{BATCH, Due, FormKind, NewSeason, NextStep, Notes, Stay, played};
use crate::contest::events::Ruling;
use crate::contest::league::{
    ANNOUNCED, LEAST, first_monday, last_seasons, next_season, season_name, weeks, weeks_later, who_can_play,
};
use crate::contest::record::Contest;
use crate::contest::terms::{ContestTerms, SeasonPlan, usual_options};
use crate::failure::{CommandError, Error, refusal, refuse};
use crate::store::{
    ContestEventKind, ContestForm, ContestNewsKind, ContestRow, ContestState, PlayerId, Store,
};

/// A timer that seats the players of a season for longer was killed: the season is made again.
const SEATING: SignedDuration = SignedDuration::from_mins(10);

/// A season is announced within this time, or it begins later.
const TELLS_WITHIN: SignedDuration = SignedDuration::from_hours(24);

pub const FORM: FormKind = FormKind {
    words: &["join", "leave", "withdraw", "table"],
    enter,
    outside: |game, name| {
        refusal!("You are not in the {}.", ContestForm::League.title_of(game.key, name)).into()
    },
    next,
};

fn enter(_: &Store, league: &Contest, player: PlayerId, stay: Stay) -> Result<(), CommandError> {
    let is_once = league.league.once.contains(&player);
    if league.joined.contains(&player) && is_once == (stay == Stay::Once) {
        return refuse!("You are in the {} already.", league.row.title());
    }
    Ok(())
}

/// Plans, announces or begins the next season.
fn next(store: &Store, league: &Contest, due: &Due) -> Result<NextStep, Error> {
    if league.row.form == ContestForm::Season {
        return played::next(store, league, due);
    }
    let Due { now, leagues: set, .. } = *due;
    // The options of an announced season do not change.
    if let Some(game) = registry::find(&league.row.game).filter(|_| !league.league.announced) {
        let set = league.row.in_league(set.get(game.key).cloned().unwrap_or_else(|| usual_options(game)));
        if set != league.terms.options {
            return Ok(NextStep::Note(Notes::ruled(&Ruling::Options(set))));
        }
    }
    let Some(next) = league.league.next else {
        let starts_at = first_monday(now).as_second();
        let plan = SeasonPlan { starts_at, weeks: weeks(store, league)?, put_off: false };
        return after_leavers(store, league, || Ok(Notes::ruled(&Ruling::Plan(plan))));
    };
    let starts_at = Timestamp::from_second(next.starts_at).unwrap_or(Timestamp::MAX);
    let announced_at = starts_at.checked_sub(ANNOUNCED).unwrap_or(now);
    if !league.league.announced {
        let enough = || Ok::<_, Error>(who_can_play(store, league, starts_at.max(now))?.len() >= LEAST);
        let is_over = last_seasons(store, league, 1)?.iter().any(|last| last.state == ContestState::Closed);
        // Members get a week's notice, even after a stop of the server. A season that is over brings the next one forward.
        let is_late = now > announced_at + TELLS_WITHIN;
        let monday = first_monday(now);
        if is_late && (!next.put_off || now >= starts_at || enough()?)
            || is_over && monday < starts_at && enough()?
        {
            let plan = SeasonPlan { starts_at: monday.as_second(), ..next };
            return after_leavers(store, league, || Ok(Notes::ruled(&Ruling::Plan(plan))));
        }
        if now < announced_at {
            return Ok(NextStep::Wait(Some(announced_at)));
        }
        // A postponed season with too few members is not announced yet. The entry that makes them enough triggers it.
        if next.put_off && !enough()? {
            return Ok(NextStep::Wait(Some(starts_at)));
        }
        return after_leavers(store, league, || {
            let notes = Notes::ruled(&Ruling::Announced);
            Ok(notes.tell(announced(store, league)?, ContestNewsKind::Season))
        });
    }
    if now < starts_at {
        return Ok(NextStep::Wait(Some(starts_at)));
    }
    let number = league.league.seasons + 1;
    let name = season_name(&league.row.name, number);
    let unfinished = store.contest_named(&name)?;
    match &unfinished {
        Some(season) if season.state != ContestState::Open => {
            return began(store, league, season, (starts_at, now));
        }
        Some(season) if now.duration_since(season.changed_at).abs() < SEATING => {
            return Ok(NextStep::Wait(Some(season.changed_at + SEATING)));
        }
        _ => {}
    }
    let players = who_can_play(store, league, now)?;
    if players.len() < LEAST {
        let starts_at = after(starts_at, 1, now).as_second();
        let notes = Notes::ruled(&Ruling::Plan(SeasonPlan { starts_at, put_off: true, ..next }));
        // Tell the members only the first time that a season is postponed.
        let told = if next.put_off { Vec::new() } else { here(store, &league.joined)? };
        return after_leavers(store, league, || Ok(notes.tell(told, ContestNewsKind::Off)));
    }
    let terms = ContestTerms {
        form: ContestForm::Season.as_str().to_owned(),
        name,
        season: Some(number),
        ..league.terms.clone()
    };
    let groups = next_season(store, league, &players)?;
    Ok(NextStep::Found(Box::new(NewSeason { terms, groups, unfinished })))
}

/// Notes that a season has begun, and plans the next. Before that, its players who play only once leave the league.
fn began(
    store: &Store,
    league: &Contest,
    season: &ContestRow,
    (starts_at, now): (Timestamp, Timestamp),
) -> Result<NextStep, Error> {
    let plays: HashSet<PlayerId> = Contest::load(store, season)?.competitors().collect();
    let mut once = Notes::default();
    for player in league.league.once.iter().filter(|player| plays.contains(player)).take(BATCH) {
        once.add(ContestEventKind::Left, *player, "once");
    }
    if !once.is_empty() {
        return Ok(NextStep::Note(once));
    }
    after_leavers(store, league, || {
        let weeks = weeks(store, league)?;
        let starts_at = after(starts_at, weeks, now).as_second();
        let plan = SeasonPlan { starts_at, weeks, put_off: false };
        Ok(Notes::ruled(&Ruling::Began).then(Notes::ruled(&Ruling::Plan(plan))))
    })
}

/// The first Monday in the future that is at least `weeks` weeks after `monday`.
fn after(monday: Timestamp, weeks: i64, now: Timestamp) -> Timestamp {
    let mut next = weeks_later(monday, weeks);
    while next <= now {
        next = weeks_later(next, 1);
    }
    next
}

/// Players to tell of the next season: the members, and the players of the last season.
fn announced(store: &Store, league: &Contest) -> Result<Vec<PlayerId>, Error> {
    let mut players = league.joined.clone();
    for season in last_seasons(store, league, 1)? {
        players.extend(Contest::load(store, &season)?.competitors());
    }
    players.sort_unstable();
    players.dedup();
    here(store, &players)
}

/// Keeps only players who have not signed off and are not suspended.
fn here(store: &Store, players: &[PlayerId]) -> Result<Vec<PlayerId>, Error> {
    let mut here = Vec::new();
    for &player in players {
        let account = store.player_by_id(player)?;
        if account.is_active() && account.suspended.is_none() {
            here.push(player);
        }
    }
    Ok(here)
}

/// Notes what `then` returns. Before that, members who have signed off and second entries of a mailbox leave.
fn after_leavers(
    store: &Store,
    league: &Contest,
    then: impl FnOnce() -> Result<Notes, Error>,
) -> Result<NextStep, Error> {
    let leavers = leavers(store, league)?;
    Ok(NextStep::Note(if leavers.is_empty() { then()? } else { leavers }))
}

fn leavers(store: &Store, league: &Contest) -> Result<Notes, Error> {
    let mut notes = Notes::default();
    let second = league.second_entries(store)?;
    for &player in &league.joined {
        if second.contains(&player) {
            notes.add(ContestEventKind::Left, player, "second entry");
            notes = notes.tell([player], ContestNewsKind::Second);
        } else if !store.player_by_id(player)?.is_active() {
            notes.add(ContestEventKind::Left, player, "signed off");
        }
        if notes.events.len() >= BATCH {
            break;
        }
    }
    Ok(notes)
}
