//! Shapes of three by three points that are good for either side: hane, cuts and pushes, and answers on the rim.

use std::sync::LazyLock;

use super::board::{Colour, EMPTY, GoBoard, OFF, around};
use turnpost_games::rules::Cell;

/// The eight points around the move, from a corner around it. `X` and `O` are the sides, in either way. `.` is empty, `#`
/// off the board, `o` anything but `O`, `?` anything.
const SHAPES: [&[u8; 8]; 11] = [
    b"XOX.???.",
    b"XO..?.?.",
    b"XO?.?.?X",
    b"XO?o?o?O",
    b"?X?OoooO",
    b"X.??###O",
    b"OX?O###X",
    b"?X?O###o",
    b"?XOo###o",
    b"?OXO###X",
    b".O.....X",
];

/// Places in [`around`], from a corner around the move.
const CIRCLE: [usize; 8] = [0, 1, 2, 4, 7, 6, 5, 3];

/// A bit for each number of a neighbourhood.
static KNOWN: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut known = vec![0; 1 << 10];
    for number in 0..1_usize << 16 {
        let circle = CIRCLE.map(|at| (number >> (2 * at) & 3) as Colour);
        let is_known = |shape: &&[u8; 8]| {
            // A quarter turn is two places; the mirrored shape reads the circle backwards.
            let turned = |turn: usize, at: usize| {
                circle[if turn.is_multiple_of(2) { turn + at } else { turn + 7 - at } % 8]
            };
            [1, 2].iter().any(|x| (0..8).any(|turn| (0..8).all(|at| fits(shape[at], turned(turn, at), *x))))
        };
        known[number / 64] |= u64::from(SHAPES.iter().any(is_known)) << (number % 64);
    }
    known
});

/// True if a sign of a shape allows a colour, for a side to move of colour `x`.
fn fits(sign: u8, colour: Colour, x: Colour) -> bool {
    match sign {
        b'X' => colour == x,
        b'O' => colour == OFF - x,
        b'.' => colour == EMPTY,
        b'#' => colour == OFF,
        b'o' => colour != OFF - x,
        _ => true,
    }
}

/// True if a stone on the empty point makes one of the shapes.
#[inline]
pub(super) fn is_shape(board: &GoBoard, at: Cell) -> bool {
    let corners = around(at).map(|near| board.at(near));
    let number = corners.iter().rev().fold(0, |number, colour| number << 2 | usize::from(*colour));
    KNOWN.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
}
