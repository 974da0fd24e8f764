//! Events: one group, in which each player plays every other.

use jiff::SignedDuration;

use super::{Due, FormKind, NextStep, Notes, Stay, played};
use crate::contest::record::Contest;
use crate::failure::{CommandError, Error, refusal, refuse};
use crate::store::{ContestEventKind, ContestNewsKind, ContestRow, ContestState, PlayerId, Store};

pub const FORM: FormKind = FormKind {
    words: &["new", "join", "leave", "start", "withdraw", "table"],
    enter,
    outside: |_, name, _| refusal!("You are not in {name}.").into(),
    next,
};

/// Allowed numbers of players.
pub(crate) const SIZES: std::ops::RangeInclusive<u32> = 3..=16;

/// Time after which an event that has not begun is called off.
pub(crate) const WAITS: SignedDuration = SignedDuration::from_hours(90 * 24);

fn enter(_: &Store, event: &Contest, player: PlayerId, _: Stay) -> Result<(), CommandError> {
    let name = &event.row.name;
    if event.joined.contains(&player) {
        return refuse!("You are in {name} already.");
    }
    must_be_open(&event.row)?;
    if event.row.entrants >= event.terms.size {
        return refuse!("{name} is full and about to begin.");
    }
    Ok(())
}

pub(crate) fn must_be_open(row: &ContestRow) -> Result<(), CommandError> {
    match row.state {
        ContestState::Open => Ok(()),
        ContestState::Running => {
            refuse!("{name} has begun, and nobody joins or leaves it now.", name = row.name)
        }
        ContestState::Closed => refuse!("{name} is over.", name = row.name),
    }
}

/// An event begins when it is full or its start date arrives. It is called off if it then has too few players, or if it
/// has not begun after [`WAITS`].
fn next(store: &Store, event: &Contest, due: &Due) -> Result<NextStep, Error> {
    if event.row.state == ContestState::Running {
        return played::next(store, event, due);
    }
    let now = due.now;
    let is_full = event.row.entrants >= event.terms.size;
    let has_come = event.terms.starts_at().is_some_and(|at| at <= now);
    let given_up = event.made_at + WAITS;
    if !is_full && !has_come && now < given_up {
        return Ok(NextStep::Wait(Some(event.terms.starts_at().unwrap_or(given_up))));
    }
    let players = event.who_can_play(store)?;
    if players.len() < *SIZES.start() as usize || !(is_full || has_come) {
        let notes = Notes::of(ContestEventKind::Closed, "called off");
        return Ok(NextStep::Note(notes.tell(event.joined.clone(), ContestNewsKind::Off)));
    }
    Ok(NextStep::Start(vec![players]))
}
