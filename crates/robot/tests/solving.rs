//! What the search proves: exact results of endings, by play and by analysis.

use std::collections::HashMap;

use turnpost_games::dvonn::Dvonn;
use turnpost_games::dvonn::setup::{random, symmetrical};
use turnpost_games::{Position, Seat};
use turnpost_robot::{Limits, find};

use crate::rounds;
use crate::search::{NEVER, SMALL, searched, wander};

/// The final lead of the side to move, by full search; `None` if that takes too long.
fn minimax(position: &Dvonn, left: &mut u32) -> Option<i32> {
    *left = left.checked_sub(1)?;
    let plies = position.legal_moves();
    if plies.is_empty() {
        let [white, black] = position.score().map(i32::from);
        return Some(if position.to_move() == Seat::First { white - black } else { black - white });
    }
    let mut best = i32::MIN;
    for ply in plies {
        let mut next = *position;
        next.make(ply);
        best = best.max(-minimax(&next, left)?);
    }
    Some(best)
}

/// Late positions of random games and of games that the robot plays badly, with their exact results.
pub fn late_positions(count: usize) -> Vec<(Dvonn, i32)> {
    let mut found = Vec::new();
    for seed in 0.. {
        let start = if seed % 2 == 0 { random(seed) } else { symmetrical(seed) };
        let positions = if seed % 4 < 2 {
            wander(start, seed)
        } else {
            let mut positions = vec![start];
            let mut position = start;
            let limits = Limits { noise: 500, seed, ..Limits::nodes(60) };
            while let Some(found) = searched(&position, &limits) {
                position.make(found.best_move);
                positions.push(position);
            }
            positions
        };
        for position in positions.into_iter().rev().take(18) {
            if let Some(lead) = minimax(&position, &mut 30_000) {
                found.push((position, lead));
            }
        }
        if found.len() >= count {
            return found;
        }
    }
    found
}

#[test]
pub fn late_positions_are_solved_as_plain_minimax_solves_them() {
    let positions = late_positions(rounds(150, 3_000) as usize);
    let mut passes = 0;
    for (position, lead) in &positions {
        passes += usize::from(position.forced().is_some());
        let Some(found) = searched(position, &SMALL) else {
            assert!(position.outcome().is_some());
            continue;
        };
        assert!(found.exact, "{}", position.write());
        assert_eq!(found.value, 100 * lead, "{}", position.write());
        let mut next = *position;
        next.play(found.best_move).unwrap();
        assert_eq!(minimax(&next, &mut 30_000), Some(-lead), "{}", position.write());
    }
    assert!(passes > positions.len() / 150, "{passes} forced passes among {}", positions.len());
}

/// Minimax with a memory, for more plies than [`minimax`] reaches.
fn remembered(position: &Dvonn, seen: &mut HashMap<Dvonn, i32>) -> Option<i32> {
    if let Some(lead) = seen.get(position) {
        return Some(*lead);
    }
    if seen.len() >= 40_000 {
        return None;
    }
    let plies = position.legal_moves();
    let [white, black] = position.score().map(i32::from);
    let mut best = if position.to_move() == Seat::First { white - black } else { black - white };
    for (place, ply) in plies.into_iter().enumerate() {
        let mut next = *position;
        next.make(ply);
        let lead = -remembered(&next, seen)?;
        best = if place == 0 { lead } else { best.max(lead) };
    }
    seen.insert(*position, best);
    Some(best)
}

#[test]
fn deeper_positions_are_solved_as_minimax_with_a_memory_solves_them() {
    let (games, mut solved, mut deep) = (rounds(6, 90), 0, 0);
    for seed in 0..games {
        // Further and further from the end, until the memory is full.
        for position in wander(random(seed), seed).into_iter().rev().skip(8) {
            let mut seen = HashMap::new();
            let Some(lead) = remembered(&position, &mut seen) else { break };
            for (threads, exact) in [(1, false), (1, true), (2, false), (2, true)] {
                let found = searched(&position, &Limits { threads, exact, ..SMALL }).unwrap();
                assert_eq!((found.exact, found.value), (true, 100 * lead), "{}", position.write());
                let mut next = position;
                next.make(found.best_move);
                assert_eq!(remembered(&next, &mut seen), Some(-lead), "{}", position.write());
            }
            solved += 1;
            deep += u64::from(seen.len() > 5_000);
        }
    }
    assert!(9 * solved > 7 * games && 9 * deep > 4 * games, "{deep} deep of {solved}");
}

#[test]
fn a_limited_search_is_right_when_it_says_exact() {
    // A limited search says "exact" only of what a full search says too.
    let (count, mut exact) = (rounds(100, 1_500) as usize, 0);
    for (position, lead) in late_positions(count) {
        for nodes in [20, 100, 500] {
            if let Some(found) = searched(&position, &Limits::nodes(nodes))
                && found.exact
            {
                exact += 1;
                assert_eq!(found.value, 100 * lead, "{}", position.write());
            }
        }
    }
    assert!(exact > count, "{exact}");
}

#[test]
fn analysis_solves_more_than_play_with_the_same_positions() {
    let robot = find("dvonn").unwrap();
    let limits = Limits::nodes(30_000);
    let (mut analysed, mut played) = (0, 0);
    for seed in 0..4 {
        let game = wander(random(seed), seed);
        let tail: Vec<Dvonn> =
            game.into_iter().skip_while(|position| position.board().occupied().count_ones() > 24).collect();
        let leads = |from: &Dvonn, to: &Dvonn| {
            let mut plies = from.legal_moves().into_iter();
            let ply = plies.find(|ply| {
                let mut next = *from;
                next.make(*ply);
                next == *to
            });
            from.write_move(ply.unwrap())
        };
        let plies: Vec<String> = tail.iter().zip(tail.iter().skip(1)).map(|(a, b)| leads(a, b)).collect();
        let analysis = robot.analyse(&tail[0].write(), &plies, &limits, &NEVER).unwrap().unwrap();
        analysed += analysis.plies.iter().filter(|review| review.after.exact).count();
        let over = |position: &Dvonn| position.outcome().is_some();
        let solved = |position: &&Dvonn| over(position) || searched(*position, &limits).unwrap().exact;
        played += tail.iter().skip(1).filter(solved).count();
    }
    assert!(analysed > played, "{analysed} solved by analysis, {played} in play");
}
