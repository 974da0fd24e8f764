//! The clocks of a board, and how they move its deadline.
//!
//! A player's clock stops during vacations of either player and while the server is down. The server counts as down if
//! no tick ran for three usual pauses and at least three hours. Days, and stops of at least a day, are counted in the
//! player's time zone. A bank also stops on the free weekends of its player.

mod calendar;
mod reading;
#[cfg(test)]
mod tests;
mod weekends;

use jiff::{SignedDuration, Timestamp};

use crate::board::Board;
use crate::board::interval::Stopped;
use crate::board::slips::without_slips;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{BoardRow, EventKind, EventRow, PlayerId, Store, StoreError};

pub(crate) use calendar::Calendar;
pub(crate) use reading::ClockReading;

/// True while the host has stopped the clocks.
pub(crate) fn is_adjourned(events: &[EventRow]) -> bool {
    let events = without_slips(events);
    let turn = events.iter().rev().find(|event| event.kind.begins_turn());
    turn.is_some_and(|turn| turn.kind == EventKind::Adjournment)
}

/// How long a player has for a move before a nudge, and between nudges.
pub(crate) const NUDGED_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// True if the last event and the last nudge are long enough ago.
pub(crate) fn may_nudge(store: &Store, row: &BoardRow, now: Timestamp) -> Result<bool, StoreError> {
    let is_long_ago = |at: Timestamp| now.duration_since(at) >= NUDGED_AFTER;
    let clock = store.clock(row.id)?;
    Ok(is_long_ago(row.changed_at) && clock.and_then(|clock| clock.nudged_at).is_none_or(is_long_ago))
}

/// Turns a player's free weekends on (in the player's current zone) or off. Recomputes the deadlines of the player's
/// boards that have a bank.
pub(crate) fn set_weekends(store: &Store, player: PlayerId, free: bool, now: Timestamp) -> Result<(), Error> {
    let zone = store.player_by_id(player)?.zone;
    weekends::set(store, player, free.then_some(zone.as_str()), now)?;
    for (id, ..) in store.boards_in_play_of(player)? {
        if let Some(mut board) = Board::load(store, id)?.filter(|board| board.row.days.bank.is_some()) {
            settle_now(store, &mut board, now)?;
        }
    }
    Ok(())
}

/// Recomputes a board's deadline. Called after every event, so that no mail shows an old deadline.
pub(crate) fn settle_now(store: &Store, board: &mut Board, now: Timestamp) -> Result<(), Error> {
    let events = store.events(board.row.id)?;
    if let Some(reading) = Calendar::new(store, now)?.read(store, &board.row, &events)? {
        settle(store, board, &reading, now)?;
    }
    Ok(())
}

/// The seconds that both players have left for all moves; `None` if they are not limited.
pub(crate) fn left(store: &Store, row: &BoardRow, now: Timestamp) -> Result<Option<[i64; 2]>, Error> {
    if row.days.for_all_moves().is_none() {
        return Ok(None);
    }
    let events = store.events(row.id)?;
    Calendar::new(store, now)?.left(store, row, &events)
}

/// Sets a board's deadline to that of the reading. Returns true if the deadline changed.
pub(crate) fn settle(
    store: &Store,
    board: &mut Board,
    reading: &ClockReading,
    now: Timestamp,
) -> Result<bool, Error> {
    let deadline_at = reading.deadline;
    if deadline_at == board.row.deadline_at {
        return Ok(false);
    }
    if now < board.row.changed_at {
        // The system clock was set back. The event records that the times of earlier events were wrong.
        let text = Stopped { stopped: Vec::new() }.write();
        let seat = board.row.to_move;
        let event = EventRow { seat, text, deadline_at, ..board.next_event(EventKind::Deadline, now) };
        keep(store, board, event)?;
    } else {
        board.row.deadline_at = deadline_at;
        store.update_board(&board.row)?;
    }
    Ok(true)
}

/// The deadline that a board in play should have; `None` if the stored deadline is right. Also `None` if the timer has
/// not looked at the board since its last change.
pub(crate) fn missed_deadline(store: &Store, id: BoardId) -> Result<Option<Option<Timestamp>>, Error> {
    store.read(|| {
        let Some(row) = store.board(id)? else { return Ok(None) };
        let now = store.last_tick()?.unwrap_or(row.changed_at);
        let mut calendar = Calendar::new(store, now)?;
        let clock = store.clock(id)?.unwrap_or_default();
        let is_current = now >= row.changed_at
            && clock.stop == calendar.last_stop()
            && clock.vacations == calendar.counted(store, &row.players)?;
        let reading = if is_current { calendar.read(store, &row, &store.events(id)?)? } else { None };
        Ok(reading.map(|reading| reading.deadline).filter(|deadline| *deadline != row.deadline_at))
    })
}

/// Applies an event and stores it with the board.
pub(crate) fn keep(store: &Store, board: &mut Board, event: EventRow) -> Result<(), Error> {
    board.apply(&event)?;
    store.add_event(board.row.id, &event)?;
    Ok(store.update_board(&board.row)?)
}
