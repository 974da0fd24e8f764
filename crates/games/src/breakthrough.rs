//! Breakthrough, by Dan Troyka: the first to reach the far row wins.

use crate::rules::{Board, Cell, Kind, Piece, Ply, Rules, State, Way, kind};
use crate::{GameKind, Outcome, Seat, Setup, SetupError};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "racing",
    has_draws: false,
    notation: "b2-c3 moves the piece on b2 to c3, or captures there",
    pitch: "Move a piece one square forward, straight or diagonally; capture diagonally; reach the far row.",
    ..kind::<Breakthrough>("breakthrough", "Breakthrough")
};

/// The rules.
#[derive(Debug, Clone)]
pub struct Breakthrough;

impl Rules for Breakthrough {
    const SIZES: &'static [u8] = &[8];
    const KINDS: &'static [Kind] = &[Kind::disc("piece")];

    fn board(size: u8) -> Board {
        Board::squares(size, size)
    }

    fn start(state: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        for (seat, rows) in [(Seat::First, 0..2), (Seat::Second, 6..8)] {
            state.fill(state.board.cells.iter().filter(|cell| rows.contains(&cell.row())), Piece::of(seat));
        }
        Ok(())
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        let forward = *state.to_move.of(&[1, -1]);
        let own = state.of(state.to_move);
        for aside in [-1, 0, 1] {
            let way = Way::new(aside, forward);
            let closed = if aside == 0 { state.taken() } else { own };
            for to in (own.stepped(way) & (state.board.cells - closed)).iter() {
                state.board.step(to, way.back()).into_iter().for_each(|from| visit(Ply::go(from, to)));
            }
        }
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        let (winner, loser) = (state.to_move.other(), state.to_move);
        let far = *winner.of(&[7, 0]);
        let how = if state.of(winner).iter().any(|cell| cell.row() == far) {
            "the far row is reached"
        } else if state.of(loser).is_empty() {
            "all pieces are captured"
        } else {
            return None;
        };
        Some(Outcome::won(winner, how))
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        let own = ply.from.is_some_and(|from| state.owner(from) == Some(state.to_move));
        own.then(|| "A piece steps one square forward, and captures diagonally only.".to_owned())
    }

    fn lawful(state: &State) -> Result<(), String> {
        if Seat::BOTH.iter().any(|seat| state.of(*seat).count() > 16) {
            return Err("a side has 16 pieces at most".to_owned());
        }
        let has_won = |seat: Seat| state.of(seat).iter().any(|cell| cell.row() == *seat.of(&[7, 0]));
        if has_won(state.to_move) {
            return Err("the side to move has reached the far row before".to_owned());
        }
        Ok(())
    }
}
