//! What counts in a position of the stacking phase: seen for one side, less the same for the other.

use crate::game::Seat;
use crate::game::dvonn::board::{Board, neighbours};
use crate::game::dvonn::space::{Space, SpaceSet, beside, spaces, surrounded};

/// What is seen, each for the side to move less the same for the other.
pub const NAMES: [&str; COUNT] = [
    "pieces controlled",
    "single pieces",
    "single pieces that can move",
    "stacks next to a DVONN piece",
    "stacks two or three links from one",
    "single pieces the other side can land on",
    "plies of single pieces",
    "higher stacks that can move",
    "pieces in higher stacks that are shut in",
    "pieces in higher stacks the other side can land on",
    "stacks with DVONN pieces",
    "lone DVONN pieces within reach",
    "it is one's turn",
];

/// How many there are.
pub const COUNT: usize = 13;

/// What is seen of a position, and how far the game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// By [`NAMES`].
    pub counts: [i32; COUNT],
    /// Stacks on the board, 1 to 49.
    pub stacks: usize,
    /// Plies of the side to move; 0 when it has to pass.
    pub plies: u32,
}

/// Sets of a side that are counted. The last three are sums of neighbours.
const SETS: usize = 9;

/// Looks at the board for the side to move; `None` when neither side can move.
///
/// The search spends most of its time here: sets are counted in one go, which the compiler then does several at a
/// time, and what is asked of each stack is asked without branches, for nothing foretells which way they would go.
#[inline]
pub fn see(board: &Board, to_move: Seat) -> Option<Seen> {
    let (own, other) = (board.controlled(to_move), board.controlled(to_move.other()));
    let (tall, red) = (board.tall(), board.red());
    let occupied = board.occupied();
    let open = !surrounded(occupied);
    let free = [own & !tall & open, other & !tall & open];
    // Where each side can land, and which of the higher stacks can move.
    let mut reach = free.map(|free| beside(free) & occupied);
    let (mut movable, mut pieces, mut shut, mut exposed, mut higher) = (0, 0, 0, 0, 0);
    for space in spaces(tall & open) {
        let targets = board.targets(space);
        let (mine, theirs) = (mask(own, space), mask(other, space));
        reach[0] |= targets & mine;
        reach[1] |= targets & theirs;
        movable |= if targets == 0 { 0 } else { space.set() };
        pieces += signed(board.height(space), theirs);
        higher += (targets & mine).count_ones();
    }
    if reach[0] | reach[1] == 0 {
        return None;
    }
    for space in spaces(tall & !open) {
        shut += signed(board.height(space), mask(other, space));
    }
    for space in spaces(tall & (own & reach[1] | other & reach[0])) {
        exposed += signed(board.height(space), mask(other, space));
    }
    let (near, middle) = by_links(red, occupied);
    let sets = |tops: SpaceSet, free: SpaceSet, theirs: SpaceSet| -> [SpaceSet; SETS] {
        let singles = tops & !tall;
        let [ones, twos, fours] = neighbours(free, occupied);
        [singles, free, tops & near, tops & middle, singles & theirs, tops & movable, ones, twos, fours]
    };
    let ours = sets(own, free[0], reach[1]).map(SpaceSet::count_ones);
    let theirs = sets(other, free[1], reach[0]).map(SpaceSet::count_ones);
    let less = |set: usize| ours[set] as i32 - theirs[set] as i32;
    let lone = board.lone_red();
    let counts = [
        pieces + shut + less(0),
        less(0),
        less(1),
        less(2),
        less(3),
        less(4),
        less(6) + 2 * less(7) + 4 * less(8),
        less(5),
        shut,
        exposed,
        few(red & own) - few(red & other),
        few(reach[0] & lone) - few(reach[1] & lone),
        1,
    ];
    let plies = ours[6] + 2 * ours[7] + 4 * ours[8] + higher;
    Some(Seen { counts, stacks: occupied.count_ones() as usize, plies })
}

/// The spaces next to a DVONN piece, and those two or three links from one.
#[inline]
fn by_links(red: SpaceSet, occupied: SpaceSet) -> (SpaceSet, SpaceSet) {
    let near = beside(red) & occupied & !red;
    let second = beside(near) & occupied & !(red | near);
    (near, second | beside(second) & occupied & !(red | near))
}

/// All bits if the space is in the set, none if not.
#[inline]
pub(super) fn mask(set: SpaceSet, space: Space) -> SpaceSet {
    (set >> space.index() & 1).wrapping_neg()
}

/// The height, counted down where the mask is set.
#[inline]
pub(super) fn signed(height: u8, down: SpaceSet) -> i32 {
    (i32::from(height) ^ down as i32).wrapping_sub(down as i32)
}

/// Counts a set of at most three.
#[inline]
fn few(set: SpaceSet) -> i32 {
    let less = set & set.wrapping_sub(1);
    i32::from(set != 0) + i32::from(less != 0) + i32::from(less & less.wrapping_sub(1) != 0)
}
