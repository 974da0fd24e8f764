//! The stones on the cells, what they secure and capture, their moves, and the wins.

use super::cells::{
    BOARD, CENTRE, Cell, CellSet, GATES, LANES, LINES, MIDDLE_GATES, OUTER_GATES, TRIANGLES, base, beside,
    cells, steps, thrice_beside,
};
use crate::Seat;

/// The number of stones of each side.
pub const STONES: u8 = 18;

/// A side that holds this number of gates keeps its opponent from securing the centre by a triangle (rule 3).
const GATES_AGAINST_CENTRE: u32 = 8;

/// The stones on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    stones: [CellSet; 2],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board { stones: [0; 2] };

    /// The cells with a stone of `seat`.
    #[inline]
    pub fn stones(&self, seat: Seat) -> CellSet {
        *seat.of(&self.stones)
    }

    /// The cells without a stone.
    #[inline]
    pub fn empty(&self) -> CellSet {
        let [white, black] = self.stones;
        BOARD & !(white | black)
    }

    /// The seat whose stone is on `cell`, if there is one.
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.stones(*seat) & cell.set() != 0)
    }

    /// Puts a stone of `seat` on every cell of `set`. The cells must be empty.
    #[inline]
    pub fn put(&mut self, seat: Seat, set: CellSet) {
        self.stones[seat.index()] |= set;
    }

    /// Removes the stones of `seat` from the cells of `set`.
    #[inline]
    pub fn take(&mut self, seat: Seat, set: CellSet) {
        self.stones[seat.index()] &= !set;
    }

    /// The cells that `seat` secures by proximity: with stones on three or more neighbours.
    #[inline]
    pub fn near(&self, seat: Seat) -> CellSet {
        thrice_beside(self.stones(seat))
    }

    /// The gates that `seat` secures by triangulation: it holds the other four gates of a triangle. The centre is not
    /// secured while the opponent holds eight or more gates.
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

    /// The cells that `seat` secures.
    #[inline]
    pub fn secured(&self, seat: Seat) -> CellSet {
        self.near(seat) | self.triangulated(seat)
    }

    /// Removes every enemy stone on a cell that `seat` secures, and returns the cells. It repeats this until it removes
    /// none, because a capture on a gate can let `seat` secure the centre too.
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

    /// The cells that a stone of `seat` can cross: empty lanes and gates, gates with a stone of its own, and
    /// empty cells of its own base.
    #[inline]
    pub fn crossable(&self, seat: Seat) -> CellSet {
        (LANES | GATES | base(seat)) & self.empty() | GATES & self.stones(seat)
    }

    /// The empty cells to which a stone of `seat` on `from` has an open path, even if it is not allowed to end
    /// there.
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

    /// The cells to which a stone of `seat` on `from` can move.
    #[inline]
    pub fn destinations(&self, seat: Seat, from: Cell, straight: bool) -> CellSet {
        self.reach(seat, from, straight) & !self.secured(seat.other()) & enterable(seat, from)
    }

    /// Calls `visit` with each stone of `seat` that can move, and the cells to which it can.
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

    /// True if a stone of `seat` can move.
    #[inline]
    pub fn can_move(&self, seat: Seat, straight: bool) -> bool {
        let (own, allowed) = (self.stones(seat), !self.secured(seat.other()));
        // Every step onto an allowed empty cell is a move, so search for paths only if there is no such step.
        beside(own) & self.empty() & allowed != 0
            || cells(own).any(|from| self.reach(seat, from, straight) & allowed & enterable(seat, from) != 0)
    }

    /// The cells on which `seat` can drop a stone.
    #[inline]
    pub fn drops(&self, seat: Seat) -> CellSet {
        base(seat) & self.empty() & !self.secured(seat.other())
    }

    /// How `seat` has won, if it has.
    #[inline]
    pub fn won(&self, seat: Seat) -> Option<&'static str> {
        let own = self.stones(seat);
        if LINES.iter().any(|line| line & !own == 0) {
            Some("five gates in a line")
        } else if OUTER_GATES & !own == 0 {
            Some("all six outer gates")
        } else if MIDDLE_GATES & !own == 0 {
            Some("all six middle gates")
        } else {
            None
        }
    }
}

/// The cells on which the rule about gates lets a move from `from` end. These are all cells that are not gates, and
/// the gates next to `from`. If `from` is in the base of `seat`, the gates of that base are allowed too.
#[inline]
fn enterable(seat: Seat, from: Cell) -> CellSet {
    let home = base(seat);
    let from_home = if home & from.set() == 0 { 0 } else { home };
    !GATES | from.neighbours() | from_home
}

/// The cells in straight lines from `from`, each line up to and including the first that it cannot cross.
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
