//! The 91 cells: their names, kinds and neighbours, in tables computed at compile time.
//!
//! A set of cells has 128 bits. In axial coordinates (q, r) with f6 as (0, 0), q counts right along a row and r down
//! the board, and a cell is at bit `60 - 11r + q`. This equals `12 * (5 - r) + (q + r + 5) - 5`: each row has twelve
//! bits, and the board uses at most eleven of them. So a shift in one of the six directions, by ±1, ±11 or ±12, cannot
//! wrap to the other edge: a bit that leaves the board is outside [`BOARD`].

use std::fmt;

use crate::Seat;

/// A set of cells, with the bit [`Cell::index`] for each.
pub type CellSet = u128;

/// The number of rows, and of cells in the longest row.
pub const ROWS: i32 = 11;
/// Steps from the centre to the edge.
const RADIUS: i32 = 5;
/// The distances from the bit of a cell to those of its neighbours, in order around it.
const STEPS: [i32; 6] = [1, 12, 11, -1, -12, -11];

/// The three kinds of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// The centre and the corners at distances 3 and 5.
    Gate,
    /// The other cells at odd distances from the centre.
    Ring,
    /// The other cells at even distances from the centre.
    Lane,
}

/// One of the 91 cells of the board. It has no other value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell at `place` from the left (0 for a) of `row` (from 1), if the board has it.
    pub fn at(place: i32, row: i32) -> Option<Cell> {
        let first = 11 * (row - 1) + (row - 6).max(0);
        let set = u32::try_from(first + place).ok().and_then(|bit| 1_u128.checked_shl(bit))?;
        cells(set).next().filter(|cell| (cell.place(), cell.row()) == (place, row))
    }

    /// Steps to the right along a row, from the centre.
    pub const fn q(self) -> i32 {
        self.0 as i32 - 60 + 11 * self.r()
    }

    /// Rows down the board, from the centre.
    pub const fn r(self) -> i32 {
        // The bit plus five is 12 * (row - 1) plus 0 to 10.
        RADIUS - (self.0 as i32 + 5) / 12
    }

    /// The row, 1 to 11.
    pub const fn row(self) -> i32 {
        6 - self.r()
    }

    /// The place from the left in its row, from 0.
    pub const fn place(self) -> i32 {
        let r = self.r();
        self.q() + 5 + if r < 0 { r } else { 0 }
    }

    /// The bit in a [`CellSet`] and the index into tables of 128.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing and saves the bounds check on tables of 128.
        (self.0 & 127) as usize
    }

    /// The set of this cell alone.
    #[inline]
    pub const fn set(self) -> CellSet {
        1 << self.index()
    }

    /// The neighbours of this cell.
    #[inline]
    pub fn neighbours(self) -> CellSet {
        NEIGHBOURS[self.index()]
    }

    /// The kind of this cell.
    pub fn kind(self) -> CellKind {
        match self.set() {
            set if set & GATES != 0 => CellKind::Gate,
            set if set & LANES != 0 => CellKind::Lane,
            _ => CellKind::Ring,
        }
    }

    /// Every cell: row 1 from a1 to f1, then row 2, and so on.
    pub fn all() -> impl Iterator<Item = Cell> {
        cells(BOARD)
    }

    /// The cells of `row`, from the left; none if the board has no such row.
    pub fn of_row(row: i32) -> impl Iterator<Item = Cell> {
        Cell::all().filter(move |cell| cell.row() == row)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.place() as u8), self.row())
    }
}

/// The cells of `set`, lowest bit first.
#[inline]
pub fn cells(set: CellSet) -> impl Iterator<Item = Cell> {
    let mut left = set & BOARD;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let cell = Cell(left.trailing_zeros() as u8);
            left &= left - 1;
            cell
        })
    })
}

/// The gate in the centre.
pub const CENTRE: CellSet = 1 << 60;
/// Every cell of the board.
pub const BOARD: CellSet = within(RADIUS);
/// The 13 gates.
pub const GATES: CellSet = LINES[0] | LINES[1] | LINES[2];
/// The 36 lane cells.
pub const LANES: CellSet = within(4) & !within(3) | within(2) & !within(1);
/// The six gates halfway out.
pub const MIDDLE_GATES: CellSet = GATES & within(3) & !CENTRE;
/// The six gates at the corners.
pub const OUTER_GATES: CellSet = GATES & !within(3);
/// The base of the first seat, row 1, and of the second, row 11.
pub const BASES: [CellSet; 2] = [0b11_1111, 0b11_1111 << 115];
/// The three lines of five gates through the centre.
pub const LINES: [CellSet; 3] = [two_spokes(0, 3), two_spokes(1, 4), two_spokes(2, 5)];
/// The six triangles of five gates: the centre, and the middle and outer gates of two neighbouring spokes.
pub const TRIANGLES: [CellSet; 6] = [
    two_spokes(0, 1),
    two_spokes(1, 2),
    two_spokes(2, 3),
    two_spokes(3, 4),
    two_spokes(4, 5),
    two_spokes(5, 0),
];

/// The cells at most `steps` from the centre.
const fn within(steps: i32) -> CellSet {
    if steps == 0 { CENTRE } else { within(steps - 1) | around(within(steps - 1)) }
}

/// The centre, and the gates on two of the six lines from the centre to a corner.
const fn two_spokes(one: usize, other: usize) -> CellSet {
    let (one, other) = (STEPS[one], STEPS[other]);
    CENTRE | 1 << (60 + 3 * one) | 1 << (60 + 5 * one) | 1 << (60 + 3 * other) | 1 << (60 + 5 * other)
}

/// The base of `seat`: its gates and ring cells.
#[inline]
pub fn base(seat: Seat) -> CellSet {
    *seat.of(&BASES)
}

/// The neighbours of each cell, by [`Cell::index`].
static NEIGHBOURS: [CellSet; 128] = {
    let mut table = [0; 128];
    let mut index = 0;
    while index < 128 {
        table[index] = beside(BOARD & 1 << index);
        index += 1;
    }
    table
};

/// The cells one step from those of `set`, one set for each direction, in order around a cell.
#[inline]
pub const fn steps(set: CellSet) -> [CellSet; 6] {
    [
        set << 1 & BOARD,
        set << 12 & BOARD,
        set << 11 & BOARD,
        set >> 1 & BOARD,
        set >> 12 & BOARD,
        set >> 11 & BOARD,
    ]
}

/// The neighbours of the cells of `set`.
#[inline]
pub const fn beside(set: CellSet) -> CellSet {
    around(set) & BOARD
}

#[inline]
const fn around(set: CellSet) -> CellSet {
    let right = set << 1;
    let left = set >> 1;
    right | left | (set | right) << 11 | (set | left) >> 11
}

/// The cells with at least three neighbours in `set`.
#[inline]
pub fn thrice_beside(set: CellSet) -> CellSet {
    let [a, b, c, d, e, f] = steps(set);
    // Add three directions, then the other three: each sum is `one` plus twice `two`.
    let (one, two) = (a ^ b ^ c, a & b | c & (a ^ b));
    let (other_one, other_two) = (d ^ e ^ f, d & e | f & (d ^ e));
    two & other_two | (two | other_two) & (one | other_one)
}
