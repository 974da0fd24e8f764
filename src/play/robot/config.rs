//! The host's settings for the robot.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RobotConfig {
    /// The robot plays and analyses games. While it does not, boards with the robot to move wait.
    pub enabled: bool,
    /// Games a player may have against the robot at once, over all kinds and levels.
    pub games: u32,
    /// Memory for its tables, in MiB.
    pub memory: u32,
    /// Positions it searches for each ply of an analysis. Not a setting: tests search fewer.
    #[serde(skip)]
    pub analysis: u64,
}

impl RobotConfig {
    pub fn bytes(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX).saturating_mul(1 << 20)
    }
}

impl Default for RobotConfig {
    fn default() -> RobotConfig {
        RobotConfig { enabled: true, games: 5, memory: 64, analysis: 400_000 }
    }
}
