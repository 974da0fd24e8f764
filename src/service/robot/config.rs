//! What the host decides about the robot.

use serde::{Deserialize, Serialize};

/// The robot as a player.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RobotConfig {
    /// Whether it plays, and analyses games. Boards where it is to move wait while it does not.
    pub enabled: bool,
    /// How many games a player may play against it at once, of all kinds and levels together.
    pub games: u32,
    /// Mebibytes it remembers positions in while it thinks.
    pub memory: u32,
    /// How many positions it looks at for each ply of an analysis.
    pub analysis: u64,
    /// How many threads of `serve` think; 0: what takes long waits for `tick`.
    pub threads: u32,
}

impl RobotConfig {
    /// The memory, in bytes.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX).saturating_mul(1 << 20)
    }
}

impl Default for RobotConfig {
    fn default() -> RobotConfig {
        RobotConfig { enabled: true, games: 5, memory: 64, analysis: 400_000, threads: 1 }
    }
}
