//! Alpha-beta for any game on a board whose rules give a hint what a position is worth.

use super::evaluate::{Captures, Evaluator, Score, WON, won_or_lost, write_count};
use super::mind::{start, wander};
use super::tt::mix;
use turnpost_games::Position;
use turnpost_games::rules::{Cell, Game, Ply, Rules, State};

/// What a position is worth, and which moves look promising.
pub trait Hint: Rules {
    /// What captures mean.
    const CAPTURES: Captures = Captures::Free;

    /// Whether a board that recurs, or a number of moves, can end the game.
    const RECURS: bool = false;

    /// What values count.
    const UNIT: &'static str = "pieces";

    /// The value of a game that goes on to the side to move, in hundredths of a piece.
    fn value(state: &State) -> i32;

    /// Whether a ply takes something: the other side's piece stands where it goes.
    #[inline]
    fn is_capture(state: &State, ply: Ply) -> bool {
        ply.to.is_some_and(|to| state.of(state.to_move.other()).has(to))
    }

    /// How promising a ply looks; a capture looks better than a step.
    #[inline]
    fn order(state: &State, ply: Ply) -> i32 {
        if Self::is_capture(state, ply) { CAPTURE } else { 0 }
    }
}

/// How promising a capture looks.
pub const CAPTURE: i32 = 2_000;

impl<R: Hint> Evaluator for Game<R> {
    const PATH_INDEPENDENT: bool = !R::RECURS;
    const CAPTURES: Captures = R::CAPTURES;

    /// Everything is looked at anew.
    type Accumulator = ();

    fn accumulator(&self) {}

    #[inline]
    fn make_with(&mut self, (): &mut (), ply: Ply) {
        self.make(ply);
    }

    fn hash(&self) -> u64 {
        let state = self.state();
        let counts = state.counts.iter().fold(0, |all, count| all << 16 | u64::from(*count));
        mix(state.key() ^ mix(counts).rotate_left(1) ^ state.to_move.index() as u64)
    }

    #[inline]
    fn evaluate(&self, (): &()) -> Score {
        match self.outcome() {
            Some(_) => Score::exact(self.result()),
            None => Score::estimate(R::value(self.state())),
        }
    }

    fn result(&self) -> i32 {
        won_or_lost(self, WON)
    }

    /// Fifteen bits, so that no ply is taken for none.
    #[inline]
    fn encode(ply: Ply) -> u16 {
        let index = |cell: Option<Cell>| cell.map_or(511, Cell::index) as u64;
        (mix(index(ply.from) | index(ply.to) << 9 | index(ply.then) << 18 ^ ply.more << 27) >> 49) as u16
    }

    #[inline]
    fn ordering_score(&self, ply: Ply) -> i32 {
        R::order(self.state(), ply)
    }

    #[inline]
    fn is_capture(&self, ply: Ply) -> bool {
        R::is_capture(self.state(), ply)
    }

    fn write_value(value: i32) -> String {
        write_count(value, 100, R::UNIT)
    }

    fn opening(seed: u64) -> Self {
        wander(start(seed), 4, seed)
    }
}
