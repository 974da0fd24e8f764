//! Searches a position: iterative deepening on one or more threads, and the endgame solver.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::alpha_beta::{Searcher, SharedTable, Window};
use super::evaluate::{Evaluator, INFINITE, Node, Score, WON};
use super::limits::Limits;
use super::solver::{Bounds, SharedBounds, Solver};
use super::tt::TranspositionTable;

/// The solver runs only after a search of at least this depth.
const SOLVER_DEPTH: u32 = 8;

/// The next depth takes about this many times the nodes of the last one.
const GROWTH: u64 = 3;

/// With errors of estimates as great as this, the moves that are no candidates are searched too, so that the lowest
/// levels can overlook a threat.
const OVERLOOKS: i32 = 1_000;

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult<M> {
    /// The move to play.
    pub best_move: M,
    /// The value of the move to the side to move, in hundredths of a point.
    pub value: i32,
    /// Whether the value is the result against best play.
    pub exact: bool,
    /// True if the side to move should resign.
    pub resigns: bool,
    /// The depth of the last search that was finished.
    pub depth: u32,
    /// Positions made.
    pub nodes: u64,
    /// Positions evaluated.
    pub evaluations: u64,
    /// Positions whose score was found in the transposition table.
    pub tt_hits: u64,
    /// The principal variation, the best move first.
    pub variation: Vec<M>,
    /// How long the search took.
    pub elapsed: Duration,
}

/// Searches `position`; `None` when the game is over.
///
/// Setting `cancel` ends the search at once, with the best move so far. The transposition table is empty at first, so
/// the result of a search limited by nodes or depth depends only on the arguments.
pub fn search<P: Evaluator>(
    position: &P,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Option<SearchResult<P::Move>> {
    let table = &TranspositionTable::new(limits.table_bytes());
    let started = Instant::now();
    let (node, mut moves) = (Node::new(position.clone()), Vec::new());
    let is_complete = node.each_candidate(&mut |ply, score| moves.push((score, ply)));
    if limits.noise >= OVERLOOKS {
        moves = position.legal_moves().into_iter().map(|ply| (position.ordering_score(ply), ply)).collect();
    }
    moves.sort_by_key(|(score, _)| -score);
    let moves: Vec<P::Move> = moves.into_iter().map(|(_, ply)| ply).collect();
    let first = *moves.first()?;
    let shared = SharedTable {
        table,
        limits,
        deadline: limits.time.map(|time| started + time),
        cancel,
        done: AtomicBool::new(false),
        helpers: [const { AtomicU64::new(0) }; 3],
    };
    let root = Root { node, best: Best::new(first), moves, is_complete };
    let bounds = SharedBounds::new();
    let (best, nodes, evaluations, tt_hits) = std::thread::scope(|scope| {
        for helper in 1..limits.threads() {
            let (mut root, shared, bounds) = (root.clone(), &shared, &bounds);
            scope.spawn(move || {
                let mut searcher = Searcher::new(shared);
                let mut solver = Solver::for_position(position, limits, bounds, helper);
                // Every second helper starts one depth ahead, so that the threads differ.
                root.deepen(&mut searcher, solver.as_mut(), helper as u32 % 2);
                if bounds.get().are_equal() {
                    shared.done.store(true, Relaxed);
                }
                searcher.report();
            });
        }
        let (mut root, mut searcher) = (root.clone(), Searcher::new(&shared));
        let mut solver = Solver::for_position(position, limits, &bounds, 0);
        root.deepen(&mut searcher, solver.as_mut(), 0);
        shared.done.store(true, Relaxed);
        root.best.take_solved(bounds.get());
        (root.best, searcher.nodes, searcher.evaluations, searcher.tt_hits)
    });
    let [more_nodes, more_evaluations, more_hits] = shared.helpers.map(AtomicU64::into_inner);
    Some(SearchResult {
        best_move: best.mv,
        value: best.value,
        exact: best.exact,
        resigns: false,
        depth: best.depth,
        nodes: nodes + more_nodes,
        evaluations: evaluations + more_evaluations,
        tt_hits: tt_hits + more_hits,
        variation: best.variation,
        elapsed: started.elapsed(),
    })
}

/// The best move so far.
#[derive(Debug, Clone)]
struct Best<M> {
    mv: M,
    value: i32,
    exact: bool,
    depth: u32,
    variation: Vec<M>,
}

impl<M: Copy + PartialEq> Best<M> {
    fn new(mv: M) -> Best<M> {
        Best { mv, value: 0, exact: false, depth: 0, variation: vec![mv] }
    }

    /// A solved value replaces an estimate.
    fn take_solved(&mut self, bounds: Bounds<M>) {
        let Some(mv) = bounds.best_move.filter(|_| !self.exact) else { return };
        if !bounds.are_equal() && bounds.lower <= self.value {
            return;
        }
        if mv != self.mv {
            (self.mv, self.variation) = (mv, vec![mv]);
        }
        (self.value, self.exact) = (bounds.lower, bounds.are_equal());
    }
}

/// The position that a thread searches, with its moves in the order in which the next depth tries them.
#[derive(Clone)]
struct Root<P: Evaluator> {
    node: Node<P>,
    moves: Vec<P::Move>,
    /// True if no other move can be better.
    is_complete: bool,
    best: Best<P::Move>,
}

impl<P: Evaluator> Root<P> {
    /// Searches again and again, one ply deeper each time, until a limit is reached or the result is known.
    fn deepen(&mut self, searcher: &mut Searcher<'_, P>, mut solver: Option<&mut Solver<'_, P>>, ahead: u32) {
        let limit = searcher.shared.limits.depth.unwrap_or(u32::MAX).min(self.node.max_depth().max(1));
        for depth in 1 + ahead..=limit {
            let begun = searcher.nodes;
            let score = self.search_moves(searcher, depth);
            if searcher.stopped {
                return;
            }
            (self.best.depth, self.best.exact) = (depth, score.exact);
            searcher.bounded = true;
            if score.exact {
                return;
            }
            if let Some(solver) = solver.as_deref_mut().filter(|_| depth >= SOLVER_DEPTH) {
                let coming = GROWTH * (searcher.nodes - begun);
                if solver.work(searcher, &self.node, score.value, coming) || searcher.stopped {
                    return;
                }
            }
        }
    }

    /// Searches every move. A move that is better than all before it moves to the front for the next depth.
    fn search_moves(&mut self, searcher: &mut Searcher<'_, P>, depth: u32) -> Score {
        let depth = depth as i32 - 1;
        let mut best = Score { value: -INFINITE, exact: self.is_complete };
        for place in 0..self.moves.len() {
            let Some(mv) = self.moves.get(place).copied() else { break };
            let window = Window { alpha: best.value, beta: INFINITE };
            searcher.clear_variation(1);
            let mut score = Score::estimate(INFINITE);
            if place > 0 {
                score = searcher.search_move(&self.node, mv, Window::null(best.value), depth, 0);
            }
            if score.value > best.value && !searcher.stopped {
                searcher.clear_variation(1);
                score = searcher.search_move(&self.node, mv, window, depth, 0);
            }
            if searcher.stopped {
                break;
            }
            best.exact &= score.exact;
            if score.value > best.value {
                best.value = score.value;
                if let Some(front) = self.moves.get_mut(..=place) {
                    front.rotate_right(1);
                }
                (self.best.mv, self.best.value, self.best.exact) = (mv, score.value, false);
                self.best.variation.clear();
                self.best.variation.push(mv);
                self.best.variation.extend_from_slice(searcher.variation());
                if score.exact && score.value >= WON {
                    best.exact = true;
                    break;
                }
            }
        }
        best
    }
}
