use serde::Serialize;

/// An analysis as people read it.
#[derive(Debug, Clone, Serialize)]
pub struct AnalysisView {
    pub board: u32,
    /// The game's name.
    pub name: &'static str,
    /// The unit of values, such as `pieces`.
    pub unit: String,
    /// Userids, by seat.
    pub players: [String; 2],
    /// The names of the seats.
    pub sides: [&'static str; 2],
    /// How the game ended, as a sentence.
    pub result: String,
    /// Positions searched for each ply.
    pub nodes: u64,
    /// All values are exact from this ply on.
    pub solved_from: Option<u32>,
    pub rows: Vec<AnalysisRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct AnalysisRow {
    pub ply: u32,
    /// The name of the seat that played it.
    pub side: &'static str,
    /// The ply in notation.
    pub played: String,
    /// The best value that the player could reach.
    pub before: String,
    /// The value after it.
    pub after: String,
    /// The better line, if there is one.
    pub better: String,
}
