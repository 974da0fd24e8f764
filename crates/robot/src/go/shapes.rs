//! Shapes of three by three points that are good for either side: hane, cuts and pushes, and answers on the rim.

use std::sync::LazyLock;

use super::board::{Colour, EMPTY, GoBoard, OFF, Point, around};

/// Rows from the top; the middle point is the move. `X` and `O` are the sides, in either way. `.` is empty, `#` off the
/// board, `o` anything but `O`, `?` anything.
const SHAPES: [&str; 11] = [
    "XOX...???",
    "XO....?.?",
    "XO?X..?.?",
    "XO?O.o?o?",
    "?X?O.Oooo",
    "X.?O.?###",
    "OX?X.O###",
    "?X?o.O###",
    "?XOo.o###",
    "?OXX.O###",
    ".O.X.....",
];

/// A bit for each number of a neighbourhood.
static KNOWN: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut known = vec![0; 1 << 10];
    for shape in SHAPES {
        let mut cells: Vec<char> = shape.chars().collect();
        for turn in 0..8 {
            let old = cells.clone();
            let from =
                |at: usize| if turn % 2 == 0 { 3 * (2 - at % 3) + at / 3 } else { 3 * (at / 3) + 2 - at % 3 };
            cells.iter_mut().enumerate().for_each(|(at, cell)| *cell = old[from(at)]);
            cells_of(&cells, &mut known);
        }
    }
    known
});

fn cells_of(cells: &[char], known: &mut [u64]) {
    let ring = [0, 1, 2, 3, 5, 6, 7, 8].map(|at| cells[at]);
    let fits = |sign: char, colour: Colour, x: Colour| match sign {
        'X' => colour == x,
        'O' => colour == OFF - x,
        '.' => colour == EMPTY,
        '#' => colour == OFF,
        'o' => colour != OFF - x,
        _ => true,
    };
    for number in 0..1_usize << 16 {
        let colour = |at: usize| (number >> (2 * at) & 3) as Colour;
        if [1, 2].iter().any(|x| (0..8).all(|at| fits(ring[at], colour(at), *x))) {
            known[number / 64] |= 1 << (number % 64);
        }
    }
}

/// True if a stone on the empty point makes one of the shapes.
#[inline]
pub(super) fn is_shape(board: &GoBoard, at: Point) -> bool {
    let corners = around(at).map(|near| board.at(near));
    let number = corners.iter().rev().fold(0, |number, colour| number << 2 | usize::from(*colour));
    KNOWN.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
}
