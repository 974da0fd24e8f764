//! The shapes of boards, and the names and neighbours of their spaces.

use super::cells::{Cell, Cells, Way};
use crate::notation::{ReadSpace, read_space, unreadable};
use crate::scene::{Label, Side, Tiling};

/// A board of at most 19 columns and 19 rows.
///
/// Row 1 is the lowest row of most boards. It is the highest row of a [`rhombus`](Board::rhombus), of a
/// [`triangle`](Board::triangle) and of a board that [`from_top`](Board::from_top) turned. Each row of hexagons begins
/// half a space to the right of the row above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// How the spaces lie on the plane.
    pub tiling: Tiling,
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
    /// The spaces of the board.
    pub cells: Cells,
    names: Naming,
    is_from_top: bool,
}

/// How spaces are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Naming {
    /// The letter of the column and the number of the row: `b2`.
    Lettered,
    /// The same in capitals and without the letter I: `J10`.
    WithoutI,
    /// Numbers from the upper left.
    Numbered,
}

/// The number of the letter I, 0 for A.
const I: i32 = 8;

const ACROSS: [Way; 4] = [Way::new(1, 0), Way::new(0, 1), Way::new(-1, 0), Way::new(0, -1)];
const OF_HEXAGONS: [Way; 6] =
    [Way::new(1, 0), Way::new(0, 1), Way::new(-1, 1), Way::new(-1, 0), Way::new(0, -1), Way::new(1, -1)];
/// The steps on hexagons if row 1 is the lowest row.
const OF_RISING_HEXAGONS: [Way; 6] =
    [Way::new(1, 0), Way::new(1, 1), Way::new(0, 1), Way::new(-1, 0), Way::new(-1, -1), Way::new(0, -1)];

/// The steps of a bishop.
pub const DIAGONAL: [Way; 4] = [Way::new(1, 1), Way::new(-1, 1), Way::new(-1, -1), Way::new(1, -1)];

/// The steps of a queen. Each step is the reverse of the one four places before or after it.
pub const AROUND: [Way; 8] = [
    Way::new(1, 0),
    Way::new(1, 1),
    Way::new(0, 1),
    Way::new(-1, 1),
    Way::new(-1, 0),
    Way::new(-1, -1),
    Way::new(0, -1),
    Way::new(1, -1),
];

impl Board {
    /// A rectangle of squares.
    pub fn squares(columns: u8, rows: u8) -> Board {
        Board::shaped(Tiling::Squares, columns, rows, |_, _| true)
    }

    /// The dark squares, such as a1, of a square board. Their names are numbers from the upper left.
    pub fn dark_squares(size: u8) -> Board {
        let board = Board::shaped(Tiling::Squares, size, size, |column, row| (column + row) % 2 == 0);
        Board { names: Naming::Numbered, ..board }
    }

    /// The crossings of `size` by `size` lines.
    pub fn points(size: u8) -> Board {
        Board::shaped(Tiling::Points, size, size, |_, _| true)
    }

    /// Hexagons in the shape of a rhombus.
    pub fn rhombus(size: u8) -> Board {
        Board::shaped(Tiling::Hexagons, size, size, |_, _| true)
    }

    /// Hexagons in the shape of a triangle with one corner at the bottom.
    pub fn triangle(size: u8) -> Board {
        Board::shaped(Tiling::Hexagons, size, size, |column, row| column + row < size)
    }

    /// Hexagons in the shape of a hexagon with `side` spaces on each side.
    pub fn hexagon(side: u8) -> Board {
        let size = 2 * side - 1;
        let board = Board::shaped(Tiling::Hexagons, size, size, |column, row| column.abs_diff(row) < side);
        Board { is_from_top: false, ..board }
    }

    /// The same board with row 1 at the top.
    #[must_use]
    pub fn from_top(self) -> Board {
        Board { is_from_top: true, ..self }
    }

    /// The same board with columns A to T without I.
    #[must_use]
    pub fn without_i(self) -> Board {
        Board { names: Naming::WithoutI, ..self }
    }

    fn shaped(tiling: Tiling, columns: u8, rows: u8, holds: impl Fn(u8, u8) -> bool) -> Board {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let cells =
            all.filter(|(column, row)| holds(*column, *row)).map(|(column, row)| Cell::at(column, row));
        Board {
            tiling,
            columns,
            rows,
            cells: cells.collect(),
            names: Naming::Lettered,
            is_from_top: tiling == Tiling::Hexagons,
        }
    }

    /// The space one step away, if the board has it.
    #[inline]
    pub fn step(&self, from: Cell, way: Way) -> Option<Cell> {
        Some(from.step(way)).filter(|cell| self.cells.has(*cell))
    }

    /// The spaces in a straight line from one space to the edge of the board, without that space.
    pub fn ray(&self, from: Cell, way: Way) -> impl Iterator<Item = Cell> {
        std::iter::successors(self.step(from, way), move |cell| self.step(*cell, way))
    }

    /// The steps to the neighbours, which share a side or, on points, a line. The second half of the list reverses the
    /// steps of the first half, in the same order.
    pub fn ways(&self) -> &'static [Way] {
        match self.tiling {
            Tiling::Squares | Tiling::Points | Tiling::Triangles => &ACROSS,
            Tiling::Hexagons if self.is_from_top => &OF_HEXAGONS,
            Tiling::Hexagons => &OF_RISING_HEXAGONS,
        }
    }

    /// The neighbours of a space, which share a side or, on points, a line.
    pub fn beside(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        self.ways().iter().filter_map(move |way| self.step(cell, *way))
    }

    /// True for a space that is not on the rim.
    pub fn is_inside(&self, cell: Cell) -> bool {
        self.beside(cell).count() == self.ways().len()
    }

    /// The spaces one step away from any of `cells`.
    #[inline]
    pub fn around(&self, cells: Cells, ways: &[Way]) -> Cells {
        ways.iter().fold(Cells::NONE, |all, way| all | cells.stepped(*way)) & self.cells
    }

    /// The spaces of `within` that are connected to `start` by these steps.
    pub fn group(&self, start: Cell, within: Cells, ways: &[Way]) -> Cells {
        let mut group = Cells::from_iter([start]) & within;
        loop {
            let more = self.around(group, ways) & (within - group);
            if more.is_empty() {
                return group;
            }
            group = group | more;
        }
    }

    /// The connected groups of `cells`.
    pub fn groups(&self, mut cells: Cells) -> impl Iterator<Item = Cells> {
        std::iter::from_fn(move || {
            let group = self.group(cells.iter().next()?, cells, self.ways());
            cells = cells - group;
            Some(group)
        })
    }

    /// The spaces in reading order.
    pub fn reading(&self) -> impl Iterator<Item = Cell> + use<> {
        let board = *self;
        let row = move |number: u8| if board.is_from_top { number } else { board.rows - 1 - number };
        let all = (0..self.rows)
            .flat_map(move |number| (0..board.columns).map(move |column| Cell::at(column, row(number))));
        all.filter(move |cell| board.cells.has(*cell))
    }

    /// The name of a space: `b2`, or its number.
    pub fn name(&self, cell: Cell) -> String {
        self.number(cell).unwrap_or_else(|| format!("{}{}", self.letter(cell.column()), cell.row() + 1))
    }

    /// The letter of a column.
    fn letter(&self, column: u8) -> char {
        char::from(match self.names {
            Naming::WithoutI => b'A' + column + u8::from(i32::from(column) >= I),
            Naming::Lettered | Naming::Numbered => b'a' + column,
        })
    }

    /// The number of a space, if the board names spaces by numbers.
    pub(super) fn number(&self, cell: Cell) -> Option<String> {
        (self.names == Naming::Numbered)
            .then(|| (self.reading().take_while(|other| *other != cell).count() + 1).to_string())
    }

    /// Reads the space at the start of `text`; `None` if `text` does not begin with the name of a space.
    pub(crate) fn read<'t>(&self, text: &'t str) -> ReadSpace<'t, Cell> {
        let no_space =
            |first: String, last: String| format!("There is no such space: the board has {first} to {last}.");
        if self.names == Naming::Numbered {
            let (digits, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
            let number: usize =
                if digits.is_empty() { return None } else { digits.parse().unwrap_or_default() };
            let cell = number.checked_sub(1).and_then(|before| self.reading().nth(before));
            let why = || unreadable(digits, no_space("1".to_owned(), self.cells.count().to_string()));
            return Some((cell.ok_or_else(why), rest));
        }
        let find = |column: i32, row: i32| {
            let is_named = |at: &u8| self.letter(*at).to_ascii_lowercase() as i32 - 'a' as i32 == column;
            let column = (0..self.columns).find(is_named)?;
            let row = u8::try_from(row - 1).ok().filter(|row| *row < self.rows)?;
            Some(Cell::at(column, row)).filter(|cell| self.cells.has(*cell))
        };
        let name = |cell: Option<Cell>| cell.map(|cell| self.name(cell)).unwrap_or_default();
        read_space(text, find, |column, _| match (self.names, self.letter(self.columns - 1)) {
            (Naming::WithoutI, 'J') if column == I => {
                "There is no column I: columns are A to H and J.".to_owned()
            }
            (Naming::WithoutI, last) if column == I => {
                format!("There is no column I: columns are A to H and J to {last}.")
            }
            _ => no_space(name(self.cells.iter().next()), name(self.cells.iter().last())),
        })
    }

    /// The coordinates of a space in the scene.
    pub(super) fn place(&self, cell: Cell) -> [i32; 2] {
        let (column, row) = (i32::from(cell.column()), i32::from(cell.row()));
        [column, if self.is_from_top { row } else { i32::from(self.rows) - 1 - row }]
    }

    /// The scene coordinates one step away from a space. They can lie off the board.
    pub(super) fn beyond(&self, cell: Cell, way: Way) -> [i32; 2] {
        let ([q, r], [columns, rows]) = (self.place(cell), way.parts().map(i32::from));
        [q + columns, if self.is_from_top { r + rows } else { r - rows }]
    }

    /// The numbers of the rows and the letters of the columns; none on a board that names spaces by numbers.
    pub(super) fn labels(&self) -> Vec<Label> {
        let label = |text: String, cell: Cell, side| Label { text, beside: self.place(cell), side };
        let row = |row: u8| self.cells.iter().find(|cell| cell.row() == row);
        let column = |column: u8| self.cells.iter().filter(move |cell| cell.column() == column);
        // On hexagons, letters are above the board if every column begins in row 1. Otherwise they are below, away from
        // the numbers.
        let is_below = self.tiling != Tiling::Hexagons
            || (0..self.columns).any(|at| column(at).all(|cell| cell.row() > 0));
        let end = |at: u8| {
            if is_below && self.is_from_top { column(at).last() } else { column(at).next() }
        };
        let side = if is_below { Side::Below } else { Side::Above };
        if self.names == Naming::Numbered {
            return Vec::new();
        }
        let rows = (0..self.rows).filter_map(|at| Some(label((at + 1).to_string(), row(at)?, Side::West)));
        let letters =
            (0..self.columns).filter_map(|at| Some(label(self.letter(at).to_string(), end(at)?, side)));
        rows.chain(letters).collect()
    }
}
