//! The archive: an index from positions to the finished rated boards that reached them.
//!
//! The index is made from the events. A trigger notes each board that is over, and the next tick adds its positions. So a
//! record that is damaged keeps no letter from being carried out.

use sha2::{Digest, Sha256};
use turnpost_games::{GameKind, Table};

use crate::board::Board;
use crate::failure::Error;
use crate::ids::{BoardId, Ply};
use crate::store::{BoardRow, BoardState, ReachedRow, Store, StoreError};

/// The most rows that an answer counts. Each takes about 10 microseconds.
pub(crate) const MOST: u32 = 2_000;

/// The key of a position in the index. It is part of stored rows: a migration that changes it empties the archive. SQLite
/// stores its 48 bits in 6 octets. Among 40 million positions, a new one is taken for another once in seven million times.
fn key(game: &GameKind, table: &dyn Table) -> i64 {
    let mut hash = Sha256::new();
    hash.update(game.key);
    hash.update([0]);
    hash.update(table.key_text());
    let digest: [u8; 32] = hash.finalize().into();
    let key = digest.iter().take(6).fold(0, |key, octet| key << 8 | i64::from(*octet));
    key - (1 << 47)
}

/// Adds the positions of a board that is over, if it is rated.
fn add(store: &Store, row: &BoardRow) -> Result<(), Error> {
    if row.rated && row.state == BoardState::Finished {
        for (key, next) in positions(store, row.id)? {
            store.add_position(key, row.id, next)?;
        }
    }
    Ok(store.set_archived(row.id)?)
}

/// Removes the positions of a board whose end is undone. Call it before the event that undoes the end is stored.
pub(crate) fn remove(store: &Store, row: &BoardRow) -> Result<(), Error> {
    if row.rated {
        for (key, next) in positions(store, row.id)? {
            store.remove_position(key, row.id, next)?;
        }
    }
    Ok(store.set_archived(row.id)?)
}

/// The key of each position of a board, with the number of the event that followed; 0 at the end.
fn positions(store: &Store, id: BoardId) -> Result<Vec<(i64, u32)>, Error> {
    let events = store.events(id)?;
    let line = Board::replay(id, &events)?.line;
    let mut next = line.iter().map(|event| event.number);
    let mut positions = Vec::new();
    Board::each_past(id, &events, Ply(u32::MAX), |board| {
        positions.push((key(board.kind, board.table.as_ref()), next.next().unwrap_or(0)));
    })?;
    Ok(positions)
}

/// Adds the positions of up to `limit` boards that are not in the archive. Returns a sentence for each board that cannot
/// be replayed. Call it inside a write transaction.
pub(crate) fn fill(store: &Store, limit: u32) -> Result<Vec<String>, Error> {
    let mut damaged = Vec::new();
    for id in store.unarchived(limit)? {
        let added = match store.board(id) {
            Ok(Some(row)) => add(store, &row),
            Ok(None) => Ok(store.set_archived(id)?),
            Err(why) => Err(why.into()),
        };
        match added {
            Err(why) if why.is_damage() => {
                store.set_archived(id)?;
                damaged.push(format!("board {id}: {why}; it is not in the archive"));
            }
            added => added?,
        }
    }
    Ok(damaged)
}

/// The latest boards that reached a position, at most [`MOST`] rows; see [`Store::reached`].
pub(crate) fn reached(
    store: &Store,
    game: &GameKind,
    table: &dyn Table,
) -> Result<Vec<ReachedRow>, StoreError> {
    store.reached(key(game, table), MOST)
}
