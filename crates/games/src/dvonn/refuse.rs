//! Why the rules forbid a ply, in a sentence that also names legal ones.
//!
//! This file checks rule by rule and does not ask [`Board`](super::board::Board) whether a ply is legal. A test
//! proves that the two always agree.

use super::position::{Dvonn, Move, Phase, Piece};
use super::space::{Space, SpaceSet, spaces, surrounded};
use crate::Position;
use crate::notation::{colour, colour_capital, listed, listed_briefly};

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
    let empty: Vec<String> = spaces(position.board().empty()).map(|space| space.to_string()).collect();
    format!("Ply {} puts {piece} on an empty space: {}.", position.placed() + 1, listed_briefly(&empty))
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
            let hint = if moves_from(position, space).is_empty() {
                can_move_from(position)
            } else {
                could_go(position, space)
            };
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
            format!("{what} moves exactly {}; {from}-{to} is {distance}.", spaces_of(height))
        }
        _ if board.occupied() & to.set() == 0 => {
            format!("{to} is empty, and a move ends on a piece or a stack.")
        }
        _ => return None,
    };
    Some(format!("{why} {}", could_go(position, from)))
}

fn moves_from(position: &Dvonn, from: Space) -> Vec<String> {
    let mut moves = Vec::new();
    position.each_move(&mut |ply| {
        if matches!(ply, Move::Stack(start, _) if start == from) {
            moves.push(ply.to_string());
        }
    });
    moves
}

/// `From A3 the legal moves are A3-A2 and A3-B3.`
fn could_go(position: &Dvonn, from: Space) -> String {
    match moves_from(position, from).as_slice() {
        [] => format!("{from} has no legal move now. {}", can_move_from(position)),
        [only] => format!("From {from} the only legal move is {only}."),
        moves => format!("From {from} the legal moves are {}.", listed(moves)),
    }
}

/// `White can move from A1, B1 and C1.`
fn can_move_from(position: &Dvonn) -> String {
    let mut starts: SpaceSet = 0;
    position.each_move(&mut |ply| {
        if let Move::Stack(from, _) = ply {
            starts |= from.set();
        }
    });
    let starts: Vec<String> = spaces(starts).map(|space| space.to_string()).collect();
    format!("{} can move from {}.", colour_capital(position.to_move()), listed_briefly(&starts))
}

fn stack(height: u8) -> String {
    if height == 1 { "piece".to_owned() } else { format!("stack of {height}") }
}

fn spaces_of(height: u8) -> String {
    if height == 1 { "1 space".to_owned() } else { format!("{height} spaces") }
}
