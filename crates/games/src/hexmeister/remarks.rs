//! What a ply did beside moving: the stones that it captured.

use super::cells::cells;
use super::position::Hexmeister;
use crate::Position;
use crate::notation::{colour_capital, listed};

/// `White's stones on c10 and d9 are captured.`, or nothing when none were.
pub(super) fn captured(before: &Hexmeister, after: &Hexmeister) -> Option<String> {
    let loser = before.to_move().other();
    let gone = before.board().stones(loser) & !after.board().stones(loser);
    let gone: Vec<String> = cells(gone).map(|cell| cell.to_string()).collect();
    let side = colour_capital(loser);
    match gone.as_slice() {
        [] => None,
        [one] => Some(format!("{side}'s stone on {one} is captured.")),
        several => Some(format!("{side}'s stones on {} are captured.", listed(several))),
    }
}
