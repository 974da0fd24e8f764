//! Depth-first proof-number search (df-pn): proves or disproves that a side reaches at least some value.
//!
//! A proof needs one good move of the side and an answer to all moves of the other side. So df-pn prefers positions
//! with few replies, at any depth. If several positions must all be proven, their number is that of the hardest plus
//! one for each other. A sum would count a position once for each path to it.

use super::alpha_beta::{Searcher, Window};
use super::endgame::Endgame;
use super::evaluate::{Evaluator, Node};
use super::pn_table::{Goal, Mover, Numbers, PnTable, ProofStatus};
use turnpost_games::Seat;

/// The endgame search replaces the numbers of a leaf with at most LEAF_STACKS stacks, and the expansion of a
/// position with at most EXPANDED_STACKS.
const LEAF_STACKS: u32 = 12;
const EXPANDED_STACKS: u32 = 15;

/// Each STEP between estimate and goal makes the goal harder by a factor of 2^(1/8), at most STEPS times.
const STEP: i32 = 70;
const STEPS: i32 = 20;

/// Largest proof or disproof number of a leaf.
const LEAF_MAX: u64 = 1 << 30;

/// The answer to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer<M> {
    /// The side gets at least this value, by this move if it is to move.
    Proven(i32, Option<M>),
    /// The side gets at most this value.
    Disproven(i32),
    /// The search was stopped or used all its nodes before an answer.
    Open,
}

#[derive(Debug, Clone, Copy)]
struct Child<M> {
    mv: M,
    hash: u64,
    status: ProofStatus,
}

/// Searches one goal at a time, and keeps its table for the next goal.
#[derive(Debug)]
pub(crate) struct DfPn<P: Evaluator> {
    table: PnTable,
    endgame: Endgame<P::Move>,
    goal: Goal,
    /// The searcher's node count at which the search gives up.
    node_limit: u64,
    /// The children of all positions from the root to the current one.
    children: Vec<Child<P::Move>>,
    /// The children of one position that are not in the table, with their indices in `children`.
    leaves: Vec<(usize, Node<P>)>,
}

impl<P: Evaluator> DfPn<P> {
    pub fn new(table: PnTable, endgame: Endgame<P::Move>) -> DfPn<P> {
        let goal = Goal { side: Seat::First, value: 0 };
        DfPn { table, endgame, goal, node_limit: 0, children: Vec::new(), leaves: Vec::new() }
    }

    /// Tries to decide `goal` until the searcher has counted `node_limit` nodes. The next call continues where this one
    /// stopped. All goals must be of the same side.
    pub fn prove(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        node: &Node<P>,
        goal: Goal,
        node_limit: u64,
    ) -> Answer<P::Move> {
        (self.goal, self.node_limit) = (goal, node_limit);
        let ProofStatus { numbers, bound } = self.search(searcher, node, node.hash(), Numbers::MAX, 0, 0);
        if numbers.disproof == 0 {
            return Answer::Disproven(bound);
        }
        if numbers.proof > 0 {
            return Answer::Open;
        }
        let wins = |child: &&Child<P::Move>| child.status == ProofStatus::proven(bound);
        let winner = self.children.iter().find(wins).filter(|_| node.to_move() == goal.side);
        Answer::Proven(bound, winner.map(|child| child.mv))
    }

    /// Searches a position until one of its numbers reaches its threshold. Afterwards its children are in `children`
    /// from index `base`.
    fn search(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        node: &Node<P>,
        hash: u64,
        thresholds: Numbers,
        base: usize,
        ply: usize,
    ) -> ProofStatus {
        let mover = self.goal.mover(node.to_move());
        let begun = searcher.nodes;
        self.children.truncate(base);
        // Not at the root, because the caller needs the winning move and the endgame search gives none.
        let solved = if ply > 0 { self.solve(searcher, node, EXPANDED_STACKS) } else { None };
        let status = match solved.or_else(|| self.expand(searcher, node, mover)) {
            Some(decided) => decided,
            None => loop {
                let children = self.children.get(base..).unwrap_or_default();
                let choice = choose(children, mover, thresholds);
                let is_spent = searcher.stopped || searcher.nodes >= self.node_limit;
                let (Some(next), Some(child), false) = (choice.next, children.get(choice.best), is_spent)
                else {
                    break ProofStatus {
                        numbers: choice.numbers,
                        bound: bound(children, mover, choice.numbers),
                    };
                };
                let (mv, hash) = (child.mv, child.hash);
                searcher.count_node();
                let end = self.children.len();
                let mut after = node.clone();
                after.make(mv);
                let found = self.search(searcher, &after, hash, next, end, ply + 1);
                self.children.truncate(end);
                if let Some(child) = self.children.get_mut(base + choice.best) {
                    child.status = found;
                }
            },
        };
        self.table.store(hash, status, searcher.nodes - begun);
        status
    }

    /// Lists the children with their status. If a child wins for the side to move, gives its status.
    fn expand(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        node: &Node<P>,
        mover: Mover,
    ) -> Option<ProofStatus> {
        let base = self.children.len();
        node.each_move(&mut |mv| self.children.push(Child { mv, hash: 0, status: ProofStatus::UNKNOWN }));
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        // Look up all children before evaluating any: a look-up is cheaper.
        let decided = self.probe(searcher, node, base, mover, &mut leaves);
        let decided = decided.or_else(|| self.initialise(searcher, mover, &leaves));
        self.leaves = leaves;
        decided
    }

    /// Looks up the children from index `base` in the table. A child that is not in the table is a leaf.
    fn probe(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        node: &Node<P>,
        base: usize,
        mover: Mover,
        leaves: &mut Vec<(usize, Node<P>)>,
    ) -> Option<ProofStatus> {
        for place in base..self.children.len() {
            let child = self.children.get_mut(place)?;
            leaves.push((place, node.clone()));
            let (_, next) = leaves.last_mut()?;
            next.make(child.mv);
            searcher.count_node();
            child.hash = next.hash();
            if let Some(status) = self.table.probe(child.hash, self.goal) {
                if status.numbers.seen_by(mover).proof == 0 {
                    return Some(status);
                }
                child.status = status;
                leaves.pop();
            }
        }
        None
    }

    fn initialise(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        mover: Mover,
        leaves: &[(usize, Node<P>)],
    ) -> Option<ProofStatus> {
        for (place, leaf) in leaves {
            let status = self.initial(searcher, leaf);
            self.children.get_mut(*place)?.status = status;
            if status.numbers.seen_by(mover).proof == 0 {
                return Some(status);
            }
        }
        None
    }

    /// The first numbers of a leaf: the cube of the replies of the side that must prevent the result, scaled by
    /// the distance of the estimate from the goal.
    fn initial(&mut self, searcher: &mut Searcher<'_, P>, node: &Node<P>) -> ProofStatus {
        if let Some(status) = self.solve(searcher, node, LEAF_STACKS) {
            return status;
        }
        let mover = self.goal.mover(node.to_move());
        let score = if mover == Mover::Own { node.evaluate() } else { -node.evaluate() };
        searcher.evaluations += 1;
        if score.exact {
            return ProofStatus::of_value(self.goal, score.value);
        }
        let replies = node.legal_count().min(128).pow(3);
        let Numbers { proof, disproof } = Numbers { proof: 1, disproof: replies as u32 }.seen_by(mover);
        let steps = ((score.value - self.goal.value) / STEP).clamp(-STEPS, STEPS);
        ProofStatus::open(scale(proof, -steps), scale(disproof, steps))
    }

    /// Endgame search, if the position has at most this many stacks.
    fn solve(&mut self, searcher: &mut Searcher<'_, P>, position: &P, stacks: u32) -> Option<ProofStatus> {
        if position.stacks_left() > stacks {
            return None;
        }
        let is_own = position.to_move() == self.goal.side;
        let alpha = if is_own { self.goal.value - 1 } else { -self.goal.value };
        Some(match self.endgame.solve(searcher, position, Window::null(alpha)) {
            Some(value) => ProofStatus::of_value(self.goal, if is_own { value } else { -value }),
            None => ProofStatus::UNKNOWN,
        })
    }
}

/// The numbers of a position, the child to search next, and its thresholds.
struct DfpnChild {
    numbers: Numbers,
    best: usize,
    /// `None` if the position has reached its own thresholds.
    next: Option<Numbers>,
}

/// Combines the children: the side to move needs only its easiest child, the other side needs all.
fn choose<M>(children: &[Child<M>], mover: Mover, thresholds: Numbers) -> DfpnChild {
    let (mut best, mut easiest, mut second) = (0, u32::MAX, u32::MAX);
    let (mut hardest, mut open) = (0, 0_u32);
    for (place, child) in children.iter().enumerate() {
        let Numbers { proof, disproof } = child.status.numbers.seen_by(mover);
        hardest = hardest.max(disproof);
        open += u32::from(disproof > 0);
        if proof < easiest {
            (best, second, easiest) = (place, easiest, proof);
        } else {
            second = second.min(proof);
        }
    }
    let others = open.saturating_sub(1);
    let disproof = if hardest == 0 { 0 } else { hardest.saturating_add(others) };
    let thresholds = thresholds.seen_by(mover);
    let is_reached = easiest >= thresholds.proof || disproof >= thresholds.disproof;
    let next = (!is_reached).then(|| {
        // Use twice the number of the second easiest child: a lower threshold would make the search alternate between
        // the two.
        let proof = thresholds.proof.min(second.saturating_mul(2).saturating_add(1));
        Numbers { proof, disproof: thresholds.disproof.saturating_sub(others) }.seen_by(mover)
    });
    DfpnChild { numbers: Numbers { proof: easiest, disproof }.seen_by(mover), best, next }
}

/// The bound that the children of a decided position prove together: the best for the side to move among the
/// winning children, or among all if all of them lose.
fn bound<M>(children: &[Child<M>], mover: Mover, numbers: Numbers) -> i32 {
    let Numbers { proof, disproof } = numbers.seen_by(mover);
    if proof > 0 && disproof > 0 {
        return 0;
    }
    let counts = |child: &&Child<M>| disproof == 0 || child.status.numbers.seen_by(mover).proof == 0;
    let bounds = children.iter().filter(counts).map(|child| child.status.bound);
    if mover == Mover::Own { bounds.max() } else { bounds.min() }.unwrap_or(0)
}

/// `number` times 2^(eighths/8), in integers that are the same on every machine.
fn scale(number: u32, eighths: i32) -> u32 {
    /// 2^(0/8), 2^(1/8), ... 2^(7/8), in 256ths.
    const EIGHTHS: [u64; 8] = [256, 279, 304, 332, 362, 395, 431, 470];
    // Add a factor of two, so that easy positions differ too.
    let eighths = eighths + 8;
    let part = EIGHTHS.get(eighths.rem_euclid(8) as usize).copied().unwrap_or(256);
    let product = ((u64::from(number) * part) << (eighths.div_euclid(8) + 8)) >> 16;
    product.clamp(1, LEAF_MAX) as u32
}
