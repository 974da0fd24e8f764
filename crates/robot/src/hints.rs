//! The hint of each game: the value of a position, or how its playouts end.

use super::evaluate::Captures;
use super::hint::{CAPTURE, Hint};
use super::stones::Staying;
use turnpost_games::Seat;
use turnpost_games::amazons::Amazons;
use turnpost_games::breakthrough::Breakthrough;
use turnpost_games::chess::Chess;
use turnpost_games::draughts::Draughts;
use turnpost_games::havannah::Havannah;
use turnpost_games::hex::Hex;
use turnpost_games::loa::LinesOfAction;
use turnpost_games::reversi::Reversi;
use turnpost_games::rules::{AROUND, Cell, Cells, Ply, Rules, State};
use turnpost_games::y::Y;

/// The worth of the mover's pieces minus the worth of the other side's.
fn balance(state: &State, worth: impl Fn(Seat, Cell) -> i32) -> i32 {
    let side = |seat: Seat| state.of(seat).iter().map(|cell| worth(seat, cell)).sum::<i32>();
    side(state.to_move) - side(state.to_move.other())
}

impl Hint for Breakthrough {
    /// A piece is worth more the further it has advanced.
    fn value(state: &State) -> i32 {
        const ADVANCE: [i32; 8] = [10, 0, 3, 8, 20, 45, 90, 0];
        balance(state, |seat, cell| {
            let row = *seat.of(&[cell.row(), 7 - cell.row()]);
            100 + ADVANCE.get(usize::from(row)).copied().unwrap_or_default()
        })
    }
}

/// The number of plies the side would have.
fn plies<R: Rules>(state: &State, seat: Seat) -> i32 {
    let (mut state, mut count) = (state.clone(), 0);
    state.to_move = seat;
    R::each_move(&state, &mut |ply| count += i32::from(ply != Ply::PASS));
    count
}

impl Hint for Reversi {
    const CAPTURES: Captures = Captures::Ignored;
    const UNIT: &'static str = "discs";

    /// Corners are safe, spaces next to an empty corner give that corner away, and more possible plies mean more
    /// choice.
    fn value(state: &State) -> i32 {
        let side = |seat: Seat| 40 * plies::<Reversi>(state, seat);
        let near = |at: u8| at.min(7 - at);
        let discs = balance(state, |_, cell| match (near(cell.column()), near(cell.row())) {
            (0, 0) => 800,
            (0, 1) | (1, 0) => -60,
            (1, 1) => -150,
            (0, _) | (_, 0) => 60,
            _ => 0,
        });
        discs + side(state.to_move) - side(state.to_move.other())
    }

    fn order(_: &State, ply: Ply) -> i32 {
        let is_end = |at: u8| at == 0 || at == 7;
        ply.to.map_or(0, |to| 800 * i32::from(is_end(to.column()) && is_end(to.row())))
    }
}

impl Hint for LinesOfAction {
    const RECURS: bool = true;
    const UNIT: &'static str = "steps";

    /// How close each side's pieces are to their own middle.
    fn value(state: &State) -> i32 {
        let spread = |seat: Seat| {
            let (own, count) = (state.of(seat), state.of(seat).count() as i32);
            let middle = |along: fn(Cell) -> u8| {
                2 * own.iter().map(|cell| i32::from(along(cell))).sum::<i32>() / count.max(1)
            };
            let (column, row) = (middle(Cell::column), middle(Cell::row));
            let off = |at: u8, middle: i32| (2 * i32::from(at) - middle).abs();
            let far = |cell: Cell| off(cell.column(), column).max(off(cell.row(), row));
            own.iter().map(|cell| 50 * (far(cell) - 2).max(0)).sum::<i32>() / 2
        };
        spread(state.to_move.other()) - spread(state.to_move)
    }
}

impl Hint for Amazons {
    const CAPTURES: Captures = Captures::Ignored;
    const UNIT: &'static str = "moves";

    /// Counts the spaces that each side reaches first, by queen moves.
    fn value(state: &State) -> i32 {
        let reach = |seat: Seat| {
            let (mut free, mut edge, mut steps) = (state.empties(), state.of(seat), Vec::new());
            while !edge.is_empty() {
                let mut next = Cells::NONE;
                for way in AROUND {
                    let mut line = edge.stepped(way) & state.empties();
                    while !line.is_empty() {
                        next = next | line;
                        line = line.stepped(way) & state.empties();
                    }
                }
                edge = next & free;
                free = free - edge;
                steps.push(edge);
            }
            steps
        };
        let [own, other] = [state.to_move, state.to_move.other()].map(reach);
        let mut value = 0;
        let (mut of_own, mut of_other) = (Cells::NONE, Cells::NONE);
        for step in 0..own.len().max(other.len()) {
            let [one, two] = [&own, &other].map(|steps| steps.get(step).copied().unwrap_or_default());
            value += 100 * ((one - two - of_other).count() as i32 - (two - one - of_own).count() as i32);
            // A space that both sides reach in the same number of moves counts a little for the side to move.
            value += 20 * (one & two & !of_own & !of_other).count() as i32;
            (of_own, of_other) = (of_own | one, of_other | two);
        }
        value
    }
}

impl Hint for Draughts {
    const CAPTURES: Captures = Captures::Duty;
    const RECURS: bool = true;

    fn value(state: &State) -> i32 {
        let kings = state.of_kind(1);
        balance(state, |seat, cell| {
            let row = i32::from(*seat.of(&[cell.row(), 9 - cell.row()]));
            let is_inside = (2..8).contains(&cell.column());
            if kings.has(cell) { 300 } else { 100 + 3 * row + 4 * i32::from(is_inside) }
        })
    }

    fn is_capture(_: &State, ply: Ply) -> bool {
        ply.more != 0
    }
}

impl Hint for Chess {
    const RECURS: bool = true;
    const UNIT: &'static str = "pawns";

    /// Counts material, with a bonus for pieces near the middle and for advanced pawns.
    fn value(state: &State) -> i32 {
        const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 0];
        balance(state, |seat, cell| {
            let kind = state.at(cell).map_or(0, |piece| usize::from(piece.kind));
            let from_middle = |at: u8| (2 * i32::from(at) - 7).abs();
            let middle = 14 - from_middle(cell.column()) - from_middle(cell.row());
            let row = i32::from(*seat.of(&[cell.row(), 7 - cell.row()]));
            let place = match kind {
                0 => row * row + middle,
                1 | 2 => 3 * middle,
                // The king is better on its back rows while a queen is on the board.
                5 if !state.of_kind(4).is_empty() => -10 * row,
                _ => middle,
            };
            WORTH.get(kind).copied().unwrap_or_default() + place
        })
    }

    fn order(state: &State, ply: Ply) -> i32 {
        let kind = |cell: Option<Cell>| {
            cell.and_then(|cell| state.at(cell)).map_or(0, |piece| i32::from(piece.kind))
        };
        // The least valuable attacker takes the most valuable piece first.
        if Self::is_capture(state, ply) { CAPTURE + 16 * kind(ply.to) - kind(ply.from) } else { 0 }
    }
}

impl Staying for Hex {
    const FILLS: bool = true;
}

impl Staying for Y {
    const FILLS: bool = true;
}

impl Staying for Havannah {}
