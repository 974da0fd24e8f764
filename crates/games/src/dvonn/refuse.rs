//! Why the rules forbid a ply, and which plies they allow.

use super::position::{Dvonn, Move, Piece};
use super::space::{Space, spaces, surrounded};
use crate::Position;
use crate::notation::{colour, colour_capital, counted, instead, listed_briefly};

/// The rule that an illegal `ply` breaks, and legal plies.
pub(super) fn why_not(position: &Dvonn, ply: Move) -> String {
    if let Some(piece) = position.next_piece() {
        return placing(position, piece, ply);
    }
    let side = colour_capital(position.to_move());
    if position.outcome().is_some() {
        return "The game is over: neither side has a move left.".to_owned();
    }
    if position.forced().is_some() {
        return format!("{side} has no legal move and must pass.");
    }
    let (rule, from) = match ply {
        Move::Pass => ("A side may pass only when it has no legal move.".to_owned(), None),
        Move::Place(space) => {
            ("All pieces are placed; a move now names two spaces, like A3-B4.".to_owned(), Some(space))
        }
        Move::Stack(from, to) => (stacking(position, from, to), Some(from)),
    };
    format!("{rule} {}", instead(position, from, side, "", &[]))
}

/// `F3 is occupied already. Move 5 puts a white piece on an empty space: A1, B1, C1, D1, E1, F1 and 39 more.`
fn placing(position: &Dvonn, next: Piece, ply: Move) -> String {
    let rule = match ply {
        Move::Place(space) => format!("{space} is occupied already."),
        Move::Stack(..) => "Nothing moves before all 49 pieces are on the board.".to_owned(),
        Move::Pass => "There is no passing while the pieces are placed.".to_owned(),
    };
    let piece = match next {
        Piece::Of(seat) => colour(seat),
        Piece::Dvonn => "DVONN",
    };
    let empty = listed_briefly(spaces(position.board().empty()));
    format!("{rule} Move {} puts a {piece} piece on an empty space: {empty}.", position.placed() + 1)
}

fn stacking(position: &Dvonn, from: Space, to: Space) -> String {
    let (seat, board) = (position.to_move(), position.board());
    let height = board.height(from);
    if board.occupied() & from.set() == 0 {
        return format!("There is nothing on {from}.");
    }
    if board.lone_red() & from.set() != 0 {
        return format!("{from} holds a single DVONN piece, which belongs to nobody and never moves.");
    }
    if board.owner(from) != Some(seat) {
        let stack = if height == 1 { "piece" } else { &format!("stack of {height}") };
        let [own, other] = [colour(seat), colour(seat.other())];
        return format!("{from} holds {other}'s {stack}, and it is {own}'s turn.");
    }
    if surrounded(board.occupied()) & from.set() != 0 {
        return format!("{from} is surrounded on all six sides and cannot move.");
    }
    match from.distance(to) {
        _ if from == to => format!("{from}-{to} does not move at all."),
        None => format!("{from}-{to} is not a straight line along the spaces."),
        Some(distance) if distance != height => {
            let what = if height == 1 { "A single piece" } else { &format!("A stack of {height}") };
            format!("{what} moves exactly {}; {from}-{to} is {distance}.", counted(height.into(), "space"))
        }
        _ => format!("{to} is empty, and a move ends on a piece or a stack."),
    }
}
