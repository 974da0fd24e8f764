//! Views of the plies of a board, and of the changes of its players.

use schemars::JsonSchema;
use serde::Serialize;

use crate::board::seats::{self, Seating};
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::store::{EventRow, PlayerId, PlyRow, Store, StoreError};

#[derive(Debug, Clone, Serialize, PartialEq, Eq, JsonSchema)]
pub struct PlyView {
    pub ply: u32,
    /// The seat that played it, 0 or 1.
    pub seat: usize,
    /// The ply in notation.
    pub text: String,
    /// Who played it, if that player has the seat no more.
    pub by: Option<String>,
}

/// A change of the players of a board.
#[derive(Debug, Clone, Serialize, PartialEq, Eq, JsonSchema)]
pub struct SeatChange {
    /// When, in seconds since 1970.
    pub at: i64,
    /// True if the players changed seats, after ply 1. Otherwise the host gave a seat to another player.
    pub swapped: bool,
    /// Who had the seat before: the first seat if the players changed seats.
    pub before: String,
    /// Who has had the seat since.
    pub after: String,
}

impl PlyView {
    /// These plies of a board with these players.
    pub fn all(
        store: &Store,
        players: &[PlayerId; 2],
        rows: Vec<PlyRow>,
    ) -> Result<Vec<PlyView>, StoreError> {
        let view = |row: PlyRow| {
            let by = row.player.filter(|player| player != row.seat.of(players));
            let by = by.map(|player| store.player_by_id(player)).transpose()?;
            let by = by.map(|account| account.userid.to_string());
            Ok(PlyView { ply: row.ply.0, seat: row.seat.index(), text: row.text, by })
        };
        rows.into_iter().map(view).collect()
    }

    pub fn of(event: &EventRow) -> Option<PlyView> {
        let (ply, seat) = event.ply.zip(event.seat)?;
        Some(PlyView { ply: ply.0, seat: seat.index(), text: event.text.clone(), by: None })
    }
}

/// How the players of a board changed, oldest first.
pub(super) fn seat_changes(store: &Store, board: BoardId) -> Result<Vec<SeatChange>, Error> {
    let userid = |player| Ok::<_, Error>(store.player_by_id(player)?.userid.to_string());
    let change = |pair: &[Seating]| {
        let [was, is] = pair else { return Ok(None) };
        let seat = Seat::BOTH.into_iter().find(|seat| seat.of(&was.players) != seat.of(&is.players));
        let Some(seat) = seat else { return Ok(None) };
        let (before, after) = (userid(*seat.of(&was.players))?, userid(*seat.of(&is.players))?);
        Ok(Some(SeatChange { at: is.since.as_second(), swapped: is.swapped, before, after }))
    };
    seats::seatings(store, board)?.windows(2).filter_map(|pair| change(pair).transpose()).collect()
}
