//! The stacks on the spaces, their moves, and what a move removes.

use super::space::{BOARD, Space, SpaceSet, beside, destinations, neighbours_connected, spaces, surrounded};
use crate::Seat;

/// The number of pieces of each side.
pub const PIECES_PER_SIDE: u8 = 23;
/// The number of red DVONN pieces.
pub const DVONN_PIECES: u8 = 3;
/// The number of all pieces, which equals the number of spaces.
pub const ALL_PIECES: u8 = 49;

/// The stacks on the board. The side of the top piece controls a stack. A lone DVONN piece is neutral.
///
/// Below the top piece only the number of pieces matters, and whether a DVONN piece is among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The spaces that each side controls.
    tops: [SpaceSet; 2],
    /// The spaces that hold a DVONN piece, alone or in a stack.
    red: SpaceSet,
    /// The spaces that hold two or more pieces.
    tall: SpaceSet,
    /// The number of pieces on each space, by [`Space::index`].
    heights: [u8; 64],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board { tops: [0; 2], red: 0, tall: 0, heights: [0; 64] };

    /// The spaces that `seat` controls.
    #[inline]
    pub fn controlled(&self, seat: Seat) -> SpaceSet {
        self.tops[seat.index()]
    }

    /// The spaces that hold a DVONN piece, alone or in a stack.
    #[inline]
    pub fn red(&self) -> SpaceSet {
        self.red
    }

    /// The spaces that hold a DVONN piece and nothing else.
    #[inline]
    pub fn lone_red(&self) -> SpaceSet {
        let [white, black] = self.tops;
        self.red & !(white | black)
    }

    /// The spaces that hold a piece or a stack.
    #[inline]
    pub fn occupied(&self) -> SpaceSet {
        let [white, black] = self.tops;
        white | black | self.red
    }

    /// The spaces that hold two or more pieces.
    #[inline]
    pub fn tall(&self) -> SpaceSet {
        self.tall
    }

    /// The number of pieces on `space`.
    #[inline]
    pub fn height(&self, space: Space) -> u8 {
        self.heights[space.index()]
    }

    /// The seat that controls `space`, if any.
    pub fn owner(&self, space: Space) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.controlled(*seat) & space.set() != 0)
    }

    /// The number of pieces, of any colour, on the spaces of `set`.
    #[inline]
    pub fn pieces(&self, set: SpaceSet) -> u16 {
        spaces(set).map(|space| u16::from(self.height(space))).sum()
    }

    /// The score of white and black: the pieces, of any colour, in the stacks that each side controls.
    pub fn score(&self) -> [u16; 2] {
        self.tops.map(|tops| self.pieces(tops))
    }

    /// Puts a stack on an empty space. `red` means that it contains a DVONN piece. A lone DVONN piece has no owner.
    pub fn put(&mut self, space: Space, owner: Option<Seat>, height: u8, red: bool) {
        if let Some(seat) = owner {
            self.tops[seat.index()] |= space.set();
        }
        if red {
            self.red |= space.set();
        }
        if height > 1 {
            self.tall |= space.set();
        }
        self.heights[space.index()] = height;
    }

    /// The spaces of the stacks of `seat` that are not surrounded.
    #[inline]
    pub fn free(&self, seat: Seat) -> SpaceSet {
        self.controlled(seat) & !surrounded(self.occupied())
    }

    /// The spaces to which the stack on `space` moves, if it is free.
    #[inline]
    pub fn targets(&self, space: Space) -> SpaceSet {
        destinations(space, self.height(space)) & self.occupied()
    }

    /// Calls `visit` with each stacking move of `seat`, ordered by the space left and then by the space reached.
    #[inline]
    pub fn each_move(&self, seat: Seat, visit: &mut impl FnMut(Space, Space)) {
        for from in spaces(self.free(seat)) {
            for to in spaces(self.targets(from)) {
                visit(from, to);
            }
        }
    }

    /// The number of stacking moves of `seat`.
    #[inline]
    pub fn count_moves(&self, seat: Seat) -> u64 {
        let free = self.free(seat);
        let higher: u32 = spaces(free & self.tall).map(|from| self.targets(from).count_ones()).sum();
        u64::from(count_neighbours(free & !self.tall, self.occupied()) + higher)
    }

    /// True if `seat` has a stacking move.
    #[inline]
    pub fn can_move(&self, seat: Seat) -> bool {
        let free = self.free(seat);
        beside(free & !self.tall) & self.occupied() != 0
            || spaces(free & self.tall).any(|from| self.targets(from) != 0)
    }

    /// Moves the stack of `seat` on `from` onto the one on `to`, and removes every stack that is no longer linked
    /// to a DVONN piece.
    #[inline]
    pub fn stack(&mut self, seat: Seat, from: Space, to: Space) {
        let carried = self.red & from.set() != 0;
        self.move_stack(seat, from, to);
        // Every stack was linked before. If no DVONN piece moved and the neighbours of `from` are still connected,
        // every stack is still linked, and no search over the whole board is needed.
        if carried || !neighbours_connected(from, self.occupied()) {
            self.remove_unlinked();
        }
    }

    /// The board after the move and before the removal.
    pub(super) fn before_removal(mut self, seat: Seat, from: Space, to: Space) -> Board {
        self.move_stack(seat, from, to);
        self
    }

    #[inline]
    fn move_stack(&mut self, seat: Seat, from: Space, to: Space) {
        let (left, reached) = (from.set(), to.set());
        let height = std::mem::take(&mut self.heights[from.index()]);
        // Wrapping: an illegal ply must not panic in the server. Legal heights end at 49.
        self.heights[to.index()] = self.heights[to.index()].wrapping_add(height);
        let (own, other) = (seat.index(), seat.other().index());
        self.tops[own] = self.tops[own] & !left | reached;
        self.tops[other] &= !reached;
        self.tall = self.tall & !left | reached;
        if self.red & left != 0 {
            self.red = self.red & !left | reached;
        }
    }

    /// The occupied spaces that a chain of occupied spaces links to a DVONN piece.
    #[inline]
    pub fn linked(&self) -> SpaceSet {
        let occupied = self.occupied();
        let mut linked = self.red;
        loop {
            let wider = (linked | beside(linked)) & occupied;
            if wider == linked {
                return linked;
            }
            linked = wider;
        }
    }

    fn remove_unlinked(&mut self) {
        let linked = self.linked();
        for space in spaces(self.occupied() & !linked) {
            self.heights[space.index()] = 0;
        }
        self.tops = self.tops.map(|tops| tops & linked);
        self.tall &= linked;
    }

    /// The empty spaces.
    pub fn empty(&self) -> SpaceSet {
        BOARD & !self.occupied()
    }
}

/// The sum of the numbers of neighbours in `occupied` over all spaces in `set`.
#[inline]
pub fn count_neighbours(set: SpaceSet, occupied: SpaceSet) -> u32 {
    let [ones, twos, fours] = neighbours(set, occupied);
    ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones()
}

/// Counts the neighbours in `occupied` of each space of `set`. The counts are binary: the spaces whose count has a one,
/// a two and a four in it.
#[inline]
fn neighbours(set: SpaceSet, occupied: SpaceSet) -> [SpaceSet; 3] {
    // Adding the six directions bit by bit leaves three sets to count instead of six.
    let (right, left) = (set & occupied << 1, set & occupied >> 1);
    let (up, down) = (set & occupied << 12, set & occupied >> 12);
    let (aslant, back) = (set & occupied << 13, set & occupied >> 13);
    let (ones_a, twos_a) = (right ^ left ^ up, right & left | up & (right ^ left));
    let (ones_b, twos_b) = (down ^ aslant ^ back, down & aslant | back & (down ^ aslant));
    let (ones, twos_c) = (ones_a ^ ones_b, ones_a & ones_b);
    let (twos, fours) = (twos_a ^ twos_b ^ twos_c, twos_a & twos_b | twos_c & (twos_a ^ twos_b));
    [ones, twos, fours]
}
