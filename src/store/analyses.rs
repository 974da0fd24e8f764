//! Analyses of finished games: those that wait to be made, who waits for them, and those that are made.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{OptionalExtension, params};

use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Ply};

impl Store {
    /// The analysis of a board, in JSON, when it is made.
    pub fn analysis(&self, board: BoardId) -> Result<Option<String>> {
        let mut statement = self.conn.prepare_cached("SELECT made FROM analyses WHERE board = ?1")?;
        Ok(statement.query_row([board.0], |row| row.get(0)).optional()?.flatten())
    }

    /// Notes that a player wants the analysis of a board. Asking again changes nothing.
    pub fn want_analysis(&self, board: BoardId, player: PlayerId, ply: Ply, at: Timestamp) -> Result<()> {
        self.conn
            .prepare_cached(
                "INSERT INTO analyses (board, asked_at) VALUES (?1, ?2) ON CONFLICT (board) DO NOTHING",
            )?
            .execute(params![board.0, at.as_second()])?;
        self.conn
            .prepare_cached(
                "INSERT INTO analysis_readers (board, player, ply) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            )?
            .execute(params![board.0, player, ply.0])?;
        Ok(())
    }

    /// How many boards a player waits for the analysis of, `board` not counted.
    pub fn analyses_wanted(&self, player: PlayerId, board: BoardId) -> Result<u32> {
        let mut statement = self.conn.prepare_cached(
            "SELECT count(DISTINCT board) FROM analysis_readers WHERE player = ?1 AND board <> ?2",
        )?;
        Ok(statement.query_row(params![player, board.0], |row| row.get(0))?)
    }

    /// Takes the board that has waited longest for its analysis, for `lease`.
    pub fn lease_analysis(&self, at: Timestamp, lease: SignedDuration) -> Result<Option<BoardId>> {
        let mut statement = self.conn.prepare_cached(
            "UPDATE analyses SET lease_until = ?1 + ?2, tries = tries + 1
             WHERE board = (SELECT board FROM analyses
                            WHERE made IS NULL AND (lease_until IS NULL OR lease_until <= ?1)
                            ORDER BY tries, asked_at, board LIMIT 1)
             RETURNING board",
        )?;
        let board = statement.query_row(params![at.as_second(), lease.as_secs()], |row| row.get(0));
        Ok(board.optional()?.map(BoardId))
    }

    /// Whether an analysis waits that nobody makes.
    pub fn analysis_is_wanted(&self, at: Timestamp) -> Result<bool> {
        let mut statement = self.conn.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM analyses
                            WHERE made IS NULL AND (lease_until IS NULL OR lease_until <= ?1))",
        )?;
        Ok(statement.query_row([at.as_second()], |row| row.get(0))?)
    }

    /// Gives an analysis back that was taken and is not made.
    pub fn release_analysis(&self, board: BoardId) -> Result<()> {
        self.conn
            .prepare_cached("UPDATE analyses SET lease_until = NULL WHERE board = ?1 AND made IS NULL")?
            .execute([board.0])?;
        Ok(())
    }

    /// Keeps an analysis, and gives who waits for it and the ply they asked about; nobody does afterwards.
    pub fn keep_analysis(
        &self,
        board: BoardId,
        made: &str,
        at: Timestamp,
    ) -> Result<Vec<(PlayerId, Option<Ply>)>> {
        self.conn
            .prepare_cached(
                "INSERT INTO analyses (board, asked_at, made) VALUES (?1, ?2, ?3)
                 ON CONFLICT (board) DO UPDATE SET made = excluded.made, lease_until = NULL",
            )?
            .execute(params![board.0, at.as_second(), made])?;
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM analysis_readers WHERE board = ?1 RETURNING player, ply")?;
        let rows = statement.query_map([board.0], |row| Ok((row.get(0)?, row.get::<_, u32>(1)?)))?;
        let mut connection_pool = rows.collect::<rusqlite::Result<Vec<(PlayerId, u32)>>>()?;
        connection_pool.sort_unstable();
        Ok(connection_pool.into_iter().map(|(player, ply)| (player, (ply > 0).then_some(Ply(ply)))).collect())
    }
}
