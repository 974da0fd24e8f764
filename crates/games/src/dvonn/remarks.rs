//! What a ply did beside the move: the pieces that lost their link and left the board.

use super::position::{Dvonn, Move, Phase};
use super::space::spaces;
use super::text::stack;
use crate::Position;

/// `3 pieces left the board: A1 (w), B1 (b2).`; nothing when all stayed.
pub(super) fn removed(before: &Dvonn, after: &Dvonn) -> Option<String> {
    if before.phase() == Phase::Placement {
        return None;
    }
    let count = |position: &Dvonn| position.board().pieces(position.board().occupied());
    let gone = count(before).checked_sub(count(after)).filter(|gone| *gone > 0)?;
    let pieces = if gone == 1 { "1 piece".to_owned() } else { format!("{gone} pieces") };
    Some(match listed(before, after) {
        Some(stacks) => format!("{pieces} left the board: {stacks}."),
        None => format!("{pieces} left the board."),
    })
}

/// The stacks that left, as they stood after the move and before the removal. A stack that is itself cut off by its
/// move leaves no trace of where it went; if several moves lead to the same board, nothing is listed.
fn listed(before: &Dvonn, after: &Dvonn) -> Option<String> {
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
