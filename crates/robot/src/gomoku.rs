//! Gomoku: counts the rows of five points that a side can still fill, and finds wins by fours.

use super::evaluate::{Evaluator, Score, WON, won_or_lost, write_count};
use super::mind::is_off_the_rim;
use super::tt::mix;
use turnpost_games::gomoku::Gomoku;
use turnpost_games::rules::{AROUND, Cell, Cells, Game, Ply};
use turnpost_games::{Position, Seat};

const SIZE: usize = 15;
const POINTS: usize = SIZE * SIZE;
/// The directions of rows: columns and lines from one point to the next.
const STEPS: [[i8; 2]; 4] = [[1, 0], [1, 1], [0, 1], [-1, 1]];

/// The worth of a row with this number of a side's stones and none of the other side's, for the side to move and for the
/// other. Three stones with room at both ends are in three such rows.
const WORTH: [[i32; 6]; 2] = [[0, 2, 9, 40, 0, 0], [0, 2, 8, 30, 0, 0]];
/// The gain in the order of search for a point of such a row.
const GAIN: [[i32; 6]; 2] = [[0, 2, 20, 300, 0, 0], [0, 2, 16, 200, 0, 0]];
/// No estimate from counts is greater.
const MOST_COUNTED: i32 = 3_000;
/// The estimate if the side to move wins by fours.
const FOURS_WIN: i32 = 5_000;
/// Most fours tried for one estimate.
const FOURS_TRIED: u32 = 100;
/// Rows that are looked through at once.
const BLOCK: usize = 36;
/// Number of moves searched if none is forced.
const WIDTH: usize = 24;

/// The rows of five points, each numbered by its direction and its first point.
#[derive(Debug, Clone)]
pub struct FiveRows {
    /// Stones of each side. Rows that leave the board stay empty.
    stones: [[u8; 2]; 4 * POINTS],
    /// For each side, the number of rows with this number of its stones and none of the other side's.
    counts: [[i16; 6]; 2],
    taken: Cells,
}

/// The points of a row.
fn points(row: usize) -> impl Iterator<Item = Cell> {
    let ([columns, lines], first) = (STEPS[row / POINTS % 4], row % POINTS);
    let [column, line] = [first % SIZE, first / SIZE].map(|at| at as i8);
    (0..5).map(move |n| Cell::at((column + n * columns) as u8, (line + n * lines) as u8))
}

/// The rows that hold a point.
fn rows(point: Cell) -> impl Iterator<Item = usize> {
    let [column, line] = [point.column(), point.row()].map(|at| at as i8);
    let is_inside = |at: i8| (0..SIZE as i8).contains(&at);
    (0..4).flat_map(move |way| {
        let [columns, lines] = STEPS[way];
        (0..5).filter_map(move |back| {
            let [column, line] = [column - back * columns, line - back * lines];
            let last = [column + 4 * columns, line + 4 * lines];
            let is_row = [column, line].into_iter().chain(last).all(is_inside);
            is_row.then(|| way * POINTS + line as usize * SIZE + column as usize)
        })
    })
}

impl FiveRows {
    fn put(&mut self, point: Cell, side: Seat) {
        let [own, other] = [side, side.other()].map(Seat::index);
        self.taken.add(point);
        for row in rows(point) {
            let stones = &mut self.stones[row];
            let [mine, theirs] = [stones[own], stones[other]].map(usize::from);
            stones[own] += 1;
            if theirs == 0 {
                self.counts[own][mine] -= 1;
                self.counts[own][mine + 1] += 1;
            }
            if mine == 0 {
                self.counts[other][theirs] -= 1;
            }
        }
    }

    fn after(&self, point: Cell, side: Seat) -> FiveRows {
        let mut next = self.clone();
        next.put(point, side);
        next
    }

    /// True for a row with this number of a side's stones and none of the other side's.
    fn has(&self, row: usize, side: Seat, count: u8) -> bool {
        self.stones[row] == *side.of(&[[count, 0], [0, count]])
    }

    fn rows_with(&self, side: Seat, count: u8) -> impl Iterator<Item = usize> {
        let is_any = self.counts[side.index()][usize::from(count)] > 0;
        let all: &[[u8; 2]] = if is_any { &self.stones } else { &[] };
        let wanted = *side.of(&[[count, 0], [0, count]]);
        // Whether a block has such a row is checked without branches, several rows at a time.
        let blocks = (0..).step_by(BLOCK).zip(all.chunks(BLOCK));
        let has_any = move |block: &[[u8; 2]]| block.iter().fold(false, |any, row| any | (*row == wanted));
        let rows = blocks.filter(move |(_, block)| has_any(block)).flat_map(|(at, block)| (at..).zip(block));
        rows.filter(move |(_, stones)| **stones == wanted).map(|(row, _)| row)
    }

    /// The empty points of these rows.
    fn empties(&self, rows: impl Iterator<Item = usize>) -> Cells {
        rows.flat_map(points).collect::<Cells>() - self.taken
    }

    /// The points on which a stone of the side makes five, if four is the count, or four, if three is.
    fn makers(&self, side: Seat, count: u8) -> Cells {
        self.empties(self.rows_with(side, count))
    }

    /// True if one stone of the side would make two fours, or a four with room at both ends.
    fn has_double(&self, side: Seat) -> bool {
        self.makers(side, 3)
            .iter()
            .any(|point| self.empties(rows(point).filter(|row| self.has(*row, side, 3))).count() > 2)
    }

    /// True if the side to move wins by fours with one answer each. It has no five at once.
    fn wins_by_fours(&self, side: Seat, tries: &mut u32) -> bool {
        let (fours, blocks) = (self.makers(side, 3), self.makers(side.other(), 4));
        let fours = match blocks.count() {
            0 => fours,
            1 => fours & blocks,
            _ => return false,
        };
        fours.iter().any(|point| {
            let Some(left) = tries.checked_sub(1) else { return false };
            *tries = left;
            let mut next = self.after(point, side);
            let fives = next.empties(rows(point).filter(|row| next.has(*row, side, 4)));
            if let (1, Some(answer)) = (fives.count(), fives.iter().next()) {
                next.put(answer, side.other());
                return next.wins_by_fours(side, tries);
            }
            true
        })
    }

    fn value(&self, side: Seat) -> Score {
        let counts = |side: Seat| &self.counts[side.index()];
        if counts(side)[4] > 0 {
            return Score::exact(WON);
        }
        let blocks = self.makers(side.other(), 4);
        if blocks.count() > 1 {
            return Score::exact(-WON);
        }
        if let Some(block) = blocks.iter().next() {
            return -self.after(block, side).value(side.other());
        }
        if counts(side)[3] > 0 && self.wins_by_fours(side, &mut FOURS_TRIED.clone()) {
            return Score::estimate(FOURS_WIN);
        }
        let [own, other] = [(side, WORTH[0]), (side.other(), WORTH[1])].map(|(side, worth)| {
            counts(side).iter().zip(worth).map(|(count, worth)| i32::from(*count) * worth).sum::<i32>()
        });
        Score::estimate((own - other).clamp(-MOST_COUNTED, MOST_COUNTED))
    }

    /// How much each point matters, by its index.
    fn gains(&self, side: Seat) -> [i32; 384] {
        let mut gains = [0; 384];
        for (row, stones) in self.stones.iter().enumerate() {
            let gain = match [side, side.other()].map(|side| usize::from(stones[side.index()])) {
                [0, 0] => continue,
                [own, 0] => GAIN[0][own],
                [0, other] => GAIN[1][other],
                _ => continue,
            };
            points(row).for_each(|point| gains[point.index()] += gain);
        }
        gains
    }
}

impl Evaluator for Game<Gomoku> {
    const PATH_INDEPENDENT: bool = true;

    type Accumulator = FiveRows;

    fn accumulator(&self) -> FiveRows {
        let mut rows = FiveRows { stones: [[0; 2]; 4 * POINTS], counts: [[0; 6]; 2], taken: Cells::NONE };
        for side in Seat::BOTH {
            self.state().of(side).iter().for_each(|point| rows.put(point, side));
        }
        rows
    }

    fn make_with(&mut self, rows: &mut FiveRows, ply: Ply) {
        if let Some(point) = ply.to {
            rows.put(point, self.to_move());
        }
        self.make(ply);
    }

    fn hash(&self) -> u64 {
        mix(self.state().key() ^ self.to_move().index() as u64)
    }

    fn evaluate(&self, rows: &FiveRows) -> Score {
        match self.outcome() {
            Some(_) => Score::exact(self.result()),
            None => rows.value(self.to_move()),
        }
    }

    fn result(&self) -> i32 {
        won_or_lost(self, WON)
    }

    fn encode(ply: Ply) -> u16 {
        ply.to.map_or(0, Cell::index) as u16
    }

    fn ordering_score(&self, _: Ply) -> i32 {
        0
    }

    /// Makes five or prevents it. Otherwise answers a coming double four on its rows, or by a four. Otherwise takes the
    /// best points at most two steps from a stone.
    fn each_candidate(&self, rows: &FiveRows, visit: &mut impl FnMut(Ply, i32)) -> bool {
        if self.outcome().is_some() {
            return true;
        }
        let (side, empties) = (self.to_move(), self.state().empties());
        let forced = [rows.makers(side, 4), rows.makers(side.other(), 4)];
        let mut points = forced.into_iter().find(|points| !points.is_empty()).unwrap_or_else(|| {
            let is_urgent = rows.has_double(side.other());
            if is_urgent { rows.makers(side, 3) | rows.makers(side.other(), 3) } else { Cells::NONE }
        });
        let is_forced = !points.is_empty();
        if !is_forced {
            let board = self.state().board;
            let near = board.around(board.around(rows.taken, &AROUND), &AROUND);
            let wanted = [near & empties, Cells::from_iter([Cell::at(7, 7)])];
            points = wanted.into_iter().find(|points| !points.is_empty()).unwrap_or_default();
        }
        let gains = rows.gains(side);
        let mut points: Vec<Cell> = points.iter().collect();
        points.sort_by_key(|point| -gains[point.index()]);
        points.truncate(if is_forced { POINTS } else { WIDTH });
        points.iter().for_each(|point| visit(Ply::put(*point), gains[point.index()]));
        is_forced || points.len() == empties.count() as usize
    }

    fn write_value(value: i32) -> String {
        let is_decided = value.abs() > MOST_COUNTED;
        write_count(if is_decided { WON * value.signum() } else { value }, 100, "threes")
    }

    fn is_worth_a_swap(&self) -> bool {
        is_off_the_rim(self)
    }
}
