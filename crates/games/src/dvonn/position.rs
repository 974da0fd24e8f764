//! A position of DVONN and the plies that lead from it.

use super::board::{ALL_PIECES, Board, DVONN_PIECES};
use super::space::Space;
use crate::Seat;

/// A position: the board, the side to move, and how many pieces are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dvonn {
    pub(super) board: Board,
    pub(super) to_move: Seat,
    /// Pieces placed so far. At 49 the stacking phase begins.
    pub(super) placed: u8,
}

/// One ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Places the next piece on an empty space (placement phase).
    Place(Space),
    /// Moves the stack on the first space onto the stack on the second (stacking phase).
    Stack(Space, Space),
    /// Passes, because the side to move has no legal move (stacking phase).
    Pass,
}

/// The two phases of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Each ply places one piece, until the board is full.
    Placement,
    /// Each ply moves a stack onto another.
    Stacking,
}

/// The piece that a ply of the placement phase places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Piece {
    /// One of the three red pieces.
    Dvonn,
    /// A white or black piece.
    Of(Seat),
}

impl Dvonn {
    /// The empty board, white to place the first DVONN piece.
    pub const EMPTY: Dvonn = Dvonn { board: Board::EMPTY, to_move: Seat::First, placed: 0 };

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The phase of the game.
    #[inline]
    pub fn phase(&self) -> Phase {
        if self.placed < ALL_PIECES { Phase::Placement } else { Phase::Stacking }
    }

    /// Pieces placed so far: 49 in the stacking phase.
    pub fn placed(&self) -> u8 {
        self.placed
    }

    /// The piece that the next ply places; `None` in the stacking phase.
    pub fn next_piece(&self) -> Option<Piece> {
        (self.phase() == Phase::Placement).then(|| piece_of(self.placed + 1))
    }

    /// The score of white and black: the pieces, of any colour, in the stacks that each controls.
    pub fn score(&self) -> [u16; 2] {
        self.board.score()
    }
}

/// The seat that plays ply `ply` (from 1) of the placement phase. White plays the last of the 49 plies and then
/// the first of the stacking phase (rule E.1).
pub(super) fn placer(ply: u8) -> Seat {
    if ply % 2 == 1 { Seat::First } else { Seat::Second }
}

/// The piece that ply `ply` (from 1) of the placement phase places (rule D.1).
pub(super) fn piece_of(ply: u8) -> Piece {
    if ply <= DVONN_PIECES { Piece::Dvonn } else { Piece::Of(placer(ply)) }
}
