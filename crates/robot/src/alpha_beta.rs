//! One thread of a search: alpha-beta with null windows after the first move (principal variation search), a
//! transposition table, reverse futility and late-move reductions.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::evaluate::{Captures, Evaluator, INFINITE, Node, Score, WON};
use super::limits::Limits;
use super::move_picker::{MoveHistory, MovePicker, NO_MOVE};
use super::tt::{Bound, EXACT_DEPTH, Entry, TranspositionTable, mix};

/// The greatest distance from the root.
const MAX_PLY: usize = 120;

/// A thread checks after this many nodes whether it should stop.
const STOP_INTERVAL: u64 = 128;

/// Up to this depth, a position counts as won if its estimate beats beta by this margin for each ply of depth
/// (reverse futility).
const FUTILITY_DEPTH: i32 = 5;
const FUTILITY_MARGIN: i32 = 120;

/// With at most this many stacks nothing is pruned by estimates: searching to the end is cheap.
const NO_GUESS_STACKS: u32 = 12;

pub(crate) struct SharedTable<'s> {
    pub table: &'s TranspositionTable,
    pub limits: &'s Limits,
    pub deadline: Option<Instant>,
    /// Set by the caller to end the search at once.
    pub cancel: &'s AtomicBool,
    /// Set when one thread has finished.
    pub done: AtomicBool,
    /// Sums over the other threads: nodes, evaluations, transposition table hits.
    pub helpers: [AtomicU64; 3],
}

/// Bounds of the values that matter, for the side to move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// A window that only tests whether a value is above `alpha`.
    pub fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }
}

pub(crate) struct Searcher<'s, P: Evaluator> {
    pub shared: &'s SharedTable<'s>,
    history: MoveHistory,
    killers: Vec<[u16; 2]>,
    pickers: Vec<MovePicker<P::Move>>,
    /// The principal variation from each ply of the search.
    variations: Vec<Vec<P::Move>>,
    /// Positions made.
    pub nodes: u64,
    pub evaluations: u64,
    pub tt_hits: u64,
    /// True once the search has stopped. Scores returned after that are meaningless.
    pub stopped: bool,
    /// True once the limits apply. Before that only cancelling ends the search.
    pub bounded: bool,
}

impl<'s, P: Evaluator> Searcher<'s, P> {
    pub fn new(shared: &'s SharedTable<'s>) -> Searcher<'s, P> {
        Searcher {
            shared,
            history: MoveHistory::new(),
            killers: vec![[NO_MOVE; 2]; MAX_PLY],
            pickers: (0..MAX_PLY).map(|_| MovePicker::default()).collect(),
            variations: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            evaluations: 0,
            tt_hits: 0,
            stopped: false,
            bounded: false,
        }
    }

    /// The principal variation after the first move.
    pub fn variation(&self) -> &[P::Move] {
        self.variations.get(1).map_or(&[], Vec::as_slice)
    }

    pub fn report(&self) {
        for (sum, count) in self.shared.helpers.iter().zip([self.nodes, self.evaluations, self.tt_hits]) {
            sum.fetch_add(count, Relaxed);
        }
    }

    /// Counts a node, and stops the search at its limits.
    #[inline]
    pub fn count_node(&mut self) {
        self.nodes += 1;
        let shared = self.shared;
        if self.nodes.is_multiple_of(STOP_INTERVAL) {
            let is_late = || shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |=
                shared.cancel.load(Relaxed) || shared.done.load(Relaxed) || self.bounded && is_late();
        }
        self.stopped |= self.bounded && shared.limits.nodes.is_some_and(|nodes| self.nodes > nodes);
    }

    /// Makes a move and searches the position after it. Window and score are from the view of the side that moves.
    #[inline]
    pub fn search_move(
        &mut self,
        node: &Node<P>,
        mv: P::Move,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        self.count_node();
        if self.stopped {
            return Score::estimate(0);
        }
        let mut next = node.clone();
        next.make(mv);
        // Some games let a side move twice in a row.
        let same_side = next.to_move() == node.to_move();
        let window = if same_side { window } else { Window { alpha: -window.beta, beta: -window.alpha } };
        let score = self.search(&next, window, depth, ply + 1);
        if same_side { score } else { -score }
    }

    /// The evaluation, with the random error of the low levels.
    #[inline(always)]
    pub fn evaluate(&mut self, node: &Node<P>) -> Score {
        self.evaluations += 1;
        let score = node.evaluate();
        let noise = self.shared.limits.noise;
        if score.exact || noise == 0 {
            return score;
        }
        let random = mix(node.hash() ^ self.shared.limits.seed) >> 32;
        Score::estimate(score.value + ((random * (2 * noise as u64 + 1)) >> 32) as i32 - noise)
    }

    /// The score of a position. Most calls need only this part, so it is inlined and the rest is not.
    #[inline(always)]
    fn search(&mut self, node: &Node<P>, window: Window, depth: i32, ply: usize) -> Score {
        if depth <= 0 || ply >= MAX_PLY {
            let settles = P::CAPTURES != Captures::Ignored && ply < MAX_PLY;
            return if settles { self.settle(node, window, ply) } else { self.evaluate(node) };
        }
        let may_guess = node.stacks_left() > NO_GUESS_STACKS;
        if may_guess && window.is_null() && depth <= FUTILITY_DEPTH {
            let score = self.evaluate(node);
            let sure = score.value - FUTILITY_MARGIN * depth;
            if score.exact {
                return score;
            }
            if sure >= window.beta {
                return Score::estimate(sure);
            }
        }
        self.search_moves(node, window, depth, ply, may_guess)
    }

    /// The score of a leaf: searches captures only (quiescence).
    #[inline(never)]
    fn settle(&mut self, node: &Node<P>, mut window: Window, ply: usize) -> Score {
        let mut best = self.evaluate(node);
        let is_duty = P::CAPTURES == Captures::Duty;
        if best.exact || best.value >= window.beta && !is_duty {
            return best;
        }
        let mut captures = Vec::new();
        node.each_move(&mut |mv| {
            if node.is_capture(mv) {
                captures.push(mv);
            }
        });
        if captures.is_empty() {
            return best;
        }
        if is_duty {
            best.value = -INFINITE;
        }
        captures.sort_by_key(|mv| -node.ordering_score(*mv));
        for mv in captures {
            window.alpha = window.alpha.max(best.value);
            if best.value >= window.beta {
                break;
            }
            let score = self.search_move(node, mv, window, 0, ply);
            if self.stopped {
                break;
            }
            if score.value > best.value {
                // The score is exact only if no other move can be better.
                best = Score { exact: score.exact && score.value >= WON, ..score };
            }
        }
        best
    }

    fn search_moves(
        &mut self,
        node: &Node<P>,
        window: Window,
        depth: i32,
        ply: usize,
        may_guess: bool,
    ) -> Score {
        // One ply above the leaves a look-up costs more than it saves.
        let hash = if depth > 1 { node.hash() } else { 0 };
        let known = if depth > 1 { self.shared.table.probe(hash) } else { None };
        if let Some(score) = known.and_then(|entry| usable(entry, window, depth)) {
            self.tt_hits += 1;
            return score;
        }
        let Some(mut picker) = self.pickers.get_mut(ply).map(std::mem::take) else {
            return self.evaluate(node);
        };
        let tt_move = known.map_or(NO_MOVE, |entry| entry.best_move);
        picker.start(tt_move, self.killers.get(ply).copied().unwrap_or([NO_MOVE; 2]));
        let found = self.best_of(node, &mut picker, window, depth, ply, may_guess);
        if !self.stopped {
            let (best_move, score, bound) = found;
            if bound == Bound::Lower {
                self.update_ordering(node, &picker, depth, ply);
            }
            if depth > 1 {
                let is_final = score.exact && P::PATH_INDEPENDENT;
                let depth = if is_final { EXACT_DEPTH } else { depth.clamp(0, 100) as u8 };
                self.shared.table.store(hash, Entry { best_move, value: score.value as i16, depth, bound });
            }
        }
        if let Some(place) = self.pickers.get_mut(ply) {
            *place = picker;
        }
        found.1
    }

    /// Returns the code of the best move, its score, and the kind of bound that the score is.
    fn best_of(
        &mut self,
        node: &Node<P>,
        picker: &mut MovePicker<P::Move>,
        mut window: Window,
        depth: i32,
        ply: usize,
        may_guess: bool,
    ) -> (u16, Score, Bound) {
        let pv_node = !window.is_null();
        let mut best = (NO_MOVE, Score::exact(-INFINITE), Bound::Upper);
        let mut all_exact = true;
        let mut count = 0;
        while let Some(mv) = picker.next(node, &self.history) {
            if pv_node {
                self.clear_variation(ply + 1);
            }
            let reduction = if may_guess { late_move_reduction(depth, count, pv_node) } else { 0 };
            let score = self.search_scout(node, mv, (window, count > 0), (depth, reduction), ply);
            if self.stopped {
                return best;
            }
            count += 1;
            all_exact &= score.exact;
            if score.value <= best.1.value {
                continue;
            }
            best.1 = score;
            if score.value >= window.beta {
                // One exact move is enough for an exact lower bound.
                return (P::encode(mv), score, Bound::Lower);
            }
            if score.value > window.alpha {
                best = (P::encode(mv), score, Bound::Exact);
                window.alpha = score.value;
                if pv_node {
                    self.extend_variation(ply, mv);
                }
            }
        }
        if count == 0 {
            // A side without a move has finished the game.
            return (NO_MOVE, Score::exact(node.result()), Bound::Exact);
        }
        best.1.exact = all_exact && picker.is_complete;
        best
    }

    /// Searches a move after the first with a null window, and late moves to a smaller depth. If the move turns out
    /// better, searches it again with the full window.
    #[inline]
    fn search_scout(
        &mut self,
        node: &Node<P>,
        mv: P::Move,
        (window, scout): (Window, bool),
        (depth, reduction): (i32, i32),
        ply: usize,
    ) -> Score {
        if !scout {
            return self.search_move(node, mv, window, depth - 1, ply);
        }
        let null = Window::null(window.alpha);
        let mut score = self.search_move(node, mv, null, depth - 1 - reduction, ply);
        if reduction > 0 && score.value > window.alpha && !score.exact && !self.stopped {
            score = self.search_move(node, mv, null, depth - 1, ply);
        }
        if score.value > window.alpha && score.value < window.beta && !self.stopped {
            score = self.search_move(node, mv, window, depth - 1, ply);
        }
        score
    }

    /// Rewards the picker's last move, which caused the cut-off, in killers and history.
    fn update_ordering(&mut self, node: &Node<P>, picker: &MovePicker<P::Move>, depth: i32, ply: usize) {
        let Some((cut_off, before)) = picker.tried().split_last() else { return };
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != *cut_off
        {
            *killers = [*cut_off, killers[0]];
        }
        self.history.update(node.to_move(), *cut_off, before, depth);
    }

    pub fn clear_variation(&mut self, ply: usize) {
        if let Some(line) = self.variations.get_mut(ply) {
            line.clear();
        }
    }

    /// Sets the principal variation of this ply: the move, then the variation of the next ply.
    fn extend_variation(&mut self, ply: usize, mv: P::Move) {
        let Some((upper, lower)) = self.variations.split_at_mut_checked(ply + 1) else { return };
        if let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(rest);
        }
    }
}

/// The score of an entry, if it decides this search. In a full window only an exact score does.
fn usable(entry: Entry, window: Window, depth: i32) -> Option<Score> {
    let (value, exact) = (i32::from(entry.value), entry.depth == EXACT_DEPTH);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= window.beta,
        Bound::Upper => value <= window.alpha,
    };
    let is_deep = exact || window.is_null() && i32::from(entry.depth) >= depth;
    (decides && is_deep).then_some(Score { value, exact })
}

/// Number of plies by which a late move is searched less deep. Integer arithmetic gives the same result on every
/// machine.
#[inline]
fn late_move_reduction(depth: i32, count: i32, pv_node: bool) -> i32 {
    if depth < 3 || count < 3 {
        return 0;
    }
    let (logs, log) = (depth.ilog2() * count.ilog2(), count.ilog2());
    let reduction = (logs + log) as i32 / 3 - i32::from(pv_node);
    reduction.clamp(0, depth - 2)
}
