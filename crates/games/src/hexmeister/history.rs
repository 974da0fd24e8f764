//! The boards that may come back: those since the last drop or capture.
//!
//! A drop or a capture can never be undone, so no board from before it will be seen again, and a hundred turns without
//! one end the game: a history is never longer than that. It is a list shared from behind, so that a copy of a
//! position costs nothing.

use std::sync::Arc;

use super::board::Board;

/// So many turns without a drop or a capture are a draw.
pub const QUIET_TURNS: usize = 100;

/// So many times the same position is a draw.
pub const REPETITIONS: usize = 3;

/// The boards at the starts of the turns since the last drop or capture, the newest in front.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct History {
    newest: Option<Arc<Entry>>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Entry {
    board: Board,
    /// How many boards there are up to here.
    length: usize,
    /// How many of them are this one with this side to move.
    times: usize,
    earlier: History,
}

impl History {
    /// No board.
    pub const EMPTY: History = History { newest: None };

    /// Adds the board at the start of the turn that begins now.
    pub fn push(&mut self, board: Board) {
        // The sides take turns, so the same one was to move two, four, six boards ago.
        let before = self.boards().skip(1).step_by(2).filter(|earlier| *earlier == board).count();
        let earlier = std::mem::take(self);
        let length = earlier.len() + 1;
        self.newest = Some(Arc::new(Entry { board, length, times: before + 1, earlier }));
    }

    /// How many boards there are.
    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |entry| entry.length)
    }

    /// Whether there is no board.
    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    /// How many times the newest board has stood with the same side to move, this time included.
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
