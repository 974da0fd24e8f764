//! Intervals in which a clock stops, and how they move a deadline.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::store::{EventKind, EventRow, VacationRow};

/// Intervals of at least a day count by the calendar: a week's vacation across a clock change moves a
/// deadline by a week and keeps its time of day.
const DAY: i64 = 24 * 60 * 60;

/// First second, and the second after the last, in Unix time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Interval(pub i64, pub i64);

impl Interval {
    /// The interval of a vacation. It is fixed when announced: a later change of zone does not move it.
    pub fn of(vacation: &VacationRow) -> Interval {
        Interval(vacation.starts_at.as_second(), vacation.ends_at.as_second())
    }
}

/// Sorts intervals, joins those that touch and drops empty ones.
pub(crate) fn merged(mut all: Vec<Interval>) -> Vec<Interval> {
    all.retain(|interval| interval.0 < interval.1);
    all.sort_unstable();
    let mut merged: Vec<Interval> = Vec::with_capacity(all.len());
    for next in all {
        match merged.last_mut() {
            Some(last) if next.0 <= last.1 => last.1 = last.1.max(next.1),
            _ => merged.push(next),
        }
    }
    merged
}

/// The parts of the intervals between two instants.
pub fn within(all: &[Interval], from: i64, to: i64) -> Vec<Interval> {
    all.iter()
        .map(|interval| Interval(interval.0.max(from), interval.1.min(to)))
        .filter(|interval| interval.0 < interval.1)
        .collect()
}

/// The total seconds of intervals that do not overlap.
pub fn length(all: &[Interval]) -> i64 {
    all.iter().map(|interval| interval.1 - interval.0).sum()
}

/// When a clock that stops in these merged intervals began to run, if it has run for `seconds` until `now`.
pub fn since(now: i64, seconds: i64, stopped: &[Interval]) -> i64 {
    let (mut end, mut left) = (now, seconds);
    for interval in stopped.iter().rev().filter(|interval| interval.0 < now) {
        let ran = end - interval.1.min(end);
        if ran >= left {
            break;
        }
        (left, end) = (left - ran, interval.0);
    }
    end.saturating_sub(left)
}

/// Moves a deadline by the intervals in which its clock stops. `stopped` is merged and begins no earlier than the clock.
/// Intervals count as seconds without a `zone`, as calendar days with one.
pub fn extended(end: Timestamp, stopped: &[Interval], zone: Option<&TimeZone>) -> Timestamp {
    let mut end = end;
    for interval in stopped {
        if interval.0 >= end.as_second() {
            break;
        }
        let exactly = SignedDuration::from_secs(interval.1 - interval.0);
        let by_calendar = zone.filter(|_| interval.1 - interval.0 >= DAY).and_then(|zone| {
            let civil =
                |seconds| Some(Timestamp::from_second(seconds).ok()?.to_zoned(zone.clone()).datetime());
            let days = civil(interval.0)?.duration_until(civil(interval.1)?);
            let later = civil(end.as_second())?.checked_add(days).ok()?;
            // When daylight saving ends, one hour comes twice. Reject the time that lies inside the interval.
            Some(later.to_zoned(zone.clone()).ok()?.timestamp()).filter(|at| at.as_second() >= interval.1)
        });
        end = by_calendar.or_else(|| end.checked_add(exactly).ok()).unwrap_or(Timestamp::MAX);
    }
    end
}

/// The text of an event that stores when clocks were stopped. A reseat stores the vacations of the replaced player. A
/// deadline event stores that the system clock was set back. In records of earlier versions it stores vacations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    pub stopped: Vec<Interval>,
}

impl Stopped {
    pub fn read(text: &str) -> Result<Stopped, serde_json::Error> {
        serde_json::from_str(text)
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The stopped intervals that events store. A deadline event is valid until the next one, or until its turn ends. An
/// event from before the upgrade at `foreseen` is valid only until then. The stored vacations cover the time after.
pub(crate) fn kept(events: &[EventRow], now: Timestamp, foreseen: Option<Timestamp>) -> Vec<Interval> {
    let mut kept = Vec::new();
    let mut until = now.as_second();
    for event in events.iter().rev() {
        let keeps = matches!(event.kind, EventKind::Deadline | EventKind::Reseat);
        if let Some(Stopped { stopped }) = keeps.then(|| Stopped::read(&event.text).ok()).flatten() {
            let upgraded = foreseen.filter(|foreseen| event.at <= *foreseen).map(Timestamp::as_second);
            kept.extend(within(&stopped, i64::MIN, upgraded.map_or(until, |upgraded| upgraded.min(until))));
        }
        if keeps || event.kind.begins_turn() {
            until = event.at.as_second();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn interval(from: &str, to: &str) -> Interval {
        Interval(at(from).as_second(), at(to).as_second())
    }

    #[test]
    fn touching_intervals_are_merged() {
        let all = vec![Interval(5, 7), Interval(1, 3), Interval(3, 4), Interval(6, 9), Interval(8, 8)];
        assert_eq!(merged(all), [Interval(1, 4), Interval(5, 9)]);
        assert_eq!(within(&[Interval(1, 4), Interval(5, 9)], 2, 6), [Interval(2, 4), Interval(5, 6)]);
    }

    #[test]
    fn a_vacation_over_the_change_of_the_clocks_keeps_the_time_of_day() {
        let paris = TimeZone::get("Europe/Paris").unwrap();
        let week = VacationRow {
            first: "2026-03-25".parse().unwrap(),
            last: "2026-03-31".parse().unwrap(),
            automatic: false,
            starts_at: at("2026-03-24T23:00:00Z"),
            ends_at: at("2026-03-31T22:00:00Z"),
        };
        let week = Interval::of(&week);
        assert_eq!(week.1 - week.0, 7 * DAY - 3600);
        // 18:00 in winter, 18:00 in summer.
        let moved = |end: &str| extended(at(end), &[week], Some(&paris));
        assert_eq!(moved("2026-03-26T17:00:00Z"), at("2026-04-02T16:00:00Z"));
        assert_eq!(moved("2026-03-20T17:00:00Z"), at("2026-03-20T17:00:00Z"));
    }

    #[test]
    fn one_interval_can_carry_into_the_next() {
        let stops = [
            interval("2026-06-01T00:00:00Z", "2026-06-01T02:00:00Z"),
            interval("2026-06-01T03:00:00Z", "2026-06-01T04:00:00Z"),
            interval("2026-06-01T05:00:00Z", "2026-06-01T06:00:00Z"),
        ];
        assert_eq!(extended(at("2026-06-01T01:30:00Z"), &stops, None), at("2026-06-01T04:30:00Z"));
    }
}
