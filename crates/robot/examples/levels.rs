//! Plays two levels of a game against each other and prints the score of the first with its 95 % bounds.
//!
//! Usage: `cargo run --release -p turnpost-robot --example levels -- GAME LEVEL LEVEL [GAMES] [SCALE] [SEED]`.
//! It plays GAMES games (200), two from each opening with sides changed. The levels search SCALE (1) times their nodes;
//! level 0 plays at random.

#![allow(clippy::print_stdout)]

use std::fmt;

use turnpost_games::Seat;
use turnpost_robot::{Limits, Robot, find, mix};

/// The results of the first player.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    won: u32,
    lost: u32,
    tied: u32,
    /// Half points in each pair of games from the same opening, 0 to 4.
    pairs: Vec<u32>,
}

impl Tally {
    /// The share of the points won, and its 95 % bounds. The bounds count pairs, because the two games of an opening are
    /// not independent.
    fn score(&self) -> [f64; 3] {
        let count = self.pairs.len().max(1) as f64;
        let shares = || self.pairs.iter().map(|half_points| f64::from(*half_points) / 4.0);
        let mean = shares().sum::<f64>() / count;
        let spread = shares().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        let reach = 1.96 * (spread / count).sqrt();
        [mean, mean - reach, mean + reach]
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [score, low, high] = self.score();
        let Tally { won, lost, tied, .. } = self;
        write!(f, "{won} won, {lost} lost, {tied} tied, score {score:.3} ({low:.3} to {high:.3})")
    }
}

fn play_match(robot: &Robot, players: [&Limits; 2], pairs: u32, seed: u64) -> Tally {
    let mut tally = Tally::default();
    for pair in 0..u64::from(pairs) {
        let mut half_points = 0;
        for first in Seat::BOTH {
            let game_seed = mix(seed ^ mix(pair << 1 | first.index() as u64));
            let (count, points) = match robot.play_game(players, first, [seed.wrapping_add(pair), game_seed])
            {
                Some(winner) if winner == first => (&mut tally.won, 2),
                Some(_) => (&mut tally.lost, 0),
                None => (&mut tally.tied, 1),
            };
            *count += 1;
            half_points += points;
        }
        tally.pairs.push(half_points);
    }
    tally
}

fn run(arguments: &[String]) -> Option<Tally> {
    let [game, one, two, rest @ ..] = arguments else { return None };
    let number = |place: usize, default: f64| rest.get(place).map_or(Some(default), |text| text.parse().ok());
    let (games, scale, seed) = (number(0, 200.0)?, number(1, 1.0)?, number(2, 1.0)? as u64);
    let robot = find(game)?;
    let limits = |level: &str| match level.parse().ok()? {
        0 => Some(Limits::nodes(0)),
        level => Some(robot.level(level)?.limits(scale, seed)),
    };
    Some(play_match(robot, [&limits(one)?, &limits(two)?], (games / 2.0).ceil() as u32, seed))
}

fn main() -> Result<(), &'static str> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("{}", run(&arguments).ok_or("GAME LEVEL LEVEL [GAMES] [SCALE] [SEED]")?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_higher_level_wins_and_a_seed_plays_the_same_games_again() {
        let play = || run(&["dvonn", "3", "0", "10", "0.02"].map(str::to_owned));
        let tally = play().unwrap_or_default();
        assert_eq!((tally.won + tally.lost + tally.tied, tally.pairs.len()), (10, 5));
        assert!(tally.score()[0] > 0.5, "{tally}");
        assert_eq!(play(), Some(tally));
    }

    #[test]
    fn bounds_narrow_with_the_games() {
        let [few, many] =
            [4, 40].map(|times| Tally { pairs: [0, 1, 2, 3, 4].repeat(times), ..Tally::default() }.score());
        assert!(few[1] < many[1] && many[1] < 0.5 && 0.5 < many[2] && many[2] < few[2]);
        // A spread of sqrt(1/8) over two hundred pairs.
        assert!((many[2] - 0.5 - 1.96 * (0.125_f64 / 199.0).sqrt()).abs() < 1e-3);
    }
}
