//! Leagues by the clock: a season is planned, announced a week before, and begun on its Monday.

use jiff::Timestamp;

use crate::contest::league::{
    ANNOUNCED, LEAST, first_monday, last_seasons, next_season, plan, season_name, weeks, weeks_later,
    who_can_play,
};
use crate::contest::record::{Contest, ContestTerms, SeasonPlan};
use crate::failure::Error;
use crate::notices::Outbox;
use crate::store::{ContestEventKind, ContestForm, ContestNewsKind, Store};
use crate::timer::tick::Timer;
use crate::timer::tick::contests::NextStep;

impl<O: Outbox> Timer<'_, O> {
    /// Plans, announces or begins the next season.
    pub(crate) fn follow_league(&mut self, store: &Store, league: &mut Contest) -> Result<NextStep, Error> {
        let now = self.now;
        let Some(next) = league.league.next else {
            let starts_at = first_monday(now).as_second();
            plan(store, league, SeasonPlan { starts_at, weeks: weeks(store, league)?, put_off: false }, now)?;
            return Ok(NextStep::Again);
        };
        let starts_at = Timestamp::from_second(next.starts_at).unwrap_or(Timestamp::MAX);
        let announced_at = starts_at.checked_sub(ANNOUNCED).unwrap_or(now);
        if now < announced_at {
            return Ok(NextStep::Until(Some(announced_at)));
        }
        if now < starts_at && !league.league.announced {
            league.note(store, ContestEventKind::Announced, None, "", now)?;
            if next.put_off && league.joined.len() < LEAST {
                return Ok(NextStep::Again);
            }
            let mut players = league.joined.clone();
            for season in last_seasons(store, league, 1)? {
                players.extend(Contest::load(store, &season)?.competitors());
            }
            players.sort_unstable();
            players.dedup();
            for player in players {
                store.add_contest_news(player, league.row.id, ContestNewsKind::Season, now)?;
            }
            return Ok(NextStep::Again);
        }
        if now < starts_at {
            return Ok(NextStep::Until(Some(starts_at)));
        }
        self.begin_season(store, league, next)?;
        Ok(NextStep::Again)
    }

    /// Begins a season, or puts it off by a week where too few can play.
    fn begin_season(&mut self, store: &Store, league: &mut Contest, next: SeasonPlan) -> Result<(), Error> {
        let now = self.now;
        let starts_at = Timestamp::from_second(next.starts_at).unwrap_or(now);
        let players = who_can_play(store, league, now)?;
        if players.len() < LEAST {
            let starts_at = weeks_later(starts_at.max(now), 1).as_second();
            plan(store, league, SeasonPlan { starts_at, put_off: true, ..next }, now)?;
            for player in league.joined.clone().into_iter().filter(|_| !next.put_off) {
                store.add_contest_news(player, league.row.id, ContestNewsKind::Off, now)?;
            }
            return Ok(());
        }
        let number = league.league.seasons + 1;
        let terms = ContestTerms {
            form: ContestForm::Season.as_str().to_owned(),
            name: season_name(&league.row.game, number),
            season: Some(number),
            ..league.terms.clone()
        };
        let groups = next_season(store, league, &players)?;
        let mut season = Contest::make(store, &terms, None, now)?;
        season.start(store, &groups, now)?;
        league.note(store, ContestEventKind::Began, None, number.to_string(), now)?;
        for player in league.league.once.clone() {
            league.note(store, ContestEventKind::Left, Some(player), "once", now)?;
        }
        let weeks = weeks(store, league)?;
        let starts_at = weeks_later(starts_at.max(now), weeks).as_second();
        plan(store, league, SeasonPlan { starts_at, weeks, put_off: false }, now)
    }
}
