//! Why the rules forbid a ply, and which plies they allow.

use super::board::Board;
use super::cells::{Cell, CellSet, GATES, TRIANGLES, base, cells};
use super::position::{Hexmeister, Move};
use crate::notation::{colour, colour_capital, instead, listed};
use crate::{Position, Seat};

/// The rule that an illegal `ply` breaks, and legal plies.
pub(super) fn why_not(position: &Hexmeister, ply: Move) -> String {
    let side = colour_capital(position.to_move());
    if let Some(outcome) = position.outcome() {
        return format!("The game is over: {}.", outcome.how.unwrap_or_default());
    }
    let rule = match (position.forced(), ply) {
        (Some(Move::Done), _) => {
            return format!("{side} has earned a bonus that nothing can be done with, and plays done.");
        }
        (Some(_), _) => return format!("{side} has nothing to drop or move and must pass."),
        (None, Move::Pass) if position.bonus() => {
            return "A bonus is declined with done, not with pass.".to_owned();
        }
        (None, Move::Pass) => "A side passes only when it has nothing to drop or move.".to_owned(),
        (None, Move::Done) => "There is no bonus to decline.".to_owned(),
        (None, Move::Drop(cell)) => dropping(position, cell),
        (None, Move::Go(from, to)) => moving(position, from, to),
    };
    format!("{rule} {}", instead(position, position.ends(ply).from, side, "drop on", &[]))
}

fn dropping(position: &Hexmeister, cell: Cell) -> String {
    let seat = position.to_move();
    let home = base(seat);
    if position.bonus() && !position.rules().bonusdrop {
        "A bonus is a move with a stone on the board, not a drop; done declines it.".to_owned()
    } else if position.reserve(seat) == 0 {
        format!("{} has no stone left to drop.", colour_capital(seat))
    } else if home & cell.set() == 0 {
        let ends = cells(home).next().zip(cells(home).last());
        let ends = ends.map(|(first, last)| format!(", {first} to {last}")).unwrap_or_default();
        format!("{cell} is not in {}'s own base{ends}, and stones are dropped only there.", colour(seat))
    } else if position.board().empty() & cell.set() == 0 {
        format!("{cell} is occupied already.")
    } else {
        secured(position.board(), seat.other(), cell).unwrap_or_default()
    }
}

fn moving(position: &Hexmeister, from: Cell, to: Cell) -> String {
    let (seat, board, straight) = (position.to_move(), position.board(), position.rules().straight);
    let own = colour(seat);
    match board.owner(from) {
        None => return format!("There is no stone on {from}."),
        Some(owner) if owner != seat => {
            return format!("The stone on {from} is {}'s, and it is {own}'s turn.", colour(owner));
        }
        Some(_) => {}
    }
    let at_home = base(seat) & from.set() != 0 && base(seat) & to.set() != 0;
    let (right, down) = (to.q() - from.q(), to.r() - from.r());
    let why = if from == to {
        format!("{from}-{to} does not move at all.")
    } else if board.empty() & to.set() == 0 {
        format!("{to} is occupied, and a move ends on an empty cell.")
    } else if let Some(secured) = secured(board, seat.other(), to) {
        secured
    } else if GATES & to.set() != 0 && !at_home && from.neighbours() & to.set() == 0 {
        format!("{to} is a gate, and a stone enters a gate only from a cell next to it.")
    } else if straight && right != 0 && down != 0 && right + down != 0 {
        format!("{from}-{to} is no straight line, and this board is played with -straight.")
    } else {
        let way = if straight { "straight way" } else { "way" };
        format!(
            "There is no open {way} from {from} to {to}: a {own} stone goes across empty lanes, gates that are empty \
             or {own}, and empty cells of its own base."
        )
    };
    let is_stuck = board.destinations(seat, from, straight) == 0;
    if is_stuck { format!("{why} The stone on {from} cannot move now.") } else { why }
}

/// A sentence that names the stones or gates by which `seat` secures `cell`; `None` if it does not.
fn secured(board: &Board, seat: Seat, cell: Cell) -> Option<String> {
    let others = |triangle: &CellSet| triangle & !cell.set();
    let how = if board.near(seat) & cell.set() != 0 {
        format!("stones on {}", listed(cells(board.stones(seat) & cell.neighbours())))
    } else if board.triangulated(seat) & cell.set() != 0 {
        let mut triangles = TRIANGLES.iter().filter(|triangle| *triangle & cell.set() != 0);
        let held = triangles.find(|triangle| others(triangle) & !board.stones(seat) == 0)?;
        format!("gates {}", listed(cells(others(held))))
    } else {
        return None;
    };
    let [holder, other] = [seat, seat.other()].map(colour);
    Some(format!("{cell} is secured by {holder} ({how}), and no {other} stone may enter it."))
}
