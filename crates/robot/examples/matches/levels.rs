//! Matches of two levels against each other.

use std::sync::atomic::AtomicBool;

use turnpost_games::Seat;
use turnpost_robot::{Evaluator, Limits, mix, search};

use crate::tally::Tally;

/// Plays pairs of games, each from an opening of its own with sides changed, and shows the tally after each pair.
pub fn play_match<P: Evaluator>(
    players: [&Limits; 2],
    pairs: u32,
    seed: u64,
    after: &mut dyn FnMut(&Tally),
) -> Tally {
    let mut tally = Tally::default();
    for pair in 0..u64::from(pairs) {
        let opening = P::opening(seed.wrapping_add(pair));
        let mut half_points = 0;
        for first in Seat::BOTH {
            let game_seed = mix(seed ^ mix(pair << 1 | first.index() as u64));
            half_points += tally.count(play_game(&opening, players, first, game_seed), first);
        }
        tally.pairs.push(half_points);
        after(&tally);
    }
    tally
}

/// One game; `first` is the seat of the first player. Who won it, if anybody did.
fn play_game<P: Evaluator>(opening: &P, players: [&Limits; 2], first: Seat, seed: u64) -> Option<Seat> {
    let mut position = opening.clone();
    let mut ply = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome.winner;
        }
        let [one, two] = players;
        let mut limits = if position.to_move() == first { one.clone() } else { two.clone() };
        limits.seed = mix(seed ^ ply);
        let result = search(&position, &limits, &AtomicBool::new(false))?;
        position.make(result.best_move);
        ply += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpost_games::dvonn::Dvonn;

    #[test]
    fn the_stronger_wins_and_a_seed_plays_the_same_games_again() {
        let (strong, weak) = (Limits::nodes(1000), Limits { noise: 300, ..Limits::nodes(50) });
        let play = || play_match::<Dvonn>([&strong, &weak], 20, 1, &mut |_| ());
        let tally = play();
        assert_eq!((tally.games(), &tally), (40, &play()));
        assert!(tally.score().1 > 0.5, "{tally}");
    }
}
