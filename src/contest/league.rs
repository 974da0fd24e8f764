//! Leagues: when their seasons begin, and the groups of each season.

use std::collections::HashMap;

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::board::ratings::PROVISIONAL;
use crate::contest::groups::{seated, sizes};
use crate::contest::movement::{LastSeason, Member, next_groups, sent};
use crate::contest::record::Contest;
use crate::contest::standing::{self, GroupStanding};
use crate::contest::table::RunningGames;
use crate::contest::terms::{Competitor, slow_league};
use crate::failure::Error;
use crate::store::{ContestRow, PlayerId, Store, StoreError};

/// Fewest players of a season. With fewer, the season is postponed by a week.
pub const LEAST: usize = 4;

/// How long before a season its members are told.
pub const ANNOUNCED: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Players whose vacation at the start lasts longer than this are left out.
const AWAY: SignedDuration = SignedDuration::from_hours(21 * 24);

/// Weeks of the first season, by the usual number of plies: (most plies, weeks). Used until a board of the league has
/// ended.
const WEEKS: [(i64, i64); 2] = [(45, 11), (80, 15)];
const WEEKS_OF_LONG_GAMES: i64 = 21;

/// Usual number of plies, assumed for a game of which no board has ended.
const PLIES: i64 = 80;

/// Fewest and most weeks of a season.
const WEEKS_BETWEEN: std::ops::RangeInclusive<i64> = 8..=26;

/// The hour (UTC) at which contests begin.
const MORNING: i8 = 6;

/// Number of last seasons that count for the next groups. A late result of one of them is still made up for.
const LOOKS_BACK: u32 = 5;

/// Over this time each player moves first as often as second.
const COLOURS: SignedDuration = SignedDuration::from_hours(365 * 24);

const WEEK: i64 = 7 * 24 * 60 * 60;

/// The name of a season of a league.
pub fn season_name(league: &str, number: u32) -> String {
    format!("{league}-{number}")
}

/// The first Monday whose season can still be announced a week before.
pub fn first_monday(now: Timestamp) -> Timestamp {
    next_monday(now.checked_add(ANNOUNCED).unwrap_or(now))
}

/// The next Monday morning.
pub fn next_monday(now: Timestamp) -> Timestamp {
    // Before the morning hour of a Monday, the next Monday is today.
    let date = now
        .checked_sub(SignedDuration::from_hours(MORNING.into()))
        .unwrap_or(now)
        .to_zoned(TimeZone::UTC)
        .date();
    morning(date.nth_weekday(1, Weekday::Monday).unwrap_or(date))
}

/// `weeks` weeks after a Monday.
pub fn weeks_later(start: Timestamp, weeks: i64) -> Timestamp {
    let date = start.to_zoned(TimeZone::UTC).date();
    morning(date.checked_add(weeks.weeks()).unwrap_or(date))
}

fn morning(date: Date) -> Timestamp {
    date.at(MORNING, 0, 0, 0).to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |at| at.timestamp())
}

/// Weeks of the next season: long enough for 95 % of the boards of the last three seasons.
pub fn weeks(store: &Store, league: &Contest) -> Result<i64, Error> {
    let mut lengths = Vec::new();
    for season in last_seasons(store, league, 3)? {
        lengths.extend(store.contest_lengths(season.id)?);
    }
    if lengths.is_empty() {
        let plies = store.usual_plies(&league.row.game)?.unwrap_or(PLIES);
        let usual = WEEKS.iter().find(|(most, _)| plies <= *most);
        let usual = usual.map_or(WEEKS_OF_LONG_GAMES, |(_, weeks)| *weeks);
        let is_slow = league.row.name == slow_league(&league.row.game);
        return Ok(if is_slow { *WEEKS_BETWEEN.end().min(&(2 * usual)) } else { usual });
    }
    // Sort running boards last: they take longest.
    lengths.sort_unstable_by_key(|length| length.unwrap_or(i64::MAX));
    let most = lengths.get(lengths.len() * 95 / 100).copied().flatten();
    let weeks = most.map_or(i64::MAX, |seconds| seconds / WEEK + 1);
    Ok(weeks.clamp(*WEEKS_BETWEEN.start(), *WEEKS_BETWEEN.end()))
}

/// The rows of the last seasons, the latest first.
pub fn last_seasons(store: &Store, league: &Contest, most: u32) -> Result<Vec<ContestRow>, StoreError> {
    let last = league.league.seasons;
    let numbers = (1..=last).rev().take(most as usize);
    let rows = numbers.map(|number| store.contest_named(&season_name(&league.row.name, number)));
    Ok(rows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The number of groups of the season after this one, with the league's members of today. `None` for an event, and if that
/// season has begun.
pub fn groups_next(store: &Store, season: &Contest) -> Result<Option<usize>, StoreError> {
    let next = season.terms.season.map(|number| season_name(season.row.league_name(), number + 1));
    let Some((next, league)) = next.zip(season.league(store)?) else { return Ok(None) };
    let members = league.entrants as usize;
    Ok(store.contest_named(&next)?.is_none().then(|| sizes(members).len()))
}

/// The season with this number; without a number, the last one that has begun.
pub fn season(
    store: &Store,
    league: Option<&Contest>,
    number: Option<u32>,
) -> Result<Option<Contest>, Error> {
    let Some(league) = league else { return Ok(None) };
    let row = store.contest_named(&season_name(&league.row.name, number.unwrap_or(league.league.seasons)))?;
    row.map(|row| Contest::load(store, &row)).transpose()
}

/// The members who can play the season that begins now.
pub fn who_can_play(store: &Store, league: &Contest, now: Timestamp) -> Result<Vec<Competitor>, Error> {
    let until = now.checked_add(AWAY).unwrap_or(now);
    let mut players = Vec::new();
    for competitor in league.who_can_play(store)? {
        let vacations = store.vacations(competitor.player)?;
        if !vacations.iter().any(|away| away.starts_at <= now && away.ends_at > until) {
            players.push(competitor);
        }
    }
    Ok(players)
}

/// A season that has begun, and its tables.
struct Season {
    contest: Contest,
    groups: Vec<GroupStanding>,
}

impl Season {
    fn load(store: &Store, row: &ContestRow) -> Result<Season, Error> {
        let contest = Contest::load(store, row)?;
        let groups = standing::all_groups(&contest, &store.contest_boards(row.id)?);
        Ok(Season { contest, groups })
    }

    /// For each player: the group, and the number of groups up that the line of the table earns.
    fn sends(&self, running: RunningGames) -> HashMap<PlayerId, LastSeason> {
        let of = self.groups.len();
        let mut all = HashMap::new();
        for (group, standing) in self.groups.iter().enumerate() {
            let places = standing.places_with(running);
            for (line, place) in (1..).zip(&places) {
                let sent = sent(line, places.len(), group, of);
                all.insert(place.player, LastSeason { group, sent });
            }
        }
        all
    }

    /// True if the last game of a group ended at `since` or later. A correction after the season has closed does not
    /// count.
    fn has_closed_since(&self, group: usize, since: Option<Timestamp>) -> bool {
        let closed = self.contest.closed_at.unwrap_or(Timestamp::MAX);
        let ended = self.groups.get(group).and_then(GroupStanding::closed_at);
        ended.is_some_and(|at| Some(at.min(closed)) >= since)
    }
}

/// Games as first minus games as second, per player, in the seasons that began within a year before the last.
fn surplus(seasons: &[Season]) -> HashMap<PlayerId, i32> {
    let mut surplus = HashMap::new();
    let began = |season: &Season| season.contest.started_at.unwrap_or_default();
    let Some(last) = seasons.first().map(began) else { return surplus };
    let lately = seasons.iter().take_while(|season| last.duration_since(began(season)) < COLOURS);
    for game in lately.flat_map(|season| &season.groups).flat_map(|group| &group.games) {
        let [first, second] = game.players;
        *surplus.entry(first).or_default() += 1;
        *surplus.entry(second).or_default() -= 1;
    }
    surplus
}

/// The groups of the season that begins now, players in the order of their seats.
pub fn next_season(
    store: &Store,
    league: &Contest,
    players: &[Competitor],
) -> Result<Vec<Vec<Competitor>>, Error> {
    let seasons = last_seasons(store, league, LOOKS_BACK)?;
    let seasons: Vec<Season> =
        seasons.iter().map(|row| Season::load(store, row)).collect::<Result<_, _>>()?;
    let last = seasons.first();
    let by_halves = last.map(|last| last.sends(RunningGames::CountHalf)).unwrap_or_default();
    let mut sends = by_halves.clone();
    for (earlier, after) in seasons.iter().skip(1).zip(&seasons) {
        // If a group ended after the last season began, its final table can differ from the table with running games
        // counted half. Add the difference.
        let since = last.and_then(|last| last.contest.started_at);
        let closed = earlier.sends(RunningGames::CountHalf);
        for competitor in after.contest.groups.iter().flatten() {
            let now = closed.get(&competitor.player).filter(|now| earlier.has_closed_since(now.group, since));
            if let Some((send, now)) = sends.get_mut(&competitor.player).zip(now) {
                send.sent += now.sent - competitor.sent;
            }
        }
        // A player who missed the last season keeps the group and promise of the season before.
        for (player, LastSeason { group, sent }) in closed {
            let group = group.min(last.map_or(0, |last| last.groups.len()).saturating_sub(1));
            sends.entry(player).or_insert(LastSeason { group, sent });
        }
    }
    let members: Vec<Member<PlayerId>> = players
        .iter()
        .map(|competitor| Member {
            player: competitor.player,
            rating: competitor.rating,
            provisional: competitor.deviation >= PROVISIONAL,
            last: sends.get(&competitor.player).copied(),
        })
        .collect();
    let surplus = surplus(&seasons);
    let strength: HashMap<PlayerId, &Competitor> =
        players.iter().map(|competitor| (competitor.player, competitor)).collect();
    let competitor = |player: PlayerId| {
        let sent = by_halves.get(&player).map_or(0, |season| season.sent);
        strength.get(&player).map(|competitor| Competitor { sent, ..**competitor })
    };
    let before = last.map_or(0, |last| last.groups.len());
    let groups = next_groups(&members, before).into_iter().map(|group| {
        let seats = seated(group, |player| surplus.get(player).copied().unwrap_or_default());
        seats.into_iter().filter_map(competitor).collect()
    });
    Ok(groups.collect())
}
