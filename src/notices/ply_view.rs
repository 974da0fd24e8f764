//! Views of the plies of a board, and of the changes of its players.

use schemars::JsonSchema;
use serde::Serialize;

use crate::board::seats::{self, Seating};
use crate::failure::Error;
use crate::ids::{BoardId, Ply, Seat};
use crate::store::{BoardRow, EventKind, EventRow, PlayerId, PlyRow, Store, StoreError};

#[derive(Debug, Clone, Serialize, PartialEq, Eq, JsonSchema)]
pub struct PlyView {
    pub ply: u32,
    /// The seat that played it, 0 or 1. Null: the dice fell.
    pub seat: Option<usize>,
    /// The column of the list of moves, 0 or 1. The dice are in that of the next ply.
    #[serde(skip)]
    pub column: usize,
    /// True if the server played it, or the dice fell.
    #[serde(skip)]
    pub by_server: bool,
    /// The row of the list of moves, from 1. 0 if the plies before are not at hand.
    pub row: usize,
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
    /// These plies of a board, from the first on.
    pub fn all(store: &Store, board: &BoardRow, rows: Vec<PlyRow>) -> Result<Vec<PlyView>, StoreError> {
        let columns = columns(rows.iter().map(|row| row.seat), board.to_move);
        let numbers: Vec<usize> = list_rows(columns.iter().copied()).collect();
        let view = |((row, column), number): ((PlyRow, usize), usize)| {
            let by_server = row.player.is_none();
            let has_left = |player: &PlayerId| row.seat.is_some_and(|seat| player != seat.of(&board.players));
            let by = row.player.filter(has_left);
            let by = by.map(|player| store.player_by_id(player)).transpose()?;
            let by = by.map(|account| account.userid.to_string());
            let seat = row.seat.map(Seat::index);
            Ok(PlyView { ply: row.ply.0, seat, column, by_server, row: number, text: row.text, by })
        };
        rows.into_iter().zip(columns).zip(numbers).map(view).collect()
    }

    /// The number in the list of moves: `12.` for the first side, `12…` for the second.
    pub fn number(&self) -> String {
        format!("{}{}", self.row, if self.column == 0 { "." } else { "…" })
    }

    /// A position by its last move, as the list of moves has it: `2. exd5`.
    pub fn after(plies: &[PlyView], ply: Ply) -> String {
        let last = plies.iter().find(|played| played.ply == ply.0);
        last.map_or("the start".to_owned(), |last| format!("{} {}", last.number(), last.text))
    }

    /// The ply that a number of the list of moves names: `12.` and `12…` the last of a side, `12` the last of both.
    pub fn numbered(plies: &[PlyView], number: &str) -> Option<Ply> {
        let number = number.replace("...", "…");
        let row = number.parse::<usize>().ok();
        let is_it = |ply: &&PlyView| row == Some(ply.row) || ply.number() == number;
        plies.iter().rfind(is_it).map(|ply| Ply(ply.ply)).or((row == Some(0)).then_some(Ply(0)))
    }

    /// Follows its player to the other seat.
    pub fn change_seats(&mut self) {
        self.seat = self.seat.map(|seat| 1 - seat);
        self.column = 1 - self.column;
    }

    pub fn of(event: &EventRow) -> Option<PlyView> {
        let ply = event.ply.filter(|_| event.kind == EventKind::Ply)?;
        let seat = event.seat.map(Seat::index);
        let column = seat.unwrap_or_default();
        let (by_server, text) = (event.player.is_none(), event.text.clone());
        Some(PlyView { ply: ply.0, seat, column, by_server, row: 0, text, by: None })
    }
}

/// The columns of the list of moves for plies of these seats. The dice are in that of the next ply, or of the seat to move.
fn columns(seats: impl DoubleEndedIterator<Item = Option<Seat>>, to_move: Option<Seat>) -> Vec<usize> {
    let mut next = to_move.unwrap_or(Seat::First);
    let column = |seat: Option<Seat>| {
        next = seat.unwrap_or(next);
        next.index()
    };
    let mut columns: Vec<usize> = seats.rev().map(column).collect();
    columns.reverse();
    columns
}

/// The rows of the list of moves in which plies of these seats are.
fn list_rows(seats: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    seats.scan((0, None), |(row, before), seat| {
        if before.is_none() || *before != Some(seat) && seat == 0 {
            *row += 1;
        }
        *before = Some(seat);
        Some(*row)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn plies(seats: &[usize]) -> Vec<PlyView> {
        let rows = list_rows(seats.iter().copied());
        let ply = |((ply, seat), row): ((u32, &usize), _)| PlyView {
            ply,
            seat: Some(*seat),
            column: *seat,
            by_server: false,
            row,
            text: String::new(),
            by: None,
        };
        (1..).zip(seats).zip(rows).map(ply).collect()
    }

    #[test]
    fn a_turn_of_several_plies_has_one_number() {
        let told = |seats| plies(seats).iter().map(PlyView::number).collect::<Vec<_>>().join(" ");
        assert_eq!(told(&[0, 1, 0, 0, 1, 1, 0]), "1. 1… 2. 2. 2… 2… 3.");
        // The second side begins after a handicap.
        assert_eq!(told(&[1, 0, 1]), "1… 2. 2…");
    }

    #[test]
    fn the_dice_are_in_the_column_of_their_player() {
        let (first, second) = (Some(Seat::First), Some(Seat::Second));
        let columns = |to_move| columns([second, None, second, None, first, None].into_iter(), to_move);
        assert_eq!(columns(second), [1, 1, 1, 0, 0, 1]);
        assert_eq!(columns(first), [1, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn a_number_names_the_last_ply_that_has_it() {
        let plies = plies(&[0, 1, 0, 0, 1, 1, 0]);
        let named = ["0", "1", "2.", "2", "2…", "2...", "3", "3…", "4", "", "."];
        let named = named.map(|number| PlyView::numbered(&plies, number).map(|ply| ply.0));
        let plies = [Some(0), Some(2), Some(4), Some(6), Some(6), Some(6), Some(7), None, None, None, None];
        assert_eq!(named, plies);
    }
}
