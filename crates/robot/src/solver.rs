//! The endgame solver: tries one goal after another by df-pn search until the bounds of the result meet.
//!
//! Each thread has its own solver and tries a different goal. The solvers share the bounds: one thread proves the
//! result while another disproves the next higher point.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::alpha_beta::Searcher;
use super::dfpn::{Answer, DfPn};
use super::endgame::Endgame;
use super::evaluate::{Evaluator, INFINITE, Node};
use super::limits::Limits;
use super::pn_table::{Goal, PnTable};

const POINT: i32 = 100;

/// Most stacks on the board for the solver to run: normally, and if an exact result is wanted.
const STACKS: u32 = 34;
const EXACT_STACKS: u32 = 37;

/// If an exact result is wanted, alpha-beta gets one in this many nodes, and the solver gets the rest.
const EXACT_SHARE: u64 = 20;
/// Nodes that alpha-beta searches first. Its value is the solver's first goal.
const FIRST_NODES: u64 = 500_000;
/// Fewest nodes for which a proof is resumed.
const MIN_NODES: u64 = 1 << 10;
/// Nodes between two checks of the shared bounds.
const PIECE: u64 = 1 << 20;

/// The proven bounds of a result, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds<M> {
    pub lower: i32,
    pub upper: i32,
    /// The move that reaches the lower bound.
    pub best_move: Option<M>,
}

impl<M> Bounds<M> {
    pub fn are_equal(&self) -> bool {
        self.lower >= self.upper
    }
}

#[derive(Debug)]
pub(crate) struct SharedBounds<M>(Mutex<Bounds<M>>);

impl<M: Copy> SharedBounds<M> {
    pub fn new() -> SharedBounds<M> {
        SharedBounds(Mutex::new(Bounds { lower: -INFINITE, upper: INFINITE, best_move: None }))
    }

    pub fn get(&self) -> Bounds<M> {
        *self.lock()
    }

    fn raise(&self, lower: i32, best_move: Option<M>) {
        let mut bounds = self.lock();
        if lower > bounds.lower {
            (bounds.lower, bounds.best_move) = (lower, best_move);
        }
    }

    fn reduce(&self, upper: i32) {
        let mut bounds = self.lock();
        bounds.upper = bounds.upper.min(upper);
    }

    fn lock(&self) -> MutexGuard<'_, Bounds<M>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct Solver<'b, P: Evaluator> {
    dfpn: DfPn<P>,
    bounds: &'b SharedBounds<P::Move>,
    /// Distance of this thread's goal from the expected value, so that threads try different goals.
    offset: i32,
    /// The value that the solver tries to prove.
    target: Option<i32>,
    /// Nodes used so far.
    nodes: u64,
}

impl<'b, P: Evaluator> Solver<'b, P> {
    /// `None` if the position is too far from the end.
    pub fn for_position(
        position: &P,
        limits: &Limits,
        bounds: &'b SharedBounds<P::Move>,
        thread: usize,
    ) -> Option<Solver<'b, P>> {
        let stacks = if limits.exact { EXACT_STACKS } else { STACKS };
        let works = P::PATH_INDEPENDENT && limits.depth.is_none() && position.stacks_left() <= stacks;
        works.then(|| {
            let pn_table = PnTable::new(limits.pn_table_bytes());
            let dfpn = DfPn::new(pn_table, Endgame::new(limits.endgame_bytes()));
            // Offsets by thread: one point above, one below, two above, ...
            let steps = i32::try_from(thread.div_ceil(2)).unwrap_or(0) * POINT;
            let offset = if thread % 2 == 1 { steps } else { -steps };
            Solver { dfpn, bounds, offset, target: None, nodes: 0 }
        })
    }

    /// Works until the solver has used its share of the nodes. The share includes the `coming` nodes of the next depth.
    /// `value` is the estimate of alpha-beta. Returns true if the result is known.
    pub fn work(&mut self, searcher: &mut Searcher<'_, P>, node: &Node<P>, value: i32, coming: u64) -> bool {
        loop {
            let bounds = self.bounds.get();
            if bounds.are_equal() {
                return true;
            }
            let searched = searcher.nodes.saturating_sub(self.nodes);
            let spare = share(searcher.shared.limits, searched, coming).saturating_sub(self.nodes);
            if spare < MIN_NODES || searcher.stopped {
                return false;
            }
            let goal = Goal { side: node.to_move(), value: self.next_target(value, bounds) };
            let begun = searcher.nodes;
            // Prove in pieces, because another thread can decide the goal in the meantime.
            let answer = self.dfpn.prove(searcher, node, goal, begun.saturating_add(spare.min(PIECE)));
            let used = searcher.nodes - begun;
            self.nodes += used;
            match answer {
                Answer::Proven(lower, mv) => self.bounds.raise(lower, mv),
                Answer::Disproven(upper) => self.bounds.reduce(upper),
                Answer::Open if used == 0 => return false,
                Answer::Open => {}
            }
        }
    }

    /// The undecided value nearest to the expected value. Larger steps waste time: a false goal takes long to disprove
    /// at any distance.
    fn next_target(&mut self, value: i32, bounds: Bounds<P::Move>) -> i32 {
        let (low, high) = (bounds.lower.saturating_add(POINT), bounds.upper);
        // Results are further from even than alpha-beta's early estimates.
        let expected = (value + value * 2 / 5 + POINT / 2).div_euclid(POINT) * POINT + self.offset;
        let wanted = expected.clamp(low, high);
        // Keep the target if the new one is at most a point away.
        let is_near = |target: &i32| (low..=high).contains(target) && (target - wanted).abs() <= POINT;
        *self.target.insert(self.target.filter(is_near).unwrap_or(wanted))
    }
}

/// The total nodes allowed to the solver, after `searched` nodes of alpha-beta and before `coming` more: a
/// quarter of all, or nineteen twentieths if an exact result is wanted.
fn share(limits: &Limits, searched: u64, coming: u64) -> u64 {
    if !limits.exact {
        return searched / 3;
    }
    let first = limits.nodes.map_or(FIRST_NODES, |nodes| FIRST_NODES.min(nodes / EXACT_SHARE));
    if searched < first { 0 } else { (searched + coming).saturating_mul(EXACT_SHARE - 1) }
}
