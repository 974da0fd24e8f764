//! What the search asks of a game beside its rules.

use std::fmt::Debug;

use turnpost_games::Position;

/// Values are hundredths of a point and fit sixteen bits; no value reaches this.
pub const INFINITE: i32 = 32_000;

/// What a position is worth to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// The game is over, and this is its result.
    Final(i32),
    /// The game goes on, and this is an estimate.
    Guess(i32),
}

/// A game the robot can play: what it looks for, and what it thinks of a position.
///
/// Everything here is a function of the position alone, in whole numbers, so that a search bounded by nodes finds the
/// same move on every machine.
pub trait Mind: Position<Move: Send> + Sync {
    /// Whether a position's worth depends on the position alone and not on how it came about. Only then may what was
    /// proven once be believed wherever the position turns up again.
    const PATH_FREE: bool;

    /// Whether a side to move could hardly wish to pass, so that a position which is good even after a pass is good.
    const MAY_PASS: bool;

    /// A hash of everything that tells this position from others.
    fn key(&self) -> u64;

    /// Sixteen bits that tell the plies of a position apart.
    fn code(ply: Self::Move) -> u16;

    /// The ply with this code.
    fn ply(code: u16) -> Option<Self::Move>;

    /// What estimates keep from ply to ply, so that not everything is looked at anew in each position.
    type Sums: Clone + Debug + Send + Sync;

    /// The sums of this position.
    fn sums(&self) -> Self::Sums;

    /// Makes `ply`, and of the sums of this position those of what comes of it.
    fn make_with(&mut self, sums: &mut Self::Sums, ply: Self::Move);

    /// The worth to the side to move. Far outside `window` a rough estimate will do.
    fn judge(&self, sums: &Self::Sums, window: (i32, i32)) -> Judged;

    /// The result for the side to move of a game that is over.
    fn result(&self) -> i32;

    /// Results of games are multiples of this; 0 where nothing more is known of them than their sign.
    const GRAIN: i32 = 0;

    /// Whether the end is near enough to try proofs that go to it, or, where `exact`, to try them when the exact result
    /// is wanted more than a good ply.
    fn is_in_sight(&self, _exact: bool) -> bool {
        false
    }

    /// Whether so little is left that to look at everything takes less than to weigh it; or, where `looked_into`,
    /// which it would be anyway, less than to weigh what comes of each ply.
    fn is_ending(&self, _looked_into: bool) -> bool {
        false
    }

    /// How promising a ply looks before anything is searched; only the order counts.
    fn urgency(&self, ply: Self::Move) -> i32;

    /// Whether a ply is legal, where that is found out in less time than it takes to list them all.
    fn allows(&self, _ply: Self::Move) -> bool {
        false
    }

    /// Whether a ply may turn the estimate over, so that it is looked at before an estimate is believed.
    fn is_loud(&self, ply: Self::Move) -> bool;

    /// Shows the loud plies.
    fn each_loud(&self, visit: &mut impl FnMut(Self::Move)) {
        self.each_move(&mut |ply| {
            if self.is_loud(ply) {
                visit(ply);
            }
        });
    }

    /// The least the side to move can end with and the most it can still get. Narrow bounds save work near the end;
    /// those within `window` decide nothing there and may be wider than need be.
    fn bounds(&self, _window: (i32, i32)) -> (i32, i32) {
        (-INFINITE, INFINITE)
    }

    /// The position with the other side to move; `None` where that would mean nothing.
    fn passed(&self) -> Option<Self>;

    /// Whether the position is so near the end that guesses about the rest (reductions, passes) give way to looking.
    fn is_late(&self, _sums: &Self::Sums) -> bool {
        false
    }

    /// How deep a search may go from here, where depth brings nothing.
    fn deepest(&self) -> u32 {
        99
    }

    /// A value in the words of the game: `+3 points`.
    fn write_value(value: i32) -> String;

    /// A position to begin a game of a match with, drawn from `seed`.
    fn opening(seed: u64) -> Self;
}

/// A generator of three shifts and a multiplication (splitmix64): mixes a number until all its bits depend on all.
#[inline]
pub fn mix(seed: u64) -> u64 {
    let mut state = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    state = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state = (state ^ state >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ state >> 31
}

/// The two halves of the product of two numbers, folded onto each other: few instructions, and every bit counts.
#[inline]
pub fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The place of a key among so many, 1 and more: less than `places`, and no division.
#[inline]
pub fn place(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}
