//! What the robot knows of EinStein: how far the stones have to go, and which of them the die lets move.

use super::judged::Judge;
use super::playouts::WON;
use turnpost_games::einstein::Einstein;
use turnpost_games::rules::{Game, Ply, State};
use turnpost_games::{Position, Seat};

/// The value of the next throw for the side that has it, in steps.
const OF_THE_THROW: f64 = 0.6;

/// How much of the way of the nearest stone counts in addition to that of the stones that the die names.
const OF_THE_NEAREST: f64 = 0.4;

impl Judge for Game<Einstein> {
    fn judge(&self, ply: Ply) -> i32 {
        let (mut after, mover) = (self.clone(), self.to_move());
        after.make(ply);
        if let Some(outcome) = after.outcome() {
            return if outcome.winner == Some(mover) { WON } else { -WON };
        }
        let [own, other] = [mover, mover.other()].map(|side| way(after.state(), side));
        let lead = other - own - OF_THE_THROW;
        (f64::from(WON - 1) * lead / (lead * lead + 1.5).sqrt()) as i32
    }
}

/// The steps that a side has to go: an average over the numbers of the die, and those of its nearest stone.
fn way(state: &State, side: Seat) -> f64 {
    let steps: Vec<Option<f64>> = (0..6)
        .map(|kind| {
            let stone = (state.of(side) & state.of_kind(kind)).iter().next()?;
            let far = |at: u8| f64::from(*side.of(&[4 - at.min(4), at]));
            Some(far(stone.column()).max(far(stone.row())))
        })
        .collect();
    let at = |number: usize| steps.get(number).copied().flatten();
    let nearest = |one: Option<f64>, other: Option<f64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    // If the stone of a number is gone, the next lower or the next higher one moves.
    let named = (0..6).filter_map(|number| {
        let lower = || (0..number).rev().find_map(at);
        at(number).or_else(|| nearest(lower(), (number + 1..6).find_map(at)))
    });
    let least = steps.iter().flatten().copied().fold(4.0, f64::min);
    named.sum::<f64>() / 6.0 + OF_THE_NEAREST * least
}
