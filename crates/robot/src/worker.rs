//! One thread of a search: what it keeps, when it stops, and how it gets from a position to the next.
//!
//! Every value comes with the word whether it is proven: whether all that it rests on goes to the end of the game. A
//! bound from below is proven by one ply whose value is; a bound from above by all of them. Guesses on the way
//! (estimates at the leaves, margins, passes) are not proven and spoil what rests on them; reductions need no care,
//! for what they leave unsearched shows in what they rest on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use super::mind::{Judged, Mind, mix};
use super::node::Node;
use super::order::{History, NONE, Plies};
use super::proven::Proven;
use super::table::Table;
use turnpost_games::Position;

/// Plies from the root that a search ever goes.
pub(super) const MOST_PLIES: usize = 120;

/// So often a thread looks whether it is to stop.
const LOOK: u64 = 128;

/// A value, and whether it is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// For the side to move.
    pub value: i32,
    /// Whether everything it rests on goes to the end of the game.
    pub proven: bool,
}

/// What the threads of a search share.
pub struct Shared<'s> {
    /// Positions seen before.
    pub table: &'s Table,
    /// What bounds the search.
    pub limits: &'s Limits,
    /// When time is up.
    pub until: Option<Instant>,
    /// Set from outside to end the search at once.
    pub cancel: &'s AtomicBool,
    /// Set when the first thread is done.
    pub done: AtomicBool,
    /// What the other threads counted.
    pub helped: Counts,
    /// What is proven of the position thought about.
    pub proven: Proven,
}

/// What was done.
#[derive(Debug, Default)]
pub struct Counts {
    /// Positions made.
    pub made: AtomicU64,
    /// Positions estimated.
    pub judged: AtomicU64,
    /// Positions whose value was taken from the table.
    pub met: AtomicU64,
}

/// One thread.
pub struct Worker<'s, P: Position> {
    pub(super) shared: &'s Shared<'s>,
    pub(super) history: History,
    pub(super) killers: Vec<[u16; 2]>,
    /// The plies of each depth, kept so that lists need no new memory.
    pub(super) lists: Vec<Plies>,
    /// The best line from each depth on.
    pub(super) lines: Vec<Vec<P::Move>>,
    /// Positions made.
    pub made: u64,
    /// Positions estimated.
    pub judged: u64,
    /// Positions whose value was taken from the table.
    pub met: u64,
    /// Whether the search was stopped: values returned from then on mean nothing.
    pub stopped: bool,
    /// Whether bounds other than cancelling count yet.
    pub bounded: bool,
}

impl<'s, P: Mind> Worker<'s, P> {
    /// A thread that has done nothing.
    pub fn new(shared: &'s Shared<'s>) -> Worker<'s, P> {
        Worker {
            shared,
            history: History::new(),
            killers: vec![[NONE; 2]; MOST_PLIES + 1],
            lists: (0..=MOST_PLIES).map(|_| Plies::new()).collect(),
            lines: vec![Vec::new(); MOST_PLIES + 2],
            made: 0,
            judged: 0,
            met: 0,
            stopped: false,
            bounded: false,
        }
    }

    /// The best line of the last search, behind its first ply.
    pub fn line(&self) -> &[P::Move] {
        self.lines.get(1).map_or(&[], Vec::as_slice)
    }

    /// Tells what it counted, for the thread that reports.
    pub fn tell(&self) {
        self.shared.helped.made.fetch_add(self.made, Relaxed);
        self.shared.helped.judged.fetch_add(self.judged, Relaxed);
        self.shared.helped.met.fetch_add(self.met, Relaxed);
    }

    /// Looks whether it is to stop, every so often.
    #[inline]
    pub(super) fn look(&mut self) {
        if !self.made.is_multiple_of(LOOK) {
            return;
        }
        let shared = self.shared;
        let late = || shared.until.is_some_and(|until| Instant::now() >= until);
        if shared.cancel.load(Relaxed) || shared.done.load(Relaxed) || self.bounded && late() {
            self.stopped = true;
        }
    }

    /// Counts a position that was made, and looks whether that was the last.
    #[inline]
    pub(super) fn count(&mut self) {
        self.made += 1;
        self.look();
        if self.bounded && self.shared.limits.nodes.is_some_and(|nodes| self.made > nodes) {
            self.stopped = true;
        }
    }

    /// Plays `ply` and searches what comes of it. The window and the value are those of the side that plays it.
    #[inline]
    pub fn follow(
        &mut self,
        position: &Node<P>,
        ply: P::Move,
        window: (i32, i32),
        depth: i32,
        at: usize,
    ) -> Found {
        self.count();
        if self.stopped {
            return Found { value: 0, proven: false };
        }
        let mut next = position.clone();
        next.make(ply);
        self.turned(position, &next, window, depth, at + 1, true)
    }

    /// Searches `next` for the side to move in `before`. A side may play twice in a row.
    #[inline(always)]
    pub(super) fn turned(
        &mut self,
        before: &Node<P>,
        next: &Node<P>,
        window: (i32, i32),
        depth: i32,
        at: usize,
        may_pass: bool,
    ) -> Found {
        let again = next.to_move() == before.to_move();
        let window = if again { window } else { (-window.1, -window.0) };
        let found = self.search(next, window, depth, at, may_pass);
        if again { found } else { Found { value: -found.value, ..found } }
    }

    /// The estimate or the result, with the error of the low levels.
    #[inline(always)]
    pub(super) fn judge(&mut self, position: &Node<P>, window: (i32, i32)) -> Judged {
        self.judged += 1;
        match position.judge(window) {
            Judged::Guess(value) if self.shared.limits.noise > 0 => {
                Judged::Guess(value + self.error(position))
            }
            judged => judged,
        }
    }

    /// The error of the low levels.
    #[inline(never)]
    fn error(&self, position: &Node<P>) -> i32 {
        let noise = self.shared.limits.noise;
        let drawn = mix(position.key() ^ self.shared.limits.seed) >> 32;
        ((drawn * (2 * noise as u64 + 1)) >> 32) as i32 - noise
    }

    /// No line is known from this depth on.
    pub(super) fn forget(&mut self, at: usize) {
        if let Some(line) = self.lines.get_mut(at) {
            line.clear();
        }
    }

    /// Puts `ply` in front of the best line of the next depth.
    pub(super) fn note(&mut self, at: usize, ply: P::Move) {
        let Some((upper, lower)) = self.lines.split_at_mut_checked(at + 1) else { return };
        if let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(ply);
            line.extend_from_slice(rest);
        }
    }

    /// The list for this depth. It is given back by [`give`](Worker::give).
    #[inline]
    pub(super) fn take(&mut self, at: usize) -> Plies {
        let mut list =
            self.lists.get_mut(at).map_or_else(Plies::new, |list| std::mem::replace(list, Plies::new()));
        list.clear();
        list
    }

    /// Keeps the memory of a list for the next that is needed at this depth.
    #[inline]
    pub(super) fn give(&mut self, at: usize, list: Plies) {
        if let Some(place) = self.lists.get_mut(at) {
            *place = list;
        }
    }
}
