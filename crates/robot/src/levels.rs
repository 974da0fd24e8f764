//! The levels: how many positions each may make, and how far its estimates are off.

use super::limits::Limits;

/// A level of a game's robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Positions made for a ply.
    pub nodes: u64,
    /// How far estimates are off at most, in hundredths of a point.
    pub noise: i32,
}

/// DVONN: four times as much from each to the next, nineteen times to the last. The lowest err in what they estimate as
/// well, for a beginner to find a way; the highest takes about ten seconds a ply.
pub const DVONN: [Level; 9] = [
    Level { nodes: 400, noise: 900 },
    Level { nodes: 1_600, noise: 450 },
    Level { nodes: 6_400, noise: 200 },
    Level { nodes: 25_600, noise: 50 },
    Level { nodes: 100_000, noise: 10 },
    Level { nodes: 400_000, noise: 5 },
    Level { nodes: 1_600_000, noise: 5 },
    Level { nodes: 6_400_000, noise: 5 },
    Level { nodes: 120_000_000, noise: 5 },
];

/// Hexmeister.
pub const HEXMEISTER: [Level; 3] = [
    Level { nodes: 1_000, noise: 100 },
    Level { nodes: 20_000, noise: 10 },
    Level { nodes: 400_000, noise: 5 },
];

impl Level {
    /// What bounds a search of this level, `scale` times its positions.
    pub fn limits(&self, scale: f64, seed: u64) -> Limits {
        let nodes = (self.nodes as f64 * scale).round().max(1.0) as u64;
        Limits { seed, noise: self.noise, ..Limits::nodes(nodes) }
    }
}
