//! DVONN: what a position is worth, and which plies look well.
//!
//! [`ring`] and [`stack`] are what is seen, [`rings`] keeps it from ply to ply, [`weights`] says how much each counts and
//! [`worth`] how that adds up; [`estimate`](estimate::estimate) is the sum, and [`layout`] the same for the placing.

pub mod estimate;
pub mod layout;
pub mod ring;
pub mod rings;
mod settled;
pub mod stack;
pub mod weights;
pub mod worth;

use rings::Rings;

use super::mind::{Judged, Mind, fold, mix};
use turnpost_games::dvonn::board::ALL_PIECES;
use turnpost_games::dvonn::setup::{random, symmetrical};
use turnpost_games::dvonn::space::{EDGE, SpaceSet, spaces};
use turnpost_games::dvonn::{Dvonn, Move, Phase, Piece};
use turnpost_games::{Position, Seat};

/// A point, a piece of the final score, in hundredths.
pub const POINT: i32 = 100;

/// With so few stacks left guesses about the rest give way to looking. With more of them guesses win games, and proofs
/// look for the end.
const LATE: u8 = 12;

/// With so few stacks left it is worth asking what no play can change any more.
const SETTLED: u32 = 9;

/// With so few stacks left a proof looks at everything: a dozen positions in the mean or fewer, for bounds and a table
/// cut off.
const ENDING: u32 = 12;

/// The same where it looks into a position in any case: what comes of each ply would be looked at in no good order.
const LOOKED_INTO: u32 = 15;

/// With so few stacks left proofs that go to the end are tried, and passes are not guessed at any more.
const SIGHT: u32 = 34;

/// The same where the exact result is wanted: of 24 positions with 35 to 37 stacks, sixteen plies before the ends of
/// their games, two were solved in ten seconds.
const EXACT_SIGHT: u32 = 37;

/// How deep a search goes while pieces are placed: the rest of the layout matters more than the next plies, and a third
/// ply makes the layouts no better.
const PLACING_DEPTH: u32 = 2;

/// The other side's stacks of two and more, and all with a DVONN piece.
fn prizes(position: &Dvonn) -> SpaceSet {
    let board = position.board();
    board.controlled(position.to_move().other()) & (board.tall() | board.red())
}

impl Mind for Dvonn {
    const PATH_FREE: bool = true;
    const MAY_PASS: bool = true;
    const GRAIN: i32 = POINT;

    #[inline]
    fn key(&self) -> u64 {
        let board = self.board();
        let [white, black] = Seat::BOTH.map(|seat| board.controlled(seat));
        // Odd constants without a pattern, the fractions of square roots.
        let mut key = fold(white ^ 0x6A09_E667_F3BC_C908, black ^ 0xBB67_AE85_84CA_A73B);
        let rest = u64::from(self.placed()) << 1 | self.to_move().index() as u64;
        key ^= fold(board.red() ^ 0x3C6E_F372_FE94_F82B, (rest + 1).wrapping_mul(0xA54F_F53A_5F1D_36F1));
        let words = board.height_words();
        let seeds =
            [0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179];
        for (pair, seed) in words.chunks_exact(2).zip(seeds) {
            if let [a, b] = pair {
                key = key.rotate_left(17) ^ fold(a ^ seed, b ^ key);
            }
        }
        key
    }

    #[inline]
    fn code(ply: Move) -> u16 {
        match ply {
            // The plies of one stack are neighbours in tables by code.
            Move::Stack(from, to) => (from.index() << 6 | to.index()) as u16,
            Move::Place(space) => (space.index() | 1 << 12) as u16,
            Move::Pass => 2 << 12,
        }
    }

    #[inline]
    fn ply(code: u16) -> Option<Move> {
        let space = |bits: u16| spaces(1 << (bits & 63)).next();
        match code >> 12 {
            0 => Some(Move::Stack(space(code >> 6)?, space(code)?)),
            1 => Some(Move::Place(space(code)?)),
            2 => Some(Move::Pass),
            _ => None,
        }
    }

    type Sums = Rings;

    fn sums(&self) -> Rings {
        match self.phase() {
            Phase::Placement => Rings::none(),
            Phase::Stacking => Rings::of(self.board()),
        }
    }

    #[inline(always)]
    fn make_with(&mut self, rings: &mut Rings, ply: Move) {
        let (before, mover) = (*self.board(), self.to_move());
        self.make(ply);
        match ply {
            Move::Stack(from, to) => rings.stack(mover, from, to, (&before, self.board())),
            Move::Pass => {}
            Move::Place(_) => *rings = self.sums(),
        }
    }

    #[inline(always)]
    fn judge(&self, rings: &Rings, window: (i32, i32)) -> Judged {
        if self.phase() == Phase::Placement {
            return Judged::Guess(layout::judge(self));
        }
        match estimate::estimate(self.board(), self.to_move(), rings, window) {
            None => Judged::Final(self.result()),
            Some(value) => Judged::Guess(value),
        }
    }

    fn result(&self) -> i32 {
        let [white, black] = self.score();
        let lead = i32::from(white) - i32::from(black);
        POINT * if self.to_move() == Seat::First { lead } else { -lead }
    }

    #[inline]
    fn is_in_sight(&self, exact: bool) -> bool {
        let most = if exact { EXACT_SIGHT } else { SIGHT };
        self.phase() == Phase::Stacking && self.board().occupied().count_ones() <= most
    }

    #[inline]
    fn is_ending(&self, looked_into: bool) -> bool {
        let most = if looked_into { LOOKED_INTO } else { ENDING };
        self.phase() == Phase::Stacking && self.board().occupied().count_ones() <= most
    }

    #[inline]
    fn urgency(&self, ply: Move) -> i32 {
        let board = self.board();
        match ply {
            Move::Pass => 0,
            Move::Place(space) => i32::from(EDGE & space.set() != 0),
            Move::Stack(from, to) => {
                let (own, gain) = (i32::from(board.height(from)), i32::from(board.height(to)));
                let takes = board.controlled(self.to_move().other()) & to.set() != 0;
                let red = board.red() & to.set() != 0;
                // Low stacks move on and high ones do not: better to spend a low one, and on a high one of theirs.
                let (once, each) = if takes { (1500, 700) } else { (0, -400) };
                once + each * gain + if red { 500 } else { 0 } - 100 * own
            }
        }
    }

    #[inline]
    fn allows(&self, ply: Move) -> bool {
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
    fn is_loud(&self, ply: Move) -> bool {
        match ply {
            Move::Stack(_, to) => prizes(self) & to.set() != 0,
            Move::Place(_) => false,
            Move::Pass => true,
        }
    }

    #[inline]
    fn each_loud(&self, visit: &mut impl FnMut(Move)) {
        if self.phase() == Phase::Placement {
            return;
        }
        let (board, mover) = (self.board(), self.to_move());
        let mut any = false;
        board.each_move_onto(mover, prizes(self), &mut |from, to| {
            any = true;
            visit(Move::Stack(from, to));
        });
        if !any && self.forced().is_some() {
            visit(Move::Pass);
        }
    }

    fn bounds(&self, (alpha, beta): (i32, i32)) -> (i32, i32) {
        let board = self.board();
        if board.occupied().count_ones() > SETTLED {
            let all = POINT * i32::from(ALL_PIECES);
            return (-all, all);
        }
        let window = (alpha.div_euclid(POINT), -(-beta).div_euclid(POINT));
        let (least, most) = settled::bounds(board, self.to_move(), window);
        (POINT * least, POINT * most)
    }

    fn passed(&self) -> Option<Dvonn> {
        // From here on the end is in sight, and what rests on a pass is never proven.
        if self.phase() == Phase::Placement || self.is_in_sight(false) {
            return None;
        }
        let mut passed = *self;
        passed.make(Move::Pass);
        Some(passed)
    }

    #[inline]
    fn is_late(&self, rings: &Rings) -> bool {
        self.phase() == Phase::Stacking && rings.stacks() <= LATE
    }

    fn deepest(&self) -> u32 {
        match self.next_piece() {
            Some(Piece::Dvonn) => 1,
            Some(Piece::Of(_)) => PLACING_DEPTH,
            None => 99,
        }
    }

    fn write_value(value: i32) -> String {
        format!("{:+.2} points", f64::from(value) / f64::from(POINT))
    }

    fn opening(seed: u64) -> Dvonn {
        if seed.is_multiple_of(2) { random(mix(seed)) } else { symmetrical(mix(seed)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full board drawn at random, and a game of plies by chance from there.
    pub(super) fn game_by_chance(seed: u64) -> (Dvonn, Vec<Move>) {
        let start = random(seed);
        let (mut position, mut chance, mut game) = (start, seed, Vec::new());
        loop {
            let plies = position.legal_moves();
            chance = mix(chance);
            let Some(ply) = plies.get((chance >> 32) as usize % plies.len().max(1)) else {
                return (start, game);
            };
            position.make(*ply);
            game.push(*ply);
        }
    }
}
