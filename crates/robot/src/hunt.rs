//! The hunt for the exact result: one proof after the other, until the bounds from both sides meet.

use super::limits::Limits;
use super::mind::Mind;
use super::node::Node;
use super::order::NONE;
use super::proof::{Aim, Answer, Prover};
use super::proofs::Proofs;
use super::proven::Bounds;
use super::worker::Worker;

/// Fewer positions are not worth going back into a proof.
const LEAST: u64 = 1 << 10;

/// Where the exact result is wanted, alpha-beta has so much of all positions: 1 of so many.
const SEARCHED: u64 = 20;

/// So many at the most are alpha-beta's before there are proofs, for what it expects by then is where they begin. Of a
/// search bounded by fewer positions, its whole part.
const FIRST: u64 = 500_000;

/// One thread's part in it.
#[derive(Debug)]
pub struct Hunt<'p, P: Mind> {
    prover: Prover<'p, P>,
    /// What is tried now.
    least: Option<i32>,
    /// Positions made for proofs.
    made: u64,
}

impl<'p, P: Mind> Hunt<'p, P> {
    /// With `proofs` for what it sees, which two threads may share, and so many bytes for endings, which they do not.
    pub fn new(proofs: &'p Proofs, ending_bytes: usize, thread: Option<usize>) -> Hunt<'p, P> {
        Hunt { prover: Prover::new(proofs, ending_bytes, thread), least: None, made: 0 }
    }

    /// Goes on until proofs had their part of all positions: a quarter, for where they come to nothing the depth that
    /// they cost would have won games; or where the exact result is wanted all but a twentieth, the `coming` of the next
    /// depth counted among the others. The value is what the search expects. Gives whether the exact result is known.
    pub fn go_on(&mut self, worker: &mut Worker<'_, P>, position: &Node<P>, value: i32, coming: u64) -> bool {
        let proven = &worker.shared.proven;
        loop {
            let bounds = proven.bounds();
            if bounds.least >= bounds.most {
                return true;
            }
            let searched = worker.made.saturating_sub(self.made);
            let spare = part(worker.shared.limits, searched, coming).saturating_sub(self.made);
            if spare < LEAST || worker.stopped {
                return false;
            }
            let least = self.next(bounds, value);
            let begun = worker.made;
            let aim = Aim { side: position.to_move(), least };
            let answer = self.prover.prove(worker, position, aim, begun.saturating_add(spare));
            self.made += worker.made - begun;
            match answer {
                Answer::Yes(bound, ply) => proven.reaches(bound, ply.map_or(NONE, P::code)),
                Answer::No(bound) => proven.stays_below(bound),
                // By the other thread.
                Answer::Open if proven.decides(least) => {}
                Answer::Open => return false,
            }
        }
    }

    /// What is tried next: what the search expects, or what is next to it of all that is still open. Leaps beyond are
    /// a waste: to prove the same of the next point is mostly easy, and what is not true takes long to disprove however
    /// far off it is.
    fn next(&mut self, bounds: Bounds, value: i32) -> i32 {
        let grain = P::GRAIN;
        let open = bounds.least.saturating_add(grain)..=bounds.most;
        // Results are further from even than what alpha-beta expects so far from the end.
        let expected = (value + value * 2 / 5 + grain / 2).div_euclid(grain) * grain;
        let wanted = expected.clamp(*open.start(), *open.end());
        // A point to and fro is not worth a new try, for the numbers of one aim are only hints for another.
        let near = |least: &i32| open.contains(least) && (least - wanted).abs() <= grain;
        *self.least.insert(self.least.filter(near).unwrap_or(wanted))
    }
}

/// How many positions proofs may have made when `searched` others were made and as many as `coming` are about to be.
fn part(limits: &Limits, searched: u64, coming: u64) -> u64 {
    if !limits.exact {
        return searched / 3;
    }
    let first = limits.nodes.map_or(FIRST, |nodes| FIRST.min(nodes / SEARCHED));
    if searched < first { 0 } else { (searched + coming).saturating_mul(SEARCHED - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::mix;
    use crate::proofs::PROVERS;
    use crate::search::tests::{with_limits, with_shared};
    use crate::worker::Shared;
    use turnpost_games::Position;
    use turnpost_games::dvonn::setup::random;
    use turnpost_games::dvonn::{Dvonn, Phase};

    /// The result for the side to move, by looking at everything; `None` when that is too much.
    fn minimax(position: &Dvonn, left: &mut u32) -> Option<i32> {
        *left = left.checked_sub(1)?;
        let plies = position.legal_moves();
        if plies.is_empty() {
            let [white, black] = position.score().map(i32::from);
            return Some(
                100 * if position.to_move() == turnpost_games::Seat::First {
                    white - black
                } else {
                    black - white
                },
            );
        }
        let mut results = plies.into_iter().map(|ply| {
            let mut next = *position;
            next.make(ply);
            minimax(&next, left).map(|result| -result)
        });
        results.try_fold(i32::MIN, |best, result| Some(best.max(result?)))
    }

    /// Positions near the ends of games by chance, with their results.
    fn ends(count: usize) -> Vec<(Dvonn, i32)> {
        let mut found = Vec::new();
        for seed in 0.. {
            let (mut position, mut chance, mut game) = (random(seed), seed, Vec::new());
            while let Some(last) = position.legal_moves().len().checked_sub(1) {
                game.push(position);
                chance = mix(chance);
                position.make(position.legal_moves()[(chance >> 32) as usize % (last + 1)]);
            }
            for position in game.into_iter().rev().filter(|position| position.phase() == Phase::Stacking) {
                let Some(result) = minimax(&position, &mut 20_000) else { break };
                found.push((position, result));
            }
            if found.len() >= count {
                return found;
            }
        }
        found
    }

    #[test]
    fn proofs_say_what_minimax_says() {
        let ends = ends(2000);
        for (bytes, ending) in [(0, 0), (1 << 16, 0), (0, 64), (1 << 16, 1 << 16)] {
            with_shared(|shared| {
                let worker = &mut Worker::<Dvonn>::new(shared);
                for (position, result) in &ends {
                    let node = Node::new(*position);
                    // Of both sides, and with one table for aim after aim.
                    let proofs = Proofs::new(bytes);
                    let mut prover = Prover::new(&proofs, ending, None);
                    for least in [*result - 300, *result + 100, *result, *result + 500, *result + 100] {
                        let aim = Aim { side: position.to_move(), least };
                        let answer = prover.prove(worker, &node, aim, u64::MAX);
                        match answer {
                            Answer::Yes(bound, Some(ply)) => {
                                assert!((least..=*result).contains(&bound), "{}", position.write());
                                let mut next = *position;
                                next.make(ply);
                                let reached = -minimax(&next, &mut 20_000).unwrap();
                                assert!(reached >= bound, "{}", position.write());
                            }
                            Answer::No(bound) => {
                                assert!((*result..least).contains(&bound), "{}", position.write());
                            }
                            _ => panic!("{answer:?} of {}", position.write()),
                        }
                        let aim = Aim { side: position.to_move().other(), least: 100 - least };
                        let proofs = Proofs::new(bytes);
                        let answer = Prover::new(&proofs, ending, None).prove(worker, &node, aim, u64::MAX);
                        let right = match answer {
                            Answer::Yes(bound, None) => (aim.least..=-*result).contains(&bound),
                            Answer::No(bound) => (-*result..aim.least).contains(&bound),
                            _ => false,
                        };
                        assert!(right, "{answer:?} of {}", position.write());
                    }
                }
            });
        }
    }

    #[test]
    fn a_proof_that_is_stopped_says_nothing_wrong() {
        let mut open = 0;
        for (position, result) in ends(500) {
            for nodes in [3, 10, 30, 100] {
                with_limits(&Limits::nodes(nodes), |shared| {
                    for (least, ending) in [(result, 0), (result, 1 << 12), (result + 100, 1 << 12)] {
                        let mut worker = Worker::new(shared);
                        worker.bounded = true;
                        let proofs = Proofs::new(1 << 16);
                        let mut prover = Prover::new(&proofs, ending, None);
                        let aim = Aim { side: position.to_move(), least };
                        match prover.prove(&mut worker, &Node::new(position), aim, u64::MAX) {
                            Answer::Yes(bound, _) => assert!(bound <= result, "{}", position.write()),
                            Answer::No(bound) => assert!(bound >= result, "{}", position.write()),
                            Answer::Open => open += 1,
                        }
                    }
                });
            }
        }
        assert!(open > 1000, "{open}");
    }

    #[test]
    fn a_hunt_ends_with_the_result_however_far_off_it_begins() {
        for (position, result) in ends(300) {
            for (expected, ending) in [(-4900, 0), (-50, 1 << 12), (result, 0), (4900, 1 << 12)] {
                with_shared(|shared| {
                    let mut worker = worker_with_much_behind_it(shared);
                    let proofs = Proofs::new(1 << 14);
                    let mut hunt = Hunt::new(&proofs, ending, None);
                    let node = Node::new(position);
                    assert!(hunt.go_on(&mut worker, &node, expected, 0), "{}", position.write());
                    let bounds = shared.proven.bounds();
                    assert_eq!((bounds.least, bounds.most), (result, result), "{}", position.write());
                    let wins = position.legal_moves().into_iter().find(|ply| Dvonn::code(*ply) == bounds.ply);
                    let mut next = position;
                    next.make(wins.unwrap());
                    assert_eq!(minimax(&next, &mut 20_000), Some(-result));
                });
            }
        }
    }

    #[test]
    fn a_hunt_that_was_allowed_little_goes_on_where_it_stopped() {
        let (position, result) =
            *ends(3000).iter().max_by_key(|(position, _)| position.legal_count()).unwrap();
        with_shared(|shared| {
            let mut worker = Worker::new(shared);
            let proofs = Proofs::new(1 << 16);
            let mut hunt = Hunt::new(&proofs, 0, None);
            let mut turns = 0;
            loop {
                worker.made += LEAST;
                turns += 1;
                if hunt.go_on(&mut worker, &Node::new(position), 0, 0) {
                    break;
                }
                assert!(turns < 1000, "it never ends");
            }
            assert_eq!(shared.proven.bounds().least, result);
        });
    }

    #[test]
    fn proofs_get_a_quarter_or_where_the_exact_result_is_wanted_all_but_a_twentieth() {
        // Too far from its end to be solved.
        let node = Node::new(Dvonn::opening(0));
        let exact = |nodes| Limits { exact: true, nodes, ..Limits::default() };
        for (limits, searched, coming, part) in [
            (Limits::default(), 30_000, 30_000, 10_000),
            (exact(Some(600_000)), 30_000, 0, 570_000),
            (exact(Some(300_000)), 30_000, 10_000, 760_000),
            // Too early.
            (exact(Some(620_000)), 30_000, 30_000, 0),
            (exact(None), 30_000, 30_000, 0),
            (exact(Some(u64::MAX)), FIRST - 1, 0, 0),
        ] {
            with_limits(&limits, |shared| {
                let mut worker = Worker::new(shared);
                worker.made = searched;
                let proofs = Proofs::new(1 << 16);
                assert!(!Hunt::new(&proofs, 1 << 12, None).go_on(&mut worker, &node, 0, coming));
                let made = worker.made - searched;
                assert!((part.max(LEAST) - LEAST..part + LEAST).contains(&made), "{made} of {part}");
            });
        }
    }

    #[test]
    fn two_threads_that_share_a_table_say_what_minimax_says() {
        for (position, result) in ends(500) {
            // So small that they push each other out, and so large that they meet.
            for (bytes, ending) in [(0, 0), (1 << 16, 0), (1 << 16, 1 << 12)] {
                with_shared(|shared| {
                    let proofs = Proofs::new(bytes);
                    std::thread::scope(|scope| {
                        for thread in 0..2 {
                            let (shared, proofs) = (&shared, &proofs);
                            scope.spawn(move || {
                                let mut worker = worker_with_much_behind_it(shared);
                                let mut hunt = Hunt::new(proofs, ending, Some(thread));
                                assert!(hunt.go_on(&mut worker, &Node::new(position), result - 200, 0));
                            });
                        }
                    });
                    let bounds = shared.proven.bounds();
                    assert_eq!((bounds.least, bounds.most), (result, result), "{}", position.write());
                });
            }
        }
    }

    /// One that may do as much again for proofs.
    fn worker_with_much_behind_it<'s>(shared: &'s Shared<'s>) -> Worker<'s, Dvonn> {
        let mut worker = Worker::new(shared);
        worker.made = u64::MAX / 8;
        worker
    }

    #[test]
    fn the_tables_together_take_no_more_than_the_memory_they_were_given() {
        for memory in [3 << 10, 1 << 20, 64 << 20] {
            let limits = Limits { memory, ..Limits::default() };
            let all = limits.table_bytes() + limits.proof_bytes() + PROVERS * limits.ending_bytes();
            assert!(all <= memory && 2 * all > memory, "{all} of {memory}");
        }
    }
}
