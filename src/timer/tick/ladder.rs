//! Ladders by the clock: Mondays pair who has no game, take off who does not move, and once a month tell of the places.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use turnpost_games::registry;

use crate::contest::ladder::mondays_games;
use crate::contest::ladder_games::Ladder;
use crate::contest::league::{next_monday, weeks_later};
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::Seat;
use crate::notices::Outbox;
use crate::notices::open_seeks::is_at_the_limit;
use crate::store::{ContestEventKind, ContestNewsKind, PlayerId, Store, StoreError};
use crate::timer::tick::contest_step::NextStep;
use crate::timer::tick::{BATCH, Timer};

const DAY: SignedDuration = SignedDuration::from_hours(24);
/// Who has not moved for so long outside vacations leaves the ladder.
const IDLE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// So long a game is new, and nobody is idle for not having moved there: from one Monday to the next is longer.
const NEW: SignedDuration = SignedDuration::from_hours(6 * 24);
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

impl<O: Outbox> Timer<'_, O> {
    /// Notes the ends of games, and takes the next step of a Monday.
    pub(crate) fn follow_ladder(&mut self, store: &Store, contest: Contest) -> Result<NextStep, Error> {
        let mut ladder = Ladder::follow(store, contest, self.now)?;
        let next = next_monday(self.now);
        let monday = weeks_later(next, -1);
        let last = ladder.contest.ladder.paired_at.unwrap_or(ladder.contest.made_at);
        if last >= monday {
            return Ok(NextStep::Until(Some(next)));
        }
        if self.take_off_idle(store, &mut ladder)? || self.pair(store, &mut ladder)? {
            return Ok(NextStep::Again);
        }
        ladder.contest.note(store, ContestEventKind::Paired, None, "", self.now)?;
        let month = |at: Timestamp| at.to_zoned(TimeZone::UTC).date().first_of_month();
        if month(last) != month(monday) {
            for player in ladder.places {
                store.add_contest_news(player, ladder.contest.row.id, ContestNewsKind::Places, self.now)?;
            }
        }
        Ok(NextStep::Until(Some(next)))
    }

    /// Takes off who did not move for thirty days, and tells who may be next; true when that was somebody.
    ///
    /// It counts against a player only where a game waits for their move, or where they have no game and want none by
    /// `auto off`: nobody can move where there is nothing to play.
    fn take_off_idle(&mut self, store: &Store, ladder: &mut Ladder) -> Result<bool, Error> {
        let now = self.now;
        let id = ladder.contest.row.id;
        // No vacation of a year lasts so long that an older move could count.
        let since = now.checked_sub(DAY * 120).unwrap_or(now);
        let moved = store.last_moves_in(id, since)?;
        let waiting = store.players_to_move_in(id, now - NEW)?;
        let waiting: HashSet<PlayerId> = waiting.into_iter().collect();
        let mut any = false;
        for player in ladder.places.clone() {
            let Some(member) = ladder.contest.ladder.members.get(&player).cloned() else { continue };
            if !store.player_by_id(player)?.is_active() {
                ladder.contest.note(store, ContestEventKind::Left, Some(player), "signed off", now)?;
                any = true;
                continue;
            }
            let games = ladder.games_of(player);
            let could_move = waiting.contains(&player) || (!member.auto && games.asked + games.given == 0);
            let last = moved.get(&player).map_or(member.joined_at, |at| member.joined_at.max(*at));
            if !could_move || now.duration_since(last) < IDLE - WEEK {
                continue;
            }
            let idle = now.duration_since(last) - away(store, player, last, now)?;
            let warned = member.warned_at.filter(|at| *at > last).map(|at| now.duration_since(at));
            let (kind, news) = match warned {
                None if idle >= IDLE - WEEK => (ContestEventKind::Warned, ContestNewsKind::Idle),
                // A Monday's work may be done some hours late, and the next in time.
                Some(warned) if idle >= IDLE && warned >= WEEK - DAY => {
                    (ContestEventKind::Left, ContestNewsKind::Dropped)
                }
                _ => continue,
            };
            ladder.contest.note(store, kind, Some(player), "no move", now)?;
            store.add_contest_news(player, id, news, now)?;
            any = true;
        }
        Ok(any)
    }

    /// Makes some of a Monday's games; true when there were any.
    fn pair(&mut self, store: &Store, ladder: &mut Ladder) -> Result<bool, Error> {
        let id = ladder.contest.row.id;
        let Some(game) = registry::find(&ladder.contest.row.game) else {
            return Err(StoreError::Damaged(format!("no game {:?} here", ladder.contest.row.game)).into());
        };
        let players = ladder.players(|player| {
            let account = store.player_by_id(player)?;
            let is_here = account.is_active() && account.suspended.is_none();
            Ok(is_here && !store.is_away(player, self.now)? && !is_at_the_limit(store, game, player)?)
        })?;
        let blocks: HashSet<(PlayerId, PlayerId)> = store.blocks_in_contest(id)?.into_iter().collect();
        let games = mondays_games(&players, |one, two| {
            ladder.have_met(one, two) || blocks.contains(&(one, two)) || blocks.contains(&(two, one))
        });
        for game in games.iter().take(BATCH) {
            let seat = ladder.seat_of_challenger(game.challenger, game.other);
            let players = match seat {
                Seat::First => [game.challenger, game.other],
                Seat::Second => [game.other, game.challenger],
            };
            self.make_board(store, &ladder.contest, ladder.next_game(), players)?;
            ladder.note_game(store, game.challenger, game.other, seat, self.now)?;
            for player in players {
                store.add_contest_news(player, id, ContestNewsKind::Paired, self.now)?;
            }
        }
        Ok(!games.is_empty())
    }
}

/// How much of a time was vacation.
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
