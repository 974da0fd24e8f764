//! The limits of a search, and the levels with their nodes, error of estimates, and rating.

use std::time::Duration;

/// The default memory of a search.
pub const MEMORY: usize = 64 << 20;

/// The limits of a search. It ends at the first limit it reaches, when the result is known, or when it is cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Most positions made. With this limit the search uses one thread, so that it finds the same move on every
    /// machine. The search to depth 1 always finishes.
    pub nodes: Option<u64>,
    /// Most time since the start of the search.
    pub time: Option<Duration>,
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// Number of threads; used only if neither nodes nor depth limit the search.
    pub threads: usize,
    /// Bytes of all tables together.
    pub memory: usize,
    /// Seed of all random numbers of the search: those of playouts, and the errors of estimates.
    pub seed: u64,
    /// Greatest random error of estimates, in hundredths of a point. It makes the low levels err.
    pub noise: i32,
    /// True to prefer an exact result to a good move. Near the end of the game the solver then gets 19/20 of the nodes
    /// instead of a quarter.
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
    /// A search of at most this many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search of at most this time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// A search of at most this many plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// True if the move depends only on the arguments of the search.
    pub fn is_repeatable(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }

    /// Bytes of the transposition table: two thirds of the memory. If an exact result is wanted, a sixth, because the
    /// solver then does most of the work. Never more than the search can fill.
    pub fn table_bytes(&self) -> usize {
        self.fillable().min(if self.exact { self.memory / 6 } else { self.memory / 3 * 2 })
    }

    /// Bytes of one thread's proof-number table.
    pub(crate) fn pn_table_bytes(&self) -> usize {
        self.solver_bytes() - self.endgame_bytes()
    }

    /// Bytes of one thread's endgame table, at most half a mebibyte to stay in the processor's cache.
    pub(crate) fn endgame_bytes(&self) -> usize {
        (self.solver_bytes() / 16).min(1 << 19)
    }

    pub(crate) fn threads(&self) -> usize {
        if self.is_repeatable() { 1 } else { self.threads.max(1) }
    }

    fn solver_bytes(&self) -> usize {
        let bytes = if self.exact { self.memory / 6 * 5 } else { self.memory / 3 };
        self.fillable().min(bytes / self.threads())
    }

    /// Bytes that the limit of nodes can fill, at sixteen bytes per node.
    fn fillable(&self) -> usize {
        let bytes = self.nodes.map(|nodes| nodes.saturating_mul(16));
        bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX)
    }
}

/// A level of a game's robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Nodes searched for each move.
    pub nodes: u64,
    /// The greatest error of estimates, in hundredths of a point.
    pub noise: i32,
}

const fn level(nodes: u64, noise: i32) -> Level {
    Level { nodes, noise }
}

/// Levels of DVONN. Each level searches four times the nodes of the level below, the last one nineteen times (about ten
/// seconds a move). The lowest levels also err in their estimates, so that a beginner can win.
pub const DVONN: [Level; 9] = [
    level(400, 900),
    level(1_600, 450),
    level(6_400, 200),
    level(25_600, 50),
    level(100_000, 10),
    level(400_000, 5),
    level(1_600_000, 5),
    level(6_400_000, 5),
    level(120_000_000, 5),
];

/// Levels of Hexmeister.
pub const HEXMEISTER: [Level; 3] = [level(1_000, 100), level(20_000, 10), level(400_000, 5)];

/// Breakthrough. With errors of one and a half men a few more nodes decide, so that the lower levels are close together.
pub const BREAKTHROUGH: [Level; 9] = [
    level(450, 260),
    level(600, 200),
    level(800, 170),
    level(1_000, 140),
    level(1_300, 115),
    level(2_000, 80),
    level(6_000, 30),
    level(50_000, 5),
    level(400_000, 5),
];

/// Lines of Action.
pub const LINES_OF_ACTION: [Level; 9] = [
    level(100, 800),
    level(200, 500),
    level(400, 300),
    level(1_000, 140),
    level(2_000, 80),
    level(5_000, 40),
    level(15_000, 15),
    level(60_000, 5),
    level(400_000, 5),
];

/// Games with a hint. Level 5 takes two or three seconds a move.
pub const ALPHA_BETA: [Level; 5] =
    [level(20, 2_500), level(200, 500), level(6_000, 30), level(50_000, 5), level(400_000, 5)];

/// Games played by playouts. A node is a stone placed in a playout.
pub const PLAYOUTS: [Level; 5] =
    [level(200, 6_000), level(1_000, 3_000), level(20_000, 500), level(200_000, 0), level(4_000_000, 0)];

/// Games with a hint whose plies are slow to generate. With errors as large as in other games the low levels would lose
/// to random play.
pub const SLOW_ALPHA_BETA: [Level; 5] =
    [level(20, 2_500), level(200, 150), level(3_000, 30), level(20_000, 5), level(120_000, 5)];

/// Levels of chess. Games against Stockfish place levels 2 to 5 at about 900, 1250, 1450 and 1750 points. Level 5 takes two
/// or three seconds a move.
pub const CHESS: [Level; 5] =
    [level(60, 600), level(200, 150), level(1_000, 60), level(20_000, 5), level(120_000, 5)];

/// Havannah checks for an end after each stone of a playout.
pub const HAVANNAH: [Level; 5] =
    [level(40, 20_000), level(1_000, 5_000), level(30_000, 100), level(200_000, 0), level(1_000_000, 0)];

/// Go. On each size of the board, level 5 takes two seconds a move.
pub const GO: [Level; 5] =
    [level(1_000, 4_000), level(15_000, 1_000), level(80_000, 100), level(500_000, 0), level(4_000_000, 0)];

/// Gomoku tries the fours of each position that it evaluates, so that level 1 sees what is close.
pub const GOMOKU: [Level; 5] =
    [level(20, 15_000), level(20, 3_000), level(100, 500), level(4_000, 10), level(100_000, 0)];

/// Games with dice look one ply ahead. Errors alone distinguish the levels.
pub const BACKGAMMON: [Level; 3] = [level(1, 2_500), level(1, 800), level(1, 0)];

impl Level {
    /// The limits of this level, with `scale` times its nodes.
    pub fn limits(&self, scale: f64, seed: u64) -> Limits {
        let nodes = (self.nodes as f64 * scale).round().max(1.0) as u64;
        Limits { seed, noise: self.noise, ..Limits::nodes(nodes) }
    }
}

/// Rating and deviation of the levels of a game, from level 1, measured by matches against programs whose ratings are
/// known (`docs/robot.md`). Players' ratings depend on these numbers. To change them for a game that has rated boards,
/// add a migration that rates all games again, as `0030_anchored_levels.sql` does.
const ANCHORED: &[(&str, &[(u16, u16)])] =
    &[("chess", &[(700, 150), (914, 60), (1242, 65), (1470, 80), (1750, 150)])];

/// Rating and deviation of a level at a game; `None` if it was measured against no program of known rating.
pub fn rating_of_level(game: &str, level: u8) -> Option<(u16, u16)> {
    let (_, levels) = ANCHORED.iter().find(|(key, _)| *key == game)?;
    levels.get(usize::from(level).checked_sub(1)?).copied()
}
