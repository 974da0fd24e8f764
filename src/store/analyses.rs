//! Analyses of finished games, made or requested.

use jiff::{SignedDuration, Timestamp};
use rusqlite::params;

use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Ply};

/// What a player waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WantedAnalysis {
    All,
    Ply(Ply),
    /// The turns that decided the game, which nobody asked for.
    Afterword,
}

/// Stands for an afterword where the number of a ply does otherwise.
const AFTERWORD: Ply = Ply(u32::MAX);

impl Store {
    /// The analysis of a board, in JSON, once it is made.
    pub fn analysis(&self, board: BoardId) -> Result<Option<String>> {
        Ok(self.find("SELECT made FROM analyses WHERE board = ?1", [board])?.flatten())
    }

    /// Records that a player wants the analysis of a board. Asking again changes nothing.
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
        self.execute(
            "INSERT INTO analysis_readers (board, player, ply) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![board, player, ply],
        )?;
        Ok(())
    }

    /// The number of other boards whose analysis a player waits for.
    pub fn analyses_wanted(&self, player: PlayerId, board: BoardId) -> Result<u32> {
        self.one(
            "SELECT count(DISTINCT board) FROM analysis_readers WHERE player = ?1 AND board <> ?2 AND ply <> ?3",
            params![player, board, AFTERWORD])
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

    /// True when an analysis is requested and not leased. No lease lasts a day: one that does is of a wrong clock.
    pub fn analysis_is_wanted(&self, at: Timestamp) -> Result<bool> {
        self.one(
            "SELECT EXISTS (SELECT 1 FROM analyses
             WHERE made IS NULL AND coalesce(lease_until, 0) NOT BETWEEN ?1 + 1 AND ?1 + 86400)",
            [at.as_second()],
        )
    }

    /// Gives back a lease without a result.
    pub fn release_analysis(&self, board: BoardId) -> Result<()> {
        self.run("UPDATE analyses SET lease_until = NULL WHERE board = ?1 AND made IS NULL", [board])
    }

    /// Stores an analysis; gives the waiting players with the ply they asked about, and clears that list.
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
