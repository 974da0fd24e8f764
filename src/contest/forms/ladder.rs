//! Ladders: a player who beats a player above moves up. On Mondays, players without a game are paired, and players who
//! make no moves are removed.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use turnpost_games::registry;

use super::{BATCH, Due, FormKind, NextStep, Notes, OpenedGames, Opening, Stay, ToldPlayer};
use crate::contest::events::{Noted, Ruling};
use crate::contest::ladder::{LadderGame, mondays_games};
use crate::contest::ladder_games::Ladder;
use crate::contest::league::{next_monday, weeks_later};
use crate::contest::record::Contest;
use crate::failure::{CommandError, Error, refusal, refuse};
use crate::store::{ContestEventKind, ContestNewsKind, PlayerId, Store, StoreError};

pub const FORM: FormKind = FormKind {
    words: &["join", "leave", "challenge", "auto"],
    enter,
    outside: |game, _| {
        let (name, game) = (game.name, game.key);
        refusal!("You are not on the {name} ladder. A reply of `{game} ladder join` puts you there.").into()
    },
    next,
};

const DAY: SignedDuration = SignedDuration::from_hours(24);
/// Players who have not moved for this time outside vacations leave the ladder.
const IDLE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// A player is not idle because of a game that began within this time. It is shorter than the time between two Mondays.
const NEW: SignedDuration = SignedDuration::from_hours(6 * 24);
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

fn enter(_: &Store, ladder: &Contest, player: PlayerId, _: Stay) -> Result<(), CommandError> {
    if ladder.joined.contains(&player) {
        return refuse!("You are on the {} ladder already.", ladder.game_name());
    }
    Ok(())
}

/// The steps of a Monday: idle players are warned or removed, then games begin. Once a month the players are told their
/// places.
fn next(store: &Store, contest: &Contest, &Due { now, .. }: &Due) -> Result<NextStep, Error> {
    let ladder = Ladder::look(store, contest.clone(), now)?;
    if ladder.is_behind() {
        return Ok(NextStep::CatchUp);
    }
    let next = next_monday(now);
    let monday = weeks_later(next, -1);
    let last = contest.ladder.paired_at.unwrap_or(contest.made_at);
    if last >= monday {
        return Ok(NextStep::Wait(Some(next)));
    }
    let idle = idle(store, &ladder, now)?;
    if !idle.is_empty() {
        return Ok(NextStep::Note(idle));
    }
    let games = games(store, &ladder, now)?;
    if !games.is_empty() {
        return Ok(NextStep::Open(games));
    }
    let notes = Notes::ruled(&Ruling::Paired);
    let month = |at: Timestamp| at.to_zoned(TimeZone::UTC).date().first_of_month();
    let told = if month(last) == month(monday) { Vec::new() } else { ladder.places };
    Ok(NextStep::Note(notes.tell(told, ContestNewsKind::Places)))
}

/// Players who leave because they did not move for thirty days, and those who are warned a week before.
///
/// A player can be idle if a game waits for their move. A player without a game can be idle after `auto off`. Other
/// players have no move to make.
fn idle(store: &Store, ladder: &Ladder, now: Timestamp) -> Result<Notes, Error> {
    let id = ladder.contest.row.id;
    // A player whose last move is older is idle even after all vacation days of a year.
    let since = now.checked_sub(DAY * 120).unwrap_or(now);
    let moved = store.last_moves_in(id, since)?;
    let waiting = store.players_to_move_in(id, now - NEW)?;
    let waiting: HashSet<PlayerId> = waiting.into_iter().collect();
    let mut idle = Notes::default();
    for &player in &ladder.places {
        let Some(member) = ladder.contest.ladder.members.get(&player) else { continue };
        if !store.player_by_id(player)?.is_active() {
            idle.add(ContestEventKind::Left, player, "signed off");
            continue;
        }
        let games = ladder.games_of(player);
        let could_move = waiting.contains(&player) || (!member.auto && games.count() == 0);
        let last = moved.get(&player).map_or(member.joined_at, |at| member.joined_at.max(*at));
        if !could_move || now.duration_since(last) < IDLE - WEEK {
            continue;
        }
        let still = now.duration_since(last) - away(store, player, last, now)?;
        let warned = member.warned_at.filter(|at| *at > last).map(|at| now.duration_since(at));
        let (noted, news) = match warned {
            None if still >= IDLE - WEEK => (Noted::ruled(&Ruling::Warned), ContestNewsKind::Idle),
            // Allow a day less than a week: last Monday's warning might have been hours late.
            Some(warned) if still >= IDLE && warned >= WEEK - DAY => {
                (Noted::of(ContestEventKind::Left, "no move"), ContestNewsKind::Dropped)
            }
            _ => continue,
        };
        idle.events.push(Noted { player: Some(player), ..noted });
        idle = idle.tell([player], news);
        if idle.events.len() >= BATCH {
            break;
        }
    }
    Ok(idle)
}

/// The next Monday games to begin, at most one batch.
fn games(store: &Store, ladder: &Ladder, now: Timestamp) -> Result<Vec<Opening>, Error> {
    let Contest { row, .. } = &ladder.contest;
    let Some(game) = registry::find(&row.game) else {
        return Err(StoreError::Damaged(format!("no game {:?} here", row.game)).into());
    };
    let players = ladder.players(|player| {
        let account = store.player_by_id(player)?;
        let is_here = account.is_active() && account.suspended.is_none();
        Ok(is_here && !store.is_away(player, now)? && !store.is_at_the_limit(player, game.key)?)
    })?;
    let games = mondays_games(&players, |one, two| ladder.have_met(one, two));
    let mut after = ladder.contest.clone();
    let mut openings = Vec::new();
    for LadderGame { challenger, other } in games.into_iter().take(BATCH / 2) {
        let pair = after.game_of(challenger, other);
        after.happens(pair.noted(), now)?;
        let tell = |player| ToldPlayer { player, news: ContestNewsKind::Paired };
        openings.push(Opening { games: OpenedGames::Asked(pair), told: pair.players.map(tell).into() });
    }
    Ok(openings)
}

/// How long the player was on vacation between `from` and `to`.
fn away(
    store: &Store,
    player: PlayerId,
    from: Timestamp,
    to: Timestamp,
) -> Result<SignedDuration, StoreError> {
    let vacations = store.vacations(player)?;
    let within = |at: Timestamp| at.clamp(from, to);
    Ok(vacations.iter().map(|away| within(away.ends_at).duration_since(within(away.starts_at))).sum())
}
