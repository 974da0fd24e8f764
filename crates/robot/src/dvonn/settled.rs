//! What no play can change any more: bounds on the final score that hold whatever is played.
//!
//! Spaces only ever become empty, and a stack nobody lands on keeps its height. So a stack from which no piece is
//! reached now reaches none later, and from what each side can reach at all follows which stacks can change hands,
//! which can leave their space, and which hang on a DVONN piece for good. Everything here is allowed to be too wide,
//! never too narrow: that a stack may be shut in for now is left out of account.

use turnpost_games::Seat;
use turnpost_games::dvonn::board::{ALL_PIECES, Board};
use turnpost_games::dvonn::space::{Space, SpaceSet, beside, from_so_far_on, spaces};

/// All pieces on one side: bounds that hold on any board.
const ALL: i32 = ALL_PIECES as i32;

/// The least and the most that the pieces of the side to move can be ahead at the end. Where neither reaches the end of
/// the window on its side, they are those of any board.
pub fn bounds(board: &Board, to_move: Seat, (alpha, beta): (i32, i32)) -> (i32, i32) {
    let sides = [board.controlled(to_move), board.controlled(to_move.other())];
    let mut reach = Reach { land: [0; 2], leaving: 0, lowest: u8::MAX };
    let mut lead = 0;
    for space in spaces(sides[0] | sides[1]) {
        let (targets, height) = (board.targets(space), board.height(space));
        let theirs = mask(sides[1], space);
        reach.land[0] |= targets & !theirs;
        reach.land[1] |= targets & theirs;
        reach.leaving |= if targets == 0 { 0 } else { space.set() };
        reach.lowest = if targets == 0 { reach.lowest } else { reach.lowest.min(height) };
        lead += signed(height, theirs);
    }
    // As it stands now is within the bounds.
    if lead >= beta {
        return (least(board, sides, reach, beta), ALL);
    }
    if lead <= alpha {
        let [own, other] = sides;
        let [mine, theirs] = reach.land;
        return (-ALL, -least(board, [other, own], Reach { land: [theirs, mine], ..reach }, -alpha));
    }
    (-ALL, ALL)
}

/// What is reached from where.
#[derive(Clone, Copy)]
struct Reach {
    /// What each side can land on.
    land: [SpaceSet; 2],
    /// The stacks that can leave their spaces.
    leaving: SpaceSet,
    /// The lowest stack that can move: what is landed on grows by no less.
    lowest: u8,
}

/// The least by which the first side is ahead at the end; where that is surely below `wanted`, any bound.
#[inline]
fn least(board: &Board, sides: [SpaceSet; 2], mut reach: Reach, wanted: i32) -> i32 {
    // What is reached in one ply only makes bounds that are too narrow: where they decide nothing, the right ones do
    // not either.
    if worst(board, sides, &reach, !reach.leaving) < wanted {
        return -ALL;
    }
    let occupied = board.occupied();
    let Reach { land, leaving, lowest } = &mut reach;
    for land in land {
        let mut fresh = *land;
        while fresh != 0 {
            let mut further = 0;
            for space in spaces(fresh) {
                let targets = from_so_far_on(space, board.height(space).saturating_add(*lowest)) & occupied;
                *leaving |= if targets == 0 { 0 } else { space.set() };
                further |= targets;
            }
            fresh = further & !*land;
            *land |= further;
        }
    }
    let staying = occupied & !*leaving;
    worst(board, sides, &reach, anchored(board, staying))
}

/// How far the first side is ahead when it loses all it can lose, by what hangs on a DVONN piece for good.
#[inline]
fn worst(board: &Board, [own, other]: [SpaceSet; 2], reach: &Reach, anchored: SpaceSet) -> i32 {
    let Reach { land: [mine, theirs], leaving, .. } = *reach;
    let meet = mine & theirs != 0;
    let lost = own & (theirs | if meet { leaving } else { 0 });
    let kept = own & !lost & anchored & !leaving;
    let mut least = 0;
    for space in spaces(own | other) {
        let height = i32::from(board.height(space));
        let count = |set: SpaceSet| height & mask(set, space) as i32;
        least += count(kept) - count(other | lost);
    }
    least - (board.lone_red() & (theirs | if meet { mine } else { 0 })).count_ones() as i32
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

/// All bits if the space is in the set, none if not.
#[inline]
fn mask(set: SpaceSet, space: Space) -> SpaceSet {
    (set >> space.index() & 1).wrapping_neg()
}

/// The height, counted down where the mask is set.
#[inline]
fn signed(height: u8, down: SpaceSet) -> i32 {
    (i32::from(height) ^ down as i32).wrapping_sub(down as i32)
}
