//! Computes a board's clocks from its events and the intervals in which clocks stop.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::board::interval::{Interval, extended, length, merged, within};
use crate::board::{Imported, MovedDeadline, Why, days_later};
use crate::store::{BoardDays, EventKind, EventRow, PlayerId};

const DAY: i64 = 24 * 60 * 60;

/// True if the event starts a turn of the player to move.
pub(crate) fn begins_turn(kind: EventKind) -> bool {
    match kind {
        EventKind::Start | EventKind::Ply | EventKind::Undo | EventKind::Swap => true,
        // No clock runs in an adjournment, so it is a turn without a deadline.
        EventKind::Adjournment | EventKind::Resumption | EventKind::Reseat => true,
        EventKind::Deadline
        | EventKind::Proposal
        | EventKind::Rejection
        | EventKind::Agreement
        | EventKind::Resignation
        | EventKind::TimedOut
        | EventKind::Ruling
        | EventKind::Decline => false,
    }
}

/// True if the event is a move that ends the player's turn.
fn ends_turn(kind: EventKind) -> bool {
    matches!(kind, EventKind::Ply | EventKind::Swap)
}

/// Everything that the clocks of a running board depend on.
pub(crate) struct Facts<'a> {
    pub events: &'a [EventRow],
    pub days: BoardDays,
    /// Set if the board was imported from a record.
    pub imported: Option<&'a Imported>,
    pub mover: PlayerId,
    /// The player's zone, by name and by rule.
    pub zone: (&'a str, &'a TimeZone),
    /// When the server was down.
    pub stops: &'a [Interval],
    /// Vacations of both players.
    pub vacations: &'a [Interval],
    /// The free weekends of each player, when only their own bank stops.
    pub weekends: &'a [(PlayerId, Interval)],
    pub now: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockReading {
    /// The event that began the turn.
    pub turn: u32,
    /// When the turn began.
    pub began: Timestamp,
    pub deadline: Option<Timestamp>,
    pub remind_at: Option<Timestamp>,
    /// When to warn the player that the forfeit is near.
    pub warn_at: Option<Timestamp>,
    /// The text of the deadline event that would say so.
    pub moved: MovedDeadline,
}

impl Facts<'_> {
    /// `None` if no clock runs.
    pub fn read(&self) -> Option<ClockReading> {
        let turn = self.events.iter().rposition(|event| begins_turn(event.kind))?;
        let (before, this_turn) = self.events.split_at_checked(turn)?;
        let turn = this_turn.first()?;
        // An imported record is old: the clock starts with the first ply played here.
        let played_here = self.imported.is_none_or(|imported| turn.number > imported.events);
        let adjourned = turn.kind == EventKind::Adjournment;
        if !played_here || adjourned || (self.days.forfeit > 0 && turn.deadline_at.is_none()) {
            return None;
        }
        let began = turn.at;
        let recorded = last_moved(this_turn);
        let named = recorded.as_ref().and_then(|moved| crate::zone::find(&moved.zone));
        let zone = named.as_ref().unwrap_or(self.zone.1);
        let known = self.known(self.mover);
        // Time once counted as stopped stays so, even if the player cancels the vacation later.
        let mut stopped = within(
            recorded.as_ref().map_or(&[][..], |moved| &moved.stopped),
            began.as_second(),
            self.now.as_second(),
        );
        stopped.extend(within(&known, began.as_second(), i64::MAX));
        let stopped = merged(stopped);
        let by_turn = turn.deadline_at.map(|deadline| extended(deadline, &stopped, Some(zone)));
        let total = self.total(before, began, &known);
        let by_total = total.map(|deadline| extended(deadline, &stopped, None));
        let limit = [turn.deadline_at, total].into_iter().flatten().min();
        let limited = by_total.is_some() && (by_turn.is_none() || by_total < by_turn);
        let (deadline, counted) = match if limited { by_total } else { by_turn } {
            Some((deadline, counted)) => (Some(deadline), counted),
            None => (None, Vec::new()),
        };
        let remind_at = (self.days.nag > 0)
            .then(|| extended(days_later(began, self.days.nag, zone), &stopped, Some(zone)).0)
            .filter(|remind_at| deadline.is_none_or(|deadline| *remind_at < deadline));
        let warn_at = deadline.zip(limit).and_then(|(deadline, limit)| {
            deadline.checked_sub(lead(limit.duration_since(began))).ok().filter(|warn_at| *warn_at > began)
        });
        let earlier = recorded.as_ref().map_or(&[][..], |moved| &moved.stopped);
        let fresh = |interval: &&Interval| !earlier.contains(interval);
        let stop = counted
            .iter()
            .filter(fresh)
            .any(|interval| self.stops.iter().any(|stop| stop.0 < interval.1 && interval.0 < stop.1));
        let why = match (limited && counted == earlier, stop) {
            (true, _) => Why::Total,
            (false, true) => Why::Stop,
            (false, false) => Why::Vacation,
        };
        let zone = recorded.map_or_else(|| self.zone.0.to_owned(), |moved| moved.zone);
        Some(ClockReading {
            turn: turn.number,
            began,
            deadline,
            remind_at,
            warn_at,
            moved: MovedDeadline { why, zone, stopped: counted },
        })
    }

    /// The intervals in which a player's clock stops.
    fn known(&self, player: PlayerId) -> Vec<Interval> {
        let free = self.weekends.iter().filter(|(whose, _)| *whose == player).map(|(_, weekend)| weekend);
        merged(self.stops.iter().chain(self.vacations).chain(free).copied().collect())
    }

    /// The seconds that each player has for all moves, and that a move gives back; `None` if they are not limited.
    fn for_all_moves(&self) -> Option<(i64, i64)> {
        // A total counts from the first move, so it cannot limit an imported record.
        self.days.for_all_moves().filter(|_| self.days.bank.is_some() || self.imported.is_none())
    }

    /// When the player to move runs out of time for all moves, if their clock does not stop again.
    fn total(&self, before: &[EventRow], began: Timestamp, known: &[Interval]) -> Option<Timestamp> {
        let all = self.for_all_moves()?;
        let turns = before.iter().chain(self.events.get(before.len()));
        // An empty bank holds a second, in which a day of vacation can begin.
        let least = i64::from(self.days.bank.is_some());
        let left = self.left_of(all, self.mover, turns, known).max(least);
        began.checked_add(SignedDuration::from_secs(left)).ok()
    }

    /// The seconds that these players have left for all moves; `None` if they are not limited.
    pub fn left(&self, players: &[PlayerId; 2]) -> Option<[i64; 2]> {
        let all = self.for_all_moves()?;
        let turn = self.events.iter().rposition(|event| begins_turn(event.kind))?;
        let (_, this_turn) = self.events.split_at_checked(turn)?;
        Some(players.map(|player| {
            let known = self.known(player);
            let mut left = self.left_of(all, player, self.events.iter(), &known);
            let imported = self.imported.map_or(0, |imported| imported.events);
            let runs = |turn: &&EventRow| {
                player == self.mover && turn.kind != EventKind::Adjournment && turn.number > imported
            };
            if let Some(began) = this_turn.first().filter(runs) {
                let (from, to) = (began.at.as_second(), self.now.as_second());
                let moved = last_moved(this_turn).map(|moved| moved.stopped).unwrap_or_default();
                let mut still = within(&moved, from, to);
                still.extend(within(&known, from, to));
                left -= (to - from - length(&merged(still))).max(0);
            }
            left.max(0)
        }))
    }

    /// For each event, whether its time is plausible: not after the time of a later event. A turn that ended at an
    /// implausible time costs nothing.
    fn sound_times(&self, events: &[&EventRow]) -> Vec<bool> {
        let mut later = self.now.as_second();
        let is_sound = |event: &&EventRow| {
            let at = event.at.as_second();
            let is_sound = at <= later.saturating_add(STEP);
            later = later.min(at);
            is_sound
        };
        let mut sound: Vec<bool> = events.iter().rev().map(is_sound).collect();
        sound.reverse();
        sound
    }

    /// The seconds that finished turns have left a player; negative after a late move. Each move gives back the refill,
    /// up to the whole, but only the first of several moves in a row. A take-back changes no bank.
    fn left_of<'e>(
        &self,
        (whole, refill): (i64, i64),
        player: PlayerId,
        events: impl Iterator<Item = &'e EventRow>,
        known: &[Interval],
    ) -> i64 {
        let imported = self.imported.map_or(0, |imported| imported.events);
        let mut left = whole;
        let mut from = None;
        let mut last_mover = None;
        let mut stopped: Vec<Interval> = Vec::new();
        let events: Vec<&EventRow> = events.collect();
        for (event, is_sound) in events.iter().zip(self.sound_times(&events)) {
            if event.kind == EventKind::Deadline {
                stopped = MovedDeadline::read(&event.text).map(|moved| moved.stopped).unwrap_or_default();
            }
            if !begins_turn(event.kind) {
                continue;
            }
            let to = event.at.as_second();
            let mover = event.player.filter(|_| ends_turn(event.kind));
            if mover == Some(player) {
                if let Some(from) = from.filter(|from| *from < to && is_sound) {
                    let mut still = within(&stopped, from, to);
                    still.extend(within(known, from, to));
                    left -= to - from - length(&merged(still));
                }
                let back = if last_mover == mover { 0 } else { refill };
                left = (left + back).min(whole);
            }
            last_mover = mover;
            from = (event.kind != EventKind::Adjournment && event.number > imported).then_some(to);
            stopped.clear();
        }
        left
    }
}

/// A clock set back by at most these seconds was not wrong.
const STEP: i64 = 60 * 60;

/// How long before a forfeit the player is warned: a day, or a tenth of a short limit.
fn lead(limit: SignedDuration) -> SignedDuration {
    SignedDuration::from_secs(DAY).min(limit / 10)
}

fn last_moved(turn: &[EventRow]) -> Option<MovedDeadline> {
    let event = turn.iter().rev().find(|event| event.kind == EventKind::Deadline)?;
    MovedDeadline::read(&event.text).ok()
}
