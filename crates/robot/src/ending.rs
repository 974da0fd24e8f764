//! The last plies of proofs: where so little is left that to look at everything takes less than to weigh it.
//!
//! Plain alpha-beta to the end of the game, with a small table of its own. What it finds is the result or a bound on it
//! and holds for every aim, so what was found for one position serves all that come to the same.

use super::mind::{INFINITE, Mind, place};
use super::order::Plies;
use super::worker::Worker;

/// What is known of a position's result.
#[derive(Debug, Clone, Copy)]
struct Known {
    key: u64,
    least: i16,
    most: i16,
}

const NOTHING: Known = Known { key: 0, least: i16::MIN, most: i16::MAX };

/// A table of results, and room for lists of plies. One thread's: it is to stay in the memory of its processor.
#[derive(Debug)]
pub struct Endings {
    known: Vec<Known>,
    /// The plies of all positions on the way to the one looked at.
    plies: Plies,
}

impl Endings {
    /// With a table of no more than so many bytes.
    pub fn new(bytes: usize) -> Endings {
        Endings { known: vec![NOTHING; bytes / size_of::<Known>()], plies: Plies::new() }
    }

    /// Whether there is no table: nothing is looked at to the end then.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    #[inline]
    fn place(&mut self, key: u64) -> Option<&mut Known> {
        let place = place(key, self.known.len());
        self.known.get_mut(place)
    }

    /// The result for the side to move if it lies between `alpha` and `beta`; otherwise what it is at least, `beta` or
    /// more, or at most, `alpha` or less. `None` when the worker was stopped.
    pub fn result<P: Mind>(
        &mut self,
        worker: &mut Worker<'_, P>,
        position: &P,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let key = position.key();
        if let Some(known) = self.place(key).filter(|known| known.key == key) {
            let (least, most) = (i32::from(known.least), i32::from(known.most));
            if least >= beta {
                return Some(least);
            }
            if most <= alpha {
                return Some(most);
            }
        }
        let (least, most) = position.bounds((alpha, beta));
        if most <= alpha {
            return Some(most);
        }
        if least >= beta {
            return Some(least);
        }
        let best = self.best(worker, position, (alpha, beta))?;
        if let Some(known) = self.place(key) {
            if known.key != key {
                *known = Known { key, ..NOTHING };
            }
            if best > alpha {
                known.least = known.least.max(best as i16);
            }
            if best < beta {
                known.most = known.most.min(best as i16);
            }
        }
        Some(best)
    }

    /// The best of what comes of each ply.
    fn best<P: Mind>(
        &mut self,
        worker: &mut Worker<'_, P>,
        position: &P,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let base = self.plies.len();
        position.each_move(&mut |ply| self.plies.push(P::code(ply), position.urgency(ply)));
        if self.plies.len() == base {
            // Nothing can be played only when the game is over.
            return Some(position.result());
        }
        let mut best = -INFINITE;
        let mut place = 0;
        while let Some(ply) = self.plies.pick(base, place).and_then(P::ply) {
            worker.count();
            if worker.stopped {
                return None;
            }
            let mut next = position.clone();
            next.make(ply);
            let alpha = alpha.max(best);
            let value = if next.to_move() == position.to_move() {
                self.result(worker, &next, (alpha, beta))?
            } else {
                -self.result(worker, &next, (-beta, -alpha))?
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
            place += 1;
        }
        self.plies.truncate(base);
        Some(best)
    }
}
