//! Addresses that watch boards.

use jiff::Timestamp;
use rusqlite::params;

use super::{CodeHash, Result, Store};
use crate::ids::BoardId;

/// An address that watches a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watcher {
    /// Where its mails go.
    pub address: String,
    /// The board's last event it was told of.
    pub told: u32,
}

impl Store {
    /// Whether an address may be asked to confirm something now: at most once in `seconds`. Notes that it was, by its
    /// hash: that is kept when an account is deleted, or who made and deleted accounts could ask as often as they like.
    pub fn may_ask(&self, address: &str, at: Timestamp, seconds: i64) -> Result<bool> {
        let changed = self.execute(
            "INSERT INTO confirmations (address_key, sent_at) VALUES (?1, ?2)
             ON CONFLICT (address_key) DO UPDATE SET sent_at = excluded.sent_at
             WHERE confirmations.sent_at <= excluded.sent_at - ?3",
            params![CodeHash::of(address).hex(), at.as_second(), seconds],
        )?;
        Ok(changed == 1)
    }

    /// Notes that an address was asked whether it wants to watch a board.
    pub fn ask_watcher(&self, board: BoardId, address: &str, code: CodeHash, at: Timestamp) -> Result<()> {
        self.execute(
            "INSERT INTO watchers (board, address, address_key, code, asked_at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (board, address_key) DO UPDATE SET code = excluded.code, asked_at =
             excluded.asked_at",
            params![board, address, address.to_lowercase(), code, at.as_second()],
        )?;
        Ok(())
    }

    /// Lets an address watch, if that code was mailed to it no longer than `good_for` seconds ago. Gives whether it
    /// was. `told` is the board's last event.
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
            params![board, address.to_lowercase(), code, at.as_second(), told, good_for],
        )?;
        Ok(changed == 1)
    }

    /// Whether an address watches a board.
    pub fn watches(&self, board: BoardId, address: &str) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM watchers WHERE board = ?1 AND address_key = ?2 AND confirmed_at IS NOT NULL",
            params![board, address.to_lowercase()],
        )
    }

    /// Takes an address from a board's watchers.
    pub fn remove_watcher(&self, board: BoardId, address: &str) -> Result<()> {
        self.execute(
            "DELETE FROM watchers WHERE board = ?1 AND address_key = ?2",
            params![board, address.to_lowercase()],
        )?;
        Ok(())
    }

    /// Forgets all who watched a board.
    pub fn end_watching(&self, board: BoardId) -> Result<()> {
        self.execute("DELETE FROM watchers WHERE board = ?1", [board])?;
        Ok(())
    }

    /// The addresses that watch a board and were not told of its event `events`. Notes that they are now.
    pub fn tell_watchers(&self, board: BoardId, events: u32) -> Result<Vec<String>> {
        let mut addresses: Vec<String> = self.all(
            "UPDATE watchers SET told = ?2 WHERE board = ?1 AND confirmed_at IS NOT NULL AND told < ?2
             RETURNING address",
            params![board, events],
            |row| row.get(0),
        )?;
        addresses.sort();
        Ok(addresses)
    }

    /// All who watch a board.
    pub fn watchers(&self, board: BoardId) -> Result<Vec<Watcher>> {
        self.all(
            "SELECT address, told FROM watchers WHERE board = ?1 AND confirmed_at IS NOT NULL
             ORDER BY address_key",
            [board],
            |row| Ok(Watcher { address: row.get(0)?, told: row.get(1)? }),
        )
    }
}
