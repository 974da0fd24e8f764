//! A stack of two and more that is not shut in, and what it reaches.

use turnpost_games::dvonn::space::{Space, SpaceSet, destinations};

/// Nine bits: whose it is (one), its height (four), how many stacks it reaches (two), and what is among them (two).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stack(u16);

/// Higher ones reach nothing and are seen alike.
pub const HIGHEST: u8 = 11;

impl Stack {
    /// How many there could be.
    pub const COUNT: usize = 1 << 9;

    /// A stack of `height` pieces, black's or white's, that reaches so many stacks, three counting for more, among them
    /// one of the other side's, or a prize: a DVONN piece, or one of the other side's of two pieces and more.
    pub fn new(black: bool, height: u8, reached: u8, enemy: bool, prize: bool) -> Stack {
        Stack::pack(black, height.min(HIGHEST), u16::from(reached.min(3)), enemy, prize)
    }

    #[inline]
    fn pack(black: bool, height: u8, reached: u16, enemy: bool, prize: bool) -> Stack {
        let what = u16::from(enemy) | u16::from(prize) << 1;
        Stack(u16::from(black) << 8 | u16::from(height) << 4 | reached << 2 | what)
    }

    /// A stack of `height` pieces on `space`, and the spaces it reaches.
    #[inline]
    pub fn on(space: Space, height: u8, black: bool, around: &Around) -> (Stack, SpaceSet) {
        let height = height.min(HIGHEST);
        let targets = destinations(space, height) & around.occupied;
        let fewer = targets & targets.wrapping_sub(1);
        let least = fewer & fewer.wrapping_sub(1);
        let reached = u16::from(targets != 0) + u16::from(fewer != 0) + u16::from(least != 0);
        let (enemy, prize) = (targets & around.enemies != 0, targets & around.prizes != 0);
        (Stack::pack(black, height, reached, enemy, prize), targets)
    }

    /// Its place in a table of [`COUNT`](Stack::COUNT).
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0) & (Stack::COUNT - 1)
    }

    /// The same of the other colour.
    #[must_use]
    pub fn swapped(self) -> Stack {
        Stack(self.0 ^ 1 << 8)
    }

    /// Whether it is black's, its height, the stacks it reaches, whether one of the other side's is among them, and a
    /// prize.
    pub fn parts(self) -> (bool, u8, u8, bool, bool) {
        let bits = |from: u32, mask: u16| (self.0 >> from & mask) as u8;
        (bits(8, 1) > 0, bits(4, 15), bits(2, 3), bits(0, 1) > 0, bits(1, 1) > 0)
    }
}

/// What a side's stacks might reach.
#[derive(Debug, Clone, Copy)]
pub struct Around {
    /// All stacks.
    pub occupied: SpaceSet,
    /// Those of the other side.
    pub enemies: SpaceSet,
    /// Those with a DVONN piece, and those of the other side with two pieces and more.
    pub prizes: SpaceSet,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        for (black, height, reached) in [(false, 2, 0), (true, 3, 1), (false, 9, 2), (true, 11, 3)] {
            for (enemy, prize) in [(false, false), (true, false), (false, true), (true, true)] {
                let stack = Stack::new(black, height, reached, enemy, prize);
                assert_eq!(stack.parts(), (black, height, reached, enemy, prize));
                assert_eq!(stack.swapped(), Stack::new(!black, height, reached, enemy, prize));
            }
        }
        assert_eq!(Stack::new(true, 30, 6, true, true), Stack::new(true, 11, 3, true, true));
    }
}
