//! Free weekends: Saturdays and Sundays on which a player's bank stops.
//!
//! A whole weekend is free if it begins while the setting is on. A player gets at most one free weekend a week, even
//! after several changes of the setting or the zone.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use crate::board::interval::{Interval, merged};
use crate::store::{FreeWeekends, PlayerId, Store, StoreError};

/// The free weekends that begin before `until`, in order.
pub(crate) fn free(rows: &[FreeWeekends], until: Timestamp) -> Vec<Interval> {
    let of_row = |row: &FreeWeekends| {
        let (from, until) = (row.from.as_second(), row.until.map_or(until, |end| end.min(until)).as_second());
        let weekends = weekends(&row.zone, row.from).skip_while(move |weekend| weekend.0 < from);
        weekends.take_while(move |weekend| weekend.0 < until)
    };
    merged(rows.iter().flat_map(of_row).collect())
}

/// The weekends of a zone, starting in the week of `at`.
fn weekends(zone: &str, at: Timestamp) -> impl Iterator<Item = Interval> + use<> {
    let zone = crate::zone::find(zone).unwrap_or(TimeZone::UTC);
    let today = at.to_zoned(zone.clone()).date();
    let monday = today.checked_sub(Span::new().days(today.weekday().since(Weekday::Monday))).ok();
    let begins = move |day: Date| Some(day.to_zoned(zone.clone()).ok()?.timestamp().as_second());
    let weeks = monday.into_iter().flat_map(|monday| monday.series(Span::new().weeks(1)));
    weeks.map_while(move |monday| {
        let day = |number: i64| monday.checked_add(Span::new().days(number)).ok();
        Some(Interval(begins(day(5)?)?, begins(day(7)?)?))
    })
}

/// Turns a player's free weekends on in `zone`, or off if it is `None`. A weekend that has begun stays free. A new zone
/// counts from the next week, so that each week has exactly one weekend.
pub(crate) fn set(
    store: &Store,
    player: PlayerId,
    zone: Option<&str>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let rows = store.free_weekends(player)?;
    let open = rows.last().filter(|row| row.until.is_none());
    if open.map(|row| row.zone.as_str()) == zone {
        return Ok(());
    }
    let at = |second| Timestamp::from_second(second).unwrap_or(now);
    let begun = rows.iter().rfind(|row| row.from <= now).filter(|_| open.is_some() && zone.is_some());
    let ends = begun.and_then(|row| weekends(&row.zone, now).find(|weekend| weekend.1 > now.as_second()));
    store.end_free_weekends(player, now, ends.map_or(now, |weekend| at(weekend.1)))?;
    match (zone, ends.or_else(|| free(&rows, now).pop())) {
        (Some(zone), Some(last)) => store.begin_free_weekends(player, zone, now.max(at(last.1))),
        (Some(zone), None) => store.begin_free_weekends(player, zone, now),
        (None, _) => Ok(()),
    }
}
