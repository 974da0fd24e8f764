//! Gomoku: the first to have five or more stones in a row wins.

use crate::formats::{notation, sgf::Sgf};
use crate::rules::{AROUND, Board, Cell, Cells, Kind, Rules, State, kind, put_in_turn};
use crate::scene::Ground;
use crate::{GameKind, NOSWAP, Outcome, Seat};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "in a row",
    options: &[NOSWAP],
    notation: "h8 puts a stone on h8",
    notations: &[notation!("sgf", SGF)],
    pitch: "Put a stone on any empty point; five or more of yours in a row, in any direction, win.",
    ..kind::<Gomoku>("gomoku", "Gomoku")
};

const SGF: Sgf = Sgf { game: Some(4), has_letters: true, ..Sgf::NAMED };

/// The rules.
#[derive(Debug, Clone)]
pub struct Gomoku;

/// True for a stone of the side that moved last in a row of five or more.
fn is_in_five(state: &State, cell: Cell) -> bool {
    let own = state.of(state.to_move.other());
    let run = |way| state.board.ray(cell, way).take_while(|next| own.has(*next)).count();
    AROUND.into_iter().take(4).any(|way| run(way) + run(way.back()) >= 4)
}

impl Rules for Gomoku {
    const SIZES: &'static [u8] = &[15];
    const KINDS: &'static [Kind] = &[Kind { signs: ['b', 'w', '?'], ..Kind::disc("stone") }];
    const COLOURS: [&'static str; 2] = ["black", "white"];

    const ASKS: [&'static str; 3] = ["Choose a point for your stone.", "", ""];

    fn board(size: u8) -> Board {
        Board::points(size)
    }

    fn outcome(state: &State, last: Option<Cell>) -> Option<Outcome> {
        let winner = state.to_move.other();
        let is_in_five = |cell| is_in_five(state, cell);
        if last.map_or_else(|| state.of(winner).iter().any(is_in_five), is_in_five) {
            return Some(Outcome::won(winner, "five in a row"));
        }
        state.empties().is_empty().then(|| Outcome::tie("the board is full"))
    }

    fn winners(state: &State) -> Cells {
        state.of(state.to_move.other()).iter().filter(|cell| is_in_five(state, *cell)).collect()
    }

    fn ground(_: &Board, cell: Cell) -> Ground {
        match (cell.column(), cell.row()) {
            (3 | 11, 3 | 11) | (7, 7) => Ground::Gate,
            _ => Ground::Plain,
        }
    }

    fn holds(_: &State, _: Seat) -> String {
        "five in a row".to_owned()
    }

    fn lawful(state: &State) -> Result<(), String> {
        put_in_turn::<Gomoku>(state)
    }
}
