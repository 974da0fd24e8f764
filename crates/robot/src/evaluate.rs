//! What the search asks of a game beside its rules: an evaluation, a hash, and an order of moves.

use std::fmt::Debug;
use std::ops::{Deref, Neg};

use turnpost_games::Position;

/// No value reaches this. Values are hundredths of a point and fit sixteen bits.
pub const INFINITE: i32 = 32_000;

/// The value of a won game, where results are not counted in points.
pub const WON: i32 = 20_000;

/// What captures mean to a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captures {
    /// Nothing: no estimate waits for one.
    Ignored,
    /// An estimate is made when no capture betters it.
    Free,
    /// The same, and where a capture is possible there is nothing else to do.
    Duty,
}

/// The result of a game without points for the side to move.
pub(crate) fn won_or_lost<P: Position>(position: &P, won: i32) -> i32 {
    match position.outcome().and_then(|outcome| outcome.winner) {
        None => 0,
        Some(winner) if winner == position.to_move() => won,
        Some(_) => -won,
    }
}

/// A value as a count, or what is known of the result.
pub(crate) fn write_count(value: i32, worth: i32, unit: &str) -> String {
    if value.abs() >= WON {
        return if value > 0 { "won" } else { "lost" }.to_owned();
    }
    format!("{:+.2} {unit}", f64::from(value) / f64::from(worth))
}

/// The value of a position to the side to move, and whether it is exact.
///
/// It is exact when everything it rests on goes to the end of the game. A lower bound is exact when one move's score
/// is, an upper bound when all of them are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    /// In hundredths of a point.
    pub value: i32,
    /// Whether it is the result of the game, or a bound of it, rather than an estimate.
    pub exact: bool,
}

impl Score {
    /// A result.
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
/// Everything here depends on the position alone and is computed in whole numbers, so a search bounded by nodes finds
/// the same move on every machine.
pub trait Evaluator: Position<Move: Send> + Sync {
    /// Whether a position's result is the same however it came about. Only then may exact scores be kept by hash.
    const PATH_INDEPENDENT: bool;

    /// What captures mean.
    const CAPTURES: Captures = Captures::Ignored;

    /// What is carried from move to move so that an evaluation need not look at the whole board.
    type Accumulator: Clone + Debug + Send + Sync;

    /// The accumulator of this position.
    fn accumulator(&self) -> Self::Accumulator;

    /// Makes a move and updates the accumulator.
    fn make_with(&mut self, accumulator: &mut Self::Accumulator, ply: Self::Move);

    /// The position's hash, by Zobrist keys.
    fn hash(&self) -> u64;

    /// The same hash, taken from the accumulator if it is kept there.
    fn hash_with(&self, _accumulator: &Self::Accumulator) -> u64 {
        self.hash()
    }

    /// The score of the position: exact if the game is over, otherwise an estimate.
    fn evaluate(&self, accumulator: &Self::Accumulator) -> Score;

    /// The result for the side to move of a game that is over.
    fn result(&self) -> i32;

    /// Sixteen bits that tell the moves of a position apart, or nearly: they decide only what is searched first.
    fn encode(ply: Self::Move) -> u16;

    /// The move with this code, in games where a move can be [surely legal](Evaluator::is_surely_legal).
    fn decode(_code: u16) -> Option<Self::Move> {
        None
    }

    /// How promising a move looks before it is searched. Only the order counts.
    fn ordering_score(&self, ply: Self::Move) -> i32;

    /// Whether a legal move takes something, in games where [captures](Evaluator::CAPTURES) mean something.
    fn is_capture(&self, _ply: Self::Move) -> bool {
        false
    }

    /// True if the move is legal and that is cheaper to see than to list all moves.
    fn is_surely_legal(&self, _ply: Self::Move) -> bool {
        false
    }

    /// Stacks left, in games that end when stacks run out. The solver works when they are few; with the default, never.
    fn stacks_left(&self) -> u32 {
        u32::MAX
    }

    /// The greatest depth worth searching.
    fn max_depth(&self) -> u32 {
        99
    }

    /// A value in the words of the game: a number, a blank and the unit, which is the same for all, as in `+3.00 pieces`;
    /// or a word without a blank, such as `won`.
    fn write_value(value: i32) -> String;

    /// A position for a level match to begin with, drawn from `seed`.
    fn opening(seed: u64) -> Self;
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

    /// Makes a move. A node is copied once and then changed in place: moving a fresh copy costs a sixth of the speed.
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
}

impl<P: Evaluator> Deref for Node<P> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.position
    }
}
