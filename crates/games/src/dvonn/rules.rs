//! The rules of DVONN: the side to move, the legal plies and what they do, and the end of the game.

use super::board::ALL_PIECES;
use super::position::{Dvonn, Move, Phase, Piece, piece_of, placer};
use super::space::spaces;
use super::{draw, notation, refuse, text};
use crate::scene::{Ends, Scene};
use crate::{Outcome, Position, Seat, SetupError, Unreadable};

impl Position for Dvonn {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        let over =
            self.phase() == Phase::Stacking && !Seat::BOTH.iter().any(|seat| self.board.can_move(*seat));
        over.then(|| Outcome::counted(self.score()))
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

    fn why_not(&self, ply: Move) -> String {
        refuse::why_not(self, ply)
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

    fn scene(&self) -> Scene {
        draw::scene(self)
    }

    fn ends(&self, ply: Move) -> Ends<impl ToString> {
        let (from, to) = match ply {
            Move::Place(to) => (None, Some(to)),
            Move::Stack(from, to) => (Some(from), Some(to)),
            Move::Pass => (None, None),
        };
        Ends { from, to, then: None }
    }

    fn explain(&self, ply: Move) -> String {
        text::explain(self, ply)
    }

    fn remarks(&self, after: &Dvonn) -> Vec<String> {
        text::remarks(self, after)
    }
}
