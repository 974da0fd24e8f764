//! The host's settings for the robot.

use serde::{Deserialize, Serialize};

use super::engines::Engines;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RobotConfig {
    /// The robot plays and analyses games. If false, boards with the robot to move wait.
    pub enabled: bool,
    /// Maximum number of games against the robot per player at once, over all games and levels.
    pub games: u32,
    /// Memory for the search tables, in MiB.
    pub memory: u32,
    /// Number of positions to search for each ply of an analysis. Not a setting, but tests use fewer.
    #[serde(skip)]
    pub analysis: u64,
    /// Programs of others that play here.
    #[serde(skip_serializing_if = "Engines::is_empty")]
    pub engines: Engines,
}

impl RobotConfig {
    pub fn bytes(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX).saturating_mul(1 << 20)
    }
}

impl Default for RobotConfig {
    fn default() -> RobotConfig {
        RobotConfig { enabled: true, games: 5, memory: 64, analysis: 400_000, engines: Engines::default() }
    }
}
