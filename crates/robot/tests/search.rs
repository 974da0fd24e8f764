//! The robot's search: it plays legal moves, solves exactly, repeats itself, and stops at its limits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use turnpost_games::dvonn::setup::{random, symmetrical};
use turnpost_games::dvonn::space::{Space, spaces};
use turnpost_games::dvonn::{Dvonn, Move, Phase};
use turnpost_games::hexmeister::{Hexmeister, Rules};
use turnpost_games::{Position, Seat};
use turnpost_robot::{Evaluator, Limits, SearchResult, find, mix, search};

use crate::rounds;

static NEVER: AtomicBool = AtomicBool::new(false);

/// No limit but the end of the game, and a small table.
const SMALL: Limits = Limits {
    nodes: None,
    time: None,
    depth: None,
    threads: 1,
    memory: 1 << 18,
    seed: 0,
    noise: 0,
    exact: false,
};

fn searched<P: Evaluator>(position: &P, limits: &Limits) -> Option<SearchResult<P::Move>> {
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
fn late_positions(count: usize) -> Vec<(Dvonn, i32)> {
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
fn late_positions_are_solved_as_plain_minimax_solves_them() {
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

#[test]
fn the_robot_places_better_than_chance() {
    // Both sides play the stacking phase with the same strength, so only the layout decides.
    let (games, mut won) = (rounds(10, 60), 0);
    for seed in 0..games {
        let mut position = Dvonn::EMPTY;
        let robot = [Seat::First, Seat::Second][seed as usize % 2];
        let mut rng = seed;
        while position.outcome().is_none() {
            let placing = position.phase() == Phase::Placement;
            let plies = position.legal_moves();
            rng = mix(rng);
            let ply = if placing && position.to_move() != robot {
                plies[(rng >> 32) as usize % plies.len()]
            } else {
                let limits = Limits { seed: rng, noise: 5, ..Limits::nodes(500) };
                searched(&position, &limits).unwrap().best_move
            };
            position.make(ply);
        }
        won += u64::from(position.outcome().unwrap().winner == Some(robot));
    }
    // Half of the games are expected by chance, and four fifths hardly ever happen.
    assert!(5 * won >= 4 * games, "{won} of {games}");
}

#[test]
fn dvonn_pieces_are_placed_far_from_each_other() {
    let mut position = Dvonn::EMPTY;
    for _ in 0..3 {
        position.make(searched(&position, &Limits::nodes(500)).unwrap().best_move);
    }
    let dvonns: Vec<Space> = spaces(position.board().red()).collect();
    for (n, one) in dvonns.iter().enumerate() {
        for other in &dvonns[n + 1..] {
            let (columns, rows) = (other.column() - one.column(), other.row() - one.row());
            assert!(columns.abs().max(rows.abs()).max((columns - rows).abs()) >= 3, "{dvonns:?}");
        }
    }
}
