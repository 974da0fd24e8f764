//! A mind for games with dice: it values the position after each legal ply and looks no further.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::evaluate::won_or_lost;
use super::limits::Limits;
use super::mind::Mind;
use super::playouts::WON;
use super::search::SearchResult;
use super::tt::mix;
use turnpost_games::Position;

/// A game whose plies are valued one by one.
pub trait Judge: Position {
    /// The chances to win of the side to move after a legal ply: percent less 50, in hundredths. `WON` and its opposite
    /// are for the end of the game. What falls after the ply is not known here.
    fn judge(&self, ply: Self::Move) -> i32;
}

/// One ply over an evaluation. It never makes a cast: a position before the dice has no move.
#[derive(Debug)]
pub struct Judged<P>(PhantomData<P>);

impl<P: Judge> Mind for Judged<P> {
    type Game = P;
    const SLACK: i32 = 300;

    /// Each ply has an error of its own, which the seed decides.
    fn search(position: &P, limits: &Limits, _: &AtomicBool) -> Option<SearchResult<P::Move>> {
        let started = Instant::now();
        let mut best: Option<(i32, i32, P::Move)> = None;
        let mut nodes = 0;
        position.each_move(&mut |ply| {
            nodes += 1;
            let errors = i64::from(2 * limits.noise + 1);
            let error = mix(limits.seed ^ mix(nodes)) as i64 % errors;
            let value = position.judge(ply);
            let rank = value + error as i32;
            if best.is_none_or(|(most, ..)| rank > most) {
                best = Some((rank, value, ply));
            }
        });
        best.map(|(_, value, best_move)| SearchResult {
            best_move,
            value,
            exact: value == WON,
            depth: 1,
            nodes,
            evaluations: nodes,
            tt_hits: 0,
            variation: vec![best_move],
            resigns: false,
            elapsed: started.elapsed(),
        })
    }

    fn result(position: &P) -> i32 {
        won_or_lost(position, WON)
    }

    fn judged(position: &P, ply: P::Move) -> Option<i32> {
        Some(position.judge(ply))
    }

    fn write_value(value: i32) -> String {
        format!("{} % won", (value + WON) / 100)
    }
}
