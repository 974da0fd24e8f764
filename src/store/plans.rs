//! What players intend: queues, drafts and seeks.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};

use super::{PlayerId, Result, Store, StoreError, instant};
use crate::ids::BoardId;

/// An open challenge.
#[derive(Debug, Clone)]
pub struct SeekRow {
    /// Its number.
    pub id: i64,
    /// The key of its game.
    pub game: String,
    /// Who seeks.
    pub player: PlayerId,
    /// The options of the board, in JSON.
    pub options: String,
    /// The rating an opponent has at least and at most.
    pub rating: Option<(u16, u16)>,
    /// Whether it is still open.
    pub state: SeekState,
    /// When it was made.
    pub made_at: Timestamp,
}

/// Where a seek stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeekState {
    /// Anybody may accept it.
    Open,
    /// Somebody did.
    Taken,
    /// It was taken back or grew old.
    Ended,
}

const SEEK: &str = "SELECT id, game, player, options, rating_min, rating_max, state, made_at FROM seeks";

impl Store {
    /// The queue of a player on a board, in JSON.
    pub fn queue(&self, board: BoardId, player: PlayerId) -> Result<Option<String>> {
        let mut statement =
            self.conn.prepare_cached("SELECT plan FROM queues WHERE board = ?1 AND player = ?2")?;
        Ok(statement.query_row(params![board.0, player], |row| row.get(0)).optional()?)
    }

    /// Keeps a player's queue on a board; `None` removes it.
    pub fn set_queue(&self, board: BoardId, player: PlayerId, plan: Option<&str>) -> Result<()> {
        match plan {
            Some(plan) => self
                .conn
                .prepare_cached(
                    "INSERT INTO queues (board, player, plan) VALUES (?1, ?2, ?3)
                     ON CONFLICT (board, player) DO UPDATE SET plan = excluded.plan",
                )?
                .execute(params![board.0, player, plan])?,
            None => self
                .conn
                .prepare_cached("DELETE FROM queues WHERE board = ?1 AND player = ?2")?
                .execute(params![board.0, player])?,
        };
        Ok(())
    }

    /// The draft of a player on a board: the board's events when it was made, and its plies.
    pub fn draft(&self, board: BoardId, player: PlayerId) -> Result<Option<(u32, String)>> {
        let mut statement =
            self.conn.prepare_cached("SELECT events, plies FROM drafts WHERE board = ?1 AND player = ?2")?;
        let found = statement.query_row(params![board.0, player], |row| Ok((row.get(0)?, row.get(1)?)));
        Ok(found.optional()?)
    }

    /// The boards that are over and still have queues or drafts.
    pub fn plans_left_over(&self) -> Result<Vec<BoardId>> {
        let mut statement = self.conn.prepare_cached(
            "SELECT board FROM queues JOIN boards b ON b.id = board AND b.state <> 'running'
             UNION SELECT board FROM drafts JOIN boards b ON b.id = board AND b.state <> 'running' ORDER BY board",
        )?;
        let rows = statement.query_map([], |row| row.get(0).map(BoardId))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Keeps a player's draft on a board; `None` removes it.
    pub fn set_draft(&self, board: BoardId, player: PlayerId, draft: Option<(u32, &str)>) -> Result<()> {
        match draft {
            Some((events, plies)) => self
                .conn
                .prepare_cached(
                    "INSERT INTO drafts (board, player, events, plies) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (board, player) DO UPDATE SET events = excluded.events, plies = excluded.plies",
                )?
                .execute(params![board.0, player, events, plies])?,
            None => self
                .conn
                .prepare_cached("DELETE FROM drafts WHERE board = ?1 AND player = ?2")?
                .execute(params![board.0, player])?,
        };
        Ok(())
    }

    /// Makes a seek and gives its number.
    pub fn add_seek(
        &self,
        game: &str,
        player: PlayerId,
        options: &str,
        rating: Option<(u16, u16)>,
        at: Timestamp,
    ) -> Result<i64> {
        self.conn
            .prepare_cached(
                "INSERT INTO seeks (game, player, options, rating_min, rating_max, made_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                game,
                player,
                options,
                rating.map(|(least, _)| least),
                rating.map(|(_, most)| most),
                at.as_second(),
            ])?;
        Ok(self.conn.last_insert_rowid())
    }

    /// The seek of that number.
    pub fn seek(&self, id: u32) -> Result<Option<SeekRow>> {
        let mut statement = self.conn.prepare_cached(&format!("{SEEK} WHERE id = ?1"))?;
        statement.query_row([id], |row| Ok(seek(row))).optional()?.transpose()
    }

    /// The open seeks of a game made after `since`, oldest first.
    pub fn open_seeks(&self, game: &str, since: Timestamp) -> Result<Vec<SeekRow>> {
        let mut statement = self.conn.prepare_cached(&format!(
            "{SEEK} WHERE state = 'open' AND game = ?1 AND made_at > ?2 ORDER BY id DESC"
        ))?;
        statement.query_map(params![game, since.as_second()], |row| Ok(seek(row)))?.map(|row| row?).collect()
    }

    /// Closes a seek, with the board it led to.
    pub fn close_seek(&self, id: i64, board: Option<BoardId>) -> Result<()> {
        let state = if board.is_some() { "taken" } else { "ended" };
        self.conn
            .prepare_cached("UPDATE seeks SET state = ?2, board = ?3 WHERE id = ?1 AND state = 'open'")?
            .execute(params![id, state, board.map(|board| board.0)])?;
        Ok(())
    }

    /// Ends the seeks made before `before`, and gives their numbers.
    pub fn end_old_seeks(&self, before: Timestamp) -> Result<Vec<i64>> {
        let mut statement = self.conn.prepare_cached(
            "UPDATE seeks SET state = 'ended' WHERE state = 'open' AND made_at <= ?1 RETURNING id",
        )?;
        let ids = statement.query_map([before.as_second()], |row| row.get(0))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }
}

fn seek(row: &Row<'_>) -> Result<SeekRow> {
    let rating: (Option<u16>, Option<u16>) = (row.get(4)?, row.get(5)?);
    let state: String = row.get(6)?;
    Ok(SeekRow {
        id: row.get(0)?,
        game: row.get(1)?,
        player: row.get(2)?,
        options: row.get(3)?,
        rating: rating.0.zip(rating.1),
        state: match state.as_str() {
            "open" => SeekState::Open,
            "taken" => SeekState::Taken,
            "ended" => SeekState::Ended,
            other => return Err(StoreError::Damaged(format!("{other:?} in place of the state of a seek"))),
        },
        made_at: instant(row.get(7)?)?,
    })
}
