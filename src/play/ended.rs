//! What follows from the end of a board, and from a position that no plan was made for.

use jiff::Timestamp;

use crate::board::ratings::{self, Change};
use crate::credentials::Limits;
use crate::failure::Error;
use crate::notices::afterword;
use crate::store::{BoardRow, Store, StoreError};

/// Rates a board that has just ended, drops its players' plans and schedules its afterword. Returns what rating did. For
/// the operator nothing is limited.
pub(crate) fn ended(
    store: &Store,
    limits: Option<&Limits>,
    row: &BoardRow,
    now: Timestamp,
) -> Result<Vec<Change>, Error> {
    drop_plans(store, row)?;
    afterword::schedule(store, limits, row, now)?;
    ratings::rate_finished_games(store)
}

/// Forgets the queues and the submitted moves of both players.
pub(crate) fn drop_plans(store: &Store, row: &BoardRow) -> Result<(), StoreError> {
    for player in row.players {
        store.set_queue(row.id, player, None)?;
        store.set_draft(row.id, player, None)?;
    }
    Ok(())
}
