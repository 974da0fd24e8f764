//! The evaluation and the order of moves of DVONN.
//!
//! The evaluation sums the weights of patterns and of stacks that can move. During placement, `placement` replaces it.

mod patterns;
mod placement;
mod weights;

use super::evaluate::{Evaluator, Score};
use patterns::{Pattern, Patterns};
use turnpost_games::dvonn::board::{ALL_PIECES, Board};
use turnpost_games::dvonn::space::{EDGE, SpaceSet, destinations, spaces, surrounded};
use turnpost_games::dvonn::{Dvonn, Move, Phase, Piece};
use turnpost_games::{Position, Seat};
use weights::{PATTERN_ROW, PATTERNS, STACKS, TEMPO};

/// One piece of the final score, in hundredths.
const POINT: i32 = 100;

/// Largest estimate: all pieces.
const MAX: i32 = POINT * ALL_PIECES as i32;

/// The depth of search during placement. A third ply does not improve it.
const PLACEMENT_DEPTH: u32 = 2;

/// Higher stacks cannot move.
const MAX_HEIGHT: u8 = 11;

impl Evaluator for Dvonn {
    const PATH_INDEPENDENT: bool = true;

    type Accumulator = Patterns;

    fn accumulator(&self) -> Patterns {
        Patterns::of(self.board())
    }

    #[inline(always)]
    fn make_with(&mut self, patterns: &mut Patterns, ply: Move) {
        let (before, mover) = (*self.board(), self.to_move());
        self.make(ply);
        match ply {
            Move::Stack(from, to) => patterns.stack(mover, from, to, &before, self.board()),
            Move::Pass => {}
            Move::Place(space) => patterns.place(space, self.board(), self.phase() == Phase::Stacking),
        }
    }

    fn hash(&self) -> u64 {
        patterns::hash(self.board(), self.to_move())
    }

    #[inline]
    fn hash_with(&self, patterns: &Patterns) -> u64 {
        patterns.hash(self.to_move())
    }

    #[inline(always)]
    fn evaluate(&self, patterns: &Patterns) -> Score {
        if self.phase() == Phase::Placement {
            return Score::estimate(placement::evaluate(self));
        }
        let board = self.board();
        let mut sum = patterns.sum();
        let can_move = each_stack(board, |place, is_black| {
            sum += i32::from(SIGNED_STACKS[usize::from(is_black)][place & 255]);
        });
        if !can_move {
            return Score::exact(self.result());
        }
        let own = if self.to_move() == Seat::First { sum } else { -sum };
        Score::estimate((own + TEMPO).clamp(-MAX, MAX))
    }

    fn result(&self) -> i32 {
        let [white, black] = self.score();
        let lead = i32::from(white) - i32::from(black);
        POINT * if self.to_move() == Seat::First { lead } else { -lead }
    }

    #[inline]
    fn encode(ply: Move) -> u16 {
        match ply {
            Move::Stack(from, to) => (from.index() << 6 | to.index()) as u16,
            Move::Place(space) => (space.index() | 1 << 12) as u16,
            Move::Pass => 2 << 12,
        }
    }

    #[inline]
    fn decode(code: u16) -> Option<Move> {
        let space = |bits: u16| spaces(1 << (bits & 63)).next();
        match code >> 12 {
            0 => Some(Move::Stack(space(code >> 6)?, space(code)?)),
            1 => Some(Move::Place(space(code)?)),
            2 => Some(Move::Pass),
            _ => None,
        }
    }

    #[inline]
    fn ordering_score(&self, ply: Move) -> i32 {
        let board = self.board();
        match ply {
            Move::Pass => 0,
            Move::Place(space) => i32::from(EDGE & space.set() != 0),
            Move::Stack(from, to) => {
                let (own, gain) = (i32::from(board.height(from)), i32::from(board.height(to)));
                let takes = board.controlled(self.to_move().other()) & to.set() != 0;
                let is_red = board.red() & to.set() != 0;
                // Prefer moves of low stacks, and captures of high enemy stacks: low stacks are mobile, high ones are
                // not.
                let (once, each) = if takes { (1500, 700) } else { (0, -400) };
                once + each * gain + if is_red { 500 } else { 0 } - 100 * own
            }
        }
    }

    #[inline]
    fn is_surely_legal(&self, ply: Move) -> bool {
        let board = self.board();
        match ply {
            Move::Stack(from, to) => {
                self.phase() == Phase::Stacking
                    && board.free(self.to_move()) & from.set() != 0
                    && board.targets(from) & to.set() != 0
            }
            Move::Place(_) | Move::Pass => false,
        }
    }

    #[inline]
    fn stacks_left(&self) -> u32 {
        match self.phase() {
            Phase::Placement => u32::MAX,
            Phase::Stacking => self.board().occupied().count_ones(),
        }
    }

    fn max_depth(&self) -> u32 {
        match self.next_piece() {
            Some(Piece::Dvonn) => 1,
            Some(Piece::Of(_)) => PLACEMENT_DEPTH,
            None => 99,
        }
    }

    fn write_value(value: i32) -> String {
        format!("{:+.2} pieces", f64::from(value) / f64::from(POINT))
    }
}

/// The weights of white's and of black's stacks, from white's view. 256 entries, so that an index of eight bits needs
/// no check.
static SIGNED_STACKS: [[i16; 256]; 2] = {
    let mut signed = [[0; 256]; 2];
    let mut place = 0;
    while place < STACKS.len() * 16 {
        let weight = STACKS[place / 16][place % 16];
        (signed[0][place], signed[1][place]) = (weight, -weight);
        place += 1;
    }
    signed
};

/// Calls `visit` with the index of the weight of every stack of two or more pieces that is not surrounded. Returns true
/// if any stack can move. The owner of the next stack cannot be predicted, so there is no branch on it.
#[inline(always)]
fn each_stack(board: &Board, mut visit: impl FnMut(usize, bool)) -> bool {
    let (occupied, tall) = (board.occupied(), board.tall());
    let open = !surrounded(occupied);
    let [white, black] = Seat::BOTH.map(|seat| board.controlled(seat));
    let enemies = [black, white];
    let prizes = enemies.map(|enemies| board.red() | enemies & tall);
    let mut all_targets = 0;
    // One loop for both sides: processors mispredict the end of a loop.
    for space in spaces((white | black) & tall & open) {
        let is_black = black & space.set() != 0;
        let side = usize::from(is_black);
        let height = board.height(space).min(MAX_HEIGHT);
        let targets = destinations(space, height) & occupied;
        let has = |set: SpaceSet| usize::from(targets & set != 0);
        let what = has(enemies[side]) | has(prizes[side]) << 1;
        visit(usize::from(height.wrapping_sub(2)) << 4 | count_to_three(targets) << 2 | what, is_black);
        all_targets |= targets;
    }
    // A single piece that is not surrounded and linked to a DVONN piece has a neighbour to move onto.
    all_targets != 0 || (white | black) & !tall & open != 0
}

#[inline]
fn count_to_three(set: SpaceSet) -> usize {
    let fewer = set & set.wrapping_sub(1);
    let least = fewer & fewer.wrapping_sub(1);
    usize::from(set != 0) + usize::from(fewer != 0) + usize::from(least != 0)
}

/// The number of weights that [`features`] indexes.
pub const FEATURES: usize = PATTERNS.len() * PATTERN_ROW + STACKS.len() * 16 + 1;

/// The terms of the evaluation of a stacking position: the index of each weight, and 1 if it counts for the
/// side to move or -1 for the other side. The example `tune` fits the weights with it.
pub fn features(position: &Dvonn) -> Vec<(usize, i32)> {
    let own = if position.to_move() == Seat::First { 1 } else { -1 };
    let mut features = vec![(FEATURES - 1, 1)];
    let patterns = Patterns::of(position.board());
    let places = patterns.all().filter_map(Pattern::weight_place);
    features.extend(places.map(|(place, sign)| (place, own * sign)));
    each_stack(position.board(), |place, is_black| {
        let sign = if is_black { -own } else { own };
        features.push((PATTERNS.len() * PATTERN_ROW + place, sign));
    });
    features
}
