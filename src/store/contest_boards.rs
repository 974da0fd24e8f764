//! The boards of contests, and the players who moved on them.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{BoardRow, BoardState, ContestId, Ending, PlayerId, Result, Store};
use crate::ids::{BoardId, Seat};

stored_row! {
    /// A board of a contest, for its table.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ContestBoardRow from "boards b JOIN seats f ON f.board = b.id AND f.seat = 0 JOIN seats s ON s.board = b.id AND s.seat = 1" {
        pub board: BoardId = "b.id",
        /// The number of its pair, from 0.
        pub pair: u32 = "b.pair",
        pub players: [PlayerId; 2] = "f.player, s.player",
        pub state: BoardState = "b.state",
        pub ending: Option<Ending> = "b.ending",
        pub winner: Option<Seat> = "b.winner",
        pub to_move: Option<Seat> = "b.to_move",
        pub changed_at: Timestamp = "b.changed_at",
    }
}

impl Store {
    /// The boards of a contest, pair by pair.
    pub fn contest_boards(&self, id: ContestId) -> Result<Vec<ContestBoardRow>> {
        Select::rows().and_with("b.contest = ?", id).order("b.pair").all(self)
    }

    pub fn contest_boards_of(&self, id: ContestId, player: PlayerId) -> Result<Vec<ContestBoardRow>> {
        Select::rows()
            .and_with("b.contest = ?", id)
            .and_with("b.id IN (SELECT board FROM seats WHERE player = ?)", player)
            .order("b.pair")
            .all(self)
    }

    pub fn contest_boards_at(&self, id: ContestId, pairs: &[u32]) -> Result<Vec<ContestBoardRow>> {
        let pairs = serde_json::json!(pairs).to_string();
        let select = Select::rows().and_with("b.contest = ?", id);
        select.and_with("b.pair IN (SELECT value FROM json_each(?))", pairs).order("b.pair").all(self)
    }

    pub fn pairs_in_play(&self, id: ContestId) -> Result<Vec<u32>> {
        self.all("SELECT pair FROM boards WHERE contest = ?1 AND state = 'running'", [id])
    }

    /// The players to move on boards of a contest that started before then.
    pub fn players_to_move_in(&self, id: ContestId, before: Timestamp) -> Result<Vec<PlayerId>> {
        self.all(
            "SELECT s.player FROM boards b JOIN seats s ON s.board = b.id AND s.seat = b.to_move
             WHERE b.contest = ?1 AND b.state = 'running' AND b.started_at < ?2",
            params![id, before.as_second()],
        )
    }

    /// The players whose turn on a board of a contest began at `since` or earlier.
    pub fn players_to_move_since(&self, id: ContestId, since: Timestamp) -> Result<Vec<PlayerId>> {
        self.all(
            "SELECT DISTINCT s.player FROM boards b JOIN seats s ON s.board = b.id AND s.seat = b.to_move
             WHERE b.contest = ?1 AND b.state = 'running' AND NOT EXISTS (SELECT 1 FROM events e
                WHERE e.board = b.id AND e.at > ?2
                AND e.kind IN ('start', 'ply', 'undo', 'swap', 'adjournment', 'resumption', 'reseat'))",
            params![id, since.as_second()],
        )
    }

    /// The duration of each board of a contest in seconds; `None` while it runs.
    pub fn contest_lengths(&self, id: ContestId) -> Result<Vec<Option<i64>>> {
        self.all(
            "SELECT iif(state = 'running', NULL, changed_at - started_at) FROM boards WHERE contest = ?1",
            [id],
        )
    }

    /// The finished boards of a contest, newest first.
    pub fn finished_in_contest(&self, id: ContestId, limit: u32) -> Result<Vec<BoardRow>> {
        Select::rows()
            .and_with("b.contest = ?", id)
            .and("b.state = 'finished'")
            .order("b.changed_at DESC, b.id DESC")
            .limit(limit)
            .all(self)
    }

    /// The average plies of the last games that ended by their rules; `None` for fewer than ten games.
    pub fn usual_plies(&self, game: &str) -> Result<Option<i64>> {
        self.one(
            "SELECT iif(count(*) >= 10, CAST(avg(plies) AS INTEGER), NULL) FROM (SELECT plies FROM boards
             WHERE game = ?1 AND state = 'finished' AND ending = 'normal' ORDER BY id DESC LIMIT 200)",
            [game],
        )
    }

    /// The players who have made a move on a board of a contest.
    pub fn players_who_moved(&self, id: ContestId) -> Result<Vec<PlayerId>> {
        self.all(
            "SELECT DISTINCT e.player FROM boards b JOIN events e ON e.board = b.id
             WHERE b.contest = ?1 AND e.kind IN ('ply', 'swap') AND e.player IS NOT NULL",
            [id],
        )
    }

    /// The last move of each player on boards of a contest, at `since` or later.
    pub fn last_moves_in(&self, id: ContestId, since: Timestamp) -> Result<HashMap<PlayerId, Timestamp>> {
        let moves: Vec<(PlayerId, Timestamp)> = self.all(
            "SELECT e.player, max(e.at) FROM boards b JOIN events e ON e.board = b.id
             WHERE b.contest = ?1 AND b.changed_at >= ?2 AND e.kind IN ('ply', 'swap') AND e.player IS NOT NULL GROUP BY e.player",
            params![id, since.as_second()],
        )?;
        Ok(moves.into_iter().collect())
    }
}
