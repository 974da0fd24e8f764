//! Alpha-beta for any board game whose rules come with a [`Hint`].

use super::evaluate::{Captures, Evaluator, Score, WON, won_or_lost, write_count};
use super::tt::mix;
use turnpost_games::Position;
use turnpost_games::rules::{Cell, Game, Ply, Rules, State};

/// What alpha-beta needs for a board game: the value of a position, and the order of moves.
pub trait Hint: Rules {
    /// How a search treats captures.
    const CAPTURES: Captures = Captures::Free;

    /// True if a repeated position, or a count of moves, can end the game.
    const RECURS: bool = false;

    /// The unit of values.
    const UNIT: &'static str = "pieces";

    /// The value for the side to move while the game continues, in hundredths of a unit.
    fn value(state: &State) -> i32;

    /// True if the ply captures. The default checks for an enemy piece on the target.
    #[inline]
    fn is_capture(state: &State, ply: Ply) -> bool {
        ply.to.is_some_and(|to| state.of(state.to_move.other()).has(to))
    }

    /// Score of a ply in the order of search. The default puts captures first.
    #[inline]
    fn order(state: &State, ply: Ply) -> i32 {
        if Self::is_capture(state, ply) { CAPTURE } else { 0 }
    }
}

/// Score of a capture in the order of search.
pub const CAPTURE: i32 = 2_000;

impl<R: Hint> Evaluator for Game<R> {
    const PATH_INDEPENDENT: bool = !R::RECURS;
    const CAPTURES: Captures = R::CAPTURES;

    /// Every evaluation scans the whole board.
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

    /// Fifteen bits, so that no code equals `NO_MOVE`.
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
}
