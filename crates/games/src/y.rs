//! Y, invented by Claude Shannon, and independently by Craige Schensted and Charles Titus. The first to join all three
//! sides of a triangle wins.

use crate::formats::{notation, sgf::Sgf};
use crate::rules::{Board, Cell, Cells, Kind, Rules, State, kind, put_in_turn, size};
use crate::{GameKind, NOSWAP, Outcome, Seat};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "connection",
    has_draws: false,
    options: &[size("a triangle with sides of N cells, 7 to 15", &["7", "13"]), NOSWAP],
    notation: "d4 puts a stone on d4",
    notations: &[notation!("sgf", SGF)],
    pitch: "Put a stone on any empty cell; one chain of your stones that touches all three sides wins.",
    ..kind::<Y>("y", "Y")
};

const SGF: Sgf = Sgf::NAMED;

/// The rules.
#[derive(Debug, Clone)]
pub struct Y;

/// The sides on which a space lies, one bit for each. A corner lies on two.
fn sides(board: &Board, cell: Cell) -> u8 {
    let (column, row) = (cell.column(), cell.row());
    u8::from(row == 0) | u8::from(column == 0) << 1 | u8::from(column + row + 1 == board.rows) << 2
}

/// The chain of the side that moved last, at `last` if it is known, that joins all three sides.
fn joined(state: &State, last: Option<Cell>) -> Option<Cells> {
    let (board, own) = (&state.board, state.of(state.to_move.other()));
    let group = |start| board.group(start, own, board.ways());
    let joins = |group: &Cells| group.iter().fold(0, |joined, cell| joined | sides(board, cell)) == 0b111;
    match last {
        Some(last) => Some(group(last)).filter(joins),
        None => own.iter().filter(|cell| cell.row() == 0).map(group).find(joins),
    }
}

impl Rules for Y {
    const SIZES: &'static [u8] = &[13, 7, 8, 9, 10, 11, 12, 14, 15];
    const KINDS: &'static [Kind] = &[Kind::disc("stone")];

    const ASKS: [&'static str; 3] = ["Choose a cell for your stone.", "", ""];

    fn board(size: u8) -> Board {
        Board::triangle(size)
    }

    fn outcome(state: &State, last: Option<Cell>) -> Option<Outcome> {
        joined(state, last).map(|_| Outcome::won(state.to_move.other(), "three sides are joined"))
    }

    fn winners(state: &State) -> Cells {
        joined(state, None).unwrap_or(Cells::NONE)
    }

    fn holds(_: &State, _: Seat) -> String {
        "joins all three sides".to_owned()
    }

    fn lawful(state: &State) -> Result<(), String> {
        put_in_turn::<Y>(state)
    }
}
