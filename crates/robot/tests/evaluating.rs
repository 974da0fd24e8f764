//! What the search rests on: estimates that are carried along from ply to ply, fair to both sides, and hashes.

use std::collections::HashMap;

use turnpost_games::Position;
use turnpost_games::dvonn::{Dvonn, Phase};
use turnpost_games::hexmeister::{Hexmeister, Rules};
use turnpost_robot::limits::rating_of_level;
use turnpost_robot::{Evaluator, ROBOTS, Score};

use crate::search::wander;

fn score<P: Evaluator>(position: &P) -> Score {
    position.evaluate(&position.accumulator())
}

/// An accumulator updated by a ply equals one computed anew after it.
fn carried_along<P: Evaluator>(start: P, seed: u64) {
    let (mut position, mut chance) = (start, seed);
    let mut accumulator = position.accumulator();
    loop {
        let plies = position.legal_moves();
        chance = turnpost_robot::mix(chance);
        let Some(ply) = plies.get((chance >> 32) as usize % plies.len().max(1)) else { return };
        position.make_with(&mut accumulator, *ply);
        assert_eq!(position.hash_with(&accumulator), position.hash(), "{}", position.write());
        assert_eq!(position.evaluate(&accumulator), score(&position), "{}", position.write());
    }
}

#[test]
fn what_is_carried_along_is_what_is_computed_anew() {
    for seed in 0..60 {
        carried_along(Dvonn::EMPTY, seed);
    }
    carried_along(Hexmeister::start(Rules::default()), 1);
}

#[test]
fn different_positions_have_different_hashes() {
    let mut positions = HashMap::new();
    for position in (0..60).flat_map(|seed| wander(Dvonn::EMPTY, seed)) {
        let known = *positions.entry(position.hash()).or_insert(position);
        assert_eq!(known, position, "{}", position.write());
    }
}

/// Every stacking position of some random games.
fn stacking() -> impl Iterator<Item = Dvonn> {
    let positions = (0..40).flat_map(|seed| wander(Dvonn::EMPTY, seed));
    positions.filter(|position| position.phase() == Phase::Stacking)
}

/// The same with the colours and the side to move swapped, turned by half.
fn mirror(position: &Dvonn) -> Dvonn {
    let text = position.write();
    let (rows, mover) = text.split_once(' ').unwrap();
    let turned = |row: &str| row.split(',').rev().collect::<Vec<_>>().join(",");
    let rows: Vec<String> = rows.split('/').rev().map(turned).collect();
    let swap = |letter: char| match letter {
        'w' => 'b',
        'b' => 'w',
        'W' => 'B',
        'B' => 'W',
        other => other,
    };
    let text = format!("{} {mover}", rows.join("/"));
    Dvonn::read(&text.chars().map(swap).collect::<String>()).unwrap()
}

#[test]
fn both_sides_are_evaluated_alike_and_exactly_when_nobody_can_move() {
    for position in stacking() {
        assert_eq!(score(&mirror(&position)), score(&position), "{}", position.write());
        assert_eq!(score(&position).exact, position.outcome().is_some(), "{}", position.write());
    }
}

#[test]
fn a_rated_level_is_better_than_the_one_below() {
    for robot in ROBOTS {
        let levels = 1..=robot.levels.len() as u8;
        let ratings: Vec<_> = levels.map(|level| rating_of_level(robot.game, level)).collect();
        let is_rated = ratings[0].is_some();
        assert_eq!(
            ratings.iter().flatten().count(),
            if is_rated { ratings.len() } else { 0 },
            "{}",
            robot.game
        );
        assert!(
            ratings.iter().flatten().is_sorted_by(|lower, upper| lower.0 < upper.0),
            "{}: {ratings:?}",
            robot.game
        );
        assert_eq!(is_rated, robot.game == "chess");
    }
}
