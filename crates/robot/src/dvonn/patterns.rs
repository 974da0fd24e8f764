//! Patterns of DVONN: the occupant of a space, its distance from a DVONN piece, and its neighbours.
//!
//! A move changes about a dozen patterns, so the accumulator updates their sum and the hash with each move.

use super::weights::{PATTERN_ROW, PATTERNS};
use crate::tt;
use turnpost_games::Seat;
use turnpost_games::dvonn::board::Board;
use turnpost_games::dvonn::space::{BOARD, Space, SpaceSet, beside, spaces};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Occupant {
    Empty,
    /// A single white piece.
    White,
    Black,
    /// A stack under a white piece, without a DVONN piece.
    WhiteStack,
    BlackStack,
    /// A lone DVONN piece.
    Dvonn,
    /// A stack with a DVONN piece under a white piece.
    WhiteRed,
    BlackRed,
}

impl Occupant {
    const ALL: [Occupant; 8] = {
        use Occupant::*;
        [Empty, White, Black, WhiteStack, BlackStack, Dvonn, WhiteRed, BlackRed]
    };

    #[inline]
    pub fn of(board: &Board, space: Space) -> Occupant {
        let has = |set: SpaceSet| (set >> space.index() & 1) as usize;
        let [white, black] = Seat::BOTH.map(|seat| has(board.controlled(seat)));
        let (tall, red) = (has(board.tall()), has(board.red()));
        let owned = (white | black) * (1 + black + 2 * tall + 3 * (red & tall));
        Occupant::ALL[(owned + 5 * (red & !(white | black))) & 7]
    }

    #[inline]
    fn stack(seat: Seat, is_red: bool) -> Occupant {
        Occupant::ALL[3 + seat.index() + 3 * usize::from(is_red)]
    }

    /// What this occupant adds to the pattern of a neighbouring space: one white, black or lone DVONN neighbour.
    #[inline]
    fn as_neighbour(self) -> u16 {
        const ADDED: [u16; 8] = [0, 1, 1 << 3, 1, 1 << 3, 1 << 6, 1, 1 << 3];
        ADDED[self as usize]
    }
}

/// Thirteen bits: the numbers of white, black and lone DVONN neighbours (three, three and two bits), the
/// occupant (three), and the distance to the nearest DVONN piece (two): 0 for at most one link, 1 for two, 2
/// for three, 3 for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pattern(u16);

const OCCUPANT: u32 = 8;
const DISTANCE: u32 = 11;
const COUNT: usize = 1 << 13;

impl Pattern {
    const EMPTY: Pattern = Pattern(0);

    #[inline]
    fn occupant(self) -> Occupant {
        Occupant::ALL[usize::from(self.0 >> OCCUPANT & 7)]
    }

    #[inline]
    fn with_occupant(self, occupant: Occupant) -> Pattern {
        Pattern(self.0 & !(7 << OCCUPANT) | (occupant as u16) << OCCUPANT)
    }

    #[inline]
    fn with_distance(self, distance: u16) -> Pattern {
        Pattern(self.0 & !(3 << DISTANCE) | (distance & 3) << DISTANCE)
    }

    /// The index of the pattern's weight, and 1 if it counts for white or -1 for black. `None` if it counts for neither
    /// side or cannot occur.
    pub const fn weight_place(self) -> Option<(usize, i32)> {
        let Pattern(bits) = self;
        let (white, black) = ((bits & 7) as usize, (bits >> 3 & 7) as usize);
        let dvonns = (bits >> 6 & 3) as usize;
        let distance = (bits >> DISTANCE & 3) as usize;
        if white + black + dvonns > 6 || distance > 0 && dvonns > 0 {
            return None;
        }
        let row = if distance > 0 { 3 + distance } else { dvonns };
        let (first_row, is_black) = match bits >> OCCUPANT & 7 {
            1 => (0, false),
            2 => (0, true),
            3 => (7, false),
            4 => (7, true),
            // A DVONN piece counts for the side with more neighbours.
            5 if white != black => (17, black > white),
            6 => (14, false),
            7 => (14, true),
            _ => return None,
        };
        if first_row >= 14 && row > 2 {
            return None;
        }
        let (own, other, sign) = if is_black { (black, white, -1) } else { (white, black, 1) };
        // The columns list all pairs of own and other neighbours with a sum of at most six.
        Some(((first_row + row) * PATTERN_ROW + own * (15 - own) / 2 + other, sign))
    }
}

/// The weight of each pattern, from white's view.
static WEIGHTS: [i16; COUNT] = {
    let mut weights = [0; COUNT];
    let mut bits = 0;
    while bits < COUNT {
        if let Some((place, sign)) = Pattern(bits as u16).weight_place() {
            weights[bits] = PATTERNS[place / PATTERN_ROW][place % PATTERN_ROW] * sign as i16;
        }
        bits += 1;
    }
    weights
};

#[inline]
fn weight(pattern: Pattern) -> i32 {
    i32::from(WEIGHTS[usize::from(pattern.0) % COUNT])
}

/// Zobrist keys by space and occupant; 0 for an empty space. A stack's key is rotated by its height.
static KEYS: [[u64; 8]; 64] = {
    let mut keys = tt::keys(0xD40);
    let mut space = 0;
    while space < 64 {
        keys[space][Occupant::Empty as usize] = 0;
        space += 1;
    }
    keys
};
const BLACK_TO_MOVE: u64 = tt::mix(0xD41);

#[inline]
fn key(space: Space, occupant: Occupant, height: u8) -> u64 {
    KEYS[space.index()][occupant as usize].rotate_left(u32::from(height))
}

pub(super) fn hash(board: &Board, to_move: Seat) -> u64 {
    let keys =
        spaces(board.occupied()).map(|space| key(space, Occupant::of(board, space), board.height(space)));
    with_side(keys.fold(0, |hash, key| hash ^ key), to_move)
}

#[inline]
fn with_side(hash: u64, to_move: Seat) -> u64 {
    if to_move == Seat::Second { hash ^ BLACK_TO_MOVE } else { hash }
}

/// Cells before the first space, so that every space has six neighbouring cells.
const MARGIN: usize = 13;
/// The neighbours of a space, counted from MARGIN cells before it.
const NEIGHBOURS: [usize; 6] = [MARGIN - 13, MARGIN - 12, MARGIN - 1, MARGIN + 1, MARGIN + 12, MARGIN + 13];

/// The accumulator: the pattern of every space, the sum of their weights, and the hash.
#[derive(Debug, Clone, Copy)]
pub struct Patterns {
    cells: [Pattern; 64 + 2 * MARGIN],
    /// White's sum.
    sum: i32,
    hash: u64,
}

impl Patterns {
    pub(super) fn of(board: &Board) -> Patterns {
        let mut patterns = Patterns { cells: [Pattern::EMPTY; 64 + 2 * MARGIN], sum: 0, hash: 0 };
        for space in spaces(board.occupied()) {
            patterns.change(space, 0, Occupant::of(board, space), board.height(space));
        }
        patterns.measure(board);
        patterns
    }

    #[inline]
    pub(super) fn sum(&self) -> i32 {
        self.sum
    }

    #[inline]
    pub(super) fn hash(&self, to_move: Seat) -> u64 {
        with_side(self.hash, to_move)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Pattern> {
        self.cells.iter().copied()
    }

    /// Updates the patterns after a piece is placed on `space`. Distances are measured when the board is full, because
    /// nothing uses them before.
    pub(super) fn place(&mut self, space: Space, board: &Board, is_full: bool) {
        self.change(space, 0, Occupant::of(board, space), 1);
        if is_full {
            self.measure(board);
        }
    }

    /// Updates the patterns after a stack of `seat` moves from `from` onto `to`.
    #[inline]
    pub(super) fn stack(&mut self, seat: Seat, from: Space, to: Space, before: &Board, after: &Board) {
        let stack = Occupant::stack(seat, after.red() & to.set() != 0);
        let landed = before.height(to).wrapping_add(before.height(from));
        self.change(to, before.height(to), stack, landed);
        self.change(from, before.height(from), Occupant::Empty, 0);
        for space in spaces(before.occupied() & !after.occupied() & !from.set()) {
            // The stack that moved can be cut off as well.
            let height = if space == to { landed } else { before.height(space) };
            self.change(space, height, Occupant::Empty, 0);
        }
        if before.red() != after.red() {
            self.measure(after);
        }
    }

    /// Replaces the occupant of a space.
    #[inline(always)]
    fn change(&mut self, space: Space, old_height: u8, occupant: Occupant, height: u8) {
        let at = space.index() + MARGIN;
        let old = self.cells[at].occupant();
        self.hash ^= key(space, old, old_height) ^ key(space, occupant, height);
        self.update(at, |pattern| pattern.with_occupant(occupant));
        let added = occupant.as_neighbour().wrapping_sub(old.as_neighbour());
        for neighbour in NEIGHBOURS {
            self.update(space.index() + neighbour, |pattern| Pattern(pattern.0.wrapping_add(added)));
        }
    }

    /// Measures the distance of every piece from the nearest DVONN piece.
    #[inline(never)]
    fn measure(&mut self, board: &Board) {
        let wider = |set: SpaceSet| (set | beside(set)) & BOARD;
        let one = wider(board.red());
        let two = wider(one);
        let three = wider(two);
        for space in spaces(board.occupied()) {
            let within = |set: SpaceSet| (set >> space.index() & 1) as u16;
            let distance = 3 - within(one) - within(two) - within(three);
            self.update(space.index() + MARGIN, |pattern| pattern.with_distance(distance));
        }
    }

    #[inline]
    fn update(&mut self, at: usize, change: impl FnOnce(Pattern) -> Pattern) {
        let pattern = &mut self.cells[at];
        let new = change(*pattern);
        self.sum += weight(new) - weight(*pattern);
        *pattern = new;
    }
}
