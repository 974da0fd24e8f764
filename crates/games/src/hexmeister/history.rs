//! The boards since the last drop or capture. Earlier boards cannot recur, because no ply undoes a drop or a capture.
//!
//! A hundred turns without a drop or a capture end the game, so the list stays short. It is a linked list with shared
//! tails, so that cloning a position is cheap.

use std::sync::Arc;

use super::board::Board;

/// The number of turns without a drop or a capture that makes the game a draw.
pub const QUIET_TURNS: usize = 100;

/// The number of times that a position must occur to make the game a draw.
pub const REPETITIONS: usize = 3;

/// The boards at the start of each turn since the last drop or capture, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct History {
    newest: Option<Arc<PastPosition>>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct PastPosition {
    board: Board,
    /// The number of boards from the oldest to this one.
    length: usize,
    /// How many of these boards equal this one, with the same side to move.
    times: usize,
    earlier: History,
}

impl History {
    /// The empty history.
    pub const EMPTY: History = History { newest: None };

    /// Adds the board at the start of a turn.
    pub fn push(&mut self, board: Board) {
        // The same side was to move on every second board.
        let before = self.boards().skip(1).step_by(2).filter(|earlier| *earlier == board).count();
        let earlier = std::mem::take(self);
        let length = earlier.len() + 1;
        self.newest = Some(Arc::new(PastPosition { board, length, times: before + 1, earlier }));
    }

    /// The number of boards.
    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |entry| entry.length)
    }

    /// The number of times that the newest board has occurred with the same side to move, including now.
    pub fn times(&self) -> usize {
        self.newest.as_ref().map_or(0, |entry| entry.times)
    }

    /// The boards, the newest first.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        let mut next = self.newest.as_deref();
        std::iter::from_fn(move || {
            let entry = next?;
            next = entry.earlier.newest.as_deref();
            Some(entry.board)
        })
    }
}
