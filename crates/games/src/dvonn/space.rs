//! The 49 spaces: their names, neighbours and distances, in tables computed at compile time.
//!
//! A set of spaces has 64 bits, with a space at bit `(row - 1) * 12 + column`. The board has 11 columns and the twelfth
//! stays empty. So a shift in one of the six directions, by ±1, ±12 or ±13, cannot wrap to the other end of a row: a
//! bit that leaves the board is outside [`BOARD`].

use std::fmt;

/// A set of spaces, with the bit [`Space::index`] for each.
pub type SpaceSet = u64;

/// Columns of the board, A to K.
pub const COLUMNS: i32 = 11;
/// Rows of the board, 1 to 5.
pub const ROWS: i32 = 5;
/// Bits from a space to the one above it in the same column.
const ROW_STEP: i32 = 12;

/// The six directions as (column, row), in order around a space.
pub const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

/// Every space of the board: the rows are A1 to I1, A2 to J2, A3 to K3, B4 to K4 and C5 to K5.
pub const BOARD: SpaceSet = 0x1FF | 0x3FF << 12 | 0x7FF << 24 | 0x7FE << 36 | 0x7FC << 48;

/// The neighbours of each space, by [`Space::index`].
pub static NEIGHBOURS: [SpaceSet; 64] = DESTINATIONS[1];

/// The spaces with fewer than six neighbours, on which no stack can be surrounded.
pub const EDGE: SpaceSet = BOARD & !surrounded(BOARD);

/// The number of heights in the table. A stack higher than 10 reaches no space, so all such stacks use row 11.
const HEIGHTS: usize = 12;

/// The spaces exactly `height` spaces away in a straight line, by height and [`Space::index`].
static DESTINATIONS: [[SpaceSet; 64]; HEIGHTS] = {
    let mut table = [[0; 64]; HEIGHTS];
    let mut index = 0;
    while index < 64 {
        let [mut a, mut b, mut c, mut d, mut e, mut f] = [BOARD & 1 << index; 6];
        let mut height = 1;
        while height < HEIGHTS {
            [a, b, c] = [a << 1 & BOARD, b << 12 & BOARD, c << 13 & BOARD];
            [d, e, f] = [d >> 1 & BOARD, e >> 12 & BOARD, f >> 13 & BOARD];
            table[height][index] = a | b | c | d | e | f;
            height += 1;
        }
        index += 1;
    }
    table
};

/// The spaces that a stack of `height` pieces on `space` reaches on a full board.
#[inline]
pub fn destinations(space: Space, height: u8) -> SpaceSet {
    DESTINATIONS[usize::from(height).min(HEIGHTS - 1)][space.index()]
}

/// One of the 49 spaces of the board. It has no other value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space(u8);

impl Space {
    /// The space at `column` (0 for A) and `row` (from 1), if the board has it.
    pub const fn at(column: i32, row: i32) -> Option<Space> {
        let index = (row - 1) * ROW_STEP + column;
        let in_row = 0 <= column && column < COLUMNS && 1 <= row && row <= ROWS;
        if in_row && BOARD >> index & 1 == 1 { Some(Space(index as u8)) } else { None }
    }

    /// The column, 0 for A.
    pub const fn column(self) -> i32 {
        self.0 as i32 % ROW_STEP
    }

    /// The row, from 1.
    pub const fn row(self) -> i32 {
        self.0 as i32 / ROW_STEP + 1
    }

    /// The bit in a [`SpaceSet`] and the index into tables of 64.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing and saves the bounds check on tables of 64.
        (self.0 & 63) as usize
    }

    /// The set of this space alone.
    #[inline]
    pub const fn set(self) -> SpaceSet {
        1 << self.index()
    }

    /// The image under the half-turn about F3.
    pub const fn half_turn(self) -> Space {
        // (column, row) goes to (10 - column, 6 - row), which is 58 - index.
        Space(58 - self.0)
    }

    /// The distance to `other` in a straight line; `None` if it is in none of the six directions.
    pub fn distance(self, other: Space) -> Option<u8> {
        let (columns, rows) = (other.column() - self.column(), other.row() - self.row());
        let straight = columns == 0 || rows == 0 || columns == rows;
        straight.then(|| columns.abs().max(rows.abs()) as u8)
    }

    /// Every space: row 1 from A1 to I1, then row 2, and so on. Positions drawn from a seed depend on this order.
    pub fn all() -> impl Iterator<Item = Space> {
        spaces(BOARD)
    }

    /// The spaces of `column`, from the bottom; none if the board has no such column.
    pub fn of_column(column: i32) -> impl Iterator<Item = Space> {
        (1..=ROWS).filter_map(move |row| Space::at(column, row))
    }

    /// The spaces of `row`, from the left; none if the board has no such row.
    pub fn of_row(row: i32) -> impl Iterator<Item = Space> {
        (0..COLUMNS).filter_map(move |column| Space::at(column, row))
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column()), self.row())
    }
}

/// The letter of `column`: `A` for 0.
pub fn column_letter(column: i32) -> char {
    char::from(b'A' + column as u8)
}

/// The spaces of `set`, lowest bit first.
#[inline]
pub fn spaces(set: SpaceSet) -> impl Iterator<Item = Space> {
    let mut left = set & BOARD;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let space = Space(left.trailing_zeros() as u8);
            left &= left - 1;
            space
        })
    })
}

/// The neighbours of the spaces of `set`. Some bits lie outside the board, and the caller masks them.
#[inline]
pub fn beside(set: SpaceSet) -> SpaceSet {
    let (right, left) = (set << 1, set >> 1);
    right | left | (set | right) << 12 | (set | left) >> 12
}

/// The spaces of `occupied` whose six neighbours are in `occupied` too.
#[inline]
pub const fn surrounded(occupied: SpaceSet) -> SpaceSet {
    let (right, left) = (occupied << 1, occupied >> 1);
    occupied & right & left & (occupied & right) << 12 & (occupied & left) >> 12
}

/// True if the occupied neighbours of `space` form at most one arc of the ring around it. Then they stay connected
/// when `space` becomes empty.
#[inline]
pub fn neighbours_connected(space: Space, occupied: SpaceSet) -> bool {
    // Rotate `space` to bit 13 and its neighbours to 0, 1, 12, 14, 25 and 26, then pack those into six bits.
    let ring = (occupied & NEIGHBOURS[space.index()]).rotate_right(space.index() as u32 + 64 - 13);
    let pattern = ring & 0b11 | ring >> 10 & 0b100 | ring >> 11 & 0b1000 | ring >> 21 & 0b11_0000;
    ONE_ARC >> pattern & 1 == 1
}

/// The patterns of [`neighbours_connected`] that form at most one arc, one bit for each of the 64 patterns.
const ONE_ARC: u64 = {
    let mut table = 0;
    let mut pattern = 0_u32;
    while pattern < 64 {
        // The bits of the pattern, in order around the space.
        let (above, below) = (pattern >> 4 & 2 | pattern >> 2 & 4, pattern << 1 & 8 | pattern << 4 & 48);
        let ring = pattern >> 3 & 1 | above | below;
        let next = ring >> 1 | (ring & 1) << 5;
        if (ring & !next).count_ones() <= 1 {
            table |= 1 << pattern;
        }
        pattern += 1;
    }
    table
};
