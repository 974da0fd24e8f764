//! A Go board for playouts. It keeps the liberties of each chain, and forbids only to take back a single stone at once.

use std::ops::{Index, IndexMut};

use turnpost_games::go::Go;
use turnpost_games::rules::{Cell, Cells, Game, Way};
use turnpost_games::{Position, Seat};

/// No point. Like each step off the board, it holds [`OFF`].
pub(super) const NOWHERE: Cell = Cell::at(19, 18);

/// The content of a point. The colour of a seat is its index plus 1.
pub(super) type Colour = u8;
pub(super) const EMPTY: Colour = 0;
pub(super) const OFF: Colour = 3;

/// A value for each point, and for each step off the board.
#[derive(Debug, Clone)]
struct Points<T>([T; 512]);

impl<T> Index<Cell> for Points<T> {
    type Output = T;

    #[inline]
    fn index(&self, point: Cell) -> &T {
        &self.0[point.index() & 511]
    }
}

impl<T> IndexMut<Cell> for Points<T> {
    #[inline]
    fn index_mut(&mut self, point: Cell) -> &mut T {
        &mut self.0[point.index() & 511]
    }
}

/// The position of a playout.
#[derive(Debug, Clone)]
pub struct GoBoard {
    colours: Points<Colour>,
    /// One stone of each chain, the same for all its stones.
    heads: Points<Cell>,
    /// The next stone of the chain, in a circle.
    nexts: Points<Cell>,
    /// The liberties of the chain with this head.
    airs: Points<Cells>,
    pub(super) empties: Vec<Cell>,
    /// The place of a point in `empties`.
    places: Points<u16>,
    pub(super) halves: u16,
    pub(super) rows: u8,
    pub(super) own: Colour,
    ko: Cell,
    /// The last two points played, the later first.
    pub(super) lasts: [Cell; 2],
    pub(super) passes: u32,
    /// The points on which each side was the first to put a stone.
    pub(super) firsts: [Cells; 2],
}

#[inline]
fn steps<const COUNT: usize>(point: Cell, parts: [(i16, i16); COUNT]) -> [Cell; COUNT] {
    parts.map(|(columns, rows)| point.step(Way::new(columns, rows)))
}

#[inline]
pub(super) fn beside(point: Cell) -> [Cell; 4] {
    steps(point, [(1, 0), (0, 1), (-1, 0), (0, -1)])
}

/// The eight points around a point, row by row.
#[inline]
pub(super) fn around(point: Cell) -> [Cell; 8] {
    steps(point, [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)])
}

impl GoBoard {
    pub(super) fn of(game: &Game<Go>) -> GoBoard {
        let state = game.state();
        let mut board = GoBoard {
            colours: Points([OFF; 512]),
            heads: Points([NOWHERE; 512]),
            nexts: Points([NOWHERE; 512]),
            airs: Points([Cells::NONE; 512]),
            empties: Vec::new(),
            places: Points([0; 512]),
            halves: state.counts[1],
            rows: state.board.rows,
            own: 1,
            ko: NOWHERE,
            lasts: [NOWHERE; 2],
            passes: state.counts[0].into(),
            firsts: [Cells::NONE; 2],
        };
        state.board.cells.iter().for_each(|point| board.free(point));
        for seat in Seat::BOTH {
            for stone in state.of(seat).iter() {
                board.own = seat.index() as Colour + 1;
                board.put(stone);
            }
        }
        board.own = game.to_move().index() as Colour + 1;
        (board.ko, board.lasts, board.firsts) = (NOWHERE, [NOWHERE; 2], [Cells::NONE; 2]);
        board
    }

    #[inline]
    pub(super) fn at(&self, point: Cell) -> Colour {
        self.colours[point]
    }

    /// The liberties of the chain of a stone.
    #[inline]
    pub(super) fn air(&self, stone: Cell) -> Cells {
        self.airs[self.heads[stone]]
    }

    pub(super) fn chain(&self, stone: Cell) -> impl Iterator<Item = Cell> {
        let next = move |at: &Cell| Some(self.nexts[*at]).filter(|next| *next != stone);
        std::iter::successors(Some(stone), next)
    }

    /// Moves a point to the end of a part of the list of empty points.
    pub(super) fn set_aside(&mut self, place: usize, end: usize) {
        self.empties.swap(place, end);
        for at in [place, end] {
            self.places[self.empties[at]] = at as u16;
        }
    }

    fn free(&mut self, point: Cell) {
        self.colours[point] = EMPTY;
        self.heads[point] = NOWHERE;
        self.places[point] = self.empties.len() as u16;
        self.empties.push(point);
    }

    /// Puts a stone of the side to move on an empty point.
    pub(super) fn put(&mut self, to: Cell) {
        let (own, mut taken, mut ko) = (self.own, 0, NOWHERE);
        self.set_aside(self.places[to].into(), self.empties.len() - 1);
        self.empties.pop();
        self.colours[to] = own;
        (self.heads[to], self.nexts[to], self.airs[to]) = (to, to, Cells::NONE);
        for near in beside(to) {
            match self.at(near) {
                EMPTY => self.airs[self.heads[to]].add(near),
                OFF => {}
                colour => {
                    let head = self.heads[near];
                    self.airs[head].remove(to);
                    if colour == own {
                        self.merge(head, self.heads[to]);
                    } else if self.airs[head].is_empty() {
                        ko = near;
                        taken += self.take(head);
                    }
                }
            }
        }
        let is_alone = self.nexts[to] == to && self.air(to).count() == 1;
        self.ko = if taken == 1 && is_alone { ko } else { NOWHERE };
        if !self.firsts.iter().any(|points| points.has(to)) {
            self.firsts[usize::from(own) - 1].add(to);
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

    fn merge(&mut self, into: Cell, head: Cell) {
        if into == head {
            return;
        }
        let mut stone = head;
        while self.heads[stone] != into {
            self.heads[stone] = into;
            stone = self.nexts[stone];
        }
        (self.nexts[into], self.nexts[head]) = (self.nexts[head], self.nexts[into]);
        self.airs[into] = self.airs[into] | self.airs[head];
    }

    /// Takes a chain off the board. Returns the number of its stones.
    fn take(&mut self, head: Cell) -> u16 {
        let (mut stone, mut taken) = (head, 0);
        while self.at(stone) != EMPTY {
            self.free(stone);
            for near in beside(stone) {
                if !matches!(self.at(near), EMPTY | OFF) {
                    self.airs[self.heads[near]].add(stone);
                }
            }
            taken += 1;
            stone = self.nexts[stone];
        }
        taken
    }

    /// True if a stone on the empty point is neither suicide nor takes back at once.
    #[inline]
    pub(super) fn is_legal(&self, to: Cell) -> bool {
        to != self.ko
            && beside(to).into_iter().any(|near| match self.at(near) {
                EMPTY => true,
                OFF => false,
                colour => (self.air(near).count() > 1) == (colour == self.own),
            })
    }

    /// The side that holds a point at the end of a playout.
    pub(super) fn owner(&self, at: Cell) -> Colour {
        let near = beside(at).map(|near| self.at(near));
        let holds = |side: &Colour| near.iter().all(|colour| colour == side || *colour == OFF);
        match self.at(at) {
            EMPTY => [1, 2].into_iter().find(holds).unwrap_or(EMPTY),
            colour => colour,
        }
    }

    /// The number of points that a side holds at the end of a playout.
    pub(super) fn held(&self, side: Colour) -> u16 {
        let stones = self.colours.0.iter().filter(|colour| **colour == side).count();
        let around = self.empties.iter().filter(|at| self.owner(**at) == side).count();
        (stones + around) as u16
    }

    /// True if the side to move surrounds the empty point, so that the other cannot live there.
    pub(super) fn is_own_eye(&self, at: Cell) -> bool {
        let [a, _, b, _, _, c, _, d] = around(at).map(|corner| self.at(corner));
        let count = |of| [a, b, c, d].into_iter().filter(|colour| *colour == of).count();
        self.owner(at) == self.own && count(OFF - self.own) + usize::from(count(OFF) > 0) < 2
    }

    /// True if a stone of the side to move on the empty point is not in atari. The first two tests are fast.
    #[inline]
    pub(super) fn is_safe(&self, to: Cell) -> bool {
        let near = || beside(to).into_iter();
        near().filter(|near| self.at(*near) == EMPTY).count() > 1
            || near().any(|near| self.at(near) == self.own && self.air(near).count() > 2)
            || self.air_after(to) > 1
    }

    /// The number of liberties that a stone of the side to move on the empty point has.
    pub(super) fn air_after(&self, to: Cell) -> u32 {
        let mut air = Cells::NONE;
        for near in beside(to) {
            match self.at(near) {
                EMPTY => air.add(near),
                OFF => {}
                colour if colour == self.own => air = air | self.air(near),
                _ if self.air(near).count() == 1 => air.add(near),
                _ => {}
            }
        }
        air.remove(to);
        air.count()
    }
}
