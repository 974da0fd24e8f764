//! The 91 cells: their names, kinds and neighbours, in tables computed at compile time.
//!
//! A set of cells is 128 bits. In axial coordinates (q, r) centred on f6, q runs right along a row and r down the
//! board, and a cell is at bit `60 - 11r + q`. That is `12 * (5 - r) + (q + r + 5)` less five: rows of twelve bits, of
//! which the board uses eleven at most. So a shift by ±1, ±11 or ±12, the six directions, cannot wrap from one edge
//! to the other: a bit that leaves the board lands outside [`BOARD`].

use std::fmt;

use crate::Seat;

/// A set of cells, with the bit [`Cell::index`] for each.
pub type CellSet = u128;

/// Rows of the board, 1 to 11, and cells of the longest row.
pub const ROWS: i32 = 11;
/// Steps from the centre to the edge.
const RADIUS: i32 = 5;

/// The six directions as (q, r), in order round a cell.
pub const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

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
    pub const fn at(place: i32, row: i32) -> Option<Cell> {
        let r = 6 - row;
        let q = place - 5 - if r < 0 { r } else { 0 };
        Cell::axial(q, r)
    }

    /// The cell at axial coordinates, if the board has it.
    pub const fn axial(q: i32, r: i32) -> Option<Cell> {
        if on_board(q, r) { Some(Cell(index(q, r) as u8)) } else { None }
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
    pub const fn kind(self) -> CellKind {
        kind(self.q(), self.r())
    }

    /// Every cell: row 1 from a1 to f1, then row 2, and so on.
    pub fn all() -> impl Iterator<Item = Cell> {
        cells(BOARD)
    }

    /// The cells of `row`, from the left; none when the board has no such row.
    pub fn of_row(row: i32) -> impl Iterator<Item = Cell> {
        (0..ROWS).filter_map(move |place| Cell::at(place, row))
    }
}

/// `f6`.
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

/// Every cell of the board.
pub const BOARD: CellSet = gather(CellShape::All);
/// The 13 gates.
pub const GATES: CellSet = gather(CellShape::CellKind(CellKind::Gate));
/// The 42 ring cells.
pub const RINGS: CellSet = gather(CellShape::CellKind(CellKind::Ring));
/// The 36 lane cells.
pub const LANES: CellSet = gather(CellShape::CellKind(CellKind::Lane));
/// The gate in the centre.
pub const CENTRE: CellSet = gather(CellShape::Distance(0));
/// The six gates halfway out.
pub const MIDDLE_GATES: CellSet = GATES & gather(CellShape::Distance(3));
/// The six gates at the corners.
pub const OUTER_GATES: CellSet = GATES & gather(CellShape::Distance(5));
/// The base of the first seat, row 1, and of the second, row 11.
pub const BASES: [CellSet; 2] = [gather(CellShape::Row(1)), gather(CellShape::Row(ROWS))];
/// The three lines of five gates through the centre.
pub const LINES: [CellSet; 3] = [
    GATES & gather(CellShape::Line(0)),
    GATES & gather(CellShape::Line(1)),
    GATES & gather(CellShape::Line(2)),
];

/// The six triangles of five gates: the centre, and the middle and outer gates of two neighbouring spokes.
pub const TRIANGLES: [CellSet; 6] = {
    let mut triangles = [CENTRE; 6];
    let mut turn = 0;
    while turn < 6 {
        let (one, other) = (DIRECTIONS[turn], DIRECTIONS[(turn + 1) % 6]);
        triangles[turn] |= bit(3 * one.0, 3 * one.1)
            | bit(5 * one.0, 5 * one.1)
            | bit(3 * other.0, 3 * other.1)
            | bit(5 * other.0, 5 * other.1);
        turn += 1;
    }
    triangles
};

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

/// The cells one step from those of `set` in each of [`DIRECTIONS`].
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
    let right = set << 1;
    let left = set >> 1;
    (right | left | (set | right) << 11 | (set | left) >> 11) & BOARD
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

/// What [`gather`] selects cells by.
enum CellShape {
    All,
    CellKind(CellKind),
    Distance(i32),
    Row(i32),
    /// A line through the centre: the row, or one of the two diagonals.
    Line(i32),
}

const fn gather(shape: CellShape) -> CellSet {
    let mut set = 0;
    let mut r = -RADIUS;
    while r <= RADIUS {
        let mut q = -RADIUS;
        while q <= RADIUS {
            let belongs = match &shape {
                CellShape::All => true,
                CellShape::CellKind(wanted) => *wanted as u8 == kind(q, r) as u8,
                CellShape::Distance(distance) => *distance == from_centre(q, r),
                CellShape::Row(row) => *row == 6 - r,
                CellShape::Line(0) => r == 0,
                CellShape::Line(1) => q + r == 0,
                CellShape::Line(_) => q == 0,
            };
            if belongs {
                set |= bit(q, r);
            }
            q += 1;
        }
        r += 1;
    }
    set
}

const fn from_centre(q: i32, r: i32) -> i32 {
    let (q_off, r_off, s_off) = (q.abs(), r.abs(), (q + r).abs());
    let wider = if q_off > r_off { q_off } else { r_off };
    if wider > s_off { wider } else { s_off }
}

const fn kind(q: i32, r: i32) -> CellKind {
    let corner = q == 0 || r == 0 || q + r == 0;
    match from_centre(q, r) {
        0 => CellKind::Gate,
        3 | 5 if corner => CellKind::Gate,
        2 | 4 => CellKind::Lane,
        _ => CellKind::Ring,
    }
}

const fn on_board(q: i32, r: i32) -> bool {
    from_centre(q, r) <= RADIUS
}

const fn index(q: i32, r: i32) -> i32 {
    60 - 11 * r + q
}

const fn bit(q: i32, r: i32) -> CellSet {
    if on_board(q, r) { 1 << index(q, r) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Where gates, rings and lanes lie, and which gates belong together, is proven by `tests/hexmeister_laws.rs`, whose
    // second implementation of the rules has the picture and the lists of the rules page.

    #[test]
    fn names_and_coordinates_belong_together() {
        let f6 = Cell::axial(0, 0).unwrap();
        assert_eq!((f6.to_string().as_str(), f6.index()), ("f6", 60));
        for cell in Cell::all() {
            assert_eq!(Cell::at(cell.place(), cell.row()), Some(cell));
            assert_eq!(Cell::axial(cell.q(), cell.r()), Some(cell));
        }
        assert_eq!([Cell::at(6, 1), Cell::at(0, 12), Cell::at(0, 0), Cell::at(-1, 6)], [None; 4]);
    }

    #[test]
    fn shifts_agree_with_geometry() {
        for cell in Cell::all() {
            let near: Vec<Option<Cell>> =
                DIRECTIONS.iter().map(|(q, r)| Cell::axial(cell.q() + q, cell.r() + r)).collect();
            let stepped: Vec<Option<Cell>> = steps(cell.set()).map(|set| cells(set).next()).to_vec();
            assert_eq!(stepped, near, "{cell}");
            let all = near.iter().flatten().fold(0, |set, near| set | near.set());
            assert_eq!((beside(cell.set()), cell.neighbours()), (all, all), "{cell}");
        }
    }

    #[test]
    fn three_neighbours_are_counted() {
        for cell in Cell::all() {
            for pattern in 0_u32..64 {
                let set = (0..6)
                    .filter(|turn| pattern >> turn & 1 == 1)
                    .fold(0, |set, turn| set | steps(cell.set())[turn]);
                assert_eq!(
                    thrice_beside(set) & cell.set() != 0,
                    set.count_ones() >= 3,
                    "{cell} {pattern:06b}"
                );
            }
        }
    }
}
