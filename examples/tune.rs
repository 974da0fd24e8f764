//! Fits the weights of the robot's estimates for DVONN to the results of games it plays against itself.
//!
//! `cargo run --release --example tune -- [GAMES] [NODES] [SEED]` plays so many games (4000), each from a layout drawn
//! at random and up to twelve plies drawn at random, with so many positions a ply (2000), and prints a table to be put
//! into `src/robot/dvonn/weights.txt`. The same numbers and the same weights in the sources give the same table, on any
//! number of processors. A game ends for the fit when its result is exact. The placing has weights of its own, see
//! `tune_placing`.
//!
//! A position of a game counts with the game's result. A search mostly meets what no game comes to, so with each of
//! them one goes in that a ply drawn at random makes of it, and counts with what the robot thinks it is worth.
//!
//! The fit is linear, by least squares and conjugate gradients: a position's points against what is seen of it, once
//! weighted by how full the board is and once by how empty. Rings with the same middle, and stacks of the same height,
//! have a weight in common beside their own, so that what was seldom seen counts like the rest of its kind. Points
//! beyond 20 count as 20: how high a game is won should not outweigh whether it is. A tenth of the games is left out to
//! see how much of the spread the weights account for.

#![allow(clippy::print_stdout, clippy::indexing_slicing, clippy::expect_used)]

use std::sync::atomic::AtomicBool;

use turnpost_games::dvonn::{Dvonn, Move};
use turnpost_games::{Position, Seat};
use turnpost_robot::dvonn::estimate::stacks;
use turnpost_robot::dvonn::ring::{Middle, Ring};
use turnpost_robot::dvonn::rings::Rings;
use turnpost_robot::dvonn::stack::Stack;
use turnpost_robot::dvonn::weights::{Row, Seen};
use turnpost_robot::mind::mix;
use turnpost_robot::{Limits, think};

/// Hundredths of a point beyond which a lead is not greater.
const CAP: i32 = 2000;

/// Against what is seldom seen: so many times unseen with no result.
const DOUBT: f64 = 30.0;

/// Steps of the fit.
const STEPS: usize = 80;

/// Places of weights: of each ring, of each stack, of the turn, and those in common.
const STACKS: usize = Ring::COUNT;
const TURN: usize = STACKS + Stack::COUNT;
const COMMON_RINGS: usize = TURN + 1;
const COMMON_STACKS: usize = COMMON_RINGS + 32;
const COMMON_TURN: usize = COMMON_STACKS + 32;
const PLACES: usize = COMMON_TURN + 1;

fn place(seen: Seen) -> usize {
    match seen {
        Seen::Ring(ring) => usize::from(ring.index()),
        Seen::Stack(stack) => STACKS + stack.index(),
        Seen::Turn => TURN,
    }
}

/// The place of the weight it has in common with its kind.
fn common(seen: Seen) -> usize {
    match seen {
        Seen::Ring(ring) => COMMON_RINGS + ring.middle() as usize * 4 + usize::from(ring.far()),
        Seen::Stack(stack) => {
            let (theirs, height, ..) = stack.parts();
            COMMON_STACKS + usize::from(theirs) * 16 + usize::from(height)
        }
        Seen::Turn => COMMON_TURN,
    }
}

/// A position as the fit sees it.
struct Sample {
    seen: Vec<u16>,
    /// How full the board is, 0 to 1.
    full: f32,
    /// Points of the side to move.
    points: f32,
    /// Whether the weights are fitted to it.
    fitted: bool,
}

/// What is seen of a position, with white for the side to move.
fn see(position: &Dvonn) -> Vec<Seen> {
    let (board, white) = (position.board(), position.to_move() == Seat::First);
    let rings = Rings::of(board);
    let rings = rings.all().map(|ring| Seen::Ring(if white { ring } else { ring.swapped() }));
    let stacks = stacks(board).into_iter();
    let stacks = stacks.map(|stack| Seen::Stack(if white { stack } else { stack.swapped() }));
    rings.chain(stacks).chain([Seen::Turn]).collect()
}

fn sample(position: &Dvonn, value: i32, fitted: bool) -> Sample {
    let seen = see(position).into_iter().map(|seen| place(seen) as u16).collect();
    let full = position.board().occupied().count_ones() as f32 / 49.0;
    Sample { seen, full, points: value.clamp(-CAP, CAP) as f32 / 100.0, fitted }
}

/// A layout, each piece on a space drawn at random, and some plies drawn at random.
fn opening(mut rng: u64) -> Dvonn {
    let mut position = Dvonn::EMPTY;
    for _ in 0..49 + mix(rng) % 13 {
        rng = mix(rng);
        match drawn(&position, rng) {
            Some(ply) => position.make(ply),
            None => break,
        }
    }
    position
}

/// A ply drawn at random.
fn drawn(position: &Dvonn, rng: u64) -> Option<Move> {
    let plies = position.legal_moves();
    plies.get((rng >> 32) as usize % plies.len().max(1)).copied()
}

/// Plays a game, and gives its positions and those beside them.
fn play(game: u64, nodes: u64, seed: u64) -> Vec<Sample> {
    let never = AtomicBool::new(false);
    let fitted = !game.is_multiple_of(10);
    let mut position = opening(mix(seed ^ mix(game)));
    let (mut line, mut samples) = (Vec::new(), Vec::new());
    // The lead of white at the end.
    let result = loop {
        let rng = mix(game ^ (line.len() as u64) << 32);
        let limits = Limits { seed: rng, noise: 10, ..Limits::nodes(nodes) };
        let Some(thought) = think(&position, &limits, &never) else {
            let [white, black] = position.score();
            break 100 * (i32::from(white) - i32::from(black));
        };
        let sign = if position.to_move() == Seat::First { 1 } else { -1 };
        if thought.exact {
            break sign * thought.value;
        }
        line.push((position, sign));
        let mut other = position;
        other.make(drawn(&position, mix(rng)).unwrap_or(thought.best));
        if let Some(thought) = think(&other, &limits, &never) {
            samples.push(sample(&other, thought.value, fitted));
        }
        position.make(thought.best);
    };
    samples.extend(line.iter().map(|(position, sign)| sample(position, sign * result, fitted)));
    samples
}

/// Plays the games, as many at a time as there are processors, and gives their positions in the games' order.
fn play_all(games: u64, nodes: u64, seed: u64) -> Vec<Sample> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let share = |thread: u64| games * thread / threads;
    std::thread::scope(|scope| {
        let play = |from: u64, to: u64| (from..to).flat_map(|game| play(game, nodes, seed)).collect();
        let workers: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || -> Vec<Sample> { play(share(thread), share(thread + 1)) }))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a game went wrong")).collect()
    })
}

/// The fit by least squares: weights on a full board and on an empty one.
struct Fit<'s> {
    samples: &'s [Sample],
    common: Vec<usize>,
}

impl Fit<'_> {
    /// What the weights make of a position.
    fn worth(&self, weights: &[[f64; 2]], sample: &Sample) -> f64 {
        let mut sums = [0.0; 2];
        for place in &sample.seen {
            let place = usize::from(*place);
            for [full, empty] in [weights[place], weights[self.common[place]]] {
                sums = [sums[0] + full, sums[1] + empty];
            }
        }
        let full = f64::from(sample.full);
        full * sums[0] + (1.0 - full) * sums[1]
    }

    /// Adds `full` and `empty` for everything that is seen of a position.
    fn spread(&self, sums: &mut [[f64; 2]], sample: &Sample, full: f64, empty: f64) {
        for place in &sample.seen {
            let place = usize::from(*place);
            for place in [place, self.common[place]] {
                sums[place][0] += full;
                sums[place][1] += empty;
            }
        }
    }

    fn solve(&self) -> Vec<[f64; 2]> {
        let zero = vec![[0.0; 2]; PLACES];
        let (mut scale, mut left) = (vec![[DOUBT; 2]; PLACES], zero.clone());
        for sample in self.samples.iter().filter(|sample| sample.fitted) {
            let (full, points) = (f64::from(sample.full), f64::from(sample.points));
            self.spread(&mut scale, sample, full * full, (1.0 - full) * (1.0 - full));
            self.spread(&mut left, sample, points * full, points * (1.0 - full));
        }
        let each = |a: &[[f64; 2]], b: &[[f64; 2]], of: &dyn Fn(f64, f64) -> f64| -> Vec<[f64; 2]> {
            a.iter().zip(b).map(|(a, b)| [of(a[0], b[0]), of(a[1], b[1])]).collect()
        };
        let product = |a: &[[f64; 2]], b: &[[f64; 2]]| -> f64 {
            a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum()
        };
        let mut weights = zero.clone();
        let mut scaled = each(&left, &scale, &|a, b| a / b);
        let mut way = scaled.clone();
        let mut rest = product(&left, &scaled);
        for _ in 0..STEPS {
            let mut image = each(&way, &way, &|a, _| DOUBT * a);
            for sample in self.samples.iter().filter(|sample| sample.fitted) {
                let (worth, full) = (self.worth(&way, sample), f64::from(sample.full));
                self.spread(&mut image, sample, worth * full, worth * (1.0 - full));
            }
            let step = rest / product(&way, &image);
            weights = each(&weights, &way, &|a, b| a + step * b);
            left = each(&left, &image, &|a, b| a - step * b);
            scaled = each(&left, &scale, &|a, b| a / b);
            let next = product(&left, &scaled);
            way = each(&scaled, &way, &|a, b| a + next / rest * b);
            rest = next;
        }
        weights
    }

    /// The share of the results' spread that the weights account for, in the games that were left out.
    fn explained(&self, weights: &[[f64; 2]]) -> f64 {
        let (mut off, mut all) = (0.0, 0.0);
        for sample in self.samples.iter().filter(|sample| !sample.fitted) {
            let points = f64::from(sample.points);
            off += (points - self.worth(weights, sample)).powi(2);
            all += points * points;
        }
        1.0 - off / all
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).map_while(|argument| argument.parse::<u64>().ok());
    let games = numbers.next().unwrap_or(4000);
    let nodes = numbers.next().unwrap_or(2000);
    let seed = numbers.next().unwrap_or(1);
    let samples = play_all(games, nodes, seed);
    let all: Vec<Seen> =
        every_ring().map(Seen::Ring).chain(every_stack().map(Seen::Stack)).chain([Seen::Turn]).collect();
    let mut fit = Fit { samples: &samples, common: vec![0; PLACES] };
    for seen in &all {
        fit.common[place(*seen)] = common(*seen);
    }
    let weights = fit.solve();
    println!("# {games} games of {nodes} positions a ply, seed {seed}: {} positions", samples.len());
    println!("# {:.1} % of the spread explained", 100.0 * fit.explained(&weights));
    for seen in all {
        let (own, common) = (weights[place(seen)], weights[fit.common[place(seen)]]);
        let hundredths = |k: usize| (100.0 * (own[k] + common[k])).round() as i16;
        let row = Row { seen, weights: [hundredths(0), hundredths(1)] };
        if row.weights != [0, 0] {
            println!("{row}");
        }
    }
}

/// All rings with something in the middle.
fn every_ring() -> impl Iterator<Item = Ring> {
    let beside = |dvonn: u16| {
        (0..7 - dvonn).flat_map(move |own| (0..7 - dvonn - own).map(move |other| [own, other, dvonn]))
    };
    Middle::ALL.into_iter().filter(|middle| *middle != Middle::Empty).flat_map(move |middle| {
        (0..4).flat_map(move |far| (0..4).flat_map(beside).map(move |beside| Ring::new(middle, far, beside)))
    })
}

fn every_stack() -> impl Iterator<Item = Stack> {
    let what = [[false, false], [true, false], [false, true], [true, true]];
    [false, true].into_iter().flat_map(move |theirs| {
        (2..12).flat_map(move |height| {
            (0..4).flat_map(move |reached| {
                what.map(|[enemy, prize]| Stack::new(theirs, height, reached, enemy, prize))
            })
        })
    })
}
