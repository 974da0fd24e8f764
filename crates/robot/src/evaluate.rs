//! What the search needs from a game in addition to its rules: an evaluation, a hash, and an order of moves.

use std::fmt::Debug;
use std::ops::{Deref, Neg};

use turnpost_games::Position;

/// Greater than every value. Values are hundredths of a point and fit in 16 bits.
pub const INFINITE: i32 = 32_000;

/// The value of a won game if the game has no points.
pub const WON: i32 = 20_000;

/// How a search treats captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captures {
    /// Captures are ignored.
    Ignored,
    /// A leaf is evaluated after its captures are searched.
    Free,
    /// As `Free`; in addition, a player who can capture must do so.
    Duty,
}

/// The result for the side to move, in a game without points.
pub(crate) fn won_or_lost<P: Position>(position: &P, won: i32) -> i32 {
    match position.outcome().and_then(|outcome| outcome.winner) {
        None => 0,
        Some(winner) if winner == position.to_move() => won,
        Some(_) => -won,
    }
}

/// Writes a value as a count of `unit`, one of which is worth `worth`. Writes `won` or `lost` if the value is decisive.
pub(crate) fn write_count(value: i32, worth: i32, unit: &str) -> String {
    if value.abs() >= WON {
        return if value > 0 { "won" } else { "lost" }.to_owned();
    }
    format!("{:+.2} {unit}", f64::from(value) / f64::from(worth))
}

/// The value of a position to the side to move.
///
/// A score is exact if every line below the position was searched to the end of the game. A lower bound is exact if the
/// score of one move is exact; an upper bound is exact if the scores of all moves are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    /// Hundredths of a point.
    pub value: i32,
    /// True for the result of the game or a bound of it, false for an estimate.
    pub exact: bool,
}

impl Score {
    /// A result or a bound of it.
    pub fn exact(value: i32) -> Score {
        Score { value, exact: true }
    }

    /// An estimate.
    pub fn estimate(value: i32) -> Score {
        Score { value, exact: false }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score { value: -self.value, ..self }
    }
}

/// A game the robot can play.
///
/// Everything here depends on the position alone and uses integers, so a search limited by nodes finds the
/// same move on every machine.
pub trait Evaluator: Position<Move: Send> + Sync {
    /// True if the history of a position never changes its result. Only then can exact scores be stored by hash.
    const PATH_INDEPENDENT: bool;

    /// How the search treats captures.
    const CAPTURES: Captures = Captures::Ignored;

    /// State that is updated by each move, so that an evaluation does not scan the whole board.
    type Accumulator: Clone + Debug + Send + Sync;

    /// The accumulator of this position, computed from its board.
    fn accumulator(&self) -> Self::Accumulator;

    /// Makes a move and updates the accumulator.
    fn make_with(&mut self, accumulator: &mut Self::Accumulator, ply: Self::Move);

    /// The Zobrist hash of the position.
    fn hash(&self) -> u64;

    /// The Zobrist hash, taken from the accumulator if it contains the hash.
    fn hash_with(&self, _accumulator: &Self::Accumulator) -> u64 {
        self.hash()
    }

    /// Exact if the game is over, otherwise an estimate.
    fn evaluate(&self, accumulator: &Self::Accumulator) -> Score;

    /// The result of a finished game for the side to move.
    fn result(&self) -> i32;

    /// A code of 16 bits for a move. Two moves of a position can share a code, which is rare: codes only order the
    /// search.
    fn encode(ply: Self::Move) -> u16;

    /// The move that has this code; `None` in games without [`is_surely_legal`](Evaluator::is_surely_legal).
    fn decode(_code: u16) -> Option<Self::Move> {
        None
    }

    /// Score of a move in the order of search. Moves with greater scores are searched first.
    fn ordering_score(&self, ply: Self::Move) -> i32;

    /// Calls `visit` with each move worth searching and its [score](Evaluator::ordering_score) in the order of search.
    /// True if no other move can be better.
    #[inline]
    fn each_candidate(&self, _: &Self::Accumulator, visit: &mut impl FnMut(Self::Move, i32)) -> bool {
        self.each_move(&mut |ply| visit(ply, self.ordering_score(ply)));
        true
    }

    /// True if a legal move captures, in games whose [captures](Evaluator::CAPTURES) are searched.
    fn is_capture(&self, _ply: Self::Move) -> bool {
        false
    }

    /// True if the move is legal and checking that is cheaper than listing all moves.
    fn is_surely_legal(&self, _ply: Self::Move) -> bool {
        false
    }

    /// Number of stacks left, in games that end when stacks run out. The solver runs only with few stacks, so it never
    /// runs with this default.
    fn stacks_left(&self) -> u32 {
        u32::MAX
    }

    /// The greatest depth worth searching.
    fn max_depth(&self) -> u32 {
        99
    }

    /// Writes a value for players: a number, a space and the game's only unit, such as `+3.00 pieces`, or one word,
    /// such as `won`.
    fn write_value(value: i32) -> String;

    /// True if the first ply of the game is so good that the second player should swap seats.
    fn is_worth_a_swap(&self) -> bool {
        false
    }
}

/// A position with its accumulator.
#[derive(Debug, Clone)]
pub(crate) struct Node<P: Evaluator> {
    position: P,
    accumulator: P::Accumulator,
}

impl<P: Evaluator> Node<P> {
    pub(crate) fn new(position: P) -> Node<P> {
        let accumulator = position.accumulator();
        Node { position, accumulator }
    }

    /// Makes a move in place: moving a fresh copy of the node costs a sixth of the speed.
    #[inline(always)]
    pub(crate) fn make(&mut self, ply: P::Move) {
        self.position.make_with(&mut self.accumulator, ply);
    }

    #[inline(always)]
    pub(crate) fn hash(&self) -> u64 {
        self.position.hash_with(&self.accumulator)
    }

    #[inline(always)]
    pub(crate) fn evaluate(&self) -> Score {
        self.position.evaluate(&self.accumulator)
    }

    #[inline]
    pub(crate) fn each_candidate(&self, visit: &mut impl FnMut(P::Move, i32)) -> bool {
        self.position.each_candidate(&self.accumulator, visit)
    }
}

impl<P: Evaluator> Deref for Node<P> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.position
    }
}
