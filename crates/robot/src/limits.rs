//! What bounds a search, and the levels: how many nodes each may search, and how far its estimates are off.

use std::time::Duration;

/// The default memory of a search: 64 MiB.
pub const MEMORY: usize = 64 << 20;

/// What bounds a search. It ends at the first bound it meets, when the result is known, or when it is cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Positions made. Bounds the search to one thread, so that it finds the same move on every machine. The search
    /// to depth 1 is always finished.
    pub nodes: Option<u64>,
    /// Time from the start.
    pub time: Option<Duration>,
    /// Plies deep.
    pub depth: Option<u32>,
    /// Threads, when neither nodes nor depth bound the search.
    pub threads: usize,
    /// Bytes of all tables.
    pub memory: usize,
    /// Decides among estimates that differ by less than [`noise`](Limits::noise).
    pub seed: u64,
    /// How far estimates are off at most, in hundredths of a point. It makes the low levels err.
    pub noise: i32,
    /// Whether an exact result is wanted more than a good move. Near the end the solver then has nineteen twentieths
    /// of the nodes, otherwise a quarter.
    pub exact: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: None,
            time: None,
            depth: None,
            threads: 1,
            memory: MEMORY,
            seed: 0,
            noise: 0,
            exact: false,
        }
    }
}

impl Limits {
    /// The most positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So much time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// The most plies deep.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether the move found depends on nothing but the arguments of the search.
    pub fn is_repeatable(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }

    /// Bytes of the transposition table, and no more than the search can fill: two thirds of the memory, or a sixth
    /// where an exact result is wanted, since the solver does most of the work then.
    pub fn table_bytes(&self) -> usize {
        self.fillable().min(if self.exact { self.memory / 6 } else { self.memory / 3 * 2 })
    }

    /// Bytes of a thread's pn table.
    pub(crate) fn pn_table_bytes(&self) -> usize {
        self.solver_bytes() - self.endgame_bytes()
    }

    /// Bytes of a thread's endgame table: half a mebibyte at most, to stay in the processor's cache.
    pub(crate) fn endgame_bytes(&self) -> usize {
        (self.solver_bytes() / 16).min(1 << 19)
    }

    /// Threads of a search whose answer need not be the same each time.
    pub(crate) fn threads(&self) -> usize {
        if self.is_repeatable() { 1 } else { self.threads.max(1) }
    }

    fn solver_bytes(&self) -> usize {
        let bytes = if self.exact { self.memory / 6 * 5 } else { self.memory / 3 };
        self.fillable().min(bytes / self.threads())
    }

    /// Sixteen bytes a node.
    fn fillable(&self) -> usize {
        let bytes = self.nodes.map(|nodes| nodes.saturating_mul(16));
        bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX)
    }
}

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

/// Games with a hint, whose level 5 takes two or three seconds.
pub const ALPHA_BETA: [Level; 5] = [
    Level { nodes: 20, noise: 2_500 },
    Level { nodes: 200, noise: 500 },
    Level { nodes: 6_000, noise: 30 },
    Level { nodes: 50_000, noise: 5 },
    Level { nodes: 400_000, noise: 5 },
];

/// Games of playouts; a stone put down in one is a node.
pub const PLAYOUTS: [Level; 5] = [
    Level { nodes: 200, noise: 6_000 },
    Level { nodes: 1_000, noise: 3_000 },
    Level { nodes: 20_000, noise: 500 },
    Level { nodes: 200_000, noise: 0 },
    Level { nodes: 4_000_000, noise: 0 },
];

/// Games with a hint whose plies are slow to find. Errors as great as those of other games lose to random play here.
pub const SLOW_ALPHA_BETA: [Level; 5] = [
    Level { nodes: 20, noise: 2_500 },
    Level { nodes: 200, noise: 150 },
    Level { nodes: 3_000, noise: 30 },
    Level { nodes: 20_000, noise: 5 },
    Level { nodes: 120_000, noise: 5 },
];

/// Havannah, whose playouts look for its ends behind each stone.
pub const HAVANNAH: [Level; 5] = [
    Level { nodes: 40, noise: 20_000 },
    Level { nodes: 1_000, noise: 5_000 },
    Level { nodes: 30_000, noise: 100 },
    Level { nodes: 200_000, noise: 0 },
    Level { nodes: 1_000_000, noise: 0 },
];

/// Go, where few playouts are no better than none.
pub const GO: [Level; 5] = [
    Level { nodes: 40, noise: 20_000 },
    Level { nodes: 12_000, noise: 500 },
    Level { nodes: 30_000, noise: 100 },
    Level { nodes: 200_000, noise: 0 },
    Level { nodes: 1_000_000, noise: 0 },
];

/// Gomoku, whose playouts look for fives before each stone.
pub const GOMOKU: [Level; 5] = [
    Level { nodes: 40, noise: 20_000 },
    Level { nodes: 300, noise: 8_000 },
    Level { nodes: 8_000, noise: 500 },
    Level { nodes: 50_000, noise: 0 },
    Level { nodes: 300_000, noise: 0 },
];

impl Level {
    /// What bounds a search of this level, with `scale` times its nodes.
    pub fn limits(&self, scale: f64, seed: u64) -> Limits {
        let nodes = (self.nodes as f64 * scale).round().max(1.0) as u64;
        Limits { seed, noise: self.noise, ..Limits::nodes(nodes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_together_take_no_more_than_the_memory() {
        for memory in [3 << 10, 1 << 20, 64 << 20] {
            let limits = Limits { memory, ..Limits::default() };
            let all = limits.table_bytes() + limits.pn_table_bytes() + limits.endgame_bytes();
            assert!(all <= memory && 2 * all > memory, "{all} of {memory}");
        }
        assert!(Limits { memory: 3 << 20, ..Limits::nodes(1 << 10) }.table_bytes() <= 1 << 14);
    }
}
