//! How a playout of Go chooses its moves.

use super::board::{EMPTY, GoBoard, NOWHERE, OFF, around, beside};
use super::shapes::is_shape;
use crate::playouts::Chance;
use turnpost_games::rules::{Cell, Cells};
use turnpost_games::{Outcome, Seat};

/// Chains up to this many stones are thrown in if a side has no other move.
const THROWN_IN: u32 = 4;

impl GoBoard {
    /// Plays to the end. Returns the winner.
    pub(super) fn play_out(&mut self, chance: &mut Chance) -> Option<Seat> {
        self.passes = 0;
        for _ in 0..3 * u32::from(self.rows) * u32::from(self.rows) {
            match self.choice(chance) {
                Some(to) => {
                    self.put(to);
                    chance.placed += 1;
                }
                None => self.pass(),
            }
            if self.passes > 1 {
                break;
            }
        }
        Outcome::counted([2 * self.held(1), 2 * self.held(2) + self.halves]).winner
    }

    fn choice(&mut self, chance: &mut Chance) -> Option<Cell> {
        self.urgent(chance).or_else(|| self.near(chance)).or_else(|| self.anywhere(chance))
    }

    /// A move that takes or saves a chain next to the last move.
    fn urgent(&self, chance: &mut Chance) -> Option<Cell> {
        let [last, _] = self.lasts;
        if self.at(last) != OFF - self.own {
            return None;
        }
        let mut found = Vec::new();
        if self.air(last).count() == 1 {
            found.extend(self.air(last).iter());
        }
        for near in beside(last) {
            if self.at(near) == self.own && self.air(near).count() == 1 {
                self.each_rescue(near, |to| found.push(to));
            }
        }
        chance.pick(found, |to| self.is_legal(to))
    }

    /// Calls `visit` with each move that saves a chain of the side to move which has one liberty.
    pub(super) fn each_rescue(&self, chain: Cell, mut visit: impl FnMut(Cell)) {
        self.air(chain).iter().filter(|out| self.is_safe(*out)).for_each(&mut visit);
        for stone in self.chain(chain) {
            for near in beside(stone) {
                if self.at(near) == OFF - self.own && self.air(near).count() == 1 {
                    self.air(near).iter().for_each(&mut visit);
                }
            }
        }
    }

    /// True if the chain of the side to move, which has one liberty, gets away. Reads on as long as `reads` lasts.
    pub(super) fn escapes(&self, chain: Cell, reads: &mut u32) -> bool {
        let mut moves = Vec::new();
        self.each_rescue(chain, |to| {
            if !moves.contains(&to) {
                moves.push(to);
            }
        });
        moves.into_iter().filter(|to| self.is_legal(*to)).any(|to| {
            let after = self.after(to);
            *reads = reads.saturating_sub(1);
            match after.air(chain).count() {
                ..=1 => false,
                2 => !after.air(chain).iter().any(|to| after.catches(to, chain, reads)),
                _ => true,
            }
        })
    }

    /// True if a move of the side to move on a liberty catches the chain of the other side, which has two.
    pub(super) fn catches(&self, to: Cell, chain: Cell, reads: &mut u32) -> bool {
        if *reads == 0 || !self.is_legal(to) {
            return false;
        }
        !self.after(to).escapes(chain, reads)
    }

    /// The board after a move. It is on the heap, because a ladder is read by recursion, and a thread's stack does not hold a
    /// board for each of its moves.
    #[inline(never)]
    fn after(&self, to: Cell) -> Box<GoBoard> {
        let mut after = Box::new(self.clone());
        after.put(to);
        after
    }

    /// A good shape next to one of the last two moves.
    fn near(&self, chance: &mut Chance) -> Option<Cell> {
        let mut found = Vec::new();
        for last in self.lasts.into_iter().filter(|last| *last != NOWHERE) {
            for to in around(last) {
                if self.at(to) == EMPTY && is_shape(self, to) {
                    found.push(to);
                }
            }
        }
        chance.pick(found, |to| self.is_legal(to) && self.is_safe(to))
    }

    /// A random sound move. If there is none, a stone thrown in.
    fn anywhere(&mut self, chance: &mut Chance) -> Option<Cell> {
        let mut thrown = None;
        for end in (0..self.empties.len()).rev() {
            let place = chance.below(end + 1);
            let to = *self.empties.get(place)?;
            if self.is_legal(to) && !self.is_own_eye(to) {
                if self.is_safe(to) {
                    return Some(to);
                }
                if thrown.is_none() && self.joined(to).count() < THROWN_IN {
                    thrown = Some(to);
                }
            }
            self.set_aside(place, end);
        }
        thrown
    }

    /// The stones of the side to move that a stone on the empty point joins.
    fn joined(&self, to: Cell) -> Cells {
        let own = beside(to).into_iter().filter(|near| self.at(*near) == self.own);
        own.flat_map(|near| self.chain(near)).collect()
    }
}
