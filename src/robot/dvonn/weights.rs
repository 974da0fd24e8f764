//! How much what is seen counts: the one table of weights.
//!
//! In hundredths of a point of the final score for each unit, for a full board and for an empty one; between them the
//! weight changes evenly with the number of stacks left. `cargo run --release --example tune -- 20000 2000 2`
//! fits the table and prints it; these come from a third round, played with the weights of a second.

use super::features::{COUNT, Seen};

/// By [`NAMES`](super::features::NAMES): the weight on a full board, and that on an empty one.
pub const WEIGHTS: [[i16; 2]; COUNT] = [
    [-16, 16],   // pieces controlled
    [179, 366],  // single pieces
    [-94, -351], // single pieces that can move
    [324, 71],   // stacks next to a DVONN piece
    [231, 51],   // stacks two or three links from one
    [-75, -146], // single pieces the other side can land on
    [6, 86],     // plies of single pieces
    [163, 121],  // higher stacks that can move
    [67, -12],   // pieces in higher stacks that are shut in
    [-41, -36],  // pieces in higher stacks the other side can land on
    [388, 63],   // stacks with DVONN pieces
    [110, 201],  // lone DVONN pieces within reach
    [359, -132], // it is one's turn
];

/// Spaces of the board.
const SPACES: usize = 49;

/// No estimate is further from even than the 49 pieces allow.
const MOST: i32 = 4900;

/// The weights for each number of stacks, eight times as fine.
static BY_STACKS: [[i32; COUNT]; 64] = {
    let mut table = [[0; COUNT]; 64];
    let mut stacks = 0;
    while stacks <= SPACES {
        let mut place = 0;
        while place < COUNT {
            let [full, empty] = WEIGHTS[place];
            let sum = full as i32 * stacks as i32 + empty as i32 * (SPACES - stacks) as i32;
            table[stacks][place] = sum * 8 / SPACES as i32;
            place += 1;
        }
        stacks += 1;
    }
    table
};

/// The estimate for the side to move.
#[inline]
pub fn weigh(seen: &Seen) -> i32 {
    // There are 49 at most; the mask shows the compiler that the table needs no check.
    let weights = &BY_STACKS[seen.stacks & 63];
    let sum: i32 = seen.counts.iter().zip(weights).map(|(count, weight)| count * weight).sum();
    (sum >> 3).clamp(-MOST, MOST)
}
