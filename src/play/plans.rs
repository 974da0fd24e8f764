//! The stored queue of a player.

use crate::board::Board;
use crate::language::plan::Plan;
use crate::play::Context;
use crate::store::{BoardState, PlayerId, StoreError};

pub(crate) fn plan(ctx: &Context<'_>, board: &Board, player: PlayerId) -> Result<Option<Plan>, StoreError> {
    let Some(text) = ctx.store.queue(board.row.id, player)? else { return Ok(None) };
    let damaged = |why: serde_json::Error| StoreError::Damaged(format!("queue on {}: {why}", board.row.id));
    serde_json::from_str(&text).map(Some).map_err(damaged)
}

/// Stores the rest of a plan; drops it if the board has ended.
pub(crate) fn keep_queue(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
    plan: &Plan,
) -> Result<(), StoreError> {
    let has_turns = board.row.state == BoardState::Running && !plan.is_empty();
    let text = has_turns.then(|| serde_json::to_string(plan)).transpose();
    let text = text.map_err(|why| StoreError::Damaged(why.to_string()))?;
    ctx.store.set_queue(board.row.id, player, text.as_deref())
}
