//! Havannah, by Christian Freeling: a ring, a bridge or a fork wins.

use crate::formats::{notation, sgf::Sgf};
use crate::rules::{Board, Cell, Cells, Kind, Rules, State, kind, put_in_turn, size};
use crate::{GameKind, NOSWAP, Outcome, Plies, Seat};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    options: &[size("a hexagon with sides of N cells, 4 to 10", &["4", "5"]), NOSWAP],
    notation: "h8 puts a stone on h8",
    notations: &[notation!("sgf", SGF)],
    pitch: "Put a stone on any empty cell; a ring, a bridge of two corners or a fork of three sides wins.",
    family: "connection",
    // The widest row has 2 * N - 1 cells: 19 on the largest board.
    plies: Plies::of_columns('s'),
    ..kind::<Havannah>("havannah", "Havannah")
};

const SGF: Sgf = Sgf::NAMED;

/// The rules.
#[derive(Debug, Clone)]
pub struct Havannah;

/// One bit for each of the six steps from a cell, in order around it. A bit is set if `is` is true for the cell one
/// step away, which is `None` off the board.
fn bits(board: &Board, cell: Cell, is: impl Fn(Option<Cell>) -> bool) -> u8 {
    (0..).zip(board.ways()).map(|(bit, way)| u8::from(is(board.step(cell, *way))) << bit).sum()
}

/// Keeps the first bit of each run of set bits. The six bits form a circle.
fn runs(bits: u8) -> u8 {
    bits & !(bits << 1 | bits >> 5)
}

/// How the chain with this stone wins, if it does.
fn won(board: &Board, own: Cells, stone: Cell) -> Option<&'static str> {
    let chain = board.group(stone, own, board.ways());
    let (mut corners, mut sides) = (0, 0);
    for cell in chain.iter() {
        let outside = bits(board, cell, |next| next.is_none());
        match outside.count_ones() {
            // A cell on a side has two adjacent steps off the board. The first of them identifies the side.
            2 => sides |= runs(outside),
            3 => corners += 1,
            _ => {}
        }
    }
    if corners >= 2 {
        Some("a bridge")
    } else if sides.count_ones() >= 3 {
        Some("a fork")
    } else {
        is_ring(board, chain, stone).then_some("a ring")
    }
}

/// True if a ring of the chain goes through this stone.
fn is_ring(board: &Board, chain: Cells, stone: Cell) -> bool {
    // If a ring encloses only stones of its own chain, all neighbours of an enclosed stone belong to the chain.
    let is_full = |cell| board.is_inside(cell) && board.beside(cell).all(|beside| chain.has(beside));
    if board.beside(stone).any(|cell| chain.has(cell) && is_full(cell)) {
        return true;
    }
    // Any other ring through the stone separates a cell next to the stone from the rim. The neighbours of the stone in
    // the chain then form two or more separate runs.
    let others = board.cells - chain;
    let is_closed = |cell| board.group(cell, others, board.ways()).iter().all(|cell| board.is_inside(cell));
    runs(bits(board, stone, |next| next.is_some_and(|next| chain.has(next)))).count_ones() > 1
        && board.beside(stone).any(|cell| others.has(cell) && is_closed(cell))
}

impl Rules for Havannah {
    const SIZES: &'static [u8] = &[8, 4, 5, 6, 7, 9, 10];
    const KINDS: &'static [Kind] = &[Kind::disc("stone")];

    const ASKS: [&'static str; 3] = ["Choose a cell for your stone.", "", ""];

    fn board(size: u8) -> Board {
        Board::hexagon(size)
    }

    fn outcome(state: &State, last: Option<Cell>) -> Option<Outcome> {
        let (winner, board) = (state.to_move.other(), &state.board);
        let own = state.of(winner);
        let won = |stone| won(board, own, stone);
        if let Some(how) = last.map_or_else(|| own.iter().find_map(won), won) {
            return Some(Outcome::won(winner, how));
        }
        state.empties().is_empty().then(|| Outcome::tie("the board is full"))
    }

    fn winners(state: &State) -> Cells {
        let (board, own) = (&state.board, state.of(state.to_move.other()));
        let stone = own.iter().find(|stone| won(board, own, *stone).is_some());
        stone.map_or(Cells::NONE, |stone| board.group(stone, own, board.ways()))
    }

    fn holds(_: &State, _: Seat) -> String {
        "a ring, a bridge or a fork".to_owned()
    }

    fn lawful(state: &State) -> Result<(), String> {
        put_in_turn::<Havannah>(state)
    }
}
