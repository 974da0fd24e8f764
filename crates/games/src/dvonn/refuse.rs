//! Why the rules forbid a ply, in a sentence that also names legal ones.
//!
//! This file checks rule by rule and does not ask [`Board`](super::board::Board) whether a ply is legal. A test
//! proves that the two always agree.

use super::position::{Dvonn, Move, Phase, Piece};
use super::space::{Space, spaces, surrounded};
use crate::Position;
use crate::notation::{colour, colour_capital, counted, listed_briefly, possible, reached};

/// The rule that forbids `ply`; `None` when it is legal.
pub(super) fn reason(position: &Dvonn, ply: Move) -> Option<String> {
    match (position.phase(), ply) {
        (Phase::Placement, Move::Place(space)) => occupied(position, space),
        (Phase::Placement, Move::Stack(..)) => {
            Some(format!("Nothing moves before all 49 pieces are on the board. {}", to_be_placed(position)))
        }
        (Phase::Placement, Move::Pass) => {
            Some(format!("There is no passing while the pieces are placed. {}", to_be_placed(position)))
        }
        (Phase::Stacking, ply) => stacking(position, ply),
    }
}

fn occupied(position: &Dvonn, space: Space) -> Option<String> {
    if position.board().occupied() & space.set() == 0 {
        return None;
    }
    Some(format!("{space} is occupied already. {}", to_be_placed(position)))
}

/// `Ply 5 puts a white piece on an empty space: A1, B1, C1, D1, E1, F1 and 39 more.`
fn to_be_placed(position: &Dvonn) -> String {
    let piece = match position.next_piece() {
        Some(Piece::Of(seat)) => format!("a {} piece", colour(seat)),
        _ => "a DVONN piece".to_owned(),
    };
    let empty = listed_briefly(spaces(position.board().empty()));
    format!("Ply {} puts {piece} on an empty space: {empty}.", position.placed() + 1)
}

fn stacking(position: &Dvonn, ply: Move) -> Option<String> {
    let (seat, board) = (position.to_move(), position.board());
    if !board.can_move(seat) {
        if !board.can_move(seat.other()) {
            return Some("The game is over: neither side has a move left.".to_owned());
        }
        return (ply != Move::Pass)
            .then(|| format!("{} has no legal move and must pass.", colour_capital(seat)));
    }
    match ply {
        Move::Pass => {
            Some(format!("A side may pass only when it has no legal move. {}", can_move_from(position)))
        }
        Move::Place(space) => {
            let hint = could_go(position, space);
            Some(format!("All pieces are placed; a move now names two spaces, like A3-B4. {hint}"))
        }
        Move::Stack(from, to) => cannot_leave(position, from).or_else(|| cannot_reach(position, from, to)),
    }
}

/// Why the stack on `from` cannot move at all.
fn cannot_leave(position: &Dvonn, from: Space) -> Option<String> {
    let (seat, board) = (position.to_move(), position.board());
    let why = if board.occupied() & from.set() == 0 {
        format!("There is nothing on {from}.")
    } else if board.lone_red() & from.set() != 0 {
        format!("{from} holds a single DVONN piece, which belongs to nobody and never moves.")
    } else if board.owner(from) != Some(seat) {
        format!(
            "{from} holds {}'s {}, and it is {}'s turn.",
            colour(seat.other()),
            stack(board.height(from)),
            colour(seat)
        )
    } else if surrounded(board.occupied()) & from.set() != 0 {
        format!("{from} is surrounded on all six sides and cannot move.")
    } else {
        return None;
    };
    Some(format!("{why} {}", can_move_from(position)))
}

/// Why the stack on `from`, which can move, cannot move to `to`.
fn cannot_reach(position: &Dvonn, from: Space, to: Space) -> Option<String> {
    let board = position.board();
    let height = board.height(from);
    let why = match from.distance(to) {
        _ if from == to => format!("{from}-{to} does not move at all."),
        None => format!("{from}-{to} is not a straight line along the spaces."),
        Some(distance) if distance != height => {
            let what = if height == 1 { "A single piece" } else { &format!("A stack of {height}") };
            format!("{what} moves exactly {}; {from}-{to} is {distance}.", counted(height.into(), "space"))
        }
        _ if board.occupied() & to.set() == 0 => {
            format!("{to} is empty, and a move ends on a piece or a stack.")
        }
        _ => return None,
    };
    Some(format!("{why} {}", could_go(position, from)))
}

/// `From A3 it can go to A2 and B3.`, or where moves begin if none does there.
fn could_go(position: &Dvonn, from: Space) -> String {
    match reached(position, &from.to_string()) {
        none if none.is_empty() => can_move_from(position),
        list => format!("From {from} it can go to {list}."),
    }
}

/// `White can move from A1, B1 and C1.`
fn can_move_from(position: &Dvonn) -> String {
    format!("{} can {}.", colour_capital(position.to_move()), possible(position, "", &[]))
}

fn stack(height: u8) -> String {
    if height == 1 { "piece".to_owned() } else { format!("stack of {height}") }
}
