//! Why the rules forbid a ply, in a sentence that also names legal ones.
//!
//! This file checks rule by rule and does not ask [`Board::each_reach`] whether a ply is legal. A test proves that the
//! two always agree.

use super::board::Board;
use super::cells::{Cell, CellSet, GATES, TRIANGLES, base, cells};
use super::position::{Hexmeister, Move};
use crate::notation::{colour, colour_capital, listed, possible, reached};
use crate::{Position, Seat};

/// The rule that forbids `ply`; `None` when it is legal.
pub(super) fn reason(position: &Hexmeister, ply: Move) -> Option<String> {
    if let Some(outcome) = position.outcome() {
        return Some(format!("The game is over: {}.", outcome.how.unwrap_or_default()));
    }
    if let Some(forced) = position.forced() {
        let side = colour_capital(position.to_move());
        return (ply != forced).then(|| match forced {
            Move::Done => {
                format!("{side} has earned a bonus that nothing can be done with, and plays done.")
            }
            _ => format!("{side} has nothing to drop or move and must pass."),
        });
    }
    match ply {
        Move::Pass if position.bonus() => Some("A bonus is declined with done, not with pass.".to_owned()),
        Move::Pass => {
            Some(format!("A side passes only when it has nothing to drop or move. {}", hint(position)))
        }
        Move::Done if position.bonus() => None,
        Move::Done => Some(format!("There is no bonus to decline. {}", hint(position))),
        Move::Drop(cell) => drop(position, cell),
        Move::Go(from, to) => cannot_leave(position, from).or_else(|| cannot_reach(position, from, to)),
    }
}

fn drop(position: &Hexmeister, cell: Cell) -> Option<String> {
    let (seat, board) = (position.to_move(), position.board());
    let home = base(seat);
    let why = if position.bonus() && !position.rules().bonusdrop {
        "A bonus is a move with a stone on the board, not a drop; done declines it.".to_owned()
    } else if position.reserve(seat) == 0 {
        format!("{} has no stone left to drop.", colour_capital(seat))
    } else if home & cell.set() == 0 {
        let ends = cells(home).next().zip(cells(home).last());
        let ends = ends.map(|(first, last)| format!(", {first} to {last}")).unwrap_or_default();
        format!("{cell} is not in {}'s own base{ends}, and stones are dropped only there.", colour(seat))
    } else if board.empty() & cell.set() == 0 {
        format!("{cell} is occupied already.")
    } else if let Some(how) = secured(board, seat.other(), cell) {
        format!(
            "{cell} is secured by {} ({how}), and no {} stone may enter it.",
            colour(seat.other()),
            colour(seat)
        )
    } else {
        return None;
    };
    Some(format!("{why} {}", hint(position)))
}

/// Why no stone on `from` can move for this side.
fn cannot_leave(position: &Hexmeister, from: Cell) -> Option<String> {
    let seat = position.to_move();
    let why = match position.board().owner(from) {
        Some(owner) if owner == seat => return None,
        Some(owner) => {
            format!("The stone on {from} is {}'s, and it is {}'s turn.", colour(owner), colour(seat))
        }
        None => format!("There is no stone on {from}."),
    };
    Some(format!("{why} {}", hint(position)))
}

/// Why the stone on `from` cannot move to `to`.
fn cannot_reach(position: &Hexmeister, from: Cell, to: Cell) -> Option<String> {
    let (seat, board) = (position.to_move(), position.board());
    let (own, other, straight) = (colour(seat), colour(seat.other()), position.rules().straight);
    let home = base(seat);
    let at_home = home & from.set() != 0 && home & to.set() != 0;
    let why = if from == to {
        format!("{from}-{to} does not move at all.")
    } else if board.empty() & to.set() == 0 {
        format!("{to} is occupied, and a move ends on an empty cell.")
    } else if let Some(how) = secured(board, seat.other(), to) {
        format!("{to} is secured by {other} ({how}), and no {own} stone may enter it.")
    } else if GATES & to.set() != 0 && !at_home && from.neighbours() & to.set() == 0 {
        format!("{to} is a gate, and a stone enters a gate only from a cell next to it.")
    } else if straight && !in_line(from, to) {
        format!("{from}-{to} is no straight line, and this board is played with -straight.")
    } else if board.reach(seat, from, straight) & to.set() == 0 {
        let way = if straight { "straight way" } else { "way" };
        format!(
            "There is no open {way} from {from} to {to}: a {own} stone goes across empty lanes, gates that are empty \
             or {own}, and empty cells of its own base."
        )
    } else {
        return None;
    };
    Some(format!("{why} {}", could_go(position, from)))
}

/// The stones or gates by which `seat` secures `cell`; `None` when it does not.
fn secured(board: &Board, seat: Seat, cell: Cell) -> Option<String> {
    if board.near(seat) & cell.set() != 0 {
        return Some(format!("stones on {}", listed(cells(board.stones(seat) & cell.neighbours()))));
    }
    if board.triangulated(seat) & cell.set() == 0 {
        return None;
    }
    let others = |triangle: &CellSet| triangle & !cell.set();
    let held = TRIANGLES
        .iter()
        .find(|triangle| *triangle & cell.set() != 0 && others(triangle) & !board.stones(seat) == 0);
    held.map(|triangle| format!("gates {}", listed(cells(others(triangle)))))
}

fn in_line(from: Cell, to: Cell) -> bool {
    let (right, down) = (to.q() - from.q(), to.r() - from.r());
    right == 0 || down == 0 || right + down == 0
}

/// What the side to move can do instead: `White can drop on a1 and b1, or move from c1.`
fn hint(position: &Hexmeister) -> String {
    format!("{} can {}.", colour_capital(position.to_move()), possible(position, "drop on", &[]))
}

/// `From c1 it can go to a2, b2 and c2.`
fn could_go(position: &Hexmeister, from: Cell) -> String {
    match reached(position, &from.to_string()) {
        none if none.is_empty() => format!("The stone on {from} cannot move now. {}", hint(position)),
        list => format!("From {from} it can go to {list}."),
    }
}
