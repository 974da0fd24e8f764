//! Y, invented by Claude Shannon, and independently by Craige Schensted and Charles Titus. The first to join all three
//! sides of a triangle wins.

use crate::rules::{Board, Cell, Kind, Rules, State, kind, put_in_turn, size};
use crate::{GameKind, NOSWAP, Outcome, Seat};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "connection",
    has_draws: false,
    options: &[size("a triangle with sides of N cells, 7 to 15", &["7", "13"]), NOSWAP],
    notation: "d4 puts a stone on d4",
    pitch: "Put a stone on any empty cell; one chain of your stones that touches all three sides wins.",
    ..kind::<Y>("y", "Y")
};

/// The rules.
#[derive(Debug, Clone)]
pub struct Y;

/// The sides on which a space lies, one bit for each. A corner lies on two.
fn sides(board: &Board, cell: Cell) -> u8 {
    let (column, row) = (cell.column(), cell.row());
    u8::from(row == 0) | u8::from(column == 0) << 1 | u8::from(column + row + 1 == board.rows) << 2
}

impl Rules for Y {
    const SIZES: &'static [u8] = &[13, 7, 8, 9, 10, 11, 12, 14, 15];
    const KINDS: &'static [Kind] = &[Kind::disc("stone")];

    const ASKS: [&'static str; 3] = ["Choose a cell for your stone.", "", ""];

    fn board(size: u8) -> Board {
        Board::triangle(size)
    }

    fn outcome(state: &State, last: Option<Cell>) -> Option<Outcome> {
        let (winner, board) = (state.to_move.other(), &state.board);
        let own = state.of(winner);
        let joins = |start: Cell| {
            let group = board.group(start, own, board.ways());
            group.iter().fold(0, |joined, cell| joined | sides(board, cell)) == 0b111
        };
        let won = match last {
            Some(last) => joins(last),
            None => own.iter().filter(|cell| cell.row() == 0).any(joins),
        };
        won.then(|| Outcome::won(winner, "three sides are joined"))
    }

    fn holds(_: &State, _: Seat) -> String {
        "joins all three sides".to_owned()
    }

    fn lawful(state: &State) -> Result<(), String> {
        put_in_turn::<Y>(state)
    }
}
