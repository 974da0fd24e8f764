//! A Go board for playouts. It keeps the liberties of each chain, and forbids only to take back a single stone at once.

use turnpost_games::go::Go;
use turnpost_games::rules::{Cell, Cells, Game};
use turnpost_games::{Position, Seat};

/// The index of a [`Cell`]. A step off the board leads to a number that holds [`OFF`].
pub(super) type Point = u16;

/// No point.
pub(super) const NOWHERE: Point = Point::MAX;

/// The content of a point. The colour of a seat is its index plus 1.
pub(super) type Colour = u8;
pub(super) const EMPTY: Colour = 0;
pub(super) const OFF: Colour = 3;

/// The step to the next row.
const ROW: Point = 20;

/// A value for each number of a point.
#[derive(Debug, Clone)]
struct Points<T>([T; 512]);

impl<T: Copy> Points<T> {
    #[inline]
    fn at(&self, point: Point) -> T {
        self.0[usize::from(point) & 511]
    }

    #[inline]
    fn get(&mut self, point: Point) -> &mut T {
        &mut self.0[usize::from(point) & 511]
    }
}

/// The liberties of a chain.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Liberties {
    bits: [u64; 6],
    pub count: u32,
}

impl Liberties {
    fn change(&mut self, point: Point, is_free: bool) {
        let Some(word) = self.bits.get_mut(usize::from(point / 64)) else { return };
        let before = word.count_ones();
        let bit = 1 << (point % 64);
        *word = if is_free { *word | bit } else { *word & !bit };
        self.count = self.count + word.count_ones() - before;
    }

    fn join(&mut self, other: Liberties) {
        self.bits = std::array::from_fn(|at| self.bits[at] | other.bits[at]);
        self.count = self.bits.iter().map(|word| word.count_ones()).sum();
    }

    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Point> {
        (0..).step_by(64).zip(self.bits).flat_map(|(first, mut word): (Point, u64)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as Point)?;
                word &= word - 1;
                Some(first + bit)
            })
        })
    }

    /// One of the liberties.
    #[inline]
    pub(super) fn any(self) -> Point {
        self.iter().next().unwrap_or(NOWHERE)
    }
}

/// The position of a playout.
#[derive(Debug, Clone)]
pub struct GoBoard {
    colours: Points<Colour>,
    /// One stone of each chain, the same for all its stones.
    heads: Points<Point>,
    /// The next stone of the chain, in a circle.
    nexts: Points<Point>,
    /// The liberties of the chain with this head.
    airs: Points<Liberties>,
    empties: [Point; 361],
    empty: usize,
    /// The place of a point in `empties`.
    places: Points<u16>,
    /// The number of stones of each side.
    pub(super) stones: [u16; 2],
    pub(super) halves: u16,
    pub(super) rows: u8,
    pub(super) own: Colour,
    pub(super) ko: Point,
    /// The last two points played, the later first.
    pub(super) lasts: [Point; 2],
    pub(super) passes: u32,
    /// The points on which each side was the first to put a stone.
    pub(super) firsts: [Cells; 2],
}

pub(super) fn cell(point: Point) -> Cell {
    Cell::at((point % ROW) as u8, (point / ROW) as u8)
}

pub(super) fn point(cell: Cell) -> Point {
    cell.index() as Point
}

#[inline]
pub(super) fn beside(point: Point) -> [Point; 4] {
    [1, ROW, 1_u16.wrapping_neg(), ROW.wrapping_neg()].map(|step| point.wrapping_add(step))
}

/// The eight points around a point, row by row.
#[inline]
pub(super) fn around(point: Point) -> [Point; 8] {
    let (up, down) = (point.wrapping_add(ROW), point.wrapping_sub(ROW));
    let [left, right] = [1_u16.wrapping_neg(), 1];
    [(up, left), (up, 0), (up, right), (point, left), (point, right), (down, left), (down, 0), (down, right)]
        .map(|(at, step)| at.wrapping_add(step))
}

impl GoBoard {
    pub(super) fn of(game: &Game<Go>) -> GoBoard {
        let state = game.state();
        let mut board = GoBoard {
            colours: Points([OFF; 512]),
            heads: Points([NOWHERE; 512]),
            nexts: Points([NOWHERE; 512]),
            airs: Points([Liberties::default(); 512]),
            empties: [NOWHERE; 361],
            empty: 0,
            places: Points([0; 512]),
            stones: [0; 2],
            halves: state.counts[1],
            rows: state.board.rows,
            own: 1,
            ko: NOWHERE,
            lasts: [NOWHERE; 2],
            passes: state.counts[0].into(),
            firsts: [Cells::NONE; 2],
        };
        state.board.cells.iter().for_each(|cell| board.free(point(cell)));
        for seat in Seat::BOTH {
            for stone in state.of(seat).iter() {
                board.own = seat.index() as Colour + 1;
                board.put(point(stone));
            }
        }
        board.own = game.to_move().index() as Colour + 1;
        (board.ko, board.lasts, board.firsts) = (NOWHERE, [NOWHERE; 2], [Cells::NONE; 2]);
        board
    }

    #[inline]
    pub(super) fn at(&self, point: Point) -> Colour {
        self.colours.at(point)
    }

    /// The liberties of the chain of a stone.
    #[inline]
    pub(super) fn air(&self, stone: Point) -> &Liberties {
        &self.airs.0[usize::from(self.heads.at(stone)) & 511]
    }

    pub(super) fn is_one_chain(&self, stone: Point, other: Point) -> bool {
        self.heads.at(stone) == self.heads.at(other)
    }

    pub(super) fn chain(&self, stone: Point) -> impl Iterator<Item = Point> {
        let next = move |at: &Point| Some(self.nexts.at(*at)).filter(|next| *next != stone);
        std::iter::successors(Some(stone), next)
    }

    pub(super) fn empties(&self) -> &[Point] {
        self.empties.get(..self.empty).unwrap_or_default()
    }

    /// Moves a point to the end of a part of the list of empty points.
    pub(super) fn set_aside(&mut self, place: usize, end: usize) {
        self.empties.swap(place, end);
        for at in [place, end] {
            *self.places.get(self.empties[at]) = at as u16;
        }
    }

    fn free(&mut self, point: Point) {
        *self.colours.get(point) = EMPTY;
        *self.heads.get(point) = NOWHERE;
        *self.places.get(point) = self.empty as u16;
        self.empties[self.empty] = point;
        self.empty += 1;
    }

    /// Puts a stone of the side to move on an empty point.
    pub(super) fn put(&mut self, to: Point) {
        let (own, mut taken, mut ko) = (self.own, 0, NOWHERE);
        self.empty -= 1;
        self.set_aside(self.places.at(to).into(), self.empty);
        *self.colours.get(to) = own;
        (*self.heads.get(to), *self.nexts.get(to), *self.airs.get(to)) = (to, to, Liberties::default());
        self.stones[usize::from(own) - 1] += 1;
        for near in beside(to) {
            match self.at(near) {
                EMPTY => self.airs.get(self.heads.at(to)).change(near, true),
                OFF => {}
                colour => {
                    let head = self.heads.at(near);
                    self.airs.get(head).change(to, false);
                    if colour == own {
                        self.merge(head, self.heads.at(to));
                    } else if self.airs.at(head).count == 0 {
                        ko = near;
                        taken += self.take(head);
                    }
                }
            }
        }
        let is_alone = self.nexts.at(to) == to && self.air(to).count == 1;
        self.ko = if taken == 1 && is_alone { ko } else { NOWHERE };
        let ([black, white], cell) = (self.firsts, cell(to));
        if !(black | white).has(cell) {
            self.firsts[usize::from(own) - 1].add(cell);
        }
        self.lasts = [to, self.lasts[0]];
        self.passes = 0;
        self.own = OFF - own;
    }

    pub(super) fn pass(&mut self) {
        self.ko = NOWHERE;
        self.lasts = [NOWHERE, self.lasts[0]];
        self.passes += 1;
        self.own = OFF - self.own;
    }

    fn merge(&mut self, into: Point, head: Point) {
        if into == head {
            return;
        }
        let mut stone = head;
        while self.heads.at(stone) != into {
            *self.heads.get(stone) = into;
            stone = self.nexts.at(stone);
        }
        let nexts = [into, head].map(|at| self.nexts.at(at));
        (*self.nexts.get(into), *self.nexts.get(head)) = (nexts[1], nexts[0]);
        let air = self.airs.at(head);
        self.airs.get(into).join(air);
    }

    /// Takes a chain off the board. Returns the number of its stones.
    fn take(&mut self, head: Point) -> u16 {
        let colour = usize::from(self.at(head)) - 1;
        let (mut stone, mut taken) = (head, 0);
        while self.at(stone) != EMPTY {
            self.free(stone);
            taken += 1;
            stone = self.nexts.at(stone);
        }
        for _ in 0..taken {
            for near in beside(stone) {
                if !matches!(self.at(near), EMPTY | OFF) {
                    self.airs.get(self.heads.at(near)).change(stone, true);
                }
            }
            stone = self.nexts.at(stone);
        }
        self.stones[colour] -= taken;
        taken
    }

    /// True if a stone on the empty point is neither suicide nor takes back at once.
    #[inline]
    pub(super) fn is_legal(&self, to: Point) -> bool {
        to != self.ko
            && beside(to).into_iter().any(|near| match self.at(near) {
                EMPTY => true,
                OFF => false,
                colour => (self.air(near).count > 1) == (colour == self.own),
            })
    }

    /// The side that holds a point at the end of a playout.
    pub(super) fn owner(&self, at: Point) -> Colour {
        let near = beside(at).map(|near| self.at(near));
        let holds = |side: &Colour| near.iter().all(|colour| colour == side || *colour == OFF);
        match self.at(at) {
            EMPTY => [1, 2].into_iter().find(holds).unwrap_or(EMPTY),
            colour => colour,
        }
    }

    /// True if the side to move surrounds the empty point, so that the other cannot live there.
    pub(super) fn is_own_eye(&self, at: Point) -> bool {
        let [a, _, b, _, _, c, _, d] = around(at).map(|corner| self.at(corner));
        let count = |of| [a, b, c, d].into_iter().filter(|colour| *colour == of).count();
        self.owner(at) == self.own && count(OFF - self.own) + usize::from(count(OFF) > 0) < 2
    }

    /// True if a stone of the side to move on the empty point is not in atari.
    #[inline]
    pub(super) fn is_safe(&self, to: Point) -> bool {
        let near = || beside(to).into_iter();
        near().filter(|near| self.at(*near) == EMPTY).count() > 1
            || near().any(|near| self.at(near) == self.own && self.air(near).count > 2)
            || self.air_after(to).0 > 1
    }

    /// The liberties that a stone of the side to move on the empty point has, and the number of its chain's stones.
    pub(super) fn air_after(&self, to: Point) -> (u32, usize) {
        let (mut air, mut stones) = (Liberties::default(), 1);
        for (at, near) in beside(to).into_iter().enumerate() {
            let is_new = || !beside(to).iter().take(at).any(|seen| self.is_one_chain(*seen, near));
            match self.at(near) {
                EMPTY => air.change(near, true),
                OFF => {}
                colour if colour == self.own && is_new() => {
                    air.join(*self.air(near));
                    stones += self.chain(near).count();
                }
                colour if colour != self.own && self.air(near).count == 1 => air.change(near, true),
                _ => {}
            }
        }
        air.change(to, false);
        (air.count, stones)
    }
}
