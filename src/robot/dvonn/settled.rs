//! What no play can change any more: bounds on the final score that hold whatever is played.
//!
//! Spaces only ever become empty, and a stack nobody lands on keeps its height. So a stack from which no piece is
//! reached now reaches none later, and from what each side can reach at all follows which stacks can change hands,
//! which can leave their space, and which hang on a DVONN piece for good. Everything here is allowed to be too wide,
//! never too narrow: that a stack may be shut in for now is left out of account.

use crate::game::Seat;
use crate::game::dvonn::board::Board;
use crate::game::dvonn::space::{SpaceSet, beside, from_so_far_on, spaces};

/// The least and the most that the pieces of the side to move can be ahead at the end.
pub fn bounds(board: &Board, to_move: Seat) -> (i32, i32) {
    let occupied = board.occupied();
    let (own, other) = (board.controlled(to_move), board.controlled(to_move.other()));
    // The lowest stack that can move: what is landed on grows by no less.
    let (mut leaving, mut lowest) = (0, u8::MAX);
    let mut land = [own, other].map(|tops| {
        spaces(tops).fold(0, |land, space| {
            let targets = board.targets(space);
            if targets != 0 {
                leaving |= space.set();
                lowest = lowest.min(board.height(space));
            }
            land | targets
        })
    });
    for land in &mut land {
        let mut fresh = *land;
        while fresh != 0 {
            let mut further = 0;
            for space in spaces(fresh) {
                let targets = from_so_far_on(space, board.height(space).saturating_add(lowest)) & occupied;
                leaving |= if targets == 0 { 0 } else { space.set() };
                further |= targets;
            }
            fresh = further & !*land;
            *land |= further;
        }
    }
    let anchored = anchored(board, occupied & !leaving);
    let meet = land[0] & land[1] != 0;
    // What the side that reaches `mine` can still take from the other, and what it can never get rid of.
    let range = |theirs: SpaceSet, mine: SpaceSet| {
        let taken = theirs & (mine | if meet { leaving } else { 0 });
        (pieces(board, taken), pieces(board, theirs & !taken & !leaving & anchored))
    };
    let lone = |mine: SpaceSet, theirs: SpaceSet| {
        (board.lone_red() & (mine | if meet { theirs } else { 0 })).count_ones() as i32
    };
    let (gain, loss) = (range(other, land[0]), range(own, land[1]));
    let most = pieces(board, own) + gain.0 - gain.1 + lone(land[0], land[1]);
    let least = -pieces(board, other) - loss.0 + loss.1 - lone(land[1], land[0]);
    (least, most)
}

fn pieces(board: &Board, set: SpaceSet) -> i32 {
    i32::from(board.pieces(set))
}

/// The spaces of `staying`, on which what stands never moves, that hang together with a DVONN piece among them.
fn anchored(board: &Board, staying: SpaceSet) -> SpaceSet {
    let mut linked = board.red() & staying;
    loop {
        let wider = (linked | beside(linked)) & staying;
        if wider == linked {
            return linked;
        }
        linked = wider;
    }
}
