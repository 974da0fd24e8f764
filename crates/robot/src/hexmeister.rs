//! The evaluation and the order of moves of Hexmeister.

use super::evaluate::{Evaluator, Score, WON, won_or_lost, write_count};
use super::tt::{keys, mix};
use turnpost_games::hexmeister::cells::{
    CENTRE, CellSet, GATES, LINES, MIDDLE_GATES, OUTER_GATES, beside, cells,
};
use turnpost_games::hexmeister::{Hexmeister, Move};
use turnpost_games::{Position, Seat};

/// The worth of a stone (in reserve or on the board), a gate held, and a stone next to an empty gate.
const STONE: i32 = 150;
const GATE: i32 = 60;
const BESIDE: i32 = 12;
/// The extra worth of holding the centre, which is in three lines and all triangles.
const MIDDLE: i32 = 60;
/// The extra worth of a stone on the board.
const DROPPED: i32 = 5;
/// Worth of gates that one side holds while the other holds none, indexed by their number. `FIVE` is for a line of
/// five, `SIX` for the six outer or the six middle gates.
const FIVE: [i32; 6] = [0, 5, 20, 70, 250, 0];
const SIX: [i32; 7] = [0, 3, 12, 40, 120, 350, 0];

/// Zobrist keys by cell and owner. The last two columns are for cells from 64 on.
static KEYS: [[u64; 4]; 64] = keys(0x4E0);
/// Seed for the hash of everything else: side to move, bonus, and both reserves.
const REST: u64 = mix(0x4E1);

impl Evaluator for Hexmeister {
    /// A position that occurs for the third time is a draw.
    const PATH_INDEPENDENT: bool = false;

    /// Every evaluation scans the whole board.
    type Accumulator = ();

    fn accumulator(&self) {}

    fn make_with(&mut self, (): &mut (), ply: Move) {
        self.make(ply);
    }

    fn hash(&self) -> u64 {
        let [first, second] = Seat::BOTH.map(|seat| u64::from(self.reserve(seat)));
        let to_move = self.to_move().index() as u64;
        let rest = first | second << 8 | to_move << 16 | u64::from(self.bonus()) << 17;
        Seat::BOTH.into_iter().fold(mix(REST ^ rest), |hash, seat| {
            let key = |index: usize| KEYS[index % 64][seat.index() + index / 64 * 2];
            cells(self.board().stones(seat)).fold(hash, |hash, cell| hash ^ key(cell.index() & 127))
        })
    }

    fn evaluate(&self, (): &()) -> Score {
        let mover = self.to_move();
        match self.outcome() {
            Some(_) => Score::exact(self.result()),
            None => Score::estimate(value(self, mover) - value(self, mover.other())),
        }
    }

    fn result(&self) -> i32 {
        won_or_lost(self, WON)
    }

    fn encode(ply: Move) -> u16 {
        match ply {
            Move::Go(from, to) => (from.index() | to.index() << 7) as u16,
            Move::Drop(cell) => (cell.index() | 1 << 14) as u16,
            Move::Done => 2 << 14,
            Move::Pass => 3 << 14,
        }
    }

    fn decode(code: u16) -> Option<Move> {
        let cell = |bits: u16| cells(1 << (bits & 127)).next();
        match code >> 14 {
            0 => Some(Move::Go(cell(code)?, cell(code >> 7)?)),
            1 => Some(Move::Drop(cell(code)?)),
            2 => Some(Move::Done),
            _ => Some(Move::Pass),
        }
    }

    fn ordering_score(&self, ply: Move) -> i32 {
        let other = self.board().stones(self.to_move().other());
        match ply {
            Move::Go(from, to) => {
                let enters = GATES & to.set() != 0;
                let leaves = GATES & from.set() != 0;
                let near = (to.neighbours() & other).count_ones() as i32;
                1500 * i32::from(enters) - 1200 * i32::from(leaves) + 150 * near
            }
            Move::Drop(cell) => 300 + 100 * i32::from(GATES & cell.set() != 0),
            Move::Done | Move::Pass => -500,
        }
    }

    fn write_value(value: i32) -> String {
        write_count(value, STONE, "stones")
    }
}

fn value(position: &Hexmeister, seat: Seat) -> i32 {
    let (own, other) = (position.board().stones(seat), position.board().stones(seat.other()));
    let count = |set: CellSet| set.count_ones() as i32;
    let empty_gates = GATES & !(own | other);
    let mut value = STONE * position.stones_left(seat) as i32 + DROPPED * count(own);
    value += GATE * count(own & GATES) + BESIDE * count(own & beside(empty_gates));
    value += if own & CENTRE != 0 { MIDDLE } else { 0 };
    for line in LINES {
        if line & other == 0 {
            value += FIVE.get(count(line & own) as usize).copied().unwrap_or_default();
        }
    }
    for gates in [OUTER_GATES, MIDDLE_GATES] {
        if gates & other == 0 {
            value += SIX.get(count(gates & own) as usize).copied().unwrap_or_default();
        }
    }
    value
}
