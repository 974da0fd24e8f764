//! Moves that their own player took back at once. The clocks run as if these had not been played.

use std::borrow::Cow;

use crate::store::{EventKind, EventRow};

/// The events without such moves.
pub(crate) fn without_slips(events: &[EventRow]) -> Cow<'_, [EventRow]> {
    if !events.iter().any(|event| event.kind == EventKind::Undo) {
        return Cow::Borrowed(events);
    }
    let mut kept: Vec<EventRow> = Vec::new();
    for event in events {
        match slip(&kept, event) {
            Some(first) => kept.truncate(first),
            None => kept.push(event.clone()),
        }
    }
    Cow::Owned(kept)
}

/// The event that began the turn to which `undo` returns, if the player who moved takes the move back.
pub(super) fn turn_before<'e>(events: &'e [EventRow], undo: &EventRow) -> Option<&'e EventRow> {
    let first = slip(events, undo)?;
    events.get(..first)?.iter().rfind(|event| event.kind.begins_turn())
}

/// The index of the first ply that `undo` takes back, if it was played on the seat that takes it back. A take-back by
/// consent is an event of the other seat, and the host's is of none.
fn slip(events: &[EventRow], undo: &EventRow) -> Option<usize> {
    let first = undo.ply.filter(|_| undo.kind == EventKind::Undo)?.next();
    let first = events.iter().rposition(|event| event.kind == EventKind::Ply && event.ply == Some(first))?;
    events.get(first).is_some_and(|ply| ply.seat.is_some() && ply.seat == undo.seat).then_some(first)
}
