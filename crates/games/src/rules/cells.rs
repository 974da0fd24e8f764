//! Spaces of a board, and sets of spaces.

use std::ops::{BitAnd, BitOr, Not, Sub};

/// The number of bits in a row. A board has at most 19 columns, so a step off its side ends on an unused bit.
const STRIDE: u16 = 20;
const WORDS: usize = 6;
const BITS: u16 = 64;

/// A space. Its column and row count from 0 and are below 19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    /// The space in a column and a row.
    pub const fn at(column: u8, row: u8) -> Cell {
        Cell(column as u16 + STRIDE * row as u16)
    }

    /// The column, 0 for a.
    pub fn column(self) -> u8 {
        (self.0 % STRIDE) as u8
    }

    /// The row, 0 for row 1.
    pub fn row(self) -> u8 {
        (self.0 / STRIDE) as u8
    }

    /// The number of the space. On a board it is below 380.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The cell one step away. It can lie off the board.
    #[inline]
    #[must_use]
    pub const fn step(self, Way(way): Way) -> Cell {
        Cell(self.0.wrapping_add_signed(way))
    }
}

/// A step by a number of columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way(i16);

impl Way {
    /// A step to the right and up; to the left or down if a number is negative.
    pub const fn new(columns: i16, rows: i16) -> Way {
        Way(columns + rows * STRIDE as i16)
    }

    /// The numbers of columns and rows, as in [`new`](Way::new).
    pub const fn parts(self) -> [i16; 2] {
        let columns = (self.0 + 8).rem_euclid(STRIDE as i16) - 8;
        [columns, (self.0 - columns) / STRIDE as i16]
    }

    /// The step back.
    #[must_use]
    pub fn back(self) -> Way {
        Way(-self.0)
    }
}

/// A set of spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cells([u64; WORDS]);

impl Cells {
    /// The empty set.
    pub const NONE: Cells = Cells([0; WORDS]);

    /// True if a space is in the set.
    #[inline]
    pub fn has(&self, cell: Cell) -> bool {
        self.0.get(usize::from(cell.0 / BITS)).is_some_and(|word| word >> (cell.0 % BITS) & 1 != 0)
    }

    /// Adds a space.
    #[inline]
    pub fn add(&mut self, cell: Cell) {
        if let Some(word) = self.0.get_mut(usize::from(cell.0 / BITS)) {
            *word |= 1 << (cell.0 % BITS);
        }
    }

    /// Removes a space.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        if let Some(word) = self.0.get_mut(usize::from(cell.0 / BITS)) {
            *word &= !(1 << (cell.0 % BITS));
        }
    }

    /// The number of spaces.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// True for the empty set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == Cells::NONE
    }

    /// The cells one step away from these. Some can lie off the board.
    #[inline]
    #[must_use]
    pub fn stepped(self, Way(way): Way) -> Cells {
        let by = u32::from(way.unsigned_abs());
        let word = |at: usize| self.0.get(at).copied().unwrap_or_default();
        // A step moves each bit by fewer than 64 places, so at most into the next word.
        Cells(std::array::from_fn(|at| match way {
            0 => word(at),
            1.. => word(at) << by | at.checked_sub(1).map_or(0, word) >> (64 - by),
            _ => word(at) >> by | word(at + 1) << (64 - by),
        }))
    }

    /// The spaces, row by row from row 1.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        (0..).step_by(BITS.into()).zip(self.0).flat_map(|(first, mut word): (u16, u64)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as u16)?;
                word &= word - 1;
                Some(Cell(first + bit))
            })
        })
    }

    /// A hash of the set, starting from `seed`.
    pub fn key(&self, seed: u64) -> u64 {
        self.0.iter().fold(seed, |key, word| {
            let mixed = (key ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(23)
        })
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells {
        let mut set = Cells::NONE;
        cells.into_iter().for_each(|cell| set.add(cell));
        set
    }
}

impl BitAnd for Cells {
    type Output = Cells;

    #[inline]
    fn bitand(self, other: Cells) -> Cells {
        Cells(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Cells {
    type Output = Cells;

    #[inline]
    fn bitor(self, other: Cells) -> Cells {
        Cells(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl Not for Cells {
    type Output = Cells;

    #[inline]
    fn not(self) -> Cells {
        Cells(self.0.map(|word| !word))
    }
}

impl Sub for Cells {
    type Output = Cells;

    #[inline]
    fn sub(self, other: Cells) -> Cells {
        self & !other
    }
}
