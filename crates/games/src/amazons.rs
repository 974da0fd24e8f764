//! The Game of the Amazons, by Walter Zamkauskas. A piece moves like a chess queen, then shoots an arrow that closes a
//! space.

use crate::rules::{AROUND, Board, Cell, Kind, Piece, Ply, Rules, State, kind};
use crate::scene::{Ground, Shape};
use crate::{GameKind, Outcome, Plies, Seat, Setup, SetupError};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "territory",
    has_draws: false,
    notation: "d1-d7-g7 moves the amazon on d1 to d7 and shoots her arrow to g7",
    pitch: "Move an amazon any distance in a straight line and shoot an arrow the same way, which closes a space; be the last to move.",
    plies: Plies { joints: &['/', '(', '['], ..Plies::of_columns('j') },
    ..kind::<Amazons>("amazons", "Amazons")
};

/// The rules.
#[derive(Debug, Clone)]
pub struct Amazons;

const ARROW: Piece = Piece { side: None, kind: 1 };

impl Rules for Amazons {
    const SIZES: &'static [u8] = &[10];
    const KINDS: &'static [Kind] = &[
        Kind { shape: Shape::Bow, ..Kind::disc("amazon") },
        Kind { name: "arrow", signs: ['?', '?', 'x'], shape: Shape::Dart },
    ];

    const ASKS: [&'static str; 3] =
        ["Choose an amazon.", "Choose where she goes.", "Now the arrow. Choose the square that it closes."];

    fn board(size: u8) -> Board {
        Board::squares(size, size)
    }

    fn start(state: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        for (seat, edge, inner) in [(Seat::First, 0, 3), (Seat::Second, 9, 6)] {
            let amazons = [(0, inner), (3, edge), (6, edge), (9, inner)];
            state.fill(amazons.map(|(column, row)| Cell::at(column, row)), Piece::of(seat));
        }
        Ok(())
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        let empties = state.empties();
        for from in state.of(state.to_move).iter() {
            // The arrow can cross the space that the amazon left.
            let mut free = empties;
            free.add(from);
            let reach = |from| {
                let open = move |cell: &Cell| free.has(*cell);
                AROUND.into_iter().flat_map(move |way| state.board.ray(from, way).take_while(open))
            };
            for to in reach(from) {
                reach(to).for_each(|then| visit(Ply { then: Some(then), ..Ply::go(from, to) }));
            }
        }
    }

    fn make(state: &mut State, ply: Ply) {
        state.go(ply);
        state.fill(ply.then, ARROW);
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        let empties = state.empties();
        let can_move =
            |from| AROUND.iter().filter_map(|way| state.board.step(from, *way)).any(|to| empties.has(to));
        let is_over = !state.of(state.to_move).iter().any(can_move);
        is_over.then(|| Outcome::won(state.to_move.other(), "the other side cannot move"))
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        let own = ply.from.is_some_and(|from| state.owner(from) == Some(state.to_move));
        if own && ply.then.is_none() {
            return Some("A move names the space of the arrow too, as in d1-d7-g7.".to_owned());
        }
        own.then(|| {
            "Amazons and arrows go in a straight line, and not over what stands in their way.".to_owned()
        })
    }

    fn ground(_: &Board, cell: Cell) -> Ground {
        Ground::of_chequers(cell.column(), cell.row())
    }

    fn holds(_: &State, _: Seat) -> String {
        String::new()
    }

    fn lawful(state: &State) -> Result<(), String> {
        if Seat::BOTH.iter().any(|seat| state.of(*seat).count() != 4) {
            return Err("each side has 4 amazons".to_owned());
        }
        if state.of_nobody().count() as usize % 2 != state.to_move.index() {
            return Err("the sides shoot an arrow each in turn".to_owned());
        }
        Ok(())
    }
}
