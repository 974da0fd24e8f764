//! Reversi, also known as Othello: enclosed discs are turned over, and the side with more at the end wins.

use crate::formats::ggf;
use crate::rules::{AROUND, Board, Cell, Cells, Kind, Piece, Ply, Rules, State, kind};
use crate::{GameKind, Notation, Outcome, Plies, Seat, Setup, SetupError};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    aliases: &["othello"],
    family: "territory",
    notation: "d3 puts a disc on d3",
    plies: Plies { words: &["pass"], ..Plies::of_columns('h') },
    notations: &[Notation { name: "ggf", write: ggf::write, read: ggf::read }],
    pitch: "Put a disc where it encloses the other side's in a line, which are turned over; have more discs at the end.",
    ..kind::<Reversi>("reversi", "Reversi")
};

/// The rules.
#[derive(Debug, Clone)]
pub struct Reversi;

/// The discs that are turned over if `seat` puts a disc on the empty space `to`.
fn enclosed(state: &State, seat: Seat, to: Cell) -> Cells {
    let (own, other) = (state.of(seat), state.of(seat.other()));
    let mut all = Cells::NONE;
    for way in AROUND {
        let line: Cells = state.board.ray(to, way).take_while(|cell| other.has(*cell)).collect();
        let end = state.board.ray(to, way).nth(line.count() as usize);
        if end.is_some_and(|cell| own.has(cell)) {
            all = all | line;
        }
    }
    all
}

/// The spaces on which a side can put a disc.
fn open(state: &State, seat: Seat) -> impl Iterator<Item = Cell> {
    state.empties().iter().filter(move |cell| !enclosed(state, seat, *cell).is_empty())
}

impl Rules for Reversi {
    const SIZES: &'static [u8] = &[8];
    const KINDS: &'static [Kind] = &[Kind { signs: ['b', 'w', '?'], ..Kind::disc("disc") }];
    const COLOURS: [&'static str; 2] = ["black", "white"];

    const ASKS: [&'static str; 3] = ["Choose a marked square for your disc.", "", ""];

    fn board(size: u8) -> Board {
        Board::squares(size, size).from_top()
    }

    fn start(state: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        state.fill([Cell::at(4, 3), Cell::at(3, 4)], Piece::of(Seat::First));
        state.fill([Cell::at(3, 3), Cell::at(4, 4)], Piece::of(Seat::Second));
        Ok(())
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        let mut plies = open(state, state.to_move).map(Ply::put).peekable();
        if plies.peek().is_none() {
            visit(Ply::PASS);
        }
        plies.for_each(visit);
    }

    fn make(state: &mut State, ply: Ply) {
        let turned = ply.to.map_or(Cells::NONE, |to| enclosed(state, state.to_move, to));
        state.fill(turned.iter(), Piece::of(state.to_move));
        state.go(ply);
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        let is_over = Seat::BOTH.into_iter().all(|seat| open(state, seat).next().is_none());
        is_over.then(|| Outcome::counted(Seat::BOTH.map(|seat| state.of(seat).count() as u16)))
    }

    fn standing(state: &State) -> String {
        let [black, white] = Seat::BOTH.map(|seat| state.of(seat).count());
        format!("Black has {black} discs, white {white}.")
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        let is_idle = ply.from.is_none() && ply.to.is_some_and(|to| state.is_empty(to));
        is_idle.then(|| "A disc must enclose discs of the other side in a straight line.".to_owned())
    }

    fn lawful(state: &State) -> Result<(), String> {
        let middle = [(3, 3), (3, 4), (4, 3), (4, 4)];
        if middle.iter().any(|(column, row)| state.is_empty(Cell::at(*column, *row))) {
            return Err("the four middle spaces are never empty".to_owned());
        }
        Ok(())
    }
}
