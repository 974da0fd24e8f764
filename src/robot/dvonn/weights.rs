//! How much what is seen counts: the one table of weights.
//!
//! In hundredths of a point of the final score for each unit, for a full board and for an empty one; between them the
//! weight changes evenly with the number of stacks left. `cargo run --release --example tune -- 20000 2000 2`
//! fits the table and prints it; these come from a second round, played with the weights of a first.

use super::features::{COUNT, Seen};

/// By [`NAMES`](super::features::NAMES): the weight on a full board, and that on an empty one.
pub const WEIGHTS: [[i16; 2]; COUNT] = [
    [-15, 32],    // pieces controlled
    [186, 326],   // single pieces
    [-156, -272], // single pieces that can move
    [332, 71],    // stacks next to a DVONN piece
    [227, 60],    // stacks two or three links from one
    [-41, -19],   // stacks with one link only
    [32, -3],     // single pieces that can move, on the edge
    [-72, -146],  // single pieces the other side can land on
    [17, 72],     // plies of single pieces
    [150, 82],    // higher stacks that can move
    [11, -3],     // stacks of two and three that can move
    [4, -16],     // pieces in stacks that reach nothing
    [65, -28],    // pieces in stacks that are shut in
    [-39, -41],   // pieces in higher stacks the other side can land on
    [390, 49],    // stacks with DVONN pieces
    [-10, -39],   // stacks with DVONN pieces that can move
    [88, 226],    // lone DVONN pieces within reach
    [-106, 32],   // pieces that fall when the other side moves a DVONN piece
    [356, -131],  // it is one's turn
];

/// Spaces of the board.
const SPACES: usize = 49;

/// No estimate is further from even than the 49 pieces allow.
const MOST: i32 = 4900;

/// The weights for each number of stacks, eight times as fine.
static BY_STACKS: [[i16; COUNT]; SPACES + 1] = {
    let mut table = [[0; COUNT]; SPACES + 1];
    let mut stacks = 0;
    while stacks <= SPACES {
        let mut place = 0;
        while place < COUNT {
            let [full, empty] = WEIGHTS[place];
            let sum = full as i32 * stacks as i32 + empty as i32 * (SPACES - stacks) as i32;
            table[stacks][place] = (sum * 8 / SPACES as i32) as i16;
            place += 1;
        }
        stacks += 1;
    }
    table
};

/// The estimate for the side to move.
#[inline]
pub fn weigh(seen: &Seen) -> i32 {
    let weights = &BY_STACKS[seen.stacks.min(SPACES)];
    let sum: i32 =
        seen.counts.iter().zip(weights).map(|(count, weight)| i32::from(*count) * i32::from(*weight)).sum();
    (sum / 8).clamp(-MOST, MOST)
}
