//! Playouts of games in which each stone stays where it was put, on any empty space.

use super::playouts::{Chance, Playout};
use turnpost_games::rules::{Cell, Cells, Game, Ply, Rules, State, Way};
use turnpost_games::{Position, Seat};

/// A game of stones that stay.
pub trait Staying: Rules {
    /// True if a full board always has exactly one winner, so that only the full board is looked at.
    const FILLS: bool = false;
}

/// A position of such a game, and the last stone of the tree.
#[derive(Debug, Clone)]
pub struct Stones<R> {
    game: Game<R>,
    last: Option<Cell>,
}

impl<R: Staying> Playout for Stones<R> {
    type Rules = R;

    fn of(game: &Game<R>) -> Stones<R> {
        Stones { game: game.clone(), last: None }
    }

    fn mover(&self) -> Seat {
        self.game.to_move()
    }

    fn each_try(&self, visit: &mut impl FnMut(Ply, f32, f32)) {
        self.game.each_move(&mut |ply| visit(ply, 0.0, 0.0));
    }

    fn place(&mut self, ply: Ply) {
        self.game.make(ply);
        self.last = ply.to;
    }

    /// Puts stones on random spaces. In a game that fills the board, a stone in a bridge is answered.
    fn finish(&mut self, chance: &mut Chance) -> (Option<Seat>, [Cells; 2]) {
        let (mut state, mut last, mut outcome) = (self.game.state().clone(), self.last, self.game.outcome());
        let mut empties: Vec<Cell> = state.empties().iter().collect();
        while outcome.is_none() {
            let answer = last.filter(|_| R::FILLS).and_then(|last| other_cell::<R>(&state, last));
            let mut random =
                || std::iter::from_fn(|| chance.take(&mut empties)).find(|cell| state.is_empty(*cell));
            let Some(cell) = answer.or_else(&mut random) else { break };
            state.go(Ply::put(cell));
            chance.placed += 1;
            last = Some(cell);
            if !R::FILLS {
                outcome = R::outcome(&state, last);
            }
        }
        for seat in Seat::BOTH {
            if R::FILLS && outcome.is_none() {
                state.to_move = seat.other();
                outcome = R::outcome(&state, None);
            }
        }
        (outcome.and_then(|outcome| outcome.winner), Seat::BOTH.map(|seat| state.of(seat)))
    }
}

/// The other cell of a bridge of the side to move, if the last stone is on one of its two cells. The bridge joins two
/// stones, or a stone and a side of the board.
fn other_cell<R: Rules>(state: &State, last: Cell) -> Option<Cell> {
    let (board, own, ways) = (&state.board, state.of(state.to_move), state.board.ways());
    let is_held = |way: &Way| match board.step(last, *way) {
        Some(cell) => own.has(cell),
        None => R::edge(board, last, *way) != Some(state.to_move.other()),
    };
    let mut held = [false; 6];
    held.iter_mut().zip(ways).for_each(|(held, way)| *held = is_held(way));
    let way = (0..6).find(|at| {
        let [one, middle, other] = [0, 1, 2].map(|step| (at + step) % 6);
        held[one]
            && held[other]
            && !held[middle]
            && board.step(last, ways[middle]).is_some_and(|cell| state.is_empty(cell))
    })?;
    board.step(last, *ways.get((way + 1) % 6)?)
}
