//! Counting sequences of plies, the standard test of move generation.

use crate::Position;

/// The number of legal sequences of exactly `depth` plies from `position`. A pass is a ply.
///
/// It counts the last plies with [`legal_count`](Position::legal_count) and does not make them.
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
