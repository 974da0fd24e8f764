//! The two sides of a board.

/// One of the two sides of a board. Games give them names of their own, such as white and black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The seat of the first userid of a challenge.
    First,
    /// The other one.
    Second,
}

impl Seat {
    /// Both, in order.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// The opponent's seat.
    pub fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// 0 or 1, for arrays by seat.
    pub fn index(self) -> usize {
        match self {
            Seat::First => 0,
            Seat::Second => 1,
        }
    }

    /// The seat's entry of a pair.
    pub fn of<T>(self, pair: &[T; 2]) -> &T {
        let [first, second] = pair;
        match self {
            Seat::First => first,
            Seat::Second => second,
        }
    }
}
