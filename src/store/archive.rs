//! The archive: which finished rated boards reached a position.

use super::columns::stored_row;
use super::sql::Select;
use super::{Result, Store};
use crate::ids::{BoardId, Ply, Seat};

stored_row! {
    /// A position on a finished rated board.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReachedRow from "positions p CROSS JOIN boards b ON b.id = p.board LEFT JOIN record e ON e.board = p.board AND e.number = p.next" {
        pub board: BoardId = "p.board",
        /// Who won the game.
        pub winner: Option<Seat> = "b.winner",
        /// The ply that was played there; `None` at the end of the game.
        pub next: Option<String> = "e.text",
        /// The number of that ply.
        pub ply: Option<Ply> = "e.ply",
    }
}

impl Store {
    /// The latest boards that reached a position, the latest first. A board that reached it twice is there twice. Boards
    /// without a result are not there.
    pub fn reached(&self, key: i64, limit: u32) -> Result<Vec<ReachedRow>> {
        Select::rows()
            .and_with("p.key = ?", key)
            .and("b.state = 'finished'")
            .and("b.ending <> 'abandoned'")
            .order("p.board DESC")
            .limit(limit)
            .all(self)
    }

    /// Adds a position of a board, before the event `next`; 0 at the end.
    pub fn add_position(&self, key: i64, board: BoardId, next: u32) -> Result<()> {
        self.run("INSERT OR IGNORE INTO positions (key, board, next) VALUES (?1, ?2, ?3)", (key, board, next))
    }

    pub fn remove_position(&self, key: i64, board: BoardId, next: u32) -> Result<()> {
        self.run("DELETE FROM positions WHERE key = ?1 AND board = ?2 AND next = ?3", (key, board, next))
    }

    /// Boards whose positions are yet to be added, the latest first.
    pub fn unarchived(&self, limit: u32) -> Result<Vec<BoardId>> {
        self.all("SELECT board FROM unarchived ORDER BY board DESC LIMIT ?1", [limit])
    }

    pub fn set_archived(&self, board: BoardId) -> Result<()> {
        self.run("DELETE FROM unarchived WHERE board = ?1", [board])
    }

    /// Empties the archive. The timer fills it again.
    pub fn forget_archive(&self) -> Result<usize> {
        self.execute("DELETE FROM positions", [])?;
        self.execute(
            "INSERT OR IGNORE INTO unarchived SELECT id FROM boards WHERE state = 'finished' AND rated = 1",
            [],
        )
    }

    /// The number of positions in the archive, and the number that its boards have.
    pub fn archive_sizes(&self) -> Result<(i64, i64)> {
        self.one(
            "SELECT (SELECT count(*) FROM positions), coalesce(sum(plies + 1), 0) FROM boards
             WHERE state = 'finished' AND rated = 1 AND id NOT IN (SELECT board FROM unarchived)",
            [],
        )
    }
}
