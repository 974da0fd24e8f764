//! Finds the weights of DVONN's placement in games of the robot against itself.
//!
//! `cargo run --release -p turnpost-robot --example tune_placement -- [ROUNDS] [PAIRS] [NODES] [SEED]` goes so many rounds (6) of so many
//! pairs of games (8000), played with so many positions a ply (2000), and prints a table to be put into
//! `src/dvonn/placement.rs`. The same numbers give the same table.
//!
//! In each pair two sets of weights, drawn about the present ones, place against each other from the same chance with
//! sides changed, and the robot plays the layouts out. What the drawn weights have in common with the points won says in
//! which direction each is to be moved. Fitting the results to what is seen of layouts instead does not do: that a
//! thing goes with winning does not say that striving for it wins.

#![allow(clippy::print_stdout, clippy::indexing_slicing, clippy::unwrap_used)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use turnpost_games::dvonn::{Dvonn, Move, Phase};
use turnpost_games::{Position, Seat};
use turnpost_robot::dvonn::placement::{COUNT, NAMES, evaluate, features};
use turnpost_robot::{Limits, mix, search};

/// Where it begins: what rounds from guesses came to, rounded.
const START: [f64; COUNT] = [60.0, -50.0, -30.0, -30.0, 20.0, -20.0, -20.0, 40.0, 40.0, 40.0, 5.0];

/// How far weights are drawn from the present ones: by this part, and by this much at the least.
const REACH: (f64, f64) = (0.5, 6.0);

/// How far they are moved, in reaches for each point a reach wins, and at the most: with more than that they go back and
/// forth.
const STEP: (f64, f64) = (1.0, 0.4);

/// What all weights come to: only how they stand to each other decides where a piece is placed.
const SUM: f64 = 400.0;

/// Hundredths of a point beyond which a lead is not greater.
const CAP: f64 = 2000.0;

type Weights = [f64; COUNT];

struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = mix(self.0);
        self.0 >> 32
    }

    /// About normally spread, with mean 0 and deviation 1: the sum of twelve even ones.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next() as f64 / (1_u64 << 32) as f64).sum::<f64>() - 6.0
    }
}

/// The best space for the piece that is next, looking no further; of equal ones any.
fn place(position: &Dvonn, weights: &Weights, rng: &mut Chance) -> Move {
    let plies = position.legal_moves();
    let begin = rng.next() as usize % plies.len();
    if position.placed() == 0 {
        return plies[begin];
    }
    let value = |ply: &Move| {
        let mut next = *position;
        next.make(*ply);
        if next.placed() <= 3 {
            return -f64::from(evaluate(&next));
        }
        let seen = features(next.board(), position.to_move());
        seen.iter().zip(weights).map(|(count, weight)| f64::from(*count) * weight).sum()
    };
    let mut best = (f64::MIN, plies[begin]);
    for ply in plies.iter().cycle().skip(begin).take(plies.len()) {
        let value = value(ply);
        best = if value > best.0 { (value, *ply) } else { best };
    }
    best.1
}

fn layout(placers: [&Weights; 2], rng: &mut Chance) -> Dvonn {
    let mut position = Dvonn::EMPTY;
    while position.phase() == Phase::Placement {
        position.make(place(&position, placers[position.to_move().index()], rng));
    }
    position
}

/// White's lead in hundredths of a point when the robot plays both sides.
fn play_out(mut position: Dvonn, nodes: u64, seed: u64) -> f64 {
    let lead = (0..).find_map(|ply| {
        let limits = Limits { seed: mix(seed ^ ply << 32), noise: 10, ..Limits::nodes(nodes) };
        match search(&position, &limits, &AtomicBool::new(false)) {
            None => {
                let [white, black] = position.score();
                Some(100.0 * (f64::from(white) - f64::from(black)))
            }
            Some(found) if found.exact => {
                let sign = if position.to_move() == Seat::First { 1.0 } else { -1.0 };
                Some(sign * f64::from(found.value))
            }
            Some(found) => {
                position.make(found.best_move);
                None
            }
        }
    });
    lead.unwrap_or_default().clamp(-CAP, CAP)
}

/// What came of a pair of games.
struct Pair {
    /// How far apart the drawn weights were, in reaches.
    apart: Weights,
    /// The points by which the first won, of a game.
    lead: f64,
    /// White's lead in each game, and what the present weights say of its layout.
    judged: [(f64, f64); 2],
}

fn pair(weights: &Weights, nodes: u64, seed: u64) -> Pair {
    let mut rng = Chance(seed);
    let drawn: [Weights; 2] = std::array::from_fn(|_| std::array::from_fn(|_| rng.normal()));
    let [one, two] = drawn.map(|drawn| std::array::from_fn(|k| weights[k] + drawn[k] * reach(weights[k])));
    let mut lead = 0.0;
    let judged = [false, true].map(|swapped| {
        let placers = if swapped { [&two, &one] } else { [&one, &two] };
        let position = layout(placers, &mut rng);
        let white = play_out(position, nodes, seed);
        lead += if swapped { -white } else { white };
        let seen = features(position.board(), Seat::First);
        (white, seen.iter().zip(weights).map(|(count, weight)| f64::from(*count) * weight).sum())
    });
    Pair { apart: std::array::from_fn(|k| drawn[0][k] - drawn[1][k]), lead: lead / 200.0, judged }
}

fn reach(weight: f64) -> f64 {
    (REACH.0 * weight.abs()).max(REACH.1)
}

/// All pairs of a round, in their order: the same sums on any number of threads.
fn pairs(weights: &Weights, count: u64, nodes: u64, seed: u64) -> Vec<Pair> {
    let (next, found) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Relaxed);
                    if place >= count {
                        break;
                    }
                    let pair = pair(weights, nodes, mix(seed ^ mix(place)));
                    found.lock().unwrap().push((place, pair));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, pair)| pair).collect()
}

fn main() {
    let mut numbers = std::env::args().skip(1).map_while(|argument| argument.parse::<u64>().ok());
    let rounds = numbers.next().unwrap_or(6);
    let count = numbers.next().unwrap_or(8000);
    let nodes = numbers.next().unwrap_or(2000);
    let seed = numbers.next().unwrap_or(1);
    let mut weights = START;
    for round in 0..rounds {
        let pairs = pairs(&weights, count, nodes, mix(seed ^ mix(round)));
        let mut wins = [0.0; COUNT];
        for (k, wins) in wins.iter_mut().enumerate() {
            let products: f64 = pairs.iter().map(|pair| pair.apart[k] * pair.lead).sum();
            let squares: f64 = pairs.iter().map(|pair| pair.apart[k].powi(2)).sum();
            *wins = products / squares;
        }
        // How many hundredths of a point the unit of the weights is worth.
        let judged = || pairs.iter().flat_map(|pair| pair.judged);
        let unit = judged().map(|(lead, value)| lead * value).sum::<f64>()
            / judged().map(|(_, value)| value * value).sum::<f64>();
        println!("// round {}, of {count} pairs; the unit of the weights was worth {unit:.3}", round + 1);
        println!("// points won by a reach of each: {wins:.2?}");
        for (weight, wins) in weights.iter_mut().zip(wins) {
            *weight += (STEP.0 * wins).clamp(-STEP.1, STEP.1) * reach(*weight);
        }
        let sum: f64 = weights.iter().map(|weight| weight.abs()).sum();
        weights = weights.map(|weight| weight * SUM / sum);
        for (weight, name) in weights.iter().zip(NAMES) {
            println!("    {weight:.0}, // {name}");
        }
    }
}
