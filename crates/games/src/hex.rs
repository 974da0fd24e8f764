//! Hex, by Piet Hein and John Nash: the first to join two opposite sides of a rhombus wins.

use crate::formats::{notation, sgf::Sgf};
use crate::rules::{Board, Cell, Cells, Kind, Rules, State, Way, kind, put_in_turn, size};
use crate::{GameKind, NOSWAP, Outcome, Seat};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "connection",
    has_draws: false,
    options: &[size("a board of N by N cells, 5 to 19", &["5", "13"]), NOSWAP],
    notation: "f6 puts a stone on f6",
    notations: &[notation!("sgf", SGF)],
    pitch: "Put a stone on any empty cell; White joins the top and the bottom, Black the left and the right.",
    ..kind::<Hex>("hex", "Hex")
};

const SGF: Sgf = Sgf { game: Some(11), ..Sgf::NAMED };

/// The rules.
#[derive(Debug, Clone)]
pub struct Hex;

/// The chain of the side that moved last, at `last` if it is known, that joins the two sides of that player.
fn joined(state: &State, last: Option<Cell>) -> Option<Cells> {
    let winner = state.to_move.other();
    let (board, own, end) = (&state.board, state.of(winner), state.board.rows - 1);
    let along = |cell: Cell| *winner.of(&[cell.row(), cell.column()]);
    let group = |start| board.group(start, own, board.ways());
    let joins = |group: &Cells| [0, end].iter().all(|side| group.iter().any(|cell| along(cell) == *side));
    match last {
        Some(last) => Some(group(last)).filter(joins),
        None => own.iter().filter(|cell| along(*cell) == 0).map(group).find(joins),
    }
}

impl Rules for Hex {
    const SIZES: &'static [u8] = &[11, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19];
    const KINDS: &'static [Kind] = &[Kind::disc("stone")];

    const ASKS: [&'static str; 3] = ["Choose a cell for your stone.", "", ""];

    fn board(size: u8) -> Board {
        Board::rhombus(size)
    }

    fn outcome(state: &State, last: Option<Cell>) -> Option<Outcome> {
        joined(state, last).map(|_| Outcome::won(state.to_move.other(), "two sides are joined"))
    }

    fn winners(state: &State) -> Cells {
        joined(state, None).unwrap_or(Cells::NONE)
    }

    fn edge(board: &Board, cell: Cell, way: Way) -> Option<Seat> {
        let ([columns, rows], end) = (way.parts(), board.rows - 1);
        match (rows, columns) {
            (-1, _) if cell.row() == 0 => Some(Seat::First),
            (1, _) if cell.row() == end => Some(Seat::First),
            (_, -1) if cell.column() == 0 => Some(Seat::Second),
            (_, 1) if cell.column() == end => Some(Seat::Second),
            _ => None,
        }
    }

    fn holds(state: &State, seat: Seat) -> String {
        let end = state.board.rows - 1;
        let names = [0, end].map(|at| state.board.name(Cell::at(at, at)));
        let ends = names.map(|name| {
            let (column, row) = name.split_at(1);
            if seat == Seat::First { row.to_owned() } else { column.to_owned() }
        });
        format!("joins {} and {}", ends[0], ends[1])
    }

    fn lawful(state: &State) -> Result<(), String> {
        put_in_turn::<Hex>(state)
    }
}
