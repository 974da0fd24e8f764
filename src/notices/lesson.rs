//! The lesson for a position of a tutorial.
//!
//! The pupil gets a lesson for each of their first turns. A turn that was taken back counts too, so a pupil who tries
//! `undo` gets the next lesson, not the same one again.

use crate::board::{Board, Terms};
use crate::store::{EventKind, EventRow, Store, StoreError};

/// The lesson of the player to move; `None` outside a tutorial or after the last lesson.
pub(crate) fn lesson(store: &Store, board: &Board) -> Result<Option<String>, StoreError> {
    let row = &board.row;
    // This runs for every board, so boards that cannot be a tutorial return without a query.
    let (Some(pupil), Some(tutorial)) = (row.to_move, &board.kind.tutorial) else { return Ok(None) };
    if row.rated || !row.is_with_robot() || pupil.of(&row.players).is_robot() {
        return Ok(None);
    }
    let events = store.events(row.id)?;
    let terms = events.first().and_then(|start| Terms::of(start).ok());
    if !terms.is_some_and(|terms| terms.tutorial) {
        return Ok(None);
    }
    let plies: Vec<&EventRow> = events.iter().filter(|event| event.kind == EventKind::Ply).collect();
    if plies.last().is_some_and(|last| last.seat == Some(pupil)) {
        return Ok(None);
    }
    let turns = plies.chunk_by(|one, next| one.seat == next.seat);
    let own = turns.filter(|turn| turn.first().is_some_and(|ply| ply.seat == Some(pupil)));
    Ok(tutorial.lesson(own.count() + 1, board.table.as_ref()))
}

/// The task of the lesson, repeated when a reply did something else.
pub(crate) fn next_step(store: &Store, board: &Board) -> Result<Option<String>, StoreError> {
    let lesson = lesson(store, board)?;
    Ok(lesson.and_then(|lesson| lesson.rsplit("\n\n").next().map(str::to_owned)))
}
