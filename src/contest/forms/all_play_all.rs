//! Events: one group, in which each player plays every other.

use jiff::SignedDuration;

use super::{Due, FormKind, NextStep, Notes, Stay, played};
use crate::contest::record::Contest;
use crate::failure::{CommandError, Error, refusal, refuse};
use crate::store::{ContestEventKind, ContestNewsKind, ContestRow, ContestState, PlayerId, Store};

pub const FORM: FormKind = FormKind {
    words: &[
        "new", "join", "leave", "start", "change", "withdraw", "table", "rule", "appeal", "remove",
        "replace", "end",
    ],
    enter,
    outside: |_, name| refusal!("You are not in {name}.").into(),
    next,
};

/// Time after which an event that has not begun is called off.
pub(crate) const WAITS: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The most players who wait for a place.
const WAITING_AT_MOST: usize = 64;

pub(super) fn enter(store: &Store, event: &Contest, player: PlayerId, _: Stay) -> Result<(), CommandError> {
    let name = &event.row.name;
    if event.joined.contains(&player) {
        return refuse!("You are in {name} already.");
    }
    must_be_open(&event.row)?;
    if event.waiting.contains(&player) {
        return refuse!("You have asked to join {name} already.");
    }
    if event.waiting.len() >= WAITING_AT_MOST {
        return refuse!("The waiting list of {name} is full.");
    }
    event.must_admit(store, player)
}

pub(crate) fn must_be_open(row: &ContestRow) -> Result<(), CommandError> {
    match row.state {
        ContestState::Open => Ok(()),
        ContestState::Running => {
            refuse!("{name} has begun, and no player can join or leave it now.", name = row.name)
        }
        ContestState::Closed => refuse!("{name} is over.", name = row.name),
    }
}

fn next(store: &Store, event: &Contest, due: &Due) -> Result<NextStep, Error> {
    match event.row.state {
        ContestState::Running => played::next(store, event, due),
        _ => begin(store, event, due),
    }
}

/// An event begins on its date, and before that if it is full and does not wait for the date. It is called off if it then
/// has too few players, or if it has no date and has not begun after [`WAITS`].
pub(super) fn begin(store: &Store, event: &Contest, due: &Due) -> Result<NextStep, Error> {
    let now = due.now;
    let dates = event.terms.dates;
    let is_full = dates.when_full && event.is_full();
    let last = dates.starts_at().unwrap_or(event.made_at + WAITS);
    if !is_full && now < last {
        return Ok(NextStep::Wait(Some(last)));
    }
    let players = event.lineup(store)?;
    if players.len() < event.least() || !(is_full || dates.starts_at.is_some()) {
        let notes = Notes::of(ContestEventKind::Closed, "called off");
        let players = [&event.joined[..], &event.waiting].concat();
        return Ok(NextStep::Note(notes.tell(players, ContestNewsKind::Off)));
    }
    Ok(NextStep::Start(vec![players]))
}
