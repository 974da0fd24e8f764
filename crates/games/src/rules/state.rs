//! What a game on a board consists of: pieces, whose turn it is, and what else it counts.

use super::board::Board;
use super::cells::{Cell, Cells};
use super::ply::Ply;
use crate::scene::Shape;
use crate::{Outcome, Seat};

/// The pieces on a board, whose turn it is, and what else a game counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The board.
    pub board: Board,
    /// The side to move.
    pub to_move: Seat,
    /// What the game counts beside pieces, as it likes.
    pub counts: [u16; 4],
    /// Keys of the boards before this one that may recur, in games where that matters.
    pub seen: Vec<u64>,
    /// Those of each side and nobody's.
    owners: [Cells; 3],
    /// The bits of the kinds.
    kinds: [Cells; 3],
}

/// A piece on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is; `None` when it is nobody's.
    pub side: Option<Seat>,
    /// Its kind, as a place in [`Rules::KINDS`](super::Rules::KINDS), which has up to eight.
    pub kind: u8,
}

impl Piece {
    /// A side's piece of the first kind.
    pub fn of(side: Seat) -> Piece {
        Piece { side: Some(side), kind: 0 }
    }
}

/// A kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// What players call it.
    pub name: &'static str,
    /// Its signs in text: of the first side, the second, and nobody. A sign stands for one piece alone.
    pub signs: [char; 3],
    /// Its look.
    pub shape: Shape,
}

impl Kind {
    /// A piece that looks like a disc, `w` and `b` in text.
    pub const fn disc(name: &'static str) -> Kind {
        Kind { name, signs: ['w', 'b', '?'], shape: Shape::Disc }
    }
}

fn place(side: Option<Seat>) -> usize {
    side.map_or(2, Seat::index)
}

impl State {
    /// An empty board; the first side is to move.
    pub fn empty(board: Board) -> State {
        State {
            board,
            to_move: Seat::First,
            counts: [0; 4],
            seen: Vec::new(),
            owners: [Cells::NONE; 3],
            kinds: [Cells::NONE; 3],
        }
    }

    /// The spaces with pieces of a side.
    #[inline]
    pub fn of(&self, seat: Seat) -> Cells {
        self.owners[seat.index()]
    }

    /// The spaces with pieces of nobody.
    pub fn of_nobody(&self) -> Cells {
        self.owners[2]
    }

    /// The spaces with pieces of a kind.
    pub fn of_kind(&self, kind: u8) -> Cells {
        let bits = (0..).zip(self.kinds);
        bits.fold(
            self.taken(),
            |all, (bit, cells)| if kind >> bit & 1 != 0 { all & cells } else { all - cells },
        )
    }

    /// The spaces with a piece.
    #[inline]
    pub fn taken(&self) -> Cells {
        let [first, second, nobody] = self.owners;
        first | second | nobody
    }

    /// The spaces without.
    #[inline]
    pub fn empties(&self) -> Cells {
        self.board.cells - self.taken()
    }

    /// True when nothing is there.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        !self.taken().has(cell)
    }

    /// Whose piece is there.
    #[inline]
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.of(*seat).has(cell))
    }

    /// What is there.
    pub fn at(&self, cell: Cell) -> Option<Piece> {
        let side = [Some(Seat::First), Some(Seat::Second), None]
            .into_iter()
            .find(|side| self.owners[place(*side)].has(cell))?;
        let kind = (0..).zip(&self.kinds).map(|(bit, kind)| u8::from(kind.has(cell)) << bit).sum();
        Some(Piece { side, kind })
    }

    /// Puts a piece there, or none.
    #[inline]
    pub fn set(&mut self, cell: Cell, piece: Option<Piece>) {
        self.owners.iter_mut().chain(&mut self.kinds).for_each(|cells| cells.remove(cell));
        if let Some(Piece { side, kind }) = piece {
            self.owners[place(side)].add(cell);
            for (bit, cells) in self.kinds.iter_mut().enumerate() {
                if kind >> bit & 1 != 0 {
                    cells.add(cell);
                }
            }
        }
    }

    /// Puts a side's piece on each of these.
    pub fn fill(&mut self, cells: impl IntoIterator<Item = Cell>, piece: Piece) {
        cells.into_iter().for_each(|cell| self.set(cell, Some(piece)));
    }

    /// What most plies do: a piece moves or is put down, takes what stands there, and the other side is to move.
    pub fn go(&mut self, ply: Ply) {
        let piece = match ply.from {
            None => Some(Piece::of(self.to_move)),
            Some(from) => {
                let piece = self.at(from);
                self.set(from, None);
                piece
            }
        };
        if let Some(to) = ply.to {
            self.set(to, piece);
        }
        self.to_move = self.to_move.other();
    }

    /// Before a ply: keeps the board in mind, or forgets all where none of them can come back.
    pub fn remember(&mut self, is_final: bool) {
        if is_final {
            self.seen.clear();
        } else {
            self.seen.push(self.key());
        }
    }

    /// The draw of a board that is there for the third time, with the same side to move.
    pub fn recurred(&self) -> Option<Outcome> {
        // The sides move by turns, so each second board had this side to move.
        let earlier = self.seen.iter().rev().skip(1).step_by(2);
        let key = if self.seen.len() < 8 { return None } else { self.key() };
        let is_third = earlier.filter(|seen| **seen == key).count() >= 2;
        is_third.then(|| Outcome::tie("the same position for the third time"))
    }

    /// A number that hardly any other pieces on this board have, whoever is to move.
    pub fn key(&self) -> u64 {
        self.owners.iter().chain(&self.kinds).fold(0, |key, cells| cells.key(key))
    }
}
