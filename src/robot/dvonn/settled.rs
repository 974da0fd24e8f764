//! What no play can change any more: bounds on the final score that hold whatever is played.
//!
//! Spaces only ever become empty, and a stack nobody lands on keeps its height. So a stack from which no piece is
//! reached now reaches none later, and from what each side can reach at all follows which stacks can change hands,
//! which can leave their space, and which hang on a DVONN piece for good. Everything here is allowed to be too wide,
//! never too narrow: that a stack may be shut in for now is left out of account.

use crate::game::Seat;
use crate::game::dvonn::board::{ALL_PIECES, Board};
use crate::game::dvonn::space::{Space, SpaceSet, beside, from_so_far_on, spaces};

/// The least and the most that the pieces of the side to move can be ahead at the end. Where neither reaches the end of
/// the window on its side, they are those of any board.
pub fn bounds(board: &Board, to_move: Seat, (alpha, beta): (i32, i32)) -> (i32, i32) {
    let occupied = board.occupied();
    let sides = [board.controlled(to_move), board.controlled(to_move.other())];
    // The lowest stack that can move: what is landed on grows by no less.
    let (mut leaving, mut lowest, mut land) = (0, u8::MAX, [0; 2]);
    for space in spaces(sides[0] | sides[1]) {
        let targets = board.targets(space);
        let theirs = mask(sides[1], space);
        land[0] |= targets & !theirs;
        land[1] |= targets & theirs;
        leaving |= if targets == 0 { 0 } else { space.set() };
        lowest = if targets == 0 { lowest } else { lowest.min(board.height(space)) };
    }
    // What is reached in one ply only makes bounds that are too narrow: where they decide nothing, the right ones do
    // not either.
    let (least, most) = range(board, sides, land, leaving, !leaving);
    if least < beta && most > alpha {
        return (-i32::from(ALL_PIECES), i32::from(ALL_PIECES));
    }
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
    range(board, sides, land, leaving, anchored(board, occupied & !leaving))
}

/// The bounds, by what each side can land on, which stacks can leave their spaces, and which hang on a DVONN piece for
/// good.
#[inline]
fn range(
    board: &Board,
    [own, other]: [SpaceSet; 2],
    land: [SpaceSet; 2],
    leaving: SpaceSet,
    anchored: SpaceSet,
) -> (i32, i32) {
    let meet = land[0] & land[1] != 0;
    let roaming = if meet { leaving } else { 0 };
    // What each side can still take, and what of the rest the other can never get rid of.
    let (taken, lost) = (other & (land[0] | roaming), own & (land[1] | roaming));
    let firm = anchored & !leaving;
    let (theirs, ours) = (other & !taken & firm, own & !lost & firm);
    let (mut least, mut most) = (0, 0);
    for space in spaces(own | other) {
        let height = i32::from(board.height(space));
        let count = |set: SpaceSet| height & mask(set, space) as i32;
        least += count(ours) - count(other | lost);
        most += count(own | taken) - count(theirs);
    }
    let lone = |mine: SpaceSet, theirs: SpaceSet| {
        (board.lone_red() & (mine | if meet { theirs } else { 0 })).count_ones() as i32
    };
    (least - lone(land[1], land[0]), most + lone(land[0], land[1]))
}

/// All bits if the space is in the set, none if not.
#[inline]
fn mask(set: SpaceSet, space: Space) -> SpaceSet {
    (set >> space.index() & 1).wrapping_neg()
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
