//! What counts in a position of the stacking phase: seen for one side, less the same for the other.

use crate::game::Seat;
use crate::game::dvonn::board::{Board, neighbours};
use crate::game::dvonn::space::{BOARD, EDGE, SpaceSet, beside, spaces, surrounded};

/// What is seen, each for the side to move less the same for the other.
pub const NAMES: [&str; COUNT] = [
    "pieces controlled",
    "single pieces",
    "single pieces that can move",
    "stacks next to a DVONN piece",
    "stacks two or three links from one",
    "stacks with one link only",
    "single pieces that can move, on the edge",
    "single pieces the other side can land on",
    "plies of single pieces",
    "higher stacks that can move",
    "stacks of two and three that can move",
    "pieces in stacks that reach nothing",
    "pieces in stacks that are shut in",
    "pieces in higher stacks the other side can land on",
    "stacks with DVONN pieces",
    "stacks with DVONN pieces that can move",
    "lone DVONN pieces within reach",
    "pieces that fall when the other side moves a DVONN piece",
    "it is one's turn",
];

/// How many there are.
pub const COUNT: usize = 19;

/// What is seen of a position, and how far the game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// By [`NAMES`].
    pub counts: [i16; COUNT],
    /// Stacks on the board, 1 to 49.
    pub stacks: usize,
}

/// Sets of a side that are counted, all sides and sets in one go: without an instruction for it, counting bits is
/// what costs most here, and in one go the compiler does several at a time. The last three are sums of neighbours.
const SETS: usize = 10;

/// What both sides share.
struct Common {
    occupied: SpaceSet,
    shut: SpaceSet,
    near: SpaceSet,
    middle: SpaceSet,
    thin: SpaceSet,
}

/// What is seen for one side.
struct Side {
    sets: [SpaceSet; SETS],
    counts: [i16; COUNT],
    reach: SpaceSet,
    /// Stacks that carry a DVONN piece and can move.
    carriers: SpaceSet,
    can_move: bool,
}

/// Looks at the board for the side to move; `None` when neither side can move.
#[inline]
pub fn see(board: &Board, to_move: Seat) -> Option<Seen> {
    let occupied = board.occupied();
    let red = board.red();
    let near = beside(red) & occupied & !red;
    let second = beside(near) & occupied & !(red | near);
    let third = beside(second) & occupied & !(red | near | second);
    let common = Common {
        occupied,
        shut: surrounded(occupied),
        near,
        middle: second | third,
        thin: with_one_neighbour(occupied) & !red,
    };
    let mut own = side(board, to_move, &common);
    let mut other = side(board, to_move.other(), &common);
    if !own.can_move && !other.can_move {
        return None;
    }
    exposed(board, to_move, &mut own, &other);
    exposed(board, to_move.other(), &mut other, &own);
    for carrier in spaces(own.carriers | other.carriers) {
        let fallen = falls(board, &common, carrier.set());
        if fallen != 0 {
            let mine = board.pieces(fallen & board.controlled(to_move)) as i16;
            let theirs = board.pieces(fallen & board.controlled(to_move.other())) as i16;
            if own.carriers & carrier.set() != 0 {
                other.counts[17] += (theirs - mine).max(0);
            } else {
                own.counts[17] += (mine - theirs).max(0);
            }
        }
    }
    let (ours, theirs) = (own.sets.map(bits), other.sets.map(bits));
    let mut counts = own.counts;
    for (count, theirs) in counts.iter_mut().zip(other.counts) {
        *count -= theirs;
    }
    for (count, (ours, theirs)) in counts.iter_mut().skip(1).zip(ours.into_iter().zip(theirs)).take(7) {
        *count = ours - theirs;
    }
    counts[0] += counts[1];
    counts[8] = ours[7] + 2 * ours[8] + 4 * ours[9] - theirs[7] - 2 * theirs[8] - 4 * theirs[9];
    counts[18] = 1;
    Some(Seen { counts, stacks: occupied.count_ones() as usize })
}

#[inline]
fn bits(set: SpaceSet) -> i16 {
    set.count_ones() as i16
}

#[inline]
fn side(board: &Board, seat: Seat, common: &Common) -> Side {
    let tops = board.controlled(seat);
    let (tall, red) = (board.tall(), board.red());
    let singles = tops & !tall;
    let free = singles & !common.shut;
    let mut reach = beside(free) & common.occupied;
    let can_move = reach != 0;
    let (mut pieces, mut movable, mut moving, mut low, mut stuck, mut shut) = (0, 0_u64, 0, 0, 0, 0);
    for space in spaces(tops & tall) {
        let height = i16::from(board.height(space));
        pieces += height;
        let targets = board.targets(space);
        if common.shut & space.set() != 0 {
            shut += height;
        } else if targets == 0 {
            stuck += height;
        } else {
            moving += 1;
            movable |= space.set();
            low += i16::from(height <= 3);
            reach |= targets;
        }
    }
    let carriers = movable & red;
    let mut counts = [0; COUNT];
    counts[0] = pieces;
    counts[9] = moving;
    counts[10] = low;
    counts[11] = stuck;
    counts[12] = shut;
    counts[14] = few(tops & red);
    counts[15] = few(carriers);
    counts[16] = few(reach & board.lone_red());
    let [ones, twos, fours] = neighbours(free, common.occupied);
    let near = tops & common.near;
    let sets =
        [singles, free, near, tops & common.middle, tops & common.thin, free & EDGE, 0, ones, twos, fours];
    Side { sets, counts, reach, carriers, can_move: can_move || movable != 0 }
}

/// Counts a set of at most three.
#[inline]
fn few(set: SpaceSet) -> i16 {
    let less = set & set.wrapping_sub(1);
    i16::from(set != 0) + i16::from(less != 0) + i16::from(less & less.wrapping_sub(1) != 0)
}

/// What of `seat` the other side can land on.
#[inline]
fn exposed(board: &Board, seat: Seat, own: &mut Side, other: &Side) {
    let hit = board.controlled(seat) & other.reach;
    own.sets[6] = hit & !board.tall();
    own.counts[13] = board.pieces(hit & board.tall()) as i16;
}

/// What is no longer linked to a DVONN piece when the stack on `carrier`, which holds one, has gone away.
#[inline]
fn falls(board: &Board, common: &Common, carrier: SpaceSet) -> SpaceSet {
    let left = common.occupied & !carrier;
    let mut linked = board.red() & !carrier;
    if linked == 0 {
        // Wherever the last one goes the rest hangs on it, so nothing can be said.
        return 0;
    }
    loop {
        let wider = (linked | beside(linked)) & left;
        if wider == linked {
            return left & !linked;
        }
        linked = wider;
    }
}

/// The spaces of `occupied` with exactly one neighbour in it.
#[inline]
fn with_one_neighbour(occupied: SpaceSet) -> SpaceSet {
    let sides =
        [occupied << 1, occupied >> 1, occupied << 12, occupied >> 12, occupied << 13, occupied >> 13];
    let (mut one, mut more) = (0, 0);
    for side in sides {
        more |= one & side;
        one |= side;
    }
    occupied & one & !more & BOARD
}
