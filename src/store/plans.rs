//! What players plan: queued plies, drafts and open challenges.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::sql::{Columns, stored_enum};
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// An open challenge.
#[derive(Debug, Clone)]
pub struct SeekRow {
    pub id: i64,
    /// The key of its game.
    pub game: String,
    /// Who made it.
    pub player: PlayerId,
    /// The options of the board, in JSON.
    pub options: String,
    /// The least and the greatest rating of an opponent.
    pub rating: Option<(u16, u16)>,
    pub state: SeekState,
    pub made_at: Timestamp,
}

stored_enum! {
    SeekState {
        Open = "open",
        /// Somebody accepted it.
        Taken = "taken",
        /// It was withdrawn or grew old.
        Ended = "ended",
    }
}

const SEEK: &str = "SELECT id, game, player, options, rating_min, rating_max, state, made_at FROM seeks";

impl Store {
    /// A player's queue on a board, in JSON.
    pub fn queue(&self, board: BoardId, player: PlayerId) -> Result<Option<String>> {
        self.find("SELECT plan FROM queues WHERE board = ?1 AND player = ?2", params![board, player], |row| {
            row.get(0)
        })
    }

    /// Stores a player's queue on a board; `None` removes it.
    pub fn set_queue(&self, board: BoardId, player: PlayerId, plan: Option<&str>) -> Result<()> {
        match plan {
            Some(plan) => self.execute(
                "INSERT INTO queues (board, player, plan) VALUES (?1, ?2, ?3)
                 ON CONFLICT (board, player) DO UPDATE SET plan = excluded.plan",
                params![board, player, plan],
            )?,
            None => {
                self.execute("DELETE FROM queues WHERE board = ?1 AND player = ?2", params![board, player])?
            }
        };
        Ok(())
    }

    /// A player's draft on a board: the number of events it was made at, and its plies.
    pub fn draft(&self, board: BoardId, player: PlayerId) -> Result<Option<(u32, String)>> {
        self.find(
            "SELECT events, plies FROM drafts WHERE board = ?1 AND player = ?2",
            params![board, player],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// Boards that are over and still have queues or drafts.
    pub fn plans_left_over(&self) -> Result<Vec<BoardId>> {
        self.all(
            "SELECT board FROM queues JOIN boards b ON b.id = board AND b.state <> 'running'
             UNION SELECT board FROM drafts JOIN boards b ON b.id = board
             AND b.state <> 'running' ORDER BY board",
            [],
            |row| row.get(0),
        )
    }

    /// Stores a player's draft on a board; `None` removes it.
    pub fn set_draft(&self, board: BoardId, player: PlayerId, draft: Option<(u32, &str)>) -> Result<()> {
        match draft {
            Some((events, plies)) => self.execute(
                "INSERT INTO drafts (board, player, events, plies) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (board, player) DO UPDATE SET events = excluded.events, plies = excluded.plies",
                params![board, player, events, plies],
            )?,
            None => {
                self.execute("DELETE FROM drafts WHERE board = ?1 AND player = ?2", params![board, player])?
            }
        };
        Ok(())
    }

    /// Stores an open challenge; gives its number.
    pub fn add_seek(
        &self,
        game: &str,
        player: PlayerId,
        options: &str,
        rating: Option<(u16, u16)>,
        at: Timestamp,
    ) -> Result<i64> {
        self.execute(
            "INSERT INTO seeks (game, player, options, rating_min, rating_max, made_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                game,
                player,
                options,
                rating.map(|(least, _)| least),
                rating.map(|(_, most)| most),
                at.as_second(),
            ],
        )?;
        Ok(self.conn.last_insert_rowid())
    }

    pub fn seek(&self, id: u32) -> Result<Option<SeekRow>> {
        self.find(&format!("{SEEK} WHERE id = ?1"), [id], seek)
    }

    /// The open challenges of a game made after `since`, newest first.
    pub fn open_seeks(&self, game: &str, since: Timestamp) -> Result<Vec<SeekRow>> {
        self.all(
            &format!("{SEEK} WHERE state = 'open' AND game = ?1 AND made_at > ?2 ORDER BY id DESC"),
            params![game, since.as_second()],
            seek,
        )
    }

    /// Closes a challenge: taken when it led to a board, else ended.
    pub fn close_seek(&self, id: i64, board: Option<BoardId>) -> Result<()> {
        let state = if board.is_some() { SeekState::Taken } else { SeekState::Ended };
        self.execute(
            "UPDATE seeks SET state = ?2, board = ?3 WHERE id = ?1 AND state = 'open'",
            params![id, state, board],
        )?;
        Ok(())
    }

    /// Ends the challenges made before `before`; gives their numbers.
    pub fn end_old_seeks(&self, before: Timestamp) -> Result<Vec<i64>> {
        self.all(
            "UPDATE seeks SET state = 'ended' WHERE state = 'open' AND made_at <= ?1 RETURNING id",
            [before.as_second()],
            |row| row.get(0),
        )
    }
}

fn seek(row: &Row<'_>) -> rusqlite::Result<SeekRow> {
    let rating: (Option<u16>, Option<u16>) = (row.get(4)?, row.get(5)?);
    Ok(SeekRow {
        id: row.get(0)?,
        game: row.get(1)?,
        player: row.get(2)?,
        options: row.get(3)?,
        rating: rating.0.zip(rating.1),
        state: row.get(6)?,
        made_at: row.instant(7)?,
    })
}
