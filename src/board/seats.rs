//! Who has or had a seat on a board. A swap and the host's reseat change it.

use jiff::Timestamp;

use super::{Terms, hosts};
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::store::{EventKind, EventRow, PlayerId, Store};

/// The players of both seats from an event on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seating {
    pub since: Timestamp,
    /// True if the players changed seats.
    pub swapped: bool,
    pub players: [PlayerId; 2],
}

/// Every seating of a board, oldest first.
pub(crate) fn seatings(store: &Store, board: BoardId) -> Result<Vec<Seating>, Error> {
    let mut players = None;
    let seating = |event: EventRow| {
        let before = match players {
            Some(players) => players,
            None => Terms::of(&event)?.players.map(PlayerId),
        };
        let mut now = before;
        match event.kind {
            EventKind::Swap => now.reverse(),
            EventKind::Reseat => hosts::seat(&mut now, &event),
            _ => {}
        }
        players = Some(now);
        Ok(Seating { since: event.at, swapped: event.kind == EventKind::Swap, players: now })
    };
    store.seat_events(board)?.into_iter().map(seating).collect()
}

/// A seat that the host gave to another player.
pub(crate) struct LostSeat {
    pub to: PlayerId,
    pub at: Timestamp,
}

/// The seat that a player has lost; `None` if the player has a seat, or never had one.
pub(crate) fn lost(store: &Store, board: BoardId, player: PlayerId) -> Result<Option<LostSeat>, Error> {
    let seatings = seatings(store, board)?;
    if seatings.last().is_none_or(|now| now.players.contains(&player)) {
        return Ok(None);
    }
    Ok(seatings.windows(2).rev().find_map(|pair| {
        let [before, after] = pair else { return None };
        let seat = Seat::BOTH.into_iter().find(|seat| *seat.of(&before.players) == player)?;
        Some(LostSeat { to: *seat.of(&after.players), at: after.since })
    }))
}
