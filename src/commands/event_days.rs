//! The days on which an event begins and joining ends, as `event new` and `event change` give them.
//!
//! ```text
//! [-start=DATE] [-until=DATE] [-when-full]
//! ```

use jiff::civil::Date;

use crate::contest::forms::all_play_all::WAITS;
use crate::contest::terms::EventDates;
use crate::failure::{CommandError, refuse};
use crate::play::Context;
use crate::store::PlayerId;

#[derive(Debug, Clone, Copy, Default)]
pub struct EventDays {
    pub start: Option<Date>,
    pub until: Option<Date>,
    pub when_full: bool,
}

impl EventDays {
    /// Takes a word that gives a day. Returns `None` for any other word.
    pub(crate) fn take(&mut self, word: &str) -> Option<Result<(), String>> {
        let word = word.to_ascii_lowercase();
        if word == "-when-full" {
            self.when_full = true;
            return Some(Ok(()));
        }
        let (name, value) = word.split_once('=')?;
        let day = match name {
            "-start" => &mut self.start,
            "-until" => &mut self.until,
            _ => return None,
        };
        let read = value.parse().map(|read| *day = Some(read));
        Some(read.map_err(|_| "a day such as 2027-01-15 is expected after the `=`".to_owned()))
    }

    /// The words, each after a space.
    pub(crate) fn written(&self) -> String {
        let word = |name, day: Option<Date>| day.map(|day| format!(" -{name}={day}")).unwrap_or_default();
        let when_full = if self.when_full { " -when-full" } else { "" };
        word("start", self.start) + &word("until", self.until) + when_full
    }

    /// The dates of an event that had the dates `before`. Days begin at midnight of the player's zone.
    pub(crate) fn dates(
        &self,
        ctx: &Context<'_>,
        by: PlayerId,
        before: EventDates,
    ) -> Result<EventDates, CommandError> {
        let zone = ctx.zone(by)?;
        let begins = |day: Option<Date>| match day.map(|day| day.to_zoned(zone.clone())) {
            None => Ok::<_, CommandError>(None),
            Some(Ok(day)) if day.timestamp() > ctx.now && day.timestamp() <= ctx.now + WAITS => {
                Ok(Some(day.timestamp().as_second()))
            }
            Some(_) => refuse!("An event begins on a day within the next 90 days, and so ends its joining."),
        };
        let until = begins(self.until)?.or(before.until);
        // The end of joining began the event too: both move together.
        let kept = before.starts_at.filter(|_| before.until.is_none() || before.starts_at != before.until);
        let starts_at = begins(self.start)?.or(kept).or(until);
        if until > starts_at {
            return refuse!(
                "Joining would end after the event begins: the day of `-until` is not after that of `-start`."
            );
        }
        let when_full = self.when_full || (before.when_full && self.start.is_none());
        Ok(EventDates { starts_at, until, when_full })
    }
}
