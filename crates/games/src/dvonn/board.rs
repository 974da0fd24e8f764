//! The stacks on the spaces, and what the rules make of them whoever is to move.

use super::space::{BOARD, Space, SpaceSet, beside, destinations, hang_together, spaces, surrounded};
use crate::Seat;

/// Pieces of each colour; with the DVONN pieces they fill the board.
pub const PIECES_PER_SIDE: u8 = 23;
/// DVONN pieces.
pub const DVONN_PIECES: u8 = 3;
/// All pieces, one for each space.
pub const ALL_PIECES: u8 = 49;

/// The stacks on the board. A stack belongs to the colour of its top piece; a lone DVONN piece to nobody.
///
/// Of what lies under the top the rules ask only how many pieces there are and whether a DVONN piece is among them,
/// so that is all that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The spaces each side controls.
    tops: [SpaceSet; 2],
    /// The spaces that hold a DVONN piece, alone or in a stack.
    red: SpaceSet,
    /// The spaces that hold two or more pieces.
    tall: SpaceSet,
    /// Pieces on each space, by [`Space::index`]; 0 where there are none.
    heights: [u8; 64],
}

impl Board {
    /// No piece anywhere.
    pub const EMPTY: Board = Board { tops: [0; 2], red: 0, tall: 0, heights: [0; 64] };

    /// The spaces `seat` controls.
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

    /// The spaces that hold anything.
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

    /// How many pieces stand on `space`.
    #[inline]
    pub fn height(&self, space: Space) -> u8 {
        self.heights[space.index()]
    }

    /// The heights of all spaces, eight to a word: two boards with the same words have the same heights.
    #[inline]
    pub fn height_words(&self) -> [u64; 8] {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(self.heights.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        words
    }

    /// Who controls `space`, if anybody does.
    pub fn owner(&self, space: Space) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.controlled(*seat) & space.set() != 0)
    }

    /// The pieces, of any colour, in the stacks of the spaces in `set`.
    #[inline]
    pub fn pieces(&self, set: SpaceSet) -> u16 {
        spaces(set).map(|space| u16::from(self.height(space))).sum()
    }

    /// The score of white and black: the pieces, of any colour, in the stacks each controls.
    pub fn score(&self) -> [u16; 2] {
        self.tops.map(|tops| self.pieces(tops))
    }

    /// Puts a stack on an empty space: `owner` is nobody for a lone DVONN piece.
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

    /// The stacks of `seat` that are not surrounded, whether or not they reach anything.
    #[inline]
    pub fn free(&self, seat: Seat) -> SpaceSet {
        self.controlled(seat) & !surrounded(self.occupied())
    }

    /// The spaces to which the stack on `space` could move if it is free.
    #[inline]
    pub fn targets(&self, space: Space) -> SpaceSet {
        destinations(space, self.height(space)) & self.occupied()
    }

    /// Shows every stacking move of `seat`: by the space left, then by the space reached.
    #[inline]
    pub fn each_move(&self, seat: Seat, visit: &mut impl FnMut(Space, Space)) {
        for from in spaces(self.free(seat)) {
            for to in spaces(self.targets(from)) {
                visit(from, to);
            }
        }
    }

    /// Shows the stacking moves of `seat` that land on a space of `wanted`, in the same order.
    #[inline]
    pub fn each_move_onto(&self, seat: Seat, wanted: SpaceSet, visit: &mut impl FnMut(Space, Space)) {
        for from in spaces(self.free(seat) & (beside(wanted) | self.tall)) {
            for to in spaces(self.targets(from) & wanted) {
                visit(from, to);
            }
        }
    }

    /// How many stacking moves `seat` has.
    #[inline]
    pub fn count_moves(&self, seat: Seat) -> u64 {
        let free = self.free(seat);
        let higher: u32 = spaces(free & self.tall).map(|from| self.targets(from).count_ones()).sum();
        u64::from(count_neighbours(free & !self.tall, self.occupied()) + higher)
    }

    /// Whether `seat` has any stacking move.
    #[inline]
    pub fn can_move(&self, seat: Seat) -> bool {
        let free = self.free(seat);
        beside(free & !self.tall) & self.occupied() != 0
            || spaces(free & self.tall).any(|from| self.targets(from) != 0)
    }

    /// Moves the stack of `seat` on `from` onto the one on `to`, and takes away what is no longer linked to a DVONN
    /// piece.
    #[inline]
    pub fn stack(&mut self, seat: Seat, from: Space, to: Space) {
        let carried = self.red & from.set() != 0;
        self.land(seat, from, to);
        // Everything was linked before. If no DVONN piece moved and the neighbours of the space left still hang
        // together, everything still is, and there is no need to look at the rest of the board.
        if carried || !hang_together(from, self.occupied()) {
            self.remove_unlinked();
        }
    }

    /// The board between the move and the removal.
    pub(super) fn before_removal(mut self, seat: Seat, from: Space, to: Space) -> Board {
        self.land(seat, from, to);
        self
    }

    #[inline]
    fn land(&mut self, seat: Seat, from: Space, to: Space) {
        let (left, reached) = (from.set(), to.set());
        let height = std::mem::take(&mut self.heights[from.index()]);
        // Wrapping, because a caller's mistake must not bring the server down; lawful heights end at 49.
        self.heights[to.index()] = self.heights[to.index()].wrapping_add(height);
        let (own, other) = (seat.index(), seat.other().index());
        self.tops[own] = self.tops[own] & !left | reached;
        self.tops[other] &= !reached;
        self.tall = self.tall & !left | reached;
        if self.red & left != 0 {
            self.red = self.red & !left | reached;
        }
    }

    /// The occupied spaces that are linked to a DVONN piece through occupied spaces.
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

    /// The spaces of the board that hold nothing.
    pub fn empty(&self) -> SpaceSet {
        BOARD & !self.occupied()
    }
}

/// How many pairs there are of a space in `set` and a neighbour of it in `occupied`.
#[inline]
pub fn count_neighbours(set: SpaceSet, occupied: SpaceSet) -> u32 {
    let [ones, twos, fours] = neighbours(set, occupied);
    ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones()
}

/// How many neighbours in `occupied` each space of `set` has: the ones, twos and fours of those numbers as sets.
#[inline]
fn neighbours(set: SpaceSet, occupied: SpaceSet) -> [SpaceSet; 3] {
    // The six directions as six sets, added up bit by bit so that three counts do instead of six.
    let (right, left) = (set & occupied << 1, set & occupied >> 1);
    let (up, down) = (set & occupied << 12, set & occupied >> 12);
    let (aslant, back) = (set & occupied << 13, set & occupied >> 13);
    let (ones_a, twos_a) = (right ^ left ^ up, right & left | up & (right ^ left));
    let (ones_b, twos_b) = (down ^ aslant ^ back, down & aslant | back & (down ^ aslant));
    let (ones, twos_c) = (ones_a ^ ones_b, ones_a & ones_b);
    let (twos, fours) = (twos_a ^ twos_b ^ twos_c, twos_a & twos_b | twos_c & (twos_a ^ twos_b));
    [ones, twos, fours]
}
