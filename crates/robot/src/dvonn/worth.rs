//! What something is worth while the game goes from a full board to an empty one, to whoever is to move.

use std::ops::{AddAssign, SubAssign};

use turnpost_games::Seat;

/// Four numbers in hundredths of a point: to white on a full board and on an empty one when white is to move, and the
/// same to black. What is seen with black to move is worth to black what its mirror is to white.
///
/// They are added up by the dozen for every position, so they share a word: sixteen bits each, the first lowest. Where
/// one is below 0 it borrows from the next, and [`pair`](Worth::pair) gives back what was borrowed. Sums stay
/// below half of what sixteen bits hold, which a test of the estimate watches over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Worth(u64);

const HALF: i32 = 1 << 15;
const HALVES: u64 = 0x8000_8000_8000_8000;

impl Worth {
    /// Nothing.
    pub const NONE: Worth = Worth(0);

    /// On a full board and on an empty one: to white, to move, and to black, to move.
    pub fn new(white: [i16; 2], black: [i16; 2]) -> Worth {
        let [[a, b], [c, d]] = [white, black].map(|pair| pair.map(i64::from));
        Worth((a + (b << 16) + (c << 32)).wrapping_add(d << 48) as u64)
    }

    /// To `seat` when it is to move, on a full board and on an empty one.
    #[inline]
    pub fn pair(self, seat: Seat) -> [i32; 2] {
        // With half of what sixteen bits hold added to each nothing is below 0, and nothing borrowed.
        let words = self.0.wrapping_add(HALVES) >> (32 * seat.index());
        [words, words >> 16].map(|word| i32::from(word as u16) - HALF)
    }
}

impl AddAssign for Worth {
    #[inline]
    fn add_assign(&mut self, other: Worth) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl SubAssign for Worth {
    #[inline]
    fn sub_assign(&mut self, other: Worth) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_0_are_given_back() {
        let some = [0, 1, -1, 300, -300, 16_000, -16_000];
        for a in some {
            for b in some {
                for c in some {
                    for d in some {
                        let mut worth = Worth::new([a, b], [c, d]);
                        worth += Worth::new([-1, 2], [3, -4]);
                        worth += Worth::new([500, -500], [-500, 500]);
                        worth -= Worth::new([500, -500], [-500, 500]);
                        let [a, b, c, d] = [a, b, c, d].map(i32::from);
                        assert_eq!(worth.pair(Seat::First), [a - 1, b + 2]);
                        assert_eq!(worth.pair(Seat::Second), [c + 3, d - 4]);
                    }
                }
            }
        }
    }
}
