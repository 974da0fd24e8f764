//! How the robot places the pieces of DVONN.

use turnpost_games::dvonn::space::{Space, spaces};
use turnpost_games::dvonn::{Dvonn, Phase};
use turnpost_games::{Position, Seat};
use turnpost_robot::{Limits, mix};

use crate::rounds;
use crate::search::searched;

#[test]
fn the_robot_places_better_than_chance() {
    // Both sides play the stacking phase with the same strength, so only the layout decides.
    let (games, mut won) = (rounds(10, 60), 0);
    for seed in 0..games {
        let mut position = Dvonn::EMPTY;
        let robot = [Seat::First, Seat::Second][seed as usize % 2];
        let mut rng = seed;
        while position.outcome().is_none() {
            let placing = position.phase() == Phase::Placement;
            let plies = position.legal_moves();
            rng = mix(rng);
            let ply = if placing && position.to_move() != robot {
                plies[(rng >> 32) as usize % plies.len()]
            } else {
                let limits = Limits { seed: rng, noise: 5, ..Limits::nodes(500) };
                searched(&position, &limits).unwrap().best_move
            };
            position.make(ply);
        }
        won += u64::from(position.outcome().unwrap().winner == Some(robot));
    }
    // Half of the games are expected by chance, and four fifths hardly ever happen.
    assert!(5 * won >= 4 * games, "{won} of {games}");
}

#[test]
fn dvonn_pieces_are_placed_far_from_each_other() {
    let mut position = Dvonn::EMPTY;
    for _ in 0..3 {
        position.make(searched(&position, &Limits::nodes(500)).unwrap().best_move);
    }
    let dvonns: Vec<Space> = spaces(position.board().red()).collect();
    for (n, one) in dvonns.iter().enumerate() {
        for other in &dvonns[n + 1..] {
            let (columns, rows) = (other.column() - one.column(), other.row() - one.row());
            assert!(columns.abs().max(rows.abs()).max((columns - rows).abs()) >= 3, "{dvonns:?}");
        }
    }
}
