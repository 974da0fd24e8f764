//! Leagues by the clock: a season is planned, announced a week before, and begun on its Monday.

use jiff::Timestamp;
use turnpost_games::registry;

use crate::commands::contest_entry::usual_options;
use crate::contest::league::{
    ANNOUNCED, LEAST, first_monday, last_seasons, next_season, plan, season_name, weeks, weeks_later,
    who_can_play,
};
use crate::contest::record::Contest;
use crate::contest::terms::{Competitor, ContestTerms, SeasonPlan};
use crate::failure::Error;
use crate::notices::Outbox;
use crate::store::{ContestEventKind, ContestForm, PlayerId, Store};
use crate::timer::tick::Timer;
use crate::timer::tick::contest_step::NextStep;

impl<O: Outbox> Timer<'_, O> {
    /// Plans, announces or begins the next season.
    pub(crate) fn next_in_league(&self, store: &Store, league: &Contest) -> Result<NextStep, Error> {
        let now = self.now;
        // What was announced stays.
        if let Some(game) = registry::find(&league.row.game).filter(|_| !league.league.announced) {
            let set = self.leagues.get(game.key).cloned().unwrap_or_else(|| usual_options(game));
            if set != league.terms.options {
                return Ok(NextStep::Set(set));
            }
        }
        let Some(next) = league.league.next else {
            let starts_at = first_monday(now).as_second();
            return Ok(NextStep::Plan(SeasonPlan {
                starts_at,
                weeks: weeks(store, league)?,
                put_off: false,
            }));
        };
        let starts_at = Timestamp::from_second(next.starts_at).unwrap_or(Timestamp::MAX);
        let announced_at = starts_at.checked_sub(ANNOUNCED).unwrap_or(now);
        if now < announced_at {
            return Ok(NextStep::Until(Some(announced_at)));
        }
        if now < starts_at {
            return match league.league.announced {
                true => Ok(NextStep::Until(Some(starts_at))),
                // Whoever makes them enough has them told.
                false if next.put_off && who_can_play(store, league, starts_at)?.len() < LEAST => {
                    Ok(NextStep::Until(Some(starts_at)))
                }
                false => Ok(NextStep::Announce(announced(store, league)?)),
            };
        }
        let players = who_can_play(store, league, now)?;
        if players.len() < LEAST {
            let starts_at = after(starts_at, 1, now).as_second();
            // They hear of it once.
            let told = if next.put_off { Vec::new() } else { here(store, &league.joined)? };
            return Ok(NextStep::PutOff(SeasonPlan { starts_at, put_off: true, ..next }, told));
        }
        let weeks = weeks(store, league)?;
        let starts_at = after(starts_at, weeks, now).as_second();
        let groups = next_season(store, league, &players)?;
        Ok(NextStep::Begin(groups, SeasonPlan { starts_at, weeks, put_off: false }))
    }
}

/// The first Monday still to come that is at least so many weeks after another.
fn after(monday: Timestamp, weeks: i64, now: Timestamp) -> Timestamp {
    let mut next = weeks_later(monday, weeks);
    while next <= now {
        next = weeks_later(next, 1);
    }
    next
}

/// Who is told of the next season: the members, and who played the last.
fn announced(store: &Store, league: &Contest) -> Result<Vec<PlayerId>, Error> {
    let mut players = league.joined.clone();
    for season in last_seasons(store, league, 1)? {
        players.extend(Contest::load(store, &season)?.competitors());
    }
    players.sort_unstable();
    players.dedup();
    here(store, &players)
}

/// Without those who have signed off or are suspended.
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

/// Makes the next season of a league, and plans the one after it.
pub(crate) fn begin_season(
    store: &Store,
    league: &mut Contest,
    groups: &[Vec<Competitor>],
    next: SeasonPlan,
    now: Timestamp,
) -> Result<(), Error> {
    let number = league.league.seasons + 1;
    let terms = ContestTerms {
        form: ContestForm::Season.as_str().to_owned(),
        name: season_name(&league.row.game, number),
        season: Some(number),
        ..league.terms.clone()
    };
    Contest::make(store, &terms, None, now)?.start(store, groups, now)?;
    league.note(store, ContestEventKind::Began, None, number.to_string(), now)?;
    let plays = |player: &PlayerId| groups.iter().flatten().any(|competitor| competitor.player == *player);
    for player in league.league.once.clone().into_iter().filter(plays) {
        league.note(store, ContestEventKind::Left, Some(player), "once", now)?;
    }
    plan(store, league, next, now)
}
