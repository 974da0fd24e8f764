//! An analysis as people read it.

use serde::Serialize;

/// An analysis as people read it.
#[derive(Debug, Clone, Serialize)]
pub struct AnalysisView {
    /// The board.
    pub board: u32,
    /// The game's name.
    pub name: &'static str,
    /// What values count: `pieces`.
    pub unit: String,
    /// The userids of the first and the second seat.
    pub players: [String; 2],
    /// What the seats are called.
    pub sides: [&'static str; 2],
    /// How the game ended, as a sentence.
    pub result: String,
    /// Positions looked at for each ply.
    pub nodes: u64,
    /// The ply from which on all values are exact.
    pub solved_from: Option<u32>,
    /// A row a ply.
    pub rows: Vec<AnalysisRow>,
}

/// A ply of an analysis.
#[derive(Debug, Clone, Serialize)]
pub struct AnalysisRow {
    /// Its number.
    pub ply: u32,
    /// Whose it was, in the game's words.
    pub side: &'static str,
    /// Its notation.
    pub played: String,
    /// What could be reached before it.
    pub before: String,
    /// What could be reached after it.
    pub after: String,
    /// What would have been better.
    pub better: String,
}
