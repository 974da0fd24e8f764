//! The two seats at a board.

/// One of the two seats at a board. Each game names them, as in white and black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The seat that plays the first ply. In games with dice, the second seat rolls before.
    First,
    /// The opponent of [`First`](Seat::First).
    Second,
}

impl Seat {
    /// Both seats, in the order of play.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// The opponent's seat.
    pub fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// The index of this seat in an array with one element for each seat: 0 or 1.
    pub fn index(self) -> usize {
        match self {
            Seat::First => 0,
            Seat::Second => 1,
        }
    }

    /// This seat's element of a pair.
    pub fn of<T>(self, pair: &[T; 2]) -> &T {
        let [first, second] = pair;
        match self {
            Seat::First => first,
            Seat::Second => second,
        }
    }
}
