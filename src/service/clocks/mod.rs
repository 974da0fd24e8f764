//! What clocks make of a board's deadline.
//!
//! A player's clock stands still on vacations of either player, and while the server was down: when no timer ran for
//! more than an hour. Days are those of the player's calendar; a stretch of a day and more is counted by it.

mod calendar;
mod reading;

use jiff::Timestamp;

use crate::ids::Seat;
use crate::service::Error;
use crate::service::board::Board;
use crate::store::{EventKind, EventRow, Store};

pub use calendar::Calendar;
pub use reading::{Reading, begins_turn};

/// Puts the deadline of a board right where more decides it than the days of a turn: vacations, stops of the server,
/// the time for all moves. Done with every event there, so that no mail tells a wrong hour.
pub(super) fn settle_now(store: &Store, board: &mut Board, now: Timestamp) -> Result<(), Error> {
    let events = store.events(board.row.id)?;
    if let Some(reading) = Calendar::new(store, now)?.read(store, board, &events)? {
        settle(store, board, &reading, now)?;
    }
    Ok(())
}

/// Moves a board's deadline to what its clocks say. Says whether it had to.
pub(super) fn settle(
    store: &Store,
    board: &mut Board,
    reading: &Reading,
    now: Timestamp,
) -> Result<bool, Error> {
    if reading.deadline == board.row.deadline_at {
        return Ok(false);
    }
    let event = event_of(board, EventKind::Deadline, board.row.to_move, reading.moved.write(), now);
    keep(store, board, EventRow { deadline_at: reading.deadline, ..event })?;
    Ok(true)
}

/// The next event of a board, made by nobody.
pub(super) fn event_of(
    board: &Board,
    kind: EventKind,
    seat: Option<Seat>,
    text: String,
    at: Timestamp,
) -> EventRow {
    let number = board.row.events.saturating_add(1);
    EventRow { number, kind, at, seat, player: None, ply: None, text, deadline_at: None }
}

/// Lets an event happen on a board and keeps both.
pub(super) fn keep(store: &Store, board: &mut Board, event: EventRow) -> Result<(), Error> {
    board.apply(&event)?;
    store.add_event(board.row.id, &event)?;
    Ok(store.update_board(&board.row)?)
}
