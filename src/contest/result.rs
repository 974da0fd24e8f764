//! What the board of a pair says.

use crate::contest::table::GameResult;
use crate::store::{BoardState, ContestBoardRow, Ending, PlayerId};

/// The result for `players`, the first of whom began. The seats can have changed since, or belong to another player now.
pub fn result(players: [PlayerId; 2], board: &ContestBoardRow) -> GameResult {
    let have_swapped = board.players[0] == players[1] || board.players[1] == players[0];
    match (board.state, board.ending, board.winner) {
        (BoardState::Running, ..) => GameResult::Running,
        (BoardState::Declined, ..) => GameResult::Void,
        (BoardState::Finished, Some(Ending::Abandoned), None) => GameResult::Void,
        (BoardState::Finished, _, None) => GameResult::Draw,
        (BoardState::Finished, _, Some(seat)) => {
            GameResult::Won(if have_swapped { seat.other() } else { seat })
        }
    }
}
