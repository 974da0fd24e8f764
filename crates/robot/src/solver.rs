//! The endgame solver: one goal after the other by df-pn search, until the bounds of the result meet.

use super::alpha_beta::Searcher;
use super::dfpn::{Answer, DfPn, Goal};
use super::endgame::Endgame;
use super::evaluate::{Evaluator, INFINITE, Node};
use super::limits::Limits;
use super::pn_table::PnTable;

/// Results are multiples of a point.
const POINT: i32 = 100;

/// Up to so many stacks the solver works, and up to more where exact results are wanted.
const STACKS: u32 = 34;
const EXACT_STACKS: u32 = 37;

/// Where exact results are wanted alpha-beta has one of so many nodes, and the solver the rest.
const EXACT_SHARE: u64 = 20;
/// Alpha-beta goes first, up to so many nodes: the value it expects is the solver's first goal.
const FIRST_NODES: u64 = 500_000;
/// Fewer nodes are not worth going back into a proof.
const MIN_NODES: u64 = 1 << 10;

/// What is proven of a result, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds<M> {
    pub lower: i32,
    pub upper: i32,
    /// The move that gets the lower bound.
    pub best_move: Option<M>,
}

impl<M> Bounds<M> {
    pub fn are_equal(&self) -> bool {
        self.lower >= self.upper
    }
}

/// The solver of one search.
#[derive(Debug)]
pub(crate) struct Solver<P: Evaluator> {
    dfpn: DfPn<P>,
    bounds: Bounds<P::Move>,
    /// The value it tries to prove.
    target: Option<i32>,
    /// Nodes it has used.
    nodes: u64,
}

impl<P: Evaluator> Solver<P> {
    /// A solver, if the position is near enough to its end.
    pub fn for_position(position: &P, limits: &Limits) -> Option<Solver<P>> {
        let stacks = if limits.exact { EXACT_STACKS } else { STACKS };
        let works = P::PATH_INDEPENDENT && limits.depth.is_none() && position.stacks_left() <= stacks;
        works.then(|| Solver::new(limits.pn_table_bytes(), limits.endgame_bytes()))
    }

    fn new(pn_table_bytes: usize, endgame_bytes: usize) -> Solver<P> {
        let bounds = Bounds { lower: -INFINITE, upper: INFINITE, best_move: None };
        let dfpn = DfPn::new(PnTable::new(pn_table_bytes), Endgame::new(endgame_bytes));
        Solver { dfpn, bounds, target: None, nodes: 0 }
    }

    /// What is proven so far.
    pub fn bounds(&self) -> Bounds<P::Move> {
        self.bounds
    }

    /// Works until it had its share of the nodes, those of the next depth (`coming`) counted in. `value` is what
    /// alpha-beta expects. True when the result is known.
    pub fn work(&mut self, searcher: &mut Searcher<'_, P>, node: &Node<P>, value: i32, coming: u64) -> bool {
        while !self.bounds.are_equal() {
            let searched = searcher.nodes.saturating_sub(self.nodes);
            let spare = share(searcher.shared.limits, searched, coming).saturating_sub(self.nodes);
            if spare < MIN_NODES || searcher.stopped {
                return false;
            }
            let goal = Goal { side: node.to_move(), value: self.next_target(value) };
            let begun = searcher.nodes;
            let answer = self.dfpn.prove(searcher, node, goal, begun.saturating_add(spare));
            self.nodes += searcher.nodes - begun;
            match answer {
                Answer::Proven(lower, mv) => (self.bounds.lower, self.bounds.best_move) = (lower, mv),
                Answer::Disproven(upper) => self.bounds.upper = upper,
                Answer::Open => return false,
            }
        }
        true
    }

    /// The open value nearest to the expected one. Leaps beyond are a waste: what is not true takes long to disprove
    /// however far off it is.
    fn next_target(&mut self, value: i32) -> i32 {
        let (low, high) = (self.bounds.lower.saturating_add(POINT), self.bounds.upper);
        // Results are further from even than what alpha-beta expects so far from the end.
        let expected = (value + value * 2 / 5 + POINT / 2).div_euclid(POINT) * POINT;
        let wanted = expected.clamp(low, high);
        // A point to and fro is not worth a new target.
        let is_near = |target: &i32| (low..=high).contains(target) && (target - wanted).abs() <= POINT;
        *self.target.insert(self.target.filter(is_near).unwrap_or(wanted))
    }
}

/// How many nodes the solver may have used when alpha-beta has used `searched` and is about to use `coming`: a
/// quarter of all, or where exact results are wanted nineteen twentieths.
fn share(limits: &Limits, searched: u64, coming: u64) -> u64 {
    if !limits.exact {
        return searched / 3;
    }
    let first = limits.nodes.map_or(FIRST_NODES, |nodes| FIRST_NODES.min(nodes / EXACT_SHARE));
    if searched < first { 0 } else { (searched + coming).saturating_mul(EXACT_SHARE - 1) }
}
