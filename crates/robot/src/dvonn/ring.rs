//! A ring: what stands on a space, how far from a DVONN piece that is, and what stands on the six spaces beside it.

use turnpost_games::Seat;
use turnpost_games::dvonn::board::Board;
use turnpost_games::dvonn::space::Space;

/// What stands in the middle of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Middle {
    /// Nothing.
    Empty,
    /// A single white piece.
    White,
    /// A single black piece.
    Black,
    /// A stack of two and more under a white piece, no DVONN piece among them.
    WhiteStack,
    /// The same under a black piece.
    BlackStack,
    /// A DVONN piece alone.
    Dvonn,
    /// A stack with a DVONN piece under a white one.
    WhiteRed,
    /// The same under a black one.
    BlackRed,
}

impl Middle {
    /// All of them, each at its own place.
    pub const ALL: [Middle; 8] = {
        use Middle::*;
        [Empty, White, Black, WhiteStack, BlackStack, Dvonn, WhiteRed, BlackRed]
    };

    /// What stands on `space`.
    #[inline]
    pub fn of(board: &Board, space: Space) -> Middle {
        let has = |set: u64| (set >> space.index() & 1) as usize;
        let [white, black] = Seat::BOTH.map(|seat| has(board.controlled(seat)));
        let (tall, red) = (has(board.tall()), has(board.red()));
        let owned = (white | black) * (1 + black + 2 * tall + 3 * (red & tall));
        Middle::ALL[(owned + 5 * (red & !(white | black))) & 7]
    }

    /// A stack of two and more of `seat`'s, with a DVONN piece or without.
    #[inline]
    pub fn stack(seat: Seat, red: bool) -> Middle {
        Middle::ALL[3 + seat.index() + 3 * usize::from(red)]
    }

    /// The same with the colours changed.
    pub fn swapped(self) -> Middle {
        use Middle::*;
        match self {
            Empty => Empty,
            White => Black,
            Black => White,
            WhiteStack => BlackStack,
            BlackStack => WhiteStack,
            Dvonn => Dvonn,
            WhiteRed => BlackRed,
            BlackRed => WhiteRed,
        }
    }

    /// What it adds to the ring of a space beside it: to the white ones there, the black ones, the lone DVONN pieces.
    #[inline]
    fn beside(self) -> u16 {
        const BESIDE: [u16; 8] = [0, 1, 1 << 3, 1, 1 << 3, 1 << 6, 1, 1 << 3];
        BESIDE[self as usize]
    }
}

/// Thirteen bits: how many of the six are white's, black's and lone DVONN pieces (three, three and two bits), the middle
/// (three), and how far it is (two).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ring(u16);

const MIDDLE: u32 = 8;
const FAR: u32 = 11;

impl Ring {
    /// How many there could be.
    pub const COUNT: usize = 1 << 13;

    /// Nothing, with nothing beside it.
    pub const EMPTY: Ring = Ring(0);

    /// Of a middle so far from a DVONN piece (see [`far`](Ring::far)) among so many white and black ones and lone DVONN
    /// pieces: six at most in all, three of them DVONN pieces.
    pub fn new(middle: Middle, far: u16, [white, black, dvonn]: [u16; 3]) -> Ring {
        Ring(white | black << 3 | dvonn << 6 | (middle as u16) << MIDDLE | far << FAR)
    }

    /// Its place in a table, below [`COUNT`](Ring::COUNT).
    #[inline]
    pub fn index(self) -> u16 {
        self.0
    }

    /// What stands in the middle.
    #[inline]
    pub fn middle(self) -> Middle {
        Middle::ALL[usize::from(self.0 >> MIDDLE & 7)]
    }

    /// How far the middle is from the nearest DVONN piece, whatever lies between: 0 for a space and less, 1 for two,
    /// 2 for three, 3 for more.
    #[inline]
    pub fn far(self) -> u16 {
        self.0 >> FAR & 3
    }

    /// How many of the six spaces beside it are white's, black's, and hold a DVONN piece alone.
    pub fn beside(self) -> [u16; 3] {
        [self.0 & 7, self.0 >> 3 & 7, self.0 >> 6 & 3]
    }

    /// The same with the colours changed.
    #[must_use]
    pub fn swapped(self) -> Ring {
        let [white, black, dvonn] = self.beside();
        Ring::new(self.middle().swapped(), self.far(), [black, white, dvonn])
    }

    /// Another middle.
    #[inline]
    pub(super) fn put(&mut self, middle: Middle) {
        self.0 = self.0 & !(7 << MIDDLE) | (middle as u16) << MIDDLE;
    }

    /// Another distance.
    #[inline]
    pub(super) fn measure(&mut self, far: u16) {
        self.0 = self.0 & !(3 << FAR) | (far & 3) << FAR;
    }

    /// Beside it one middle gives way to another.
    #[inline]
    pub(super) fn change(&mut self, more: Change) {
        self.0 = self.0.wrapping_add(more.0);
    }
}

/// How the rings beside a space change when its middle does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change(u16);

impl Change {
    #[inline]
    pub(super) fn between(old: Middle, new: Middle) -> Change {
        Change(new.beside().wrapping_sub(old.beside()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        for (place, middle) in Middle::ALL.into_iter().enumerate() {
            assert_eq!(middle as usize, place);
            for far in 0..4 {
                for beside in [[0, 0, 0], [6, 0, 0], [0, 6, 0], [1, 2, 3], [3, 3, 0], [2, 1, 3]] {
                    let ring = Ring::new(middle, far, beside);
                    assert_eq!((ring.middle(), ring.far(), ring.beside()), (middle, far, beside));
                    let [white, black, dvonn] = beside;
                    let swapped = ring.swapped();
                    assert_eq!((swapped.far(), swapped.beside()), (far, [black, white, dvonn]));
                    assert_eq!(swapped.swapped(), ring);
                }
            }
        }
    }
}
