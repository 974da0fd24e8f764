//! What the robot knows of backgammon: a race by its pips, a contact by its blots, points and primes, and the cube by the
//! usual margins.
//!
//! A lead is in pips, of the side on roll. Its numbers are exact on every machine: no function of floating point is used
//! but the square root.

mod bear_off;

use super::judged::Judge;
use super::playouts::WON;
use bear_off::chance_to_win;
use turnpost_games::Position;
use turnpost_games::backgammon::board::{BAR, Board, Side, pips};
use turnpost_games::backgammon::{Backgammon, Move, Variant};

/// The limits of the cube: the lead of the side on roll in a race, in thousandths of its pips, and its chances in a
/// contact or by the table, in hundredths of a percent beyond 50 %.
struct CubeLimit(i32, i32);

const DOUBLE: CubeLimit = CubeLimit(80, 2_000);
const REDOUBLE: CubeLimit = CubeLimit(90, 2_200);
const TAKE: CubeLimit = CubeLimit(120, 2_700);

/// The value of a roll for the side that has it.
const OF_THE_ROLL: f64 = 4.0;

/// The value of two checkers on a point of the own half while an enemy still has to pass it.
const POINTS: [f64; 13] = [0.0, 0.5, 2.5, 4.0, 5.5, 6.5, 6.0, 5.5, 3.5, 2.0, 1.5, 1.0, 0.5];

/// The value of an anchor, from the own point 18 on. Only the best anchor counts.
const ANCHORS: [f64; 7] = [5.0, 4.5, 8.0, 7.0, 4.5, 3.0, 2.5];

/// What made points among six in a row are worth, by their number.
const PRIMES: [f64; 7] = [0.0, 0.0, 0.0, 1.5, 5.0, 11.0, 20.0];

impl<V: Variant> Judge for Backgammon<V> {
    fn judge(&self, ply: Move) -> i32 {
        let (board, game, on_roll) = (self.board(), self.game(), self.on_roll());
        let other = on_roll.other();
        // Its opponent wins the match with this game, so a double costs nothing.
        let has_no_other =
            game.stakes.length > 1 && other.of(&game.score) + game.cube.value >= game.stakes.length;
        match ply {
            Move::Roll => chances(&board),
            Move::Double if has_no_other => WON - 1,
            Move::Double => {
                let limit = if game.cube.owner.is_none() { DOUBLE } else { REDOUBLE };
                chances(&board) + limit.passed_by(&board) + 1
            }
            Move::Take => -chances(&board),
            // Only people give a game up.
            Move::Resign(_) => -WON,
            Move::Drop => TAKE.passed_by(&board) - chances(&board),
            Move::Play(turn) => {
                let after = board.after(&turn);
                let mut end = *self;
                if after.won().is_some() {
                    end.make(ply);
                    return if end.outcome().is_some() { WON } else { WON - 1 };
                }
                -chances(&Board { mine: after.theirs, theirs: after.mine })
            }
        }
    }
}

impl CubeLimit {
    /// How far the side on roll is beyond the limit, in hundredths of a percent of its chances.
    fn passed_by(&self, board: &Board) -> i32 {
        let CubeLimit(race, contact) = *self;
        if is_contact(board) || chance_to_win(board).is_some() {
            return chances(board) - contact;
        }
        let [own, other] = [pips(&board.mine), pips(&board.theirs)].map(i32::from);
        25 * ((other - own) * 1_000 / own.max(1) - race)
    }
}

/// The chances of the side on roll: percent less 50, in hundredths.
pub fn chances(board: &Board) -> i32 {
    let Board { mine, theirs } = board;
    if let Some(chance) = chance_to_win(board) {
        return (f64::from(2 * (WON - 1)) * (chance - 0.5)) as i32;
    }
    let (lead, spread) = if is_contact(board) {
        let lead = standing(mine, theirs) - standing(theirs, mine) + exposure(board);
        (lead, f64::from(pips(mine) + pips(theirs)).max(150.0))
    } else {
        let [own, other] = [mine, theirs].map(wasted_pips);
        (other - own, (own + other - 4.0).max(8.0))
    };
    let far = (lead + OF_THE_ROLL) / (2.0 * spread).sqrt();
    (f64::from(WON - 1) * far / (far * far + 1.4).sqrt()) as i32
}

/// The furthest point of a side.
fn last(side: &Side) -> u8 {
    (1..=BAR).rev().find(|point| count(side, *point) > 0).unwrap_or_default()
}

/// True if a checker can still be hit.
fn is_contact(board: &Board) -> bool {
    last(&board.mine) + last(&board.theirs) > BAR
}

fn count(side: &Side, point: u8) -> u8 {
    side.get(usize::from(point)).copied().unwrap_or_default()
}

/// The pips of a race, and those that the last checkers waste: two for each checker, and more for what is heaped on the
/// lowest points.
fn wasted_pips(side: &Side) -> f64 {
    let checkers: u8 = side.iter().skip(1).sum();
    let covered = (1..=6).filter(|point| count(side, *point) > 0).count();
    f64::from(pips(side)) + 2.0 * f64::from(checkers) + f64::from(count(side, 1)) - covered as f64
}

/// The value of the checkers of a side against those of the other, in pips.
fn standing(own: &Side, other: &Side) -> f64 {
    let is_made = |point: u8| count(own, point) > 1;
    let made = |points: std::ops::Range<u8>| points.filter(|point| is_made(*point)).count();
    // Enemies that have a point still before them.
    let behind = |point: u8| other.iter().skip(usize::from(BAR - point) + 1).sum::<u8>();
    let mut value = -f64::from(pips(own));
    for (point, worth) in (0..).zip(POINTS).filter(|(point, _)| is_made(*point)) {
        value += if behind(point) > 0 { worth } else { worth / 5.0 };
    }
    let prime = |from: u8| {
        let held = 0.8 + 0.2 * f64::from(behind(from).min(3));
        PRIMES
            .get(made(from..from + 6))
            .map_or(0.0, |worth| if behind(from) > 0 { worth * held } else { 0.0 })
    };
    value += (1..=10).map(prime).fold(0.0, f64::max);
    value +=
        (18..).zip(ANCHORS).filter(|(point, _)| is_made(*point)).map(|(_, worth)| worth).fold(0.0, f64::max);
    // Builders bear on the points to be made.
    value += 0.4 * (7..=11).map(|point| f64::from(count(own, point).min(3))).sum::<f64>();
    // Heaps and checkers deep at home are out of play.
    value -= (1..BAR).map(|point| f64::from(count(own, point).saturating_sub(3))).sum::<f64>();
    value -= 1.5 * f64::from(count(own, 1) + count(own, 2));
    let closed = (1..=6).filter(|point| count(other, *point) > 1).count() as f64 / 6.0;
    value - f64::from(count(own, BAR).min(2)) * (1.0 + 14.0 * closed * closed)
}

/// The pips that the side on roll can expect to win by hitting.
fn exposure(board: &Board) -> f64 {
    let home = (1..=6).filter(|point| count(&board.mine, *point) > 1).count() as f64;
    let blots: Vec<u8> = (1..BAR).filter(|point| count(&board.theirs, BAR - point) == 1).collect();
    let mut lost = 0.0;
    for (high, low) in (1..=6).flat_map(|high| (1..=high).map(move |low| (high, low))) {
        // The owner loses the way from its home to the blot.
        let hit = blots.iter().filter(|blot| is_hit(board, **blot, [high, low])).max();
        let times = if high == low { 1.0 } else { 2.0 };
        lost += hit.map_or(0.0, |blot| times * (f64::from(*blot) + 2.0 + 2.5 * home));
    }
    0.9 * lost / 36.0
}

/// True if the side on roll can hit the blot on its point `at` with these dice.
fn is_hit(board: &Board, at: u8, [high, low]: [u8; 2]) -> bool {
    let is_open = |point: u8| count(&board.theirs, BAR - point) < 2;
    let on_bar = count(&board.mine, BAR);
    // A way of equal steps over open points.
    let walks = |from: u8, die: u8, steps: u8| {
        let way = from - at;
        way.is_multiple_of(die) && way / die <= steps && (1..way / die).all(|step| is_open(from - step * die))
    };
    let hits_from = |from: u8| {
        // The other checkers on the bar enter first.
        let entering = on_bar - u8::from(on_bar > 0 && from == BAR);
        if high == low {
            return (entering == 0 || is_open(BAR - high)) && entering < 4 && walks(from, high, 4 - entering);
        }
        let one = |die: u8, rest: u8| walks(from, die, 1) && (entering == 0 || is_open(BAR - rest));
        let both = || from - at == high + low && (is_open(from - high) || is_open(from - low));
        entering < 2 && (one(high, low) || one(low, high)) || entering == 0 && both()
    };
    (at + 1..=BAR).any(|from| count(&board.mine, from) > 0 && hits_from(from))
}
