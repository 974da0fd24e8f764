//! Computes a board's clocks from its events and the intervals in which clocks stop.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::board::interval::{Interval, extended, length, merged, within};
use crate::board::{Imported, days_later};
use crate::store::{EventKind, EventRow, PlayerId, TimeControl};

const DAY: i64 = 24 * 60 * 60;

/// Everything that the clocks of a running board depend on.
pub(crate) struct Facts<'a> {
    pub events: &'a [EventRow],
    pub days: TimeControl,
    /// Set if the board was imported from a record.
    pub imported: Option<&'a Imported>,
    pub mover: PlayerId,
    /// The time zone in which this turn's days are counted.
    pub zone: &'a TimeZone,
    /// When the server was down.
    pub stops: &'a [Interval],
    /// Vacations of both players.
    pub vacations: &'a [Interval],
    /// Free weekends with their player. A free weekend stops only that player's bank.
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
}

impl Facts<'_> {
    /// `None` if no clock runs.
    pub fn read(&self) -> Option<ClockReading> {
        let turn = self.running()?;
        if self.days.forfeit > 0 && turn.deadline_at.is_none() {
            return None;
        }
        let began = turn.at;
        let known = self.known(self.mover);
        let stopped = within(&known, began.as_second(), i64::MAX);
        // A deadline in days moves by calendar days. The time for all moves is counted in seconds.
        let limits = [(turn.deadline_at, Some(self.zone)), (self.total(began, &known), None)];
        let limits = limits.into_iter().filter_map(|(limit, zone)| Some((limit?, zone)));
        let limit = limits.clone().map(|(limit, _)| limit).min();
        let deadline = limits.map(|(limit, zone)| extended(limit, &stopped, zone)).min();
        let remind_at = (self.days.nag > 0)
            .then(|| extended(days_later(began, self.days.nag, self.zone), &stopped, Some(self.zone)))
            .filter(|remind_at| deadline.is_none_or(|deadline| *remind_at < deadline));
        let warn_at = deadline.zip(limit).and_then(|(deadline, limit)| {
            deadline.checked_sub(lead(limit.duration_since(began))).ok().filter(|warn_at| *warn_at > began)
        });
        Some(ClockReading { turn: turn.number, began, deadline, remind_at, warn_at })
    }

    /// The event that began the turn; `None` in an adjournment. On an imported board the clock starts with the first
    /// ply played on this server.
    fn running(&self) -> Option<&EventRow> {
        let turn = self.events.iter().rfind(|event| event.kind.begins_turn())?;
        self.counts(turn).then_some(turn)
    }

    /// True if a clock runs after this event.
    fn counts(&self, turn: &EventRow) -> bool {
        let imported = self.imported.map_or(0, |imported| imported.events);
        turn.kind != EventKind::Adjournment && turn.number > imported
    }

    /// The intervals in which a player's clock stops.
    fn known(&self, player: PlayerId) -> Vec<Interval> {
        let free = self.weekends.iter().filter(|(whose, _)| *whose == player).map(|(_, weekend)| weekend);
        merged(self.stops.iter().chain(self.vacations).chain(free).copied().collect())
    }

    /// Seconds for all moves of a player, and seconds that each move gives back. `None` if the time for all moves is
    /// not limited.
    fn for_all_moves(&self) -> Option<(i64, i64)> {
        // A total counts from the first move, so it does not apply to an imported board.
        self.days.for_all_moves().filter(|_| self.days.bank.is_some() || self.imported.is_none())
    }

    /// When the player to move runs out of time for all moves, if their clock does not stop again.
    fn total(&self, began: Timestamp, known: &[Interval]) -> Option<Timestamp> {
        // An empty bank counts as one second, so that a vacation that begins now still moves the deadline.
        let least = i64::from(self.days.bank.is_some());
        let left = self.left_of(self.for_all_moves()?, self.mover, known).max(least);
        began.checked_add(SignedDuration::from_secs(left)).ok()
    }

    /// Seconds that each player has left for all moves; `None` if they are not limited.
    pub fn left(&self, players: &[PlayerId; 2]) -> Option<[i64; 2]> {
        let all = self.for_all_moves()?;
        Some(players.map(|player| {
            let known = self.known(player);
            let turn = self.running().filter(|_| player == self.mover);
            let ran = turn.map_or(0, |turn| ran(turn.at.as_second(), self.now.as_second(), &known));
            (self.left_of(all, player, &known) - ran.max(0)).max(0)
        }))
    }

    /// For each event, whether its time is plausible: not after the time of a later event. A turn that ended at an
    /// implausible time costs nothing.
    fn sound_times(&self) -> Vec<bool> {
        let mut later = self.now.as_second();
        let is_sound = |event: &EventRow| {
            let at = event.at.as_second();
            let is_sound = at <= later.saturating_add(STEP);
            later = later.min(at);
            is_sound
        };
        let mut sound: Vec<bool> = self.events.iter().rev().map(is_sound).collect();
        sound.reverse();
        sound
    }

    /// Seconds that a player has left after the finished turns; negative after a late move. A move adds the refill, up
    /// to the whole bank. Of several moves in a row only the first adds it. A take-back changes no bank.
    fn left_of(&self, (whole, refill): (i64, i64), player: PlayerId, known: &[Interval]) -> i64 {
        let mut left = whole;
        let mut from = None;
        let mut last_mover = None;
        let turns = self.events.iter().zip(self.sound_times()).filter(|(event, _)| event.kind.begins_turn());
        for (event, is_sound) in turns {
            let to = event.at.as_second();
            let mover = event.player.filter(|_| event.kind.ends_turn());
            if mover == Some(player) {
                if let Some(from) = from.filter(|from| *from < to && is_sound) {
                    left -= ran(from, to, known);
                }
                let back = if last_mover == mover { 0 } else { refill };
                left = (left + back).min(whole);
            }
            last_mover = mover;
            from = self.counts(event).then_some(to);
        }
        left
    }
}

/// Seconds between two instants, without those in which the clock was stopped.
fn ran(from: i64, to: i64, stopped: &[Interval]) -> i64 {
    to - from - length(&within(stopped, from, to))
}

/// Largest step back of the system clock, in seconds, after which event times still count as plausible.
const STEP: i64 = 60 * 60;

/// How long before a forfeit the player is warned: a day, or a tenth of a short limit.
fn lead(limit: SignedDuration) -> SignedDuration {
    SignedDuration::from_secs(DAY).min(limit / 10)
}
