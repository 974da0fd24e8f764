//! A seat of a running board goes to another player.

use jiff::Timestamp;

use crate::board::Board;
use crate::board::interval::{Interval, Stopped, within};
use crate::failure::Error;
use crate::ids::Seat;
use crate::play::context::zone_of;
use crate::store::{EventRow, PlayerId, Store};

/// Gives the seat to the player. The event keeps for how long vacations of the player who leaves stopped the clocks. The
/// caller stores it.
pub(crate) fn reseat(
    store: &Store,
    board: &mut Board,
    (seat, player): (Seat, PlayerId),
    now: Timestamp,
) -> Result<EventRow, Error> {
    let left = *seat.of(&board.row.players);
    let other = zone_of(store, *seat.other().of(&board.row.players))?;
    let zones = match seat {
        Seat::First => [zone_of(store, player)?, other],
        Seat::Second => [other, zone_of(store, player)?],
    };
    let away: Vec<Interval> = store.vacations(left)?.iter().map(Interval::of).collect();
    let stopped = Stopped { stopped: within(&away, board.row.started_at.as_second(), now.as_second()) };
    Ok(board.host_reseats(seat, player, &stopped, now, &zones)?)
}
