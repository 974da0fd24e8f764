//! The robot's search: it plays legal moves, repeats itself, and stops at its limits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use turnpost_games::Position;
use turnpost_games::dvonn::setup::{random, symmetrical};
use turnpost_games::dvonn::{Dvonn, Move, Phase};
use turnpost_games::hexmeister::{Hexmeister, Rules};
use turnpost_robot::{Evaluator, Limits, SearchResult, find, mix, search};

use crate::rounds;
use crate::solving::late_positions;

pub static NEVER: AtomicBool = AtomicBool::new(false);

/// No limit but the end of the game, and a small table.
pub const SMALL: Limits = Limits {
    nodes: None,
    time: None,
    depth: None,
    threads: 1,
    memory: 1 << 18,
    seed: 0,
    noise: 0,
    exact: false,
};

pub fn searched<P: Evaluator>(position: &P, limits: &Limits) -> Option<SearchResult<P::Move>> {
    search(position, limits, &NEVER)
}

/// The positions of a game of random plies.
pub fn wander<P: Position>(mut position: P, mut chance: u64) -> Vec<P> {
    let mut positions = vec![position.clone()];
    loop {
        let plies = position.legal_moves();
        if plies.is_empty() {
            return positions;
        }
        chance = mix(chance);
        position.make(plies[(chance >> 32) as usize % plies.len()]);
        positions.push(position.clone());
    }
}

/// Every ply has its own code, and the code gives the ply.
fn told_by_codes<P: Evaluator<Move: PartialEq + std::fmt::Debug>>(position: &P) {
    let mut codes = HashMap::new();
    for ply in position.legal_moves() {
        assert_eq!(P::decode(P::encode(ply)), Some(ply));
        assert_eq!(codes.insert(P::encode(ply), ply), None, "{}", position.write());
    }
}

#[test]
fn a_code_tells_its_ply() {
    for seed in 0..rounds(4, 20) {
        wander(Dvonn::EMPTY, seed).iter().for_each(told_by_codes);
        let rules = Rules { straight: false, bonusdrop: seed % 2 == 0 };
        wander(Hexmeister::start(rules), seed).iter().step_by(5).for_each(told_by_codes);
    }
}

#[test]
fn a_ply_is_surely_legal_exactly_if_it_is_listed() {
    let (games, mut allowed, mut refused) = (rounds(4, 20), 0, 0);
    for seed in 0..games {
        for position in wander(Dvonn::EMPTY, seed) {
            let legal = position.legal_moves();
            for ply in (0..u16::MAX).step_by(3).filter_map(Dvonn::decode) {
                // Placing and passing always need the list.
                let listed = legal.contains(&ply) && matches!(ply, Move::Stack(..));
                assert_eq!(position.is_surely_legal(ply), listed, "{ply:?} {}", position.write());
                allowed += u64::from(listed);
                refused += u64::from(!listed);
            }
        }
    }
    assert!(allowed > 250 * games && refused > 5_000 * games, "{allowed} {refused}");
}

fn legal<P: Evaluator>(position: &P, limits: &Limits) -> bool {
    let Some(found) = searched(position, limits) else {
        assert!(position.outcome().is_some(), "{}", position.write());
        return false;
    };
    assert_eq!(found.variation.first(), Some(&found.best_move));
    let mut after = position.clone();
    for ply in &found.variation {
        assert!(after.play(*ply).is_ok(), "{} in {}", position.write_move(*ply), position.write());
    }
    true
}

#[test]
fn every_answer_is_legal() {
    let (games, mut answered, mut placing, mut passes) = (rounds(9, 60), 0, 0, 0);
    for seed in 0..games {
        let start = if seed % 3 == 0 { Dvonn::EMPTY } else { random(seed) };
        for (ply, position) in wander(start, seed).into_iter().enumerate() {
            let nodes = [1, 10, 100, 1000][(seed as usize + ply) % 4];
            answered += u64::from(legal(&position, &Limits { noise: 50, seed, ..Limits::nodes(nodes) }));
            placing += u64::from(position.phase() == Phase::Placement);
            passes += u64::from(position.forced().is_some());
        }
    }
    assert!(
        answered > 40 * games && placing > 15 * games && passes > games / 2,
        "{answered} {placing} {passes}"
    );
    let mut answered = 0;
    for seed in 0..3 {
        let rules = Rules { straight: seed % 2 == 1, bonusdrop: seed == 2 };
        for position in wander(Hexmeister::start(rules), seed).into_iter().step_by(7) {
            answered += u32::from(legal(&position, &Limits { seed, ..Limits::nodes(200) }));
        }
    }
    assert!(answered > 30, "{answered}");
}

#[test]
fn the_same_nodes_and_seed_give_the_same_answer() {
    for seed in 0..rounds(2, 12) {
        for position in wander(random(seed), seed).into_iter().step_by(9) {
            let limits = Limits { noise: 100, seed, ..Limits::nodes(2000) };
            let answers = [1, 2].map(|threads| {
                searched(&position, &Limits { threads, ..limits.clone() })
                    .map(|t| (t.best_move, t.value, t.exact, t.depth, t.nodes, t.variation))
            });
            assert_eq!(answers[0], answers[1]);
        }
    }
}

#[test]
fn the_same_move_is_found_on_any_machine() {
    let start = Hexmeister::start(Rules::default()).write();
    let found = [
        ("dvonn", random(7).write(), 20_000),
        ("dvonn", symmetrical(8).write(), 200_000),
        ("dvonn", Dvonn::EMPTY.write(), 2_000),
        ("dvonn", wander(random(5), 5)[20].write(), 30_000),
        ("hexmeister", start, 5_000),
    ]
    .map(|(game, position, nodes)| {
        let choice = find(game).unwrap().choose_move(&position, &Limits::nodes(nodes), &NEVER);
        let choice = choice.unwrap().unwrap();
        (choice.best_move, choice.value, choice.nodes)
    });
    let expected = [
        ("D5-C5", -33, 20_001),
        ("K3-J2", 181, 200_001),
        ("F3", -8, 55),
        ("E3-G5", 1627, 30_001),
        ("a1", 5, 5_001),
    ];
    assert_eq!(found, expected.map(|(best_move, value, nodes)| (best_move.to_owned(), value, nodes)));
}

#[test]
fn zobrist_hashes_are_the_same_on_any_machine() {
    let start = Hexmeister::start(Rules::default());
    let hashes = [
        Dvonn::EMPTY.hash(),
        random(7).hash(),
        wander(random(7), 7)[20].hash(),
        start.hash(),
        wander(start, 7)[10].hash(),
    ];
    let expected = [
        0,
        12_394_407_200_898_316_279,
        13_192_309_906_491_467_058,
        4_889_787_788_937_432_036,
        11_439_522_796_090_622_997,
    ];
    assert_eq!(hashes, expected);
}

#[test]
fn nodes_are_a_bound() {
    for nodes in [500, 5_000, 50_000] {
        let found = searched(&random(3), &Limits::nodes(nodes)).unwrap();
        // The search finishes the plies of the leaves that it has begun.
        assert!(found.nodes <= nodes + 500, "{} of {nodes}", found.nodes);
    }
    let found = searched(&random(3), &Limits::nodes(1)).unwrap();
    assert_eq!(found.depth, 1, "the first look is finished");
}

#[test]
fn it_can_be_cancelled_at_once() {
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let found = search(&random(1), &limits, &AtomicBool::new(true)).unwrap();
    assert!(random(1).check(found.best_move).is_ok());
    assert!(found.nodes < 1000, "{}", found.nodes);

    for threads in [1, 2] {
        let cancel = AtomicBool::new(false);
        let limits = Limits { threads, ..limits.clone() };
        let found = std::thread::scope(|scope| {
            let searching = scope.spawn(|| search(&random(1), &limits, &cancel));
            std::thread::sleep(Duration::from_millis(100));
            cancel.store(true, Relaxed);
            searching.join().unwrap().unwrap()
        });
        assert!(random(1).check(found.best_move).is_ok() && !found.exact);
    }
}

#[test]
fn time_is_a_bound_for_all_threads() {
    for threads in [1, 3] {
        let limits = Limits { threads, memory: 1 << 20, ..Limits::time(Duration::from_millis(200)) };
        let found = searched(&random(2), &limits).unwrap();
        assert!(random(2).check(found.best_move).is_ok() && !found.exact);
    }
}

#[test]
fn tables_keep_to_the_memory_limit() {
    let limits = |memory| Limits { memory, ..Limits::default() };
    // The solver takes a third of it.
    assert_eq!(Limits::default().memory, 64 << 20);
    assert_eq!(limits(3 << 20).table_bytes(), 2 << 20);
    assert_eq!(Limits { memory: 3 << 20, ..Limits::nodes(1 << 30) }.table_bytes(), 2 << 20);
    assert!(Limits { memory: 3 << 20, ..Limits::nodes(1 << 10) }.table_bytes() <= 1 << 14);
    // A kibibyte is enough for a correct result.
    for (position, lead) in late_positions(60).into_iter().filter(|(p, _)| p.outcome().is_none()) {
        assert_eq!(searched(&position, &limits(0)).unwrap().value, 100 * lead);
    }
}
