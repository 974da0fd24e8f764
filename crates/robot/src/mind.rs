//! A mind chooses the moves of a game: by alpha-beta over an evaluation, by playouts, or, in a game with dice, by the
//! value of each ply.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;

use super::evaluate::{Evaluator, won_or_lost};
use super::limits::Limits;
use super::playouts::{self, Playout};
use super::search::{SearchResult, search};
use turnpost_games::Position;
use turnpost_games::rules::{Game, Rules};

/// A move of a mind's game.
pub type MoveOf<M> = <<M as Mind>::Game as Position>::Move;

/// Chooses moves.
pub trait Mind {
    /// The game it plays.
    type Game: Position;

    /// Precision of values, in hundredths of a point: a ply that loses at most this much counts as good.
    const SLACK: i32;

    /// Searches a position; `None` if the game is over.
    fn search(
        position: &Self::Game,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Option<SearchResult<MoveOf<Self>>>;

    /// The result of a finished game for the side to move.
    fn result(position: &Self::Game) -> i32;

    /// A value in the words of the game.
    fn write_value(value: i32) -> String;

    /// The value of a legal ply to the side to move, if the mind values plies one by one. Other minds value the position
    /// after the ply.
    fn judged(_: &Self::Game, _: MoveOf<Self>) -> Option<i32> {
        None
    }

    /// True if the first ply of the game is so good that the second player should swap seats.
    fn is_worth_a_swap(_: &Self::Game) -> bool {
        false
    }
}

/// Alpha-beta over an evaluation.
#[derive(Debug)]
pub struct Evaluated<P>(PhantomData<P>);

impl<P: Evaluator> Mind for Evaluated<P> {
    type Game = P;
    const SLACK: i32 = 30;

    fn search(position: &P, limits: &Limits, cancel: &AtomicBool) -> Option<SearchResult<P::Move>> {
        search(position, limits, cancel)
    }

    fn result(position: &P) -> i32 {
        position.result()
    }

    fn write_value(value: i32) -> String {
        P::write_value(value)
    }

    fn is_worth_a_swap(position: &P) -> bool {
        position.is_worth_a_swap()
    }
}

/// Playouts. A value is the percentage of won playouts minus 50, in hundredths.
#[derive(Debug)]
pub struct Playouts<P>(PhantomData<P>);

impl<P: Playout> Mind for Playouts<P> {
    type Game = Game<P::Rules>;
    const SLACK: i32 = 1_500;

    fn search(
        position: &Self::Game,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Option<SearchResult<MoveOf<Self>>> {
        playouts::search::<P>(position, limits, cancel)
    }

    fn result(position: &Self::Game) -> i32 {
        won_or_lost(position, playouts::WON)
    }

    fn write_value(value: i32) -> String {
        format!("{} % won", (value + playouts::WON) / 100)
    }

    fn is_worth_a_swap(position: &Self::Game) -> bool {
        is_off_the_rim(position)
    }
}

/// True after a first stone off the rim, which wins in most games of stones. Neither playouts nor counts can tell: they
/// favour the side to move.
pub(crate) fn is_off_the_rim<R: Rules>(position: &Game<R>) -> bool {
    let state = position.state();
    state.taken().count() == 1 && state.taken().iter().all(|cell| state.board.is_inside(cell))
}
