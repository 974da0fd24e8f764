//! The value of a move of Go before it was tried.

use super::board::{Colour, EMPTY, GoBoard, NOWHERE, OFF, around, beside};
use super::shapes::is_shape;
use turnpost_games::rules::Cell;

/// Moves read to see whether a chain gets away.
const READS: u32 = 80;

impl GoBoard {
    /// Calls `visit` with each legal point that is no eye of the side to move, and with games and points that the point
    /// is taken to have had.
    pub(super) fn each_prior(&self, mut visit: impl FnMut(Cell, f32, f32)) {
        let (mut rescues, mut futile) = (Vec::new(), Vec::new());
        for stone in self.empties.iter().flat_map(|at| beside(*at)) {
            if self.at(stone) == self.own && self.air(stone).count() == 1 {
                let escapes = self.escapes(stone, &mut READS.clone());
                self.each_rescue(stone, |to| if escapes { &mut rescues } else { &mut futile }.push(to));
            }
        }
        for at in self.empties.iter().copied() {
            if !self.is_legal(at) || self.is_own_eye(at) {
                continue;
            }
            let (mut games, mut points) = (10.0, 5.0);
            let mut add = |more: f32, won: f32| {
                games += more;
                points += won;
            };
            let air = self.air_after(at);
            if air == 1 {
                add(10.0, 0.0);
            }
            let near = |colour: Colour, air: u32| {
                beside(at)
                    .into_iter()
                    .filter(move |near| self.at(*near) == colour && self.air(*near).count() == air)
            };
            for taken in near(OFF - self.own, 1) {
                add(15.0, 15.0);
                if self.chain(taken).count() > 1 {
                    add(15.0, 15.0);
                }
            }
            if rescues.contains(&at) {
                add(15.0, 14.0);
            } else if futile.contains(&at) {
                add(15.0, 1.0);
            }
            if air > 1 {
                for chased in near(OFF - self.own, 2) {
                    if self.catches(at, chased, &mut READS.clone()) {
                        add(15.0, 14.0);
                    } else {
                        add(4.0, 2.0);
                    }
                }
            }
            if is_shape(self, at) && air > 1 {
                add(10.0, 9.0);
            }
            let far = |other: Cell| at.column().abs_diff(other.column()) + at.row().abs_diff(other.row());
            for last in self.lasts.into_iter().filter(|last| *last != NOWHERE) {
                match far(last) {
                    ..=2 => add(6.0, 5.0),
                    3..=4 => add(4.0, 3.0),
                    _ => {}
                }
            }
            let line = |along: u8| along.min(self.rows - 1 - along);
            let line = line(at.column()).min(line(at.row()));
            if line < 4 && self.is_lonely(at) {
                match line {
                    0 => add(20.0, 0.0),
                    1 => add(10.0, 0.0),
                    2 => add(10.0, 8.0),
                    _ => add(10.0, 7.0),
                }
            }
            visit(at, games, points);
        }
    }

    /// True if no stone is within two steps.
    fn is_lonely(&self, at: Cell) -> bool {
        let mut near = around(at).into_iter().filter(|near| self.at(*near) != OFF).flat_map(around);
        near.all(|near| matches!(self.at(near), EMPTY | OFF))
    }
}
