//! The levels: how many nodes each may search, and how far its estimates are off.

use super::limits::Limits;

/// A level of a game's robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Nodes searched for a move.
    pub nodes: u64,
    /// How far estimates are off at most, in hundredths of a point.
    pub noise: i32,
}

/// DVONN: four times the nodes from each to the next, nineteen times to the last, which takes about ten seconds a move.
/// The lowest err in their estimates as well, so that a beginner finds a way.
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
    /// What bounds a search of this level, with `scale` times its nodes.
    pub fn limits(&self, scale: f64, seed: u64) -> Limits {
        let nodes = (self.nodes as f64 * scale).round().max(1.0) as u64;
        Limits { seed, noise: self.noise, ..Limits::nodes(nodes) }
    }
}
