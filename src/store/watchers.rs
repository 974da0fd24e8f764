//! Addresses that watch boards.

use jiff::Timestamp;
use rusqlite::params;

use super::{CodeHash, ContestId, Result, Store};
use crate::ids::{BoardId, address_key};

impl Store {
    /// Records that an address was asked whether it wants to watch a board.
    pub fn ask_watcher(&self, board: BoardId, address: &str, code: CodeHash, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO watchers (board, address, address_key, code, asked_at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (board, address_key) DO UPDATE SET code = excluded.code, asked_at =
             excluded.asked_at",
            params![board, address, address_key(address), code, at.as_second()],
        )
    }

    /// Confirms a watcher by a code that was mailed within the last `good_for` seconds; true if it fits. `told` is
    /// the board's last event.
    pub fn confirm_watcher(
        &self,
        board: BoardId,
        address: &str,
        code: CodeHash,
        told: u32,
        at: Timestamp,
        good_for: i64,
    ) -> Result<bool> {
        let changed = self.execute(
            "UPDATE watchers SET code = NULL, confirmed_at = ?4, told = ?5
             WHERE board = ?1 AND address_key = ?2 AND code = ?3 AND asked_at > ?4 - ?6",
            params![board, address_key(address), code, at.as_second(), told, good_for],
        )?;
        Ok(changed == 1)
    }

    /// The address that was asked with this code and has not answered.
    pub fn asked_watcher(&self, board: BoardId, code: CodeHash) -> Result<Option<String>> {
        self.find("SELECT address FROM watchers WHERE board = ?1 AND code = ?2", params![board, code])
    }

    pub fn watches(&self, board: BoardId, address: &str) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM watchers WHERE board = ?1 AND address_key = ?2 AND confirmed_at IS NOT NULL",
            params![board, address_key(address)],
        )
    }

    pub fn remove_watcher(&self, board: BoardId, address: &str) -> Result<()> {
        self.run(
            "DELETE FROM watchers WHERE board = ?1 AND address_key = ?2",
            params![board, address_key(address)],
        )
    }

    /// Forgets the watchers of a board; of a contest's, their number is kept.
    pub fn end_watching(&self, board: BoardId) -> Result<()> {
        self.execute(
            "INSERT OR REPLACE INTO watched SELECT ?1, count(*) FROM watchers WHERE board = ?1
             AND confirmed_at IS NOT NULL AND EXISTS (SELECT 1 FROM boards WHERE id = ?1 AND contest IS NOT NULL)
             HAVING count(*) > 0",
            [board],
        )?;
        self.run("DELETE FROM watchers WHERE board = ?1", [board])
    }

    /// The board of a contest that had most watchers at its end, and their number.
    pub fn most_watched(&self, contest: ContestId) -> Result<Option<(BoardId, u32)>> {
        self.find(
            "SELECT board, watchers FROM watched JOIN boards ON id = board WHERE contest = ?1
             ORDER BY watchers DESC, board LIMIT 1",
            [contest],
        )
    }

    /// Gives the watchers of a board that have not been told its event `events`, and records that they have.
    pub fn tell_watchers(&self, board: BoardId, events: u32) -> Result<Vec<String>> {
        let mut addresses: Vec<String> = self.all(
            "UPDATE watchers SET told = ?2 WHERE board = ?1 AND confirmed_at IS NOT NULL AND told < ?2
             RETURNING address",
            params![board, events],
        )?;
        addresses.sort();
        Ok(addresses)
    }
}
