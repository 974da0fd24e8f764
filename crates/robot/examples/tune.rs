//! Fits the weights of DVONN's evaluation to the results of games the robot plays against itself.
//!
//! Usage: `cargo run --release -p turnpost-robot --example tune -- [GAMES] [NODES] [SEED]`. It plays GAMES games (4000)
//! with NODES nodes a ply (2000), from random placements and up to twelve random plies, and prints
//! `src/dvonn/weights.rs`. The same arguments and the same weights in the sources give the same table.
//!
//! Each position of a game is fitted to the game's result. A search mostly meets positions that no game reaches, so for
//! each there is a second sample: the position after a random ply, fitted to the robot's estimate. The fit is linear, by
//! least squares. Patterns of one row, and stacks of one height, share a weight in addition to their own, so that rare
//! ones are estimated from their kind. Leads beyond 20 points count as 20. A tenth of the games checks the fit.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::indexing_slicing, clippy::expect_used)]

use std::sync::atomic::AtomicBool;

use turnpost_games::dvonn::{Dvonn, Move};
use turnpost_games::{Position, Seat};
use turnpost_robot::dvonn::{FEATURES, features};
use turnpost_robot::{Limits, mix, search};

/// Greater leads count as this, in hundredths of a point.
const CAP: i32 = 2000;

/// Regularisation: every weight starts with this many samples whose result is 0.
const DOUBT: f64 = 30.0;

/// Number and length of the rows of the pattern table and of the stack table.
const PATTERNS: (usize, usize) = (20, 28);
const STACKS: (usize, usize) = (10, 16);
const ROWS: usize = PATTERNS.0 + STACKS.0;
const COLUMNS: usize = FEATURES + ROWS;

/// The place of the weight that a whole row shares; `None` for the weight of being to move.
fn shared(place: usize) -> Option<usize> {
    let stacks = PATTERNS.0 * PATTERNS.1;
    match place {
        _ if place < stacks => Some(FEATURES + place / PATTERNS.1),
        _ if place < FEATURES - 1 => Some(FEATURES + PATTERNS.0 + (place - stacks) / STACKS.1),
        _ => None,
    }
}

/// A position as the fit sees it: how often each weight counts, and the lead of the side to move in points.
struct Sample {
    counts: Vec<(usize, f64)>,
    points: f64,
    is_fitted: bool,
}

fn sample(position: &Dvonn, value: i32, is_fitted: bool) -> Sample {
    let mut counts: Vec<(usize, f64)> = Vec::new();
    let mut add = |place: usize, sign: i32| match counts.iter_mut().find(|(at, _)| *at == place) {
        Some((_, count)) => *count += f64::from(sign),
        None => counts.push((place, f64::from(sign))),
    };
    for (place, sign) in features(position) {
        add(place, sign);
        if let Some(row) = shared(place) {
            add(row, sign);
        }
    }
    Sample { counts, points: f64::from(value.clamp(-CAP, CAP)) / 100.0, is_fitted }
}

fn random_ply(position: &Dvonn, random: u64) -> Option<Move> {
    let plies = position.legal_moves();
    plies.get((random >> 32) as usize % plies.len().max(1)).copied()
}

fn opening(mut random: u64) -> Dvonn {
    let mut position = Dvonn::EMPTY;
    for _ in 0..49 + mix(random) % 13 {
        random = mix(random);
        match random_ply(&position, random) {
            Some(ply) => position.make(ply),
            None => break,
        }
    }
    position
}

/// Plays a game. Gives its positions and, for each, the one after a random ply.
fn play(game: u64, nodes: u64, seed: u64) -> Vec<Sample> {
    let never = AtomicBool::new(false);
    let is_fitted = !game.is_multiple_of(10);
    let mut position = opening(mix(seed ^ mix(game)));
    let (mut line, mut samples) = (Vec::new(), Vec::new());
    let white_lead = loop {
        let random = mix(game ^ (line.len() as u64) << 32);
        let limits = Limits { seed: random, noise: 10, ..Limits::nodes(nodes) };
        let Some(found) = search(&position, &limits, &never) else {
            let [white, black] = position.score();
            break 100 * (i32::from(white) - i32::from(black));
        };
        let sign = if position.to_move() == Seat::First { 1 } else { -1 };
        if found.exact {
            break sign * found.value;
        }
        line.push((position, sign));
        let mut other = position;
        other.make(random_ply(&position, mix(random)).unwrap_or(found.best_move));
        if let Some(found) = search(&other, &limits, &never) {
            samples.push(sample(&other, found.value, is_fitted));
        }
        position.make(found.best_move);
    };
    samples.extend(line.iter().map(|(position, sign)| sample(position, sign * white_lead, is_fitted)));
    samples
}

/// Plays the games on all processors. Gives their positions in the order of the games.
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

/// Least squares: the normal equations, solved by Cholesky's decomposition.
fn fit(samples: &[Sample], columns: usize) -> Vec<f64> {
    let (mut matrix, mut right) = (vec![vec![0.0; columns]; columns], vec![0.0; columns]);
    for sample in samples.iter().filter(|sample| sample.is_fitted) {
        for (row, a) in &sample.counts {
            right[*row] += a * sample.points;
            for (column, b) in &sample.counts {
                matrix[*row][*column] += a * b;
            }
        }
    }
    for row in 0..columns {
        matrix[row][row] += DOUBT;
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let rest = matrix[row][column] - known;
            matrix[row][column] = if column == row { rest.sqrt() } else { rest / matrix[column][column] };
        }
        let known: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..columns).rev() {
        let known: f64 = (row + 1..columns).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

/// The share of the results' spread that the weights explain, in the games that were left out of the fit.
fn explained(samples: &[Sample], weights: &[f64]) -> f64 {
    let (mut off, mut all) = (0.0, 0.0);
    for sample in samples.iter().filter(|sample| !sample.is_fitted) {
        let value: f64 = sample.counts.iter().map(|(place, count)| weights[*place] * count).sum();
        off += (sample.points - value).powi(2);
        all += sample.points * sample.points;
    }
    1.0 - off / all
}

fn print_table(weights: &[i64], (rows, length): (usize, usize)) {
    for row in 0..rows {
        let row: Vec<String> =
            weights[row * length..(row + 1) * length].iter().map(ToString::to_string).collect();
        println!("    [{}],", row.join(", "));
    }
    println!("];");
}

fn main() {
    let mut numbers = std::env::args().skip(1).map_while(|argument| argument.parse::<u64>().ok());
    let games = numbers.next().unwrap_or(4000);
    let nodes = numbers.next().unwrap_or(2000);
    let seed = numbers.next().unwrap_or(1);
    let samples = play_all(games, nodes, seed);
    let fitted = fit(&samples, COLUMNS);
    let mut is_seen = vec![false; COLUMNS];
    for (place, _) in samples.iter().flat_map(|sample| &sample.counts) {
        is_seen[*place] = true;
    }
    let weight = |place: usize| match (is_seen[place], shared(place)) {
        (false, _) => 0.0,
        (true, row) => fitted[place] + row.map_or(0.0, |row| fitted[row]),
    };
    let weights: Vec<i64> = (0..FEATURES).map(|place| (100.0 * weight(place)).round() as i64).collect();
    eprintln!(
        "{games} games of {nodes} nodes a ply, seed {seed}: {} positions, {:.1} % of the spread explained",
        samples.len(),
        100.0 * explained(&samples, &fitted)
    );
    let stacks = PATTERNS.0 * PATTERNS.1;
    println!("pub(super) const PATTERNS: [[i16; PATTERN_ROW]; 20] = [");
    print_table(&weights, PATTERNS);
    println!("pub(super) const STACKS: [[i16; 16]; 10] = [");
    print_table(&weights[stacks..], STACKS);
    println!("pub(super) const TEMPO: i32 = {};", weights[FEATURES - 1]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_gives_samples_and_the_fit_finds_the_weights_behind_them() {
        let counted = |sample: &Sample| sample.counts.iter().all(|(place, _)| *place < COLUMNS);
        let samples = play(1, 20, 1);
        assert!(samples.len() > 20 && samples.iter().all(counted));
        let sample = |own: f64, other: f64, is_fitted| {
            let points = 3.0 * own - 2.0 * other;
            Sample { counts: vec![(0, own), (1, other)], points, is_fitted }
        };
        let counts = || (0..4000).map(|k| (f64::from(k % 7), f64::from(k % 5)));
        let made = counts().map(|(own, other)| sample(own, other, own > 0.0)).collect::<Vec<_>>();
        let weights = fit(&made, 2);
        assert!((weights[0] - 3.0).abs() < 0.1 && (weights[1] + 2.0).abs() < 0.1, "{weights:?}");
        assert!(explained(&made, &weights) > 0.99);
    }
}
