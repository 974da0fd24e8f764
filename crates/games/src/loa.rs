//! Lines of Action, by Claude Soucie: a piece moves as many spaces as its line has pieces. A side wins when all its
//! pieces form one group.

use crate::rules::{AROUND, Board, Cell, Kind, Piece, Ply, Rules, State, kind};
use crate::{GameKind, Outcome, Plies, Seat, Setup, SetupError};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "connection",
    notation: "b1-b3 moves the piece on b1 to b3, or captures there",
    plies: Plies { words: &["pass"], ..Plies::of_columns('h') },
    pitch: "Move a piece as many spaces as there are pieces on its line; bring all your pieces together.",
    ..kind::<LinesOfAction>("loa", "Lines of Action")
};

/// The rules.
#[derive(Debug, Clone)]
pub struct LinesOfAction;

/// True if all pieces of a side are connected.
fn is_joined(state: &State, seat: Seat) -> bool {
    let own = state.of(seat);
    own.iter().next().is_some_and(|first| state.board.group(first, own, &AROUND) == own)
}

impl Rules for LinesOfAction {
    const SIZES: &'static [u8] = &[8];
    const KINDS: &'static [Kind] = &[Kind { signs: ['b', 'w', '?'], ..Kind::disc("piece") }];
    const COLOURS: [&'static str; 2] = ["black", "white"];

    fn board(size: u8) -> Board {
        Board::squares(size, size)
    }

    fn start(state: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        for at in 1..7 {
            state.fill([Cell::at(at, 0), Cell::at(at, 7)], Piece::of(Seat::First));
            state.fill([Cell::at(0, at), Cell::at(7, at)], Piece::of(Seat::Second));
        }
        Ok(())
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        let (board, own, taken) = (&state.board, state.of(state.to_move), state.taken());
        let on = |from, way| board.ray(from, way).filter(|cell| taken.has(*cell)).count();
        let mut must_pass = true;
        for (from, way) in own.iter().flat_map(|from| AROUND.map(|way| (from, way))) {
            // `on` does not count the piece itself, so `between` is one less than the number of steps. The last step
            // can capture.
            let between = on(from, way) + on(from, way.back());
            let mut line = board.ray(from, way);
            let is_barred = line.by_ref().take(between).any(|cell| taken.has(cell) && !own.has(cell));
            if let Some(to) = line.next().filter(|to| !is_barred && !own.has(*to)) {
                must_pass = false;
                visit(Ply::go(from, to));
            }
        }
        if must_pass {
            visit(Ply::PASS);
        }
    }

    fn make(state: &mut State, ply: Ply) {
        state.remember(ply.to.is_some_and(|to| !state.is_empty(to)));
        state.go(ply);
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        // If a capture connects the pieces of both sides, the side that captured wins.
        let winner = [state.to_move.other(), state.to_move].into_iter().find(|seat| is_joined(state, *seat));
        match winner {
            Some(winner) => Some(Outcome::won(winner, "all pieces are joined")),
            None => state.recurred(),
        }
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        let own = ply.from.is_some_and(|from| state.owner(from) == Some(state.to_move));
        own.then(|| {
            "A piece goes exactly as many spaces as there are pieces on its line, over its own side's and not over \
             the other's."
                .to_owned()
        })
    }

    fn lawful(state: &State) -> Result<(), String> {
        if Seat::BOTH.iter().any(|seat| !(1..=12).contains(&state.of(*seat).count())) {
            return Err("a side has 1 to 12 pieces".to_owned());
        }
        Ok(())
    }
}
