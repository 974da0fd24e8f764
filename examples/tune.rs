//! Fits the weights of the robot's estimates for DVONN to the results of games it plays against itself.
//!
//! `cargo run --release --example tune -- [GAMES] [NODES] [SEED]` plays so many games (4000), each from a layout drawn
//! at random and up to twelve plies drawn at random, with so many positions a ply (1500), and prints a table to be put
//! into `src/robot/dvonn/weights.rs`. The same numbers and the same weights in the sources give the same table. A game
//! ends for the fit when its result is exact. The placing has weights of its own, see `tune_placing`.
//!
//! The fit is linear, by least squares: a position's points in the final score against what is seen of it, once
//! weighted by how full the board is and once by how empty. Points beyond 20 count as 20: how high a game is won
//! should not outweigh whether it is.

#![allow(clippy::print_stdout, clippy::indexing_slicing)]

use std::sync::atomic::AtomicBool;

use turnpost::game::dvonn::Dvonn;
use turnpost::game::{Position, Seat};
use turnpost::robot::dvonn::features;
use turnpost::robot::mind::mix;
use turnpost::robot::{Limits, think};

/// Hundredths of a point beyond which a lead is not greater.
const CAP: f64 = 2000.0;

/// Sums of a fit by least squares.
struct Fit {
    /// What is seen, multiplied with itself and with the result.
    products: Vec<Vec<f64>>,
    results: Vec<f64>,
    squares: f64,
    count: u64,
}

impl Fit {
    fn new(size: usize) -> Fit {
        Fit { products: vec![vec![0.0; size]; size], results: vec![0.0; size], squares: 0.0, count: 0 }
    }

    fn add(&mut self, seen: &[f64], result: f64) {
        for (i, a) in seen.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            self.results[i] += a * result;
            for (product, b) in self.products[i].iter_mut().zip(seen) {
                *product += a * b;
            }
        }
        self.squares += result * result;
        self.count += 1;
    }

    /// The weights, by elimination. A little is added to the diagonal, for what is seldom seen.
    fn solve(&self) -> Vec<f64> {
        let size = self.results.len();
        let (mut rows, mut right) = (self.products.clone(), self.results.clone());
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] += 1e-4 * self.count as f64;
        }
        for i in 0..size {
            for j in i + 1..size {
                let factor = rows[j][i] / rows[i][i];
                let above = rows[i].clone();
                for (entry, above) in rows[j].iter_mut().zip(above) {
                    *entry -= factor * above;
                }
                right[j] -= factor * right[i];
            }
        }
        let mut weights = vec![0.0; size];
        for i in (0..size).rev() {
            let known: f64 = (i + 1..size).map(|k| rows[i][k] * weights[k]).sum();
            weights[i] = (right[i] - known) / rows[i][i];
        }
        weights
    }

    /// The share of the results' spread that the weights account for.
    fn explained(&self, weights: &[f64]) -> f64 {
        weights.iter().zip(&self.results).map(|(weight, sum)| weight * sum).sum::<f64>() / self.squares
    }
}

/// A layout, each piece on a space drawn at random, and some plies drawn at random.
fn opening(mut chance: u64) -> Dvonn {
    let mut position = Dvonn::EMPTY;
    for _ in 0..49 + mix(chance) % 13 {
        chance = mix(chance);
        let plies = position.legal_moves();
        match plies.get((chance >> 32) as usize % plies.len().max(1)) {
            Some(ply) => position.make(*ply),
            None => break,
        }
    }
    position
}

fn main() {
    let mut numbers = std::env::args().skip(1).map_while(|argument| argument.parse::<u64>().ok());
    let games = numbers.next().unwrap_or(4000);
    let nodes = numbers.next().unwrap_or(1500);
    let seed = numbers.next().unwrap_or(1);
    let never = AtomicBool::new(false);
    let mut stacking = Fit::new(2 * features::COUNT);
    for game in 0..games {
        let mut position = opening(mix(seed ^ mix(game)));
        let mut seen = Vec::new();
        let mut ply = 0;
        // The lead of white at the end.
        let result = loop {
            let limits = Limits { seed: mix(game ^ ply << 32), noise: 10, ..Limits::nodes(nodes) };
            let Some(thought) = think(&position, &limits, &never) else {
                let [white, black] = position.score();
                break 100.0 * (f64::from(white) - f64::from(black));
            };
            let sign = if position.to_move() == Seat::First { 1.0 } else { -1.0 };
            if thought.exact {
                break sign * f64::from(thought.value);
            }
            if let Some(what) = features::see(position.board(), position.to_move()) {
                seen.push((what, sign));
            }
            position.make(thought.best);
            ply += 1;
        };
        let result = result.clamp(-CAP, CAP);
        for (what, sign) in seen {
            let full = what.stacks as f64 / 49.0;
            let counts = what.counts.map(f64::from);
            let both: Vec<f64> =
                counts.iter().flat_map(|count| [count * full, count * (1.0 - full)]).collect();
            stacking.add(&both, sign * result);
        }
        if (game + 1).is_multiple_of(500) {
            println!("// {} games, {} positions", game + 1, stacking.count);
        }
    }
    let weights = stacking.solve();
    println!("// {:.1} % of the spread explained", 100.0 * stacking.explained(&weights));
    for (pair, name) in weights.chunks(2).zip(features::NAMES) {
        println!("    [{:.0}, {:.0}], // {name}", pair[0], pair[1]);
    }
}
