//! A position of Hexmeister and the plies that lead from it.

use super::board::{Board, STONES};
use super::cells::{Cell, CellSet};
use super::history::History;
use crate::Seat;

/// A position: the board, the side to move, the reserves, a pending bonus, and the boards that can recur.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hexmeister {
    pub(super) board: Board,
    pub(super) to_move: Seat,
    /// Stones not dropped yet.
    pub(super) reserves: [u8; 2],
    /// True if the next ply uses or declines a bonus.
    pub(super) bonus: bool,
    pub(super) rules: Rules,
    /// The boards since the last drop or capture. The newest one is `board`, unless a bonus is pending.
    pub(super) history: History,
}

/// The options of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// Stones move in straight lines only.
    pub straight: bool,
    /// A bonus can be a drop.
    pub bonusdrop: bool,
}

/// One ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Drops a stone from the reserve on an empty cell of the side's own base.
    Drop(Cell),
    /// Moves the stone on the first cell to the second.
    Go(Cell, Cell),
    /// Declines the pending bonus.
    Done,
    /// Passes, because the side to move can neither drop nor move a stone.
    Pass,
}

impl Hexmeister {
    /// The empty board, white to play.
    pub fn start(rules: Rules) -> Hexmeister {
        let mut history = History::EMPTY;
        history.push(Board::EMPTY);
        let (board, to_move) = (Board::EMPTY, Seat::First);
        Hexmeister { board, to_move, reserves: [STONES; 2], bonus: false, rules, history }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Stones of `seat` not dropped yet.
    #[inline]
    pub fn reserve(&self, seat: Seat) -> u8 {
        *seat.of(&self.reserves)
    }

    /// Stones of `seat` on the board and in reserve.
    pub fn stones_left(&self, seat: Seat) -> u32 {
        self.board.stones(seat).count_ones() + u32::from(self.reserve(seat))
    }

    /// Captured stones of `seat`.
    pub fn captured(&self, seat: Seat) -> u32 {
        u32::from(STONES).saturating_sub(self.stones_left(seat))
    }

    /// True if the next ply uses or declines a bonus.
    #[inline]
    pub fn bonus(&self) -> bool {
        self.bonus
    }

    /// The options of this board.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The boards since the last drop or capture.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// Complete turns since the last drop or capture.
    pub fn quiet_turns(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    /// The cells on which the side to move can drop a stone, unless the game is over.
    #[inline]
    pub(super) fn drops(&self) -> CellSet {
        if self.bonus && !self.rules.bonusdrop { 0 } else { self.drops_of(self.to_move) }
    }

    /// The cells on which `seat` can drop a stone at the start of a turn.
    #[inline]
    pub(super) fn drops_of(&self, seat: Seat) -> CellSet {
        if self.reserve(seat) == 0 { 0 } else { self.board.drops(seat) }
    }
}
