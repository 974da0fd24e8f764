//! What a ply did beside moving: the pieces that lost their link and left the board, and the one double turn.

use super::position::{Dvonn, Move, Phase};
use super::space::spaces;
use super::text::stack;
use crate::Position;

/// Who places last also moves first, which looks like a mistake to somebody who does not expect it.
pub(super) const DOUBLE_TURN: &str = "White moves twice here: the last placement and the first move.";

/// Everything that `after` shows and the ply does not say.
pub(super) fn remarks(before: &Dvonn, after: &Dvonn) -> Vec<String> {
    let last_placed = before.phase() == Phase::Placement && after.phase() != Phase::Placement;
    removed(before, after).into_iter().chain(last_placed.then(|| DOUBLE_TURN.to_owned())).collect()
}

/// `3 pieces left the board: A1 (w), B1 (b2).`, or nothing when all stayed.
fn removed(before: &Dvonn, after: &Dvonn) -> Option<String> {
    if before.phase() == Phase::Placement {
        return None;
    }
    let count = |position: &Dvonn| position.board().pieces(position.board().occupied());
    let gone = count(before).checked_sub(count(after)).filter(|gone| *gone > 0)?;
    let pieces = if gone == 1 { "1 piece".to_owned() } else { format!("{gone} pieces") };
    Some(match removed_stacks(before, after) {
        Some(stacks) => format!("{pieces} left the board: {stacks}."),
        None => format!("{pieces} left the board."),
    })
}

/// The stacks that left, as they stood between the move and the removal. A stack that cuts itself off leaves no
/// trace of where it went, so several moves can lead to the same board; then there is no list.
fn removed_stacks(before: &Dvonn, after: &Dvonn) -> Option<String> {
    let mut plies = Vec::new();
    before.each_move(&mut |ply| {
        let mut next = *before;
        next.make(ply);
        if next == *after {
            plies.push(ply);
        }
    });
    let &[Move::Stack(from, to)] = plies.as_slice() else { return None };
    let moved = before.board().before_removal(before.to_move(), from, to);
    let gone = spaces(moved.occupied() & !after.board().occupied());
    let stacks: Vec<String> = gone.map(|space| format!("{space} ({})", stack(&moved, space))).collect();
    Some(stacks.join(", "))
}
