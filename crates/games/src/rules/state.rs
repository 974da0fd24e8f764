//! The state of a game on a board: pieces, the side to move, and counts.

use super::board::Board;
use super::cells::{Cell, Cells};
use super::ply::Ply;
use crate::scene::Shape;
use crate::{Outcome, Seat};

/// The pieces on a board, the side to move, and what else the game counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The board.
    pub board: Board,
    /// The side to move.
    pub to_move: Seat,
    /// Numbers with a meaning that each game defines.
    pub counts: [u16; 4],
    /// The keys of earlier boards that can recur; empty in games without a rule about repetition.
    pub seen: Vec<u64>,
    /// The spaces with pieces of the first side, of the second, and of neither.
    owners: [Cells; 3],
    /// For each of the bits 0, 1 and 2, the spaces with pieces whose kind has that bit set.
    kinds: [Cells; 3],
}

/// A piece on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side that owns it; `None` for a neutral piece.
    pub side: Option<Seat>,
    /// The index of its kind in [`Rules::KINDS`](super::Rules::KINDS).
    pub kind: u8,
}

impl Piece {
    /// A piece of the first kind.
    pub fn of(side: Seat) -> Piece {
        Piece { side: Some(side), kind: 0 }
    }
}

/// A kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The name in prose.
    pub name: &'static str,
    /// The signs in text of a piece of the first side, of the second, and of neither. `?` means that there is no
    /// such piece.
    pub signs: [char; 3],
    /// The look in pictures.
    pub shape: Shape,
}

impl Kind {
    /// A disc, `w` and `b` in text.
    pub const fn disc(name: &'static str) -> Kind {
        Kind { name, signs: ['w', 'b', '?'], shape: Shape::Disc }
    }

    /// A disc with a number from 1 to 9. Drawings show the number; in the text of a position, the second side has a
    /// letter in its place, `a` for 1.
    pub const fn numbered(name: &'static str, number: u8) -> Kind {
        let signs = [(b'0' + number) as char, (b'a' - 1 + number) as char, '?'];
        Kind { name, signs, shape: Shape::Numbered(number) }
    }
}

fn place(side: Option<Seat>) -> usize {
    side.map_or(2, Seat::index)
}

impl State {
    /// An empty board with the first side to move.
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

    /// The spaces with neutral pieces.
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

    /// The spaces without a piece.
    #[inline]
    pub fn empties(&self) -> Cells {
        self.board.cells - self.taken()
    }

    /// True for a space without a piece.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        !self.taken().has(cell)
    }

    /// The side whose piece is on a space.
    #[inline]
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.of(*seat).has(cell))
    }

    /// The piece on a space.
    pub fn at(&self, cell: Cell) -> Option<Piece> {
        let side = [Some(Seat::First), Some(Seat::Second), None]
            .into_iter()
            .find(|side| self.owners[place(*side)].has(cell))?;
        let kind = (0..).zip(&self.kinds).map(|(bit, kind)| u8::from(kind.has(cell)) << bit).sum();
        Some(Piece { side, kind })
    }

    /// Puts a piece on a space in place of the one there; `None` empties the space.
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

    /// Puts a piece on each of `cells`.
    pub fn fill(&mut self, cells: impl IntoIterator<Item = Cell>, piece: Piece) {
        cells.into_iter().for_each(|cell| self.set(cell, Some(piece)));
    }

    /// Plays an ordinary ply: moves a piece or puts one down, and replaces the piece there. Then the other side is to
    /// move.
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

    /// Call this before a ply. It remembers the board. If the ply is final, it forgets all boards, because none of them
    /// can recur.
    pub fn remember(&mut self, is_final: bool) {
        if is_final {
            self.seen.clear();
        } else {
            self.seen.push(self.key());
        }
    }

    /// A draw if the board occurs for the third time with the same side to move.
    pub fn recurred(&self) -> Option<Outcome> {
        // The sides move in turn, so this side was to move on every second board.
        let earlier = self.seen.iter().rev().skip(1).step_by(2);
        let key = if self.seen.len() < 8 { return None } else { self.key() };
        let is_third = earlier.filter(|seen| **seen == key).count() >= 2;
        is_third.then(|| Outcome::tie("the same position for the third time"))
    }

    /// A hash of the pieces. The side to move does not change it.
    pub fn key(&self) -> u64 {
        self.owners.iter().chain(&self.kinds).fold(0, |key, cells| cells.key(key))
    }
}
