//! The boards on which the robot is to move, and analyses of finished games, made or requested.
//!
//! A turn of the robot is written and deleted together with its board, so no change of a board can miss it. A
//! board between people needs no extra statement.

use jiff::{SignedDuration, Timestamp};
use rusqlite::params;

use super::columns::stored_row;
use super::records::{BoardRow, BoardState};
use super::sql::Select;
use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Ply, Userid};

impl PlayerId {
    /// The robot's account at a level.
    pub fn robot(level: u8) -> PlayerId {
        PlayerId(-i64::from(level))
    }

    /// The robot's level; `None` for a person and for an engine.
    pub fn level(self) -> Option<u8> {
        self.0.checked_neg().and_then(|level| u8::try_from(level).ok()).filter(|level| *level > 0)
    }

    /// True for the robot and for an engine.
    pub fn is_robot(self) -> bool {
        self.0 < 0
    }

    /// True for an engine of the host's. It has no rating.
    pub fn is_engine(self) -> bool {
        self.is_robot() && self.level().is_none()
    }
}

impl BoardRow {
    /// The robot or the engine whose turn it is.
    pub fn robot_to_move(&self) -> Option<PlayerId> {
        let mover = self.to_move.filter(|_| self.state == BoardState::Running)?;
        Some(*mover.of(&self.players)).filter(|player| player.is_robot())
    }

    pub fn is_with_robot(&self) -> bool {
        self.players.iter().any(|player| player.is_robot())
    }
}

stored_row! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct RobotTurn from "robot_turns" {
        pub board: BoardId = "board",
        /// The last event when the turn started.
        pub event: u32 = "event",
    }
}

impl Store {
    /// Adds the account of an engine. Engines have the numbers from -1001 down.
    pub fn add_engine(&self, userid: &Userid) -> Result<()> {
        self.run(
            "INSERT INTO players (id, userid, userid_key, password_hash, secret, created_at)
             VALUES ((SELECT min(min(id), -1000) - 1 FROM players), ?1, ?2, NULL, randomblob(32), 0)",
            params![userid.as_str(), userid.key()],
        )
    }

    /// Adds or deletes the robot's turn after a change of the board.
    pub(super) fn note_robot_turn(&self, row: &BoardRow) -> Result<()> {
        if !row.is_with_robot() {
            return Ok(());
        }
        if row.robot_to_move().is_none() {
            self.execute("DELETE FROM robot_turns WHERE board = ?1", [row.id])?;
            return Ok(());
        }
        self.run(
            "INSERT INTO robot_turns (board, event, arose_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (board) DO UPDATE SET event = excluded.event, arose_at = excluded.arose_at,
             tries = 0,
             lease_until = NULL",
            params![row.id, row.events, row.changed_at.as_second()],
        )
    }

    /// True if a turn waits without a lease. A lease that lasts a day comes from a wrong clock.
    pub fn robot_is_wanted(&self, at: Timestamp) -> Result<bool> {
        self.one(
            "SELECT EXISTS (SELECT 1 FROM robot_turns
                            WHERE coalesce(lease_until, 0) NOT BETWEEN ?1 + 1 AND ?1 + 86400)",
            [at.as_second()],
        )
    }

    /// Leases the turn that has waited longest. Turns that were leased before come last.
    pub fn lease_robot_turn(&self, at: Timestamp, lease: SignedDuration) -> Result<Option<RobotTurn>> {
        self.find(
            "UPDATE robot_turns SET lease_until = ?1 + ?2, tries = tries + 1
             WHERE board = (SELECT board FROM robot_turns
                            WHERE coalesce(lease_until, 0) NOT BETWEEN ?1 + 1 AND ?1 + 86400
                            ORDER BY tries, arose_at, board LIMIT 1)
             RETURNING board, event",
            params![at.as_second(), lease.as_secs()],
        )
    }

    /// Ends a lease without a move.
    pub fn release_robot_turn(&self, turn: RobotTurn) -> Result<()> {
        self.run(
            "UPDATE robot_turns SET lease_until = NULL WHERE board = ?1 AND event = ?2",
            params![turn.board, turn.event],
        )
    }

    /// All waiting turns, by board.
    pub fn robot_turns(&self) -> Result<Vec<RobotTurn>> {
        Select::rows().order("board").all(self)
    }

    /// The boards on which the robot is to move, with their last events, computed from the boards.
    pub fn boards_of_robot_to_move(&self) -> Result<Vec<(BoardId, u32)>> {
        self.all(
            "SELECT b.id, b.events FROM boards b JOIN seats s ON s.board = b.id AND s.seat = b.to_move
             WHERE b.state = 'running' AND s.player < 0 ORDER BY b.id",
            [],
        )
    }

    /// The number of games in play between a player and the robot, of all kinds and levels.
    pub fn games_with_robot(&self, player: PlayerId) -> Result<u32> {
        self.one(
            "SELECT count(*) FROM boards b JOIN seats s ON s.board = b.id AND s.player = ?1
             WHERE b.state = 'running'
             AND EXISTS (SELECT 1 FROM seats r WHERE r.board = b.id AND r.player < 0)",
            [player],
        )
    }
}

/// The analysis that a player waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WantedAnalysis {
    All,
    Ply(Ply),
    /// The turns that decided the game, sent without a request.
    Afterword,
}

/// The ply number that marks an afterword in the table of requests.
const AFTERWORD: Ply = Ply(u32::MAX);

impl Store {
    /// The analysis of a board, in JSON, if it is made.
    pub fn analysis(&self, board: BoardId) -> Result<Option<String>> {
        Ok(self.find("SELECT made FROM analyses WHERE board = ?1", [board])?.flatten())
    }

    /// Records a request for the analysis of a board. A second request changes nothing.
    pub fn want_analysis(
        &self,
        board: BoardId,
        player: PlayerId,
        wanted: WantedAnalysis,
        at: Timestamp,
    ) -> Result<()> {
        let ply = match wanted {
            WantedAnalysis::All => Ply::START,
            WantedAnalysis::Ply(ply) => ply,
            WantedAnalysis::Afterword => AFTERWORD,
        };
        self.execute(
            "INSERT INTO analyses (board, asked_at) VALUES (?1, ?2) ON CONFLICT (board) DO NOTHING",
            params![board, at.as_second()],
        )?;
        self.run(
            "INSERT INTO analysis_readers (board, player, ply) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![board, player, ply],
        )
    }

    /// Leases the board that has waited longest for its analysis.
    pub fn lease_analysis(&self, at: Timestamp, lease: SignedDuration) -> Result<Option<BoardId>> {
        self.find(
            "UPDATE analyses SET lease_until = ?1 + ?2, tries = tries + 1
             WHERE board = (SELECT board FROM analyses
                            WHERE made IS NULL AND coalesce(lease_until, 0) NOT BETWEEN ?1 + 1 AND ?1 + 86400
                            ORDER BY tries, asked_at, board LIMIT 1)
             RETURNING board",
            params![at.as_second(), lease.as_secs()],
        )
    }

    /// True if an analysis is requested and not leased. A lease that lasts a day comes from a wrong clock.
    pub fn analysis_is_wanted(&self, at: Timestamp) -> Result<bool> {
        self.one(
            "SELECT EXISTS (SELECT 1 FROM analyses
             WHERE made IS NULL AND coalesce(lease_until, 0) NOT BETWEEN ?1 + 1 AND ?1 + 86400)",
            [at.as_second()],
        )
    }

    /// Ends a lease without a result.
    pub fn release_analysis(&self, board: BoardId) -> Result<()> {
        self.run("UPDATE analyses SET lease_until = NULL WHERE board = ?1 AND made IS NULL", [board])
    }

    /// Stores an analysis; gives and deletes the requests, each with its player.
    pub fn keep_analysis(
        &self,
        board: BoardId,
        made: &str,
        at: Timestamp,
    ) -> Result<Vec<(PlayerId, WantedAnalysis)>> {
        self.execute(
            "INSERT INTO analyses (board, asked_at, made) VALUES (?1, ?2, ?3)
             ON CONFLICT (board) DO UPDATE SET made = excluded.made, lease_until = NULL",
            params![board, at.as_second(), made],
        )?;
        let mut readers: Vec<(PlayerId, Ply)> =
            self.all("DELETE FROM analysis_readers WHERE board = ?1 RETURNING player, ply", [board])?;
        readers.sort_unstable();
        let wanted = |ply| match ply {
            Ply::START => WantedAnalysis::All,
            AFTERWORD => WantedAnalysis::Afterword,
            ply => WantedAnalysis::Ply(ply),
        };
        Ok(readers.into_iter().map(|(player, ply)| (player, wanted(ply))).collect())
    }
}
