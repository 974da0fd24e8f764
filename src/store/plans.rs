//! Plans of players: queued plies, drafts and open challenges.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::words::stored_enum;
use super::{PlayerId, RatingRange, Result, Store};
use crate::ids::BoardId;

stored_row! {
    /// An open challenge.
    #[derive(Debug, Clone)]
    pub struct SeekRow from "seeks" {
        pub id: i64 = "id",
        /// The key of its game.
        pub game: String = "game",
        pub player: PlayerId = "player",
        /// The options of the board, in JSON.
        pub options: String = "options",
        /// The ratings of an opponent.
        pub rating: Option<RatingRange> = "rating_min, rating_max",
        pub state: SeekState = "state",
        pub made_at: Timestamp = "made_at",
    }
}

stored_enum! {
    SeekState {
        Open = "open",
        /// A player accepted it.
        Taken = "taken",
        /// It was withdrawn or grew old.
        Ended = "ended",
    }
}

/// A move or word that waits for its player's `yes`.
#[derive(Debug, Clone)]
pub struct Unconfirmed {
    /// The board's number of events when the draft was made.
    pub events: u32,
    pub plies: String,
    /// What the opponent reads with it.
    pub words: String,
}

impl Store {
    /// A player's queue on a board, in JSON.
    pub fn queue(&self, board: BoardId, player: PlayerId) -> Result<Option<String>> {
        self.find("SELECT plan FROM queues WHERE board = ?1 AND player = ?2", params![board, player])
    }

    /// Stores a player's queue on a board; `None` deletes it.
    pub fn set_queue(&self, board: BoardId, player: PlayerId, plan: Option<&str>) -> Result<()> {
        match plan {
            Some(plan) => {
                let sql = "INSERT OR REPLACE INTO queues (board, player, plan) VALUES (?1, ?2, ?3)";
                self.run(sql, params![board, player, plan])
            }
            None => self.run("DELETE FROM queues WHERE board = ?1 AND player = ?2", params![board, player]),
        }
    }

    /// A player's draft on a board.
    pub fn draft(&self, board: BoardId, player: PlayerId) -> Result<Option<Unconfirmed>> {
        let sql =
            "SELECT events, coalesce(renamed, plies), words FROM drafts WHERE board = ?1 AND player = ?2";
        let found = self.find(sql, params![board, player])?;
        Ok(found.map(|(events, plies, words)| Unconfirmed { events, plies, words }))
    }

    /// The plies of a player's draft as the code of the question about them covers them; empty without a draft.
    pub fn asked_plies(&self, board: BoardId, player: PlayerId) -> Result<String> {
        let sql = "SELECT plies FROM drafts WHERE board = ?1 AND player = ?2";
        Ok(self.find(sql, params![board, player])?.unwrap_or_default())
    }

    /// The player's moves that wait to be confirmed. Each row has the board, its number of events when the draft was
    /// made, and the plies.
    pub fn drafts_of(&self, player: PlayerId) -> Result<Vec<(BoardId, u32, String)>> {
        let sql =
            "SELECT board, events, coalesce(renamed, plies) FROM drafts WHERE player = ?1 ORDER BY board";
        self.all(sql, params![player])
    }

    /// Boards that are over but still have queues or drafts.
    pub fn plans_left_over(&self) -> Result<Vec<BoardId>> {
        self.all(
            "SELECT board FROM queues JOIN boards b ON b.id = board AND b.state <> 'running'
             UNION SELECT board FROM drafts JOIN boards b ON b.id = board
             AND b.state <> 'running' ORDER BY board",
            [],
        )
    }

    /// Ends a draft and keeps its plies. Replies to the mail about it can still come; a `yes` then plays nothing.
    pub fn end_draft(&self, board: BoardId, player: PlayerId) -> Result<()> {
        self.run("UPDATE drafts SET events = 0 WHERE board = ?1 AND player = ?2", params![board, player])
    }

    /// Stores a player's draft on a board; `None` deletes it.
    pub fn set_draft(&self, board: BoardId, player: PlayerId, draft: Option<&Unconfirmed>) -> Result<()> {
        match draft {
            Some(Unconfirmed { events, plies, words }) => {
                let sql = "INSERT OR REPLACE INTO drafts (board, player, events, plies, words) \
                           VALUES (?1, ?2, ?3, ?4, ?5)";
                self.run(sql, params![board, player, events, plies, words])
            }
            None => self.run("DELETE FROM drafts WHERE board = ?1 AND player = ?2", params![board, player]),
        }
    }

    /// Stores an open challenge; gives its number.
    pub fn add_seek(
        &self,
        game: &str,
        player: PlayerId,
        options: &str,
        rating: Option<RatingRange>,
        at: Timestamp,
    ) -> Result<i64> {
        self.execute(
            "INSERT INTO seeks (game, player, options, rating_min, rating_max, made_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                game,
                player,
                options,
                rating.map(|range| range.least),
                rating.map(|range| range.most),
                at.as_second(),
            ],
        )?;
        Ok(self.conn.last_insert_rowid())
    }

    pub fn seek(&self, id: u32) -> Result<Option<SeekRow>> {
        Select::rows().and_with("id = ?", id).first(self)
    }

    /// The open challenges of a game made after `since`, newest first.
    pub fn open_seeks(&self, game: &str, since: Timestamp) -> Result<Vec<SeekRow>> {
        Select::rows()
            .and("state = 'open'")
            .and_with("game = ?", game)
            .and_with("made_at > ?", since.as_second())
            .order("id DESC")
            .all(self)
    }

    /// Closes a challenge: as taken if it led to a board, otherwise as ended.
    pub fn close_seek(&self, id: i64, board: Option<BoardId>) -> Result<()> {
        let state = if board.is_some() { SeekState::Taken } else { SeekState::Ended };
        self.run(
            "UPDATE seeks SET state = ?2, board = ?3 WHERE id = ?1 AND state = 'open'",
            params![id, state, board],
        )
    }

    /// Ends the challenges made before `before`; gives their numbers.
    pub fn end_old_seeks(&self, before: Timestamp) -> Result<Vec<i64>> {
        self.all(
            "UPDATE seeks SET state = 'ended' WHERE state = 'open' AND made_at <= ?1 RETURNING id",
            [before.as_second()],
        )
    }

    /// Ends the open challenges and the invitations of a player.
    pub fn end_offers(&self, player: PlayerId) -> Result<()> {
        self.end_invitations_of(player)?;
        self.run("UPDATE seeks SET state = 'ended' WHERE player = ?1 AND state = 'open'", [player])
    }
}
