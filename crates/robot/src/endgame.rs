//! Exact search of the last stacks: plain alpha-beta to the end of the game, with a small table.
//!
//! The search finds the result or a bound of the result, so its table is valid for every goal of the solver.

use super::alpha_beta::{Searcher, Window};
use super::evaluate::{Evaluator, INFINITE};
use super::move_picker::{MovePicker, NO_MOVE};
use super::tt::index;

/// Largest depth, above the number of plies that can be left. Deeper positions stay undecided.
const MAX_PLY: usize = 64;

#[derive(Debug, Clone, Copy)]
struct EndgameEntry {
    hash: u64,
    lower: i16,
    upper: i16,
}

const EMPTY: EndgameEntry = EndgameEntry { hash: 0, lower: i16::MIN, upper: i16::MAX };

/// The endgame search. Its table is small enough to stay in the processor's cache.
#[derive(Debug)]
pub(crate) struct Endgame<M> {
    table: Vec<EndgameEntry>,
    pickers: Vec<MovePicker<M>>,
}

impl<M: Copy> Endgame<M> {
    /// Makes a search with a table of at most `bytes`.
    pub fn new(bytes: usize) -> Endgame<M> {
        let pickers = (0..MAX_PLY).map(|_| MovePicker::default()).collect();
        Endgame { table: vec![EMPTY; bytes / size_of::<EndgameEntry>()], pickers }
    }

    /// The result for the side to move if it is inside the window, otherwise a bound outside it. `None` if the search
    /// was stopped.
    pub fn solve<P: Evaluator<Move = M>>(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        position: &P,
        window: Window,
    ) -> Option<i32> {
        self.search(searcher, position, window, 0)
    }

    fn search<P: Evaluator<Move = M>>(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        position: &P,
        window: Window,
        ply: usize,
    ) -> Option<i32> {
        let hash = position.hash();
        let place = index(hash, self.table.len());
        if let Some(entry) = self.table.get(place).filter(|entry| entry.hash == hash) {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= window.beta || lower == upper {
                return Some(lower);
            }
            if upper <= window.alpha {
                return Some(upper);
            }
        }
        let mut picker = self.pickers.get_mut(ply).map(std::mem::take)?;
        picker.start(NO_MOVE, [NO_MOVE; 2]);
        let best = self.best_of(searcher, position, &mut picker, window, ply);
        if let Some(slot) = self.pickers.get_mut(ply) {
            *slot = picker;
        }
        let best = best?;
        if let Some(entry) = self.table.get_mut(place) {
            if entry.hash != hash {
                *entry = EndgameEntry { hash, ..EMPTY };
            }
            if best > window.alpha {
                entry.lower = entry.lower.max(best as i16);
            }
            if best < window.beta {
                entry.upper = entry.upper.min(best as i16);
            }
        }
        Some(best)
    }

    fn best_of<P: Evaluator<Move = M>>(
        &mut self,
        searcher: &mut Searcher<'_, P>,
        position: &P,
        picker: &mut MovePicker<M>,
        Window { alpha, beta }: Window,
        ply: usize,
    ) -> Option<i32> {
        let mut best = -INFINITE;
        while let Some(mv) = picker.next_plain(position) {
            searcher.count_node();
            if searcher.stopped {
                return None;
            }
            let mut next = position.clone();
            next.make(mv);
            let alpha = alpha.max(best);
            let value = if next.to_move() == position.to_move() {
                self.search(searcher, &next, Window { alpha, beta }, ply + 1)?
            } else {
                -self.search(searcher, &next, Window { alpha: -beta, beta: -alpha }, ply + 1)?
            };
            best = best.max(value);
            if best >= beta {
                return Some(best);
            }
        }
        // A side without a move has finished the game.
        Some(if picker.tried().is_empty() { position.result() } else { best })
    }
}
