//! The stones on the cells, and what the rules make of them whoever is to move.

use super::cells::{
    BOARD, CENTRE, Cell, CellSet, GATES, LANES, LINES, MIDDLE_GATES, OUTER_GATES, TRIANGLES, base, beside,
    cells, steps, thrice_beside,
};
use crate::Seat;

/// Stones of each side.
pub const STONES: u8 = 18;

/// So many gates of the other side keep the centre from being secured by triangulation.
const GATES_AGAINST_CENTRE: u32 = 8;

/// The stones on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    stones: [CellSet; 2],
}

/// How a game is won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Win {
    /// Five gates in a line.
    Alignment,
    /// The six gates at the corners.
    OuterRing,
    /// The six gates halfway out.
    MiddleRing,
}

impl Board {
    /// No stone anywhere.
    pub const EMPTY: Board = Board { stones: [0; 2] };

    /// The cells on which stones of `seat` stand.
    #[inline]
    pub fn stones(&self, seat: Seat) -> CellSet {
        *seat.of(&self.stones)
    }

    /// The cells on which no stone stands.
    #[inline]
    pub fn empty(&self) -> CellSet {
        let [white, black] = self.stones;
        BOARD & !(white | black)
    }

    /// Whose stone stands on `cell`.
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.stones(*seat) & cell.set() != 0)
    }

    /// Puts a stone of `seat` on every cell of `set`, all of them empty.
    #[inline]
    pub fn put(&mut self, seat: Seat, set: CellSet) {
        match seat {
            Seat::First => self.stones[0] |= set,
            Seat::Second => self.stones[1] |= set,
        }
    }

    /// Takes the stones of `seat` on the cells of `set` away.
    #[inline]
    pub fn take(&mut self, seat: Seat, set: CellSet) {
        match seat {
            Seat::First => self.stones[0] &= !set,
            Seat::Second => self.stones[1] &= !set,
        }
    }

    /// The cells `seat` secures by having stones on three or more of their neighbours.
    #[inline]
    pub fn near(&self, seat: Seat) -> CellSet {
        thrice_beside(self.stones(seat))
    }

    /// The gates `seat` secures by holding the other four of a triangle. The centre is not among them while the
    /// other side holds eight gates.
    #[inline]
    pub fn triangulated(&self, seat: Seat) -> CellSet {
        let own = self.stones(seat);
        let mut secured = 0;
        for triangle in TRIANGLES {
            let missing = triangle & !own;
            if missing == 0 {
                secured |= triangle;
            } else if missing & (missing - 1) == 0 {
                secured |= missing;
            }
        }
        let theirs = (self.stones(seat.other()) & GATES).count_ones();
        if theirs >= GATES_AGAINST_CENTRE { secured & !CENTRE } else { secured }
    }

    /// The cells `seat` secures.
    #[inline]
    pub fn secured(&self, seat: Seat) -> CellSet {
        self.near(seat) | self.triangulated(seat)
    }

    /// Takes every stone of the other side that stands on a cell `seat` secures, until there is none: fewer gates of
    /// theirs may let `seat` secure the centre as well. Gives the cells that were emptied.
    #[inline]
    pub fn capture(&mut self, seat: Seat) -> CellSet {
        let mut captured = 0;
        loop {
            let lost = self.stones(seat.other()) & self.secured(seat);
            if lost == 0 {
                return captured;
            }
            captured |= lost;
            self.take(seat.other(), lost);
        }
    }

    /// The cells a move of `seat` may go across: empty lanes and gates, gates with a stone of its own, and empty
    /// cells of its own base.
    #[inline]
    pub fn crossable(&self, seat: Seat) -> CellSet {
        (LANES | GATES | base(seat)) & self.empty() | GATES & self.stones(seat)
    }

    /// The empty cells that a stone of `seat` on `from` has an open way to, secured or not, gates included.
    #[inline]
    pub fn reach(&self, seat: Seat, from: Cell, straight: bool) -> CellSet {
        let crossable = self.crossable(seat);
        if straight {
            return self.empty() & ahead(from, crossable);
        }
        let mut crossed = from.set();
        loop {
            let beside = beside(crossed);
            let wider = crossed | beside & crossable;
            if wider == crossed {
                return self.empty() & beside;
            }
            crossed = wider;
        }
    }

    /// The cells that a stone of `seat` on `from` may move to.
    #[inline]
    pub fn destinations(&self, seat: Seat, from: Cell, straight: bool) -> CellSet {
        self.reach(seat, from, straight) & !self.secured(seat.other()) & enterable(seat, from)
    }

    /// Shows every move of `seat` by the cell left, with the cells that can be reached from there; none are left out
    /// but cells from which nothing can be reached.
    #[inline]
    pub fn each_reach(&self, seat: Seat, straight: bool, visit: &mut impl FnMut(Cell, CellSet)) {
        let allowed = !self.secured(seat.other());
        for from in cells(self.stones(seat)) {
            let reached = self.reach(seat, from, straight) & allowed & enterable(seat, from);
            if reached != 0 {
                visit(from, reached);
            }
        }
    }

    /// Whether `seat` has any move.
    #[inline]
    pub fn can_move(&self, seat: Seat, straight: bool) -> bool {
        let (own, allowed) = (self.stones(seat), !self.secured(seat.other()));
        // One step onto an empty cell is a move wherever it goes, so the ways are looked at only when there is none.
        beside(own) & self.empty() & allowed != 0
            || cells(own).any(|from| self.reach(seat, from, straight) & allowed & enterable(seat, from) != 0)
    }

    /// The cells on which `seat` could drop a stone.
    #[inline]
    pub fn drops(&self, seat: Seat) -> CellSet {
        base(seat) & self.empty() & !self.secured(seat.other())
    }

    /// Whether `seat` has won, and how.
    #[inline]
    pub fn won(&self, seat: Seat) -> Option<Win> {
        let own = self.stones(seat);
        if LINES.iter().any(|line| line & !own == 0) {
            Some(Win::Alignment)
        } else if OUTER_GATES & !own == 0 {
            Some(Win::OuterRing)
        } else if MIDDLE_GATES & !own == 0 {
            Some(Win::MiddleRing)
        } else {
            None
        }
    }
}

/// The cells that a stone on `from` may end on as far as gates are concerned: a gate must be next to it, or both cells
/// be of the base of `seat`.
#[inline]
pub(super) fn enterable(seat: Seat, from: Cell) -> CellSet {
    let home = base(seat);
    let from_home = if home & from.set() == 0 { 0 } else { home };
    !GATES | from.neighbours() | from_home
}

/// The cells in straight lines from `from`, up to and with the first that cannot be crossed.
#[inline]
fn ahead(from: Cell, crossable: CellSet) -> CellSet {
    let mut heads = steps(from.set());
    let mut seen = 0;
    loop {
        let mut any = 0;
        for (turn, head) in heads.iter_mut().enumerate() {
            seen |= *head;
            let next = steps(*head & crossable);
            *head = next.get(turn).copied().unwrap_or_default();
            any |= *head;
        }
        if any == 0 {
            return seen;
        }
    }
}
