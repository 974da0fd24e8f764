//! Leagues: one season after the other, each in groups of players of about the same strength.

use jiff::{SignedDuration, Timestamp};
use turnpost_games::registry;

use super::{Due, FormKind, NextStep, Notes, Stay, played};
use crate::contest::events::Ruling;
use crate::contest::league::{
    ANNOUNCED, LEAST, first_monday, last_seasons, next_season, season_name, weeks, weeks_later, who_can_play,
};
use crate::contest::record::Contest;
use crate::contest::terms::{ContestTerms, SeasonPlan, usual_options};
use crate::failure::{CommandError, Error, refusal, refuse};
use crate::store::{ContestEventKind, ContestForm, ContestNewsKind, ContestState, PlayerId, Store};

/// A season is announced within this time, or it begins later.
const TELLS_WITHIN: SignedDuration = SignedDuration::from_hours(24);

pub const FORM: FormKind = FormKind {
    words: &["join", "leave", "withdraw", "table"],
    enter,
    outside: |game, _, _| refusal!("You are not in the {} league.", game.name).into(),
    next,
};

fn enter(_: &Store, league: &Contest, player: PlayerId, stay: Stay) -> Result<(), CommandError> {
    let is_once = league.league.once.contains(&player);
    if league.joined.contains(&player) && is_once == (stay == Stay::Once) {
        return refuse!("You are in the {} league already.", league.game_name());
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
        let set = set.get(game.key).cloned().unwrap_or_else(|| usual_options(game));
        if set != league.terms.options {
            return Ok(NextStep::Note(Notes::ruled(&Ruling::Options(set))));
        }
    }
    let Some(next) = league.league.next else {
        let starts_at = first_monday(now).as_second();
        let plan = SeasonPlan { starts_at, weeks: weeks(store, league)?, put_off: false };
        return Ok(NextStep::Note(planned(store, league, plan)?));
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
            return Ok(NextStep::Note(planned(store, league, plan)?));
        }
        if now < announced_at {
            return Ok(NextStep::Wait(Some(announced_at)));
        }
        // A postponed season with too few members is not announced yet. The entry that makes them enough triggers it.
        if next.put_off && !enough()? {
            return Ok(NextStep::Wait(Some(starts_at)));
        }
        let notes = leavers(store, league)?.then(Notes::ruled(&Ruling::Announced));
        return Ok(NextStep::Note(notes.tell(announced(store, league)?, ContestNewsKind::Season)));
    }
    if now < starts_at {
        return Ok(NextStep::Wait(Some(starts_at)));
    }
    let players = who_can_play(store, league, now)?;
    if players.len() < LEAST {
        let starts_at = after(starts_at, 1, now).as_second();
        let notes = planned(store, league, SeasonPlan { starts_at, put_off: true, ..next })?;
        // Tell the members only the first time that a season is postponed.
        let told = if next.put_off { Vec::new() } else { here(store, &league.joined)? };
        return Ok(NextStep::Note(notes.tell(told, ContestNewsKind::Off)));
    }
    let weeks = weeks(store, league)?;
    let starts_at = after(starts_at, weeks, now).as_second();
    let groups = next_season(store, league, &players)?;
    let number = league.league.seasons + 1;
    let terms = ContestTerms {
        form: ContestForm::Season.as_str().to_owned(),
        name: season_name(&league.row.game, number),
        season: Some(number),
        ..league.terms.clone()
    };
    let mut notes = Notes::ruled(&Ruling::Began);
    let plays = |player: &&PlayerId| groups.iter().flatten().any(|competitor| competitor.player == **player);
    for player in league.league.once.iter().filter(plays) {
        notes.add(ContestEventKind::Left, *player, "once");
    }
    let once: Vec<PlayerId> = notes.events.iter().filter_map(|noted| noted.player).collect();
    let mut after = league.clone();
    after.joined.retain(|player| !once.contains(player));
    let notes = notes.then(planned(store, &after, SeasonPlan { starts_at, weeks, put_off: false })?);
    Ok(NextStep::Found(Box::new(terms), groups, notes))
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

/// Notes the plan of the next season. First removes members who have signed off and second entries of a mailbox.
fn planned(store: &Store, league: &Contest, plan: SeasonPlan) -> Result<Notes, Error> {
    Ok(leavers(store, league)?.then(Notes::ruled(&Ruling::Plan(plan))))
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
    }
    Ok(notes)
}
