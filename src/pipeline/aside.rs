//! Mails that nobody acts on. The store keeps that they came, and why nothing was done, for whoever asks.

use jiff::Timestamp;

use super::host;
use crate::app::App;
use crate::failure::Error;
use crate::mail::incoming::{Ignored, Origin};
use crate::store::{Entrance, NewLetter, Store};
use crate::timer::bounce::{BounceOutcome, count};

pub struct Aside {
    pub origin: Origin,
    pub why: Ignored,
}

impl Aside {
    /// Counts a report, and records the mail, inside a transaction.
    pub(super) fn put(
        &self,
        store: &Store,
        app: &App,
        entrance: Entrance,
        now: Timestamp,
    ) -> Result<Option<BounceOutcome>, Error> {
        let Origin { identity, message_id, sender } = &self.origin;
        let (mut identity, mut counted, mut why) = (identity, None, self.why.to_string());
        if let Ignored::Report { report, .. } = &self.why {
            let what = count(store, host(app), app, report, now)?;
            why = format!("{why} ({what})");
            (identity, counted) = (&report.identity, Some(what));
        }
        if let Ignored::RoundTrip(code) = &self.why {
            store.note_round_trip(code, now)?;
        }
        let (sender, message_id) = (sender.as_deref(), message_id.as_deref());
        store.set_letter_aside(&NewLetter { identity, entrance, sender, message_id }, &why, now)?;
        Ok(counted)
    }
}
