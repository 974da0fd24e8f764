//! A position of DVONN, and its face towards the rest of the house.

use super::board::{ALL_PIECES, Board, DVONN_PIECES};
use super::space::{Space, spaces};
use super::{draw, notation, refuse, remarks, text};
use crate::{Drawing, Illegal, Outcome, Position, Seat, SetupError, Unreadable};

/// A position: the board, whose ply it is, and how far the placing has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dvonn {
    board: Board,
    to_move: Seat,
    /// Pieces placed so far; all 49 means that the stacking phase has begun.
    placed: u8,
}

/// One ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Puts the piece that is next onto an empty space (placement phase).
    Place(Space),
    /// Moves the stack on the first space onto the one on the second (stacking phase).
    Stack(Space, Space),
    /// Nothing can be moved (stacking phase).
    Pass,
}

/// The two parts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The board is filled, one piece a ply.
    Placement,
    /// Stacks are moved onto stacks.
    Stacking,
}

/// The piece a ply of the placement phase puts on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Piece {
    /// One of the three red pieces.
    Dvonn,
    /// A piece of a side's own colour.
    Of(Seat),
}

impl Dvonn {
    /// The empty board, white to place the first DVONN piece.
    pub const EMPTY: Dvonn = Dvonn { board: Board::EMPTY, to_move: Seat::First, placed: 0 };

    /// A position of the stacking phase. Nothing is checked; texts from outside go through [`Position::read`].
    pub(super) fn stacking(board: Board, to_move: Seat) -> Dvonn {
        Dvonn { board, to_move, placed: ALL_PIECES }
    }

    /// A position of the placement phase, of which `placed` plies, at most 48, are played. Nothing is checked.
    pub(super) fn placement(board: Board, placed: u8) -> Dvonn {
        Dvonn { board, to_move: placer(placed + 1), placed }
    }

    /// The stacks on the board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The part of the game this position belongs to.
    #[inline]
    pub fn phase(&self) -> Phase {
        if self.placed < ALL_PIECES { Phase::Placement } else { Phase::Stacking }
    }

    /// Pieces placed so far: below 49 in the placement phase, 49 from then on.
    pub fn placed(&self) -> u8 {
        self.placed
    }

    /// The piece that is placed next; `None` in the stacking phase.
    pub fn next_piece(&self) -> Option<Piece> {
        (self.phase() == Phase::Placement).then(|| piece_of(self.placed + 1))
    }

    /// The score of white and black: the pieces, of any colour, in the stacks each controls.
    pub fn score(&self) -> [u16; 2] {
        self.board.score()
    }
}

/// Who plays ply `ply` (from 1) of the placement phase. White plays the last of its 49 plies and then the first of
/// the stacking phase (rule E.1).
pub(super) fn placer(ply: u8) -> Seat {
    if ply % 2 == 1 { Seat::First } else { Seat::Second }
}

/// What ply `ply` (from 1) of the placement phase puts on the board (rule D.1).
pub(super) fn piece_of(ply: u8) -> Piece {
    if ply <= DVONN_PIECES { Piece::Dvonn } else { Piece::Of(placer(ply)) }
}

impl Position for Dvonn {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        let over =
            self.phase() == Phase::Stacking && !Seat::BOTH.iter().any(|seat| self.board.can_move(*seat));
        over.then(|| {
            let [white, black] = self.score();
            let winner = match white.cmp(&black) {
                std::cmp::Ordering::Greater => Some(Seat::First),
                std::cmp::Ordering::Less => Some(Seat::Second),
                std::cmp::Ordering::Equal => None,
            };
            Outcome { winner, score: Some([white, black]), how: None }
        })
    }

    #[inline]
    fn each_move(&self, visit: &mut impl FnMut(Move)) {
        if self.phase() == Phase::Placement {
            spaces(self.board.empty()).for_each(|space| visit(Move::Place(space)));
            return;
        }
        let mut any = false;
        self.board.each_move(self.to_move, &mut |from, to| {
            any = true;
            visit(Move::Stack(from, to));
        });
        if !any && self.board.can_move(self.to_move.other()) {
            visit(Move::Pass);
        }
    }

    #[inline]
    fn legal_count(&self) -> u64 {
        if self.phase() == Phase::Placement {
            return u64::from(self.board.empty().count_ones());
        }
        match self.board.count_moves(self.to_move) {
            0 => u64::from(self.board.can_move(self.to_move.other())),
            count => count,
        }
    }

    #[inline]
    fn forced(&self) -> Option<Move> {
        let stuck = self.phase() == Phase::Stacking
            && !self.board.can_move(self.to_move)
            && self.board.can_move(self.to_move.other());
        stuck.then_some(Move::Pass)
    }

    fn check(&self, ply: Move) -> Result<(), Illegal> {
        match refuse::reason(self, ply) {
            None => Ok(()),
            Some(why) => Err(Illegal { why }),
        }
    }

    #[inline]
    fn make(&mut self, ply: Move) {
        match ply {
            Move::Stack(from, to) => {
                self.board.stack(self.to_move, from, to);
                self.to_move = self.to_move.other();
            }
            Move::Pass => self.to_move = self.to_move.other(),
            Move::Place(space) => {
                let ply = self.placed + 1;
                match piece_of(ply) {
                    Piece::Dvonn => self.board.put(space, None, 1, true),
                    Piece::Of(seat) => self.board.put(space, Some(seat), 1, false),
                }
                self.placed = ply;
                self.to_move = if ply < ALL_PIECES { placer(ply + 1) } else { Seat::First };
            }
        }
    }

    fn read_move<'t>(&self, text: &'t str) -> Result<(Move, &'t str), Unreadable> {
        notation::read(text, self.phase())
    }

    fn write_move(&self, ply: Move) -> String {
        ply.to_string()
    }

    fn read(text: &str) -> Result<Dvonn, SetupError> {
        text::read(text)
    }

    fn write(&self) -> String {
        text::write(self)
    }

    fn draw(&self) -> Drawing {
        draw::draw(self)
    }

    fn remarks(&self, after: &Dvonn) -> Vec<String> {
        remarks::removed(self, after).into_iter().collect()
    }
}
