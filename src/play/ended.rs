//! Consequences for a board when its game ends, when that end is undone, and when its players' plans no
//! longer apply.

use jiff::Timestamp;

use crate::board::ratings::{self, Change};
use crate::board::{Board, archive, clocks};
use crate::credentials::Limits;
use crate::failure::Error;
use crate::notices::afterword;
use crate::store::{BoardRow, EventRow, Store, StoreError};

/// Rates a board that has just ended, tells the secret of its dice, drops its players' plans and schedules its afterword.
/// Returns the rating changes. `limits` is `None` for the operator.
pub(crate) fn ended(
    store: &Store,
    limits: Option<&Limits>,
    board: &mut Board,
    now: Timestamp,
) -> Result<Vec<Change>, Error> {
    board.tell_secret(store, now)?;
    drop_plans(store, &board.row)?;
    afterword::schedule(store, limits, &board.row, now)?;
    ratings::rate_finished_games(store)
}

/// Stores a board whose end `event` undoes, takes it out of the archive, and tells the hash of its new dice. Rates all
/// later games again without it. Returns the rating changes.
pub(crate) fn reopened(
    store: &Store,
    board: &mut Board,
    event: &EventRow,
    now: Timestamp,
) -> Result<Vec<Change>, Error> {
    archive::remove(store, &board.row)?;
    store.add_event(board.row.id, event)?;
    if board.kind.dice {
        // The end told the secret of the old ones.
        let told = board.new_dice(store, &store.events(board.row.id)?, now)?;
        store.add_event(board.row.id, &told)?;
    }
    let finish = store.finish_of(board.row.id)?;
    store.reopen_board(&board.row)?;
    clocks::settle_now(store, board, now)?;
    finish.map_or(Ok(Vec::new()), |finish| ratings::again_from(store, finish))
}

/// Drops the queues and the submitted moves of both players.
pub(crate) fn drop_plans(store: &Store, row: &BoardRow) -> Result<(), StoreError> {
    for player in row.players {
        store.set_queue(row.id, player, None)?;
        store.set_draft(row.id, player, None)?;
    }
    Ok(())
}
