//! Counting positions: the test that a rules core plays every game right.

use super::Position;

/// The number of legal sequences of exactly `depth` plies from `position`. A forced pass is a ply; a finished game
/// has no continuation.
///
/// The last ply is counted, not made.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_count(),
        _ => {
            let mut count = 0;
            position.each_move(&mut |ply| {
                let mut next = position.clone();
                next.make(ply);
                count += perft(&next, depth - 1);
            });
            count
        }
    }
}
