//! The placing: what a layout, complete or not, is worth.
//!
//! Seed of it is the advice that comes with the game: pieces at the edge, where they cannot be shut in; near the DVONN
//! pieces, where they are not cut off; and not too many of them close together.

use crate::game::dvonn::Dvonn;
use crate::game::dvonn::board::{Board, count_neighbours};
use crate::game::dvonn::space::{EDGE, Space, SpaceSet, beside, spaces};
use crate::game::{Position, Seat};

/// What is seen of a side's pieces.
pub const NAMES: [&str; COUNT] = [
    "pieces on the edge",
    "pairs of own neighbours",
    "pairs of own neighbours on the edge",
    "pieces next to a DVONN piece",
    "links between a piece and the nearest DVONN piece",
    "own pieces next to edge pieces of the other side",
    "difference between the halves of the board",
    "thirds of the board with few pieces",
];

/// How many there are.
pub const COUNT: usize = 8;

/// By [`NAMES`], in hundredths of a point of the final score. `cargo run --release --example tune` fits the table and
/// prints it.
pub const WEIGHTS: [i32; COUNT] = [
    6,   // pieces on the edge
    -8,  // pairs of own neighbours
    -77, // pairs of own neighbours on the edge
    7,   // pieces next to a DVONN piece
    -57, // links between a piece and the nearest DVONN piece
    -31, // own pieces next to edge pieces of the other side
    -58, // difference between the halves of the board
    -89, // thirds of the board with few pieces
];

/// Columns A to E and G to K, and the thirds A to D, E to G and H to K.
const LEFT: SpaceSet = columns(0, 4);
const RIGHT: SpaceSet = columns(6, 10);
const THIRDS: [SpaceSet; 3] = [columns(0, 3), columns(4, 6), columns(7, 10)];

/// Pieces of one side in a third of the board that are enough.
const ENOUGH: u32 = 6;

const fn columns(first: i32, last: i32) -> SpaceSet {
    let mut set = 0;
    let mut column = first;
    while column <= last {
        let mut row = 1;
        while row <= 5 {
            if let Some(space) = Space::at(column, row) {
                set |= space.set();
            }
            row += 1;
        }
        column += 1;
    }
    set
}

/// What is seen for the side to move less the same for the other.
pub fn see(board: &Board, to_move: Seat) -> [i32; COUNT] {
    let mut seen = side(board, to_move);
    for (count, theirs) in seen.iter_mut().zip(side(board, to_move.other())) {
        *count -= theirs;
    }
    seen
}

fn side(board: &Board, seat: Seat) -> [i32; COUNT] {
    let own = board.controlled(seat);
    let other = board.controlled(seat.other());
    let count = |set: SpaceSet| set.count_ones() as i32;
    let lack = |third: &SpaceSet| ENOUGH.saturating_sub((own & third).count_ones()) as i32;
    [
        count(own & EDGE),
        count_neighbours(own, own) as i32 / 2,
        count_neighbours(own & EDGE, own & EDGE) as i32 / 2,
        count(own & beside(board.red())),
        spaces(own).map(|space| distance(space, board.red())).sum(),
        count_neighbours(other & EDGE, own) as i32,
        (count(own & LEFT) - count(own & RIGHT)).abs(),
        THIRDS.iter().map(lack).sum(),
    ]
}

/// Links to the nearest DVONN piece on a full board; 0 when there is none yet.
fn distance(space: Space, red: SpaceSet) -> i32 {
    let to = |other: Space| {
        let (columns, rows) = (other.column() - space.column(), other.row() - space.row());
        columns.abs().max(rows.abs()).max((columns - rows).abs())
    };
    spaces(red).map(to).min().unwrap_or_default()
}

/// The estimate for the side to move.
pub fn judge(position: &Dvonn) -> i32 {
    let seen = see(position.board(), position.to_move());
    seen.iter().zip(WEIGHTS).map(|(count, weight)| count * weight).sum()
}
