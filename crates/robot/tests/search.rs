//! The robot's search: it plays by the rules, solves exactly, repeats itself, and stops when told.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use turnpost_games::dvonn::setup::{random, symmetrical};
use turnpost_games::dvonn::{Dvonn, Move, Phase};
use turnpost_games::hexmeister::{Hexmeister, Rules};
use turnpost_games::{Position, Seat};
use turnpost_robot::mind::mix;
use turnpost_robot::{Limits, Mind, Techniques, Thought, find, think};

static NEVER: AtomicBool = AtomicBool::new(false);

/// No bound but the end, and a table that is quickly made.
const SMALL: Limits = Limits {
    nodes: None,
    time: None,
    depth: None,
    threads: 1,
    memory: 1 << 18,
    seed: 0,
    noise: 0,
    exact: false,
    techniques: Techniques::ALL,
};

fn thought<P: Mind>(position: &P, limits: &Limits) -> Option<Thought<P::Move>> {
    think(position, limits, &NEVER)
}

/// The positions of a game of random plies.
fn wander<P: Position>(mut position: P, mut chance: u64) -> Vec<P> {
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

/// Every ply has a code that no other ply of the position has, and is given back for it.
fn told_by_codes<P: Mind<Move: PartialEq + std::fmt::Debug>>(position: &P) {
    let mut codes = HashMap::new();
    for ply in position.legal_moves() {
        assert_eq!(P::ply(P::code(ply)), Some(ply));
        assert_eq!(codes.insert(P::code(ply), ply), None, "{}", position.write());
    }
}

#[test]
fn a_code_tells_its_ply() {
    for seed in 0..20 {
        wander(Dvonn::EMPTY, seed).iter().for_each(told_by_codes);
        let rules = Rules { straight: false, bonusdrop: seed % 2 == 0 };
        wander(Hexmeister::start(rules), seed).iter().step_by(5).for_each(told_by_codes);
    }
}

#[test]
fn a_ply_is_allowed_exactly_if_it_is_listed() {
    let (mut allowed, mut refused) = (0, 0);
    for seed in 0..20 {
        for position in wander(Dvonn::EMPTY, seed) {
            let legal = position.legal_moves();
            for ply in (0..u16::MAX).step_by(3).filter_map(Dvonn::ply) {
                // Placing and passing are never told without a list.
                let listed = legal.contains(&ply) && matches!(ply, Move::Stack(..));
                assert_eq!(position.allows(ply), listed, "{ply:?} {}", position.write());
                allowed += u32::from(listed);
                refused += u32::from(!listed);
            }
        }
    }
    assert!(allowed > 5000 && refused > 100_000, "{allowed} {refused}");
}

/// The final lead of the side to move, by looking at everything; `None` when that is too much.
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

/// Late positions of games by random plies and of games the robot plays badly, with their exact results.
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
            while let Some(thought) = thought(&position, &limits) {
                position.make(thought.best);
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
    let positions = late_positions(3000);
    let mut passes = 0;
    for (position, lead) in &positions {
        passes += u32::from(position.forced().is_some());
        let Some(thought) = thought(position, &SMALL) else {
            assert!(position.outcome().is_some());
            continue;
        };
        assert!(thought.exact, "{}", position.write());
        assert_eq!(thought.value, 100 * lead, "{}", position.write());
        let mut next = *position;
        next.play(thought.best).unwrap();
        assert_eq!(minimax(&next, &mut 30_000), Some(-lead), "{}", position.write());
    }
    assert!(passes > 20, "{passes} forced passes among {}", positions.len());
}

/// The same by a minimax that remembers positions, for more plies than plain looking can reach.
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
    let (mut solved, mut deep) = (0, 0);
    for seed in 0..90 {
        // Each further from the end than the last, as far as there is memory.
        for position in wander(random(seed), seed).into_iter().rev().skip(8) {
            let mut seen = HashMap::new();
            let Some(lead) = remembered(&position, &mut seen) else { break };
            for (threads, exact) in [(1, false), (1, true), (2, false), (2, true)] {
                let thought = thought(&position, &Limits { threads, exact, ..SMALL }).unwrap();
                assert_eq!((thought.exact, thought.value), (true, 100 * lead), "{}", position.write());
                let mut next = position;
                next.make(thought.best);
                assert_eq!(remembered(&next, &mut seen), Some(-lead), "{}", position.write());
            }
            solved += 1;
            deep += u32::from(seen.len() > 5_000);
        }
    }
    assert!(solved > 70 && deep > 40, "{deep} deep of {solved}");
}

#[test]
fn bounds_hold_the_result() {
    let mut narrow = 0;
    for (position, lead) in late_positions(3000) {
        let value = 100 * lead;
        // As narrow as they get, for windows that every result is on one side of.
        let (least, most) = (position.bounds((-5100, -5000)).0, position.bounds((5000, 5100)).1);
        assert!((least..=most).contains(&value), "{least} {lead} {most}: {}", position.write());
        for alpha in (-1000..=1000).step_by(50).map(|off| value + off - 1) {
            let beta = alpha + 1;
            let within = position.bounds((alpha, beta));
            assert!((within.0..=within.1).contains(&value), "{within:?} {lead}: {}", position.write());
            let decided = [least >= beta, most <= alpha];
            assert_eq!(decided, [within.0 >= beta, within.1 <= alpha], "{alpha} {}", position.write());
        }
        let pieces = 100 * i32::from(position.board().pieces(position.board().occupied()));
        narrow += u32::from(position.outcome().is_none() && most - least < pieces);
    }
    assert!(narrow > 300, "{narrow}");
}

#[test]
fn every_technique_can_be_left_out_and_the_result_stays() {
    let positions = late_positions(150);
    for techniques in
        Techniques::NAMES.iter().map(|name| Techniques::ALL.without(name).unwrap()).chain([Techniques::NONE])
    {
        for (position, lead) in positions.iter().filter(|(position, _)| position.outcome().is_none()) {
            let limits = Limits { techniques, ..SMALL };
            let thought = thought(position, &limits).unwrap();
            assert_eq!(
                (thought.exact, thought.value),
                (true, 100 * lead),
                "{techniques:?} {}",
                position.write()
            );
        }
    }
    assert_eq!(Techniques::ALL.without("nonsense"), None);
}

#[test]
fn what_is_called_exact_early_is_so() {
    // Searches that are bounded say "exact" only of what the whole tree says.
    let mut exact = 0;
    for (position, lead) in late_positions(1500) {
        for nodes in [20, 100, 500] {
            if let Some(thought) = thought(&position, &Limits::nodes(nodes))
                && thought.exact
            {
                exact += 1;
                assert_eq!(thought.value, 100 * lead, "{}", position.write());
            }
        }
    }
    assert!(exact > 1500, "{exact}");
}

fn legal<P: Mind>(position: &P, limits: &Limits) -> bool {
    let Some(thought) = thought(position, limits) else {
        assert!(position.outcome().is_some(), "{}", position.write());
        return false;
    };
    assert_eq!(thought.line.first(), Some(&thought.best));
    let mut after = position.clone();
    for ply in &thought.line {
        assert!(after.play(*ply).is_ok(), "{} in {}", position.write_move(*ply), position.write());
    }
    true
}

#[test]
fn every_answer_is_legal() {
    let (mut answered, mut placing, mut passes) = (0, 0, 0);
    for seed in 0..60 {
        let start = if seed % 3 == 0 { Dvonn::EMPTY } else { random(seed) };
        for (ply, position) in wander(start, seed).into_iter().enumerate() {
            let nodes = [1, 10, 100, 1000][(seed as usize + ply) % 4];
            answered += u32::from(legal(&position, &Limits { noise: 50, seed, ..Limits::nodes(nodes) }));
            placing += u32::from(position.phase() == Phase::Placement);
            passes += u32::from(position.forced().is_some());
        }
    }
    assert!(answered > 2500 && placing > 900 && passes > 30, "{answered} {placing} {passes}");
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
    for seed in 0..12 {
        for position in wander(random(seed), seed).into_iter().step_by(9) {
            let limits = Limits { noise: 100, seed, ..Limits::nodes(2000) };
            let answers = [1, 2].map(|threads| {
                thought(&position, &Limits { threads, ..limits.clone() })
                    .map(|t| (t.best, t.value, t.exact, t.depth, t.made, t.line))
            });
            assert_eq!(answers[0], answers[1]);
        }
    }
    // On any machine: what this one said once.
    let advice = (find("dvonn").unwrap().advise)(&random(7).write(), &Limits::nodes(20_000), &NEVER);
    let again = (find("dvonn").unwrap().advise)(&random(7).write(), &Limits::nodes(20_000), &NEVER);
    let (advice, again) = (advice.unwrap().unwrap(), again.unwrap().unwrap());
    assert_eq!((advice.ply, advice.value, advice.nodes), (again.ply, again.value, again.nodes));
}

#[test]
fn nodes_are_a_bound() {
    for nodes in [500, 5_000, 50_000] {
        let thought = thought(&random(3), &Limits::nodes(nodes)).unwrap();
        // The plies of the leaves that are being followed are finished.
        assert!(thought.made <= nodes + 500, "{} of {nodes}", thought.made);
    }
    let thought = thought(&random(3), &Limits::nodes(1)).unwrap();
    assert_eq!(thought.depth, 1, "the first look is finished");
}

#[test]
fn it_can_be_cancelled_at_once() {
    let start = Instant::now();
    let thought =
        think(&random(1), &Limits { memory: 1 << 20, ..Limits::default() }, &AtomicBool::new(true)).unwrap();
    assert!(random(1).check(thought.best).is_ok());
    assert!(start.elapsed() < Duration::from_millis(500));

    for threads in [1, 2] {
        let cancel = AtomicBool::new(false);
        let limits = Limits { threads, memory: 1 << 20, ..Limits::default() };
        let (thought, late) = std::thread::scope(|scope| {
            let thinking = scope.spawn(|| think(&random(1), &limits, &cancel));
            std::thread::sleep(Duration::from_millis(100));
            cancel.store(true, Relaxed);
            let asked = Instant::now();
            (thinking.join().unwrap().unwrap(), asked.elapsed())
        });
        assert!(random(1).check(thought.best).is_ok() && !thought.exact);
        assert!(late < Duration::from_millis(250), "{late:?}");
    }
}

#[test]
fn time_is_a_bound_for_all_threads() {
    for threads in [1, 3] {
        let start = Instant::now();
        let limits = Limits { threads, memory: 1 << 20, ..Limits::time(Duration::from_millis(200)) };
        let thought = thought(&random(2), &limits).unwrap();
        assert!(random(2).check(thought.best).is_ok());
        assert!(start.elapsed() < Duration::from_millis(700), "{:?}", start.elapsed());
    }
}

#[test]
fn the_memory_is_what_was_allowed() {
    let limits = |memory| Limits { memory, ..Limits::default() };
    // What proofs see takes a third of it.
    assert_eq!(Limits::default().memory, 64 << 20);
    assert_eq!(limits(3 << 20).table_bytes(), 2 << 20);
    assert_eq!(Limits { memory: 3 << 20, ..Limits::nodes(1 << 30) }.table_bytes(), 2 << 20);
    assert!(Limits { memory: 3 << 20, ..Limits::nodes(1 << 10) }.table_bytes() <= 1 << 14);
    // A kibibyte is enough to be right.
    for (position, lead) in late_positions(60).into_iter().filter(|(p, _)| p.outcome().is_none()) {
        assert_eq!(thought(&position, &limits(0)).unwrap().value, 100 * lead);
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
        let analysis = (robot.analyse)(&tail[0].write(), &plies, &limits, &NEVER).unwrap().unwrap();
        analysed += analysis.plies.iter().filter(|review| review.after.exact).count();
        let over = |position: &Dvonn| position.outcome().is_some();
        let solved = |position: &&Dvonn| over(position) || thought(*position, &limits).unwrap().exact;
        played += tail.iter().skip(1).filter(solved).count();
    }
    assert!(analysed > played, "{analysed} solved by analysis, {played} in play");
}
