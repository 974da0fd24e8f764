//! Snapshots: with one, a long record is not replayed from its first event each time.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::contest::ladder_record::LadderState;
use crate::contest::record::{Contest, bad};
use crate::contest::terms::ContestPair;
use crate::failure::Error;
use crate::store::{ContestForm, ContestRow, PlayerId, Store};

/// A ladder after its first `events` events. Its places include the results known when it was stored.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    events: u32,
    changed_at: Timestamp,
    joined: Vec<PlayerId>,
    pairs: BTreeMap<u32, ContestPair>,
    next_pair: u32,
    ladder: LadderState,
}

impl Contest {
    /// Loads a contest from its snapshot, if there is one, and the events after it.
    pub fn load(store: &Store, row: &ContestRow) -> Result<Contest, Error> {
        let snapshot = match row.form {
            ContestForm::Ladder => store.contest_snapshot(row.id)?,
            _ => None,
        };
        let Some(snapshot) = snapshot.and_then(|text| serde_json::from_str::<Snapshot>(&text).ok()) else {
            return Ok(Contest::rebuild(row.id, &store.contest_events(row.id)?)?);
        };
        let Snapshot { events, changed_at, joined, pairs, next_pair, ladder } = snapshot;
        let later = store.contest_events_after(row.id, events)?;
        let (made, later) = later.split_first().ok_or_else(|| bad(1, "there is none"))?;
        let mut contest = Contest::begin(row.id, made)?;
        let entrants = joined.len().try_into().unwrap_or(u32::MAX);
        contest.row = ContestRow { events, changed_at, entrants, ..contest.row };
        let mut contest = Contest { joined, pairs, next_pair, ladder, snapshot: events, ..contest };
        later.iter().try_for_each(|event| contest.apply(event))?;
        Ok(contest)
    }

    /// Stores a snapshot and drops games that ended before a time. The caller has settled the places first.
    pub(super) fn keep_snapshot(&mut self, store: &Store, before: Timestamp) -> Result<(), Error> {
        self.pairs.retain(|_, pair| pair.ended_at.is_none_or(|at| at >= before));
        self.snapshot = self.row.events;
        let ContestRow { events, changed_at, .. } = self.row;
        let Contest { joined, pairs, next_pair, ladder, .. } = self.clone();
        let snapshot = Snapshot { events, changed_at, joined, pairs, next_pair, ladder };
        let text = serde_json::to_string(&snapshot).map_err(|why| bad(self.row.events, why))?;
        Ok(store.keep_contest_snapshot(self.row.id, &text)?)
    }
}
