//! Hexmeister: gates held, stones left, and how near each side is to its gates.

use super::mind::{Judged, Mind, fold, mix};
use turnpost_games::hexmeister::cells::{
    CENTRE, CellSet, GATES, LINES, MIDDLE_GATES, OUTER_GATES, beside, cells,
};
use turnpost_games::hexmeister::{Hexmeister, Move, Rules};
use turnpost_games::{Position, Seat};

/// A game won.
const WIN: i32 = 20_000;

/// A stone, in reserve or on the board, a gate held, and a stone next to a gate that is empty.
const STONE: i32 = 150;
const GATE: i32 = 60;
const BESIDE: i32 = 12;
/// The centre stands in three lines and all triangles.
const MIDDLE: i32 = 60;
/// A stone on the board rather than in reserve.
const DROPPED: i32 = 5;
/// By how many of the gates of a way to win one side holds and the other none: of five, of six.
const FIVE: [i32; 6] = [0, 5, 20, 70, 250, 0];
const SIX: [i32; 7] = [0, 3, 12, 40, 120, 350, 0];

impl Mind for Hexmeister {
    /// A position that stands for the third time is a draw.
    const PATH_FREE: bool = false;
    const MAY_PASS: bool = true;

    fn key(&self) -> u64 {
        let halves = |set: CellSet| [set as u64, (set >> 64) as u64];
        let [[a, b], [c, d]] = Seat::BOTH.map(|seat| halves(self.board().stones(seat)));
        let [first, second] = Seat::BOTH.map(|seat| u64::from(self.reserve(seat)));
        let rest =
            first | second << 8 | (self.to_move().index() as u64) << 16 | u64::from(self.bonus()) << 17;
        let key = fold(a ^ 0x6A09_E667_F3BC_C908, c ^ 0xBB67_AE85_84CA_A73B);
        let key = key.rotate_left(17) ^ fold(b ^ 0x3C6E_F372_FE94_F82B, d ^ key);
        key.rotate_left(17) ^ fold(rest ^ 0xA54F_F53A_5F1D_36F1, key | 1)
    }

    fn code(ply: Move) -> u16 {
        match ply {
            Move::Go(from, to) => (from.index() | to.index() << 7) as u16,
            Move::Drop(cell) => (cell.index() | 1 << 14) as u16,
            Move::Done => 2 << 14,
            Move::Pass => 3 << 14,
        }
    }

    fn ply(code: u16) -> Option<Move> {
        let cell = |bits: u16| cells(1 << (bits & 127)).next();
        match code >> 14 {
            0 => Some(Move::Go(cell(code)?, cell(code >> 7)?)),
            1 => Some(Move::Drop(cell(code)?)),
            2 => Some(Move::Done),
            _ => Some(Move::Pass),
        }
    }

    /// Everything is looked at anew.
    type Sums = ();

    fn sums(&self) {}

    fn make_with(&mut self, (): &mut (), ply: Move) {
        self.make(ply);
    }

    fn judge(&self, (): &(), _window: (i32, i32)) -> Judged {
        let mover = self.to_move();
        match self.outcome() {
            Some(_) => Judged::Final(self.result()),
            None => Judged::Guess(worth(self, mover) - worth(self, mover.other())),
        }
    }

    fn result(&self) -> i32 {
        match self.outcome().and_then(|outcome| outcome.winner) {
            None => 0,
            Some(winner) if winner == self.to_move() => WIN,
            Some(_) => -WIN,
        }
    }

    fn urgency(&self, ply: Move) -> i32 {
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

    fn is_loud(&self, ply: Move) -> bool {
        // A stone that enters a gate earns a bonus; captures are too dear to find out.
        self.bonus() && matches!(ply, Move::Go(_, to) if GATES & to.set() != 0)
    }

    /// None: a pass would have to be written into what may be repeated.
    fn passed(&self) -> Option<Hexmeister> {
        None
    }

    fn write_value(value: i32) -> String {
        if value.abs() >= WIN {
            return if value > 0 { "won" } else { "lost" }.to_owned();
        }
        format!("{:+.2} stones", f64::from(value) / f64::from(STONE))
    }

    fn opening(seed: u64) -> Hexmeister {
        let mut position = Hexmeister::start(Rules::default());
        let mut chance = seed;
        for _ in 0..6 {
            let plies = position.legal_moves();
            chance = mix(chance);
            let place = (chance >> 32) as usize % plies.len().max(1);
            if let Some(ply) = plies.get(place) {
                position.make(*ply);
            }
        }
        position
    }
}

/// What a side has.
fn worth(position: &Hexmeister, seat: Seat) -> i32 {
    let (own, other) = (position.board().stones(seat), position.board().stones(seat.other()));
    let count = |set: CellSet| set.count_ones() as i32;
    let empty_gates = GATES & !(own | other);
    let mut worth = STONE * position.stones_left(seat) as i32 + DROPPED * count(own);
    worth += GATE * count(own & GATES) + BESIDE * count(own & beside(empty_gates));
    worth += if own & CENTRE != 0 { MIDDLE } else { 0 };
    for line in LINES {
        if line & other == 0 {
            worth += FIVE.get(count(line & own) as usize).copied().unwrap_or_default();
        }
    }
    for ring in [OUTER_GATES, MIDDLE_GATES] {
        if ring & other == 0 {
            worth += SIX.get(count(ring & own) as usize).copied().unwrap_or_default();
        }
    }
    worth
}
