//! Matches of two levels against each other.

use turnpost_games::Seat;
use turnpost_robot::{Limits, Robot, mix};

use crate::tally::Tally;

/// Plays pairs of games, each from an opening of its own with sides changed, and shows the tally after each pair.
pub fn play_match(
    robot: &Robot,
    players: [&Limits; 2],
    pairs: u32,
    seed: u64,
    after: &mut dyn FnMut(&Tally),
) -> Tally {
    let mut tally = Tally::default();
    for pair in 0..u64::from(pairs) {
        let mut half_points = 0;
        for first in Seat::BOTH {
            let game_seed = mix(seed ^ mix(pair << 1 | first.index() as u64));
            let winner = robot.play_game(players, first, [seed.wrapping_add(pair), game_seed]);
            half_points += tally.count(winner, first);
        }
        tally.pairs.push(half_points);
        after(&tally);
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpost_robot::find;

    #[test]
    fn the_stronger_wins_and_a_seed_plays_the_same_games_again() {
        let (strong, weak) = (Limits::nodes(1000), Limits { noise: 300, ..Limits::nodes(50) });
        let play = || play_match(find("dvonn").unwrap(), [&strong, &weak], 20, 1, &mut |_| ());
        let tally = play();
        assert_eq!((tally.games(), &tally), (40, &play()));
        assert!(tally.score().1 > 0.5, "{tally}");
    }
}
