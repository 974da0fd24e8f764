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

const fn levels<const COUNT: usize>(nodes: [u64; COUNT], noise: [i32; COUNT]) -> [Level; COUNT] {
    let mut levels = [Level { nodes: 0, noise: 0 }; COUNT];
    let mut at = 0;
    while at < COUNT {
        levels[at] = Level { nodes: nodes[at], noise: noise[at] };
        at += 1;
    }
    levels
}

/// Levels of DVONN. The highest takes about ten seconds a move. The lowest levels also err in their estimates, so that a
/// beginner can win.
pub const DVONN: [Level; 9] = levels(
    [800, 1_550, 3_300, 6_200, 13_000, 35_000, 300_000, 5_000_000, 120_000_000],
    [680, 500, 310, 195, 100, 32, 5, 5, 5],
);

/// Levels of Hexmeister.
pub const HEXMEISTER: [Level; 8] =
    levels([1_000, 2_500, 7_200, 9_500, 18_000, 40_000, 130_000, 400_000], [100, 50, 22, 18, 11, 7, 5, 5]);

/// Breakthrough. With errors of one and a half men a few more nodes decide, so that the lower levels are close together.
pub const BREAKTHROUGH: [Level; 9] = levels(
    [450, 600, 800, 1_000, 1_300, 2_000, 6_000, 50_000, 400_000],
    [260, 200, 170, 140, 115, 80, 30, 5, 5],
);

/// Lines of Action.
pub const LINES_OF_ACTION: [Level; 9] = levels(
    [100, 200, 400, 1_000, 2_000, 5_000, 15_000, 60_000, 400_000],
    [800, 500, 300, 140, 80, 40, 15, 5, 5],
);

/// Amazons. The highest level takes two or three seconds a move.
pub const AMAZONS: [Level; 9] = levels(
    [20, 110, 260, 790, 2_400, 6_800, 14_000, 41_000, 400_000],
    [2_500, 750, 400, 160, 64, 27, 15, 6, 5],
);

/// Reversi.
pub const REVERSI: [Level; 7] =
    levels([20, 50, 130, 290, 830, 6_200, 120_000], [2_500, 810, 260, 120, 64, 15, 5]);

/// Draughts. With 20 nodes the search is one ply deep, where errors do less harm than in a search of two plies.
pub const DRAUGHTS: [Level; 9] =
    levels([20, 20, 100, 300, 900, 2_500, 7_000, 30_000, 120_000], [700, 260, 70, 55, 38, 22, 11, 5, 5]);

/// Levels of chess. Games against Stockfish place levels 2 to 5 at about 900, 1250, 1450 and 1750 points. Level 5 takes two
/// or three seconds a move.
pub const CHESS: [Level; 5] = levels([60, 200, 1_000, 20_000, 120_000], [600, 150, 60, 5, 5]);

/// Hex and Y. In games played by playouts, a node is a stone placed in a playout.
pub const HEX_AND_Y: [Level; 9] = levels(
    [1_200, 3_000, 4_900, 7_400, 11_000, 22_000, 50_000, 350_000, 4_000_000],
    [2_700, 1_600, 1_200, 910, 710, 430, 160, 0, 0],
);

/// Havannah checks for an end after each stone of a playout.
pub const HAVANNAH: [Level; 9] = levels(
    [1_000, 2_300, 5_500, 11_000, 27_000, 60_000, 150_000, 400_000, 1_000_000],
    [5_000, 1_900, 710, 300, 110, 55, 25, 0, 0],
);

/// Go. On each size of the board, the highest level takes two seconds a move.
pub const GO: [Level; 9] = levels(
    [1_000, 7_300, 16_000, 28_000, 48_000, 80_000, 300_000, 1_100_000, 4_000_000],
    [4_000, 1_400, 880, 420, 200, 110, 0, 0, 0],
);

/// Gomoku tries the fours of each position that it evaluates, so that level 1 sees what is close.
pub const GOMOKU: [Level; 9] = levels(
    [20, 20, 20, 28, 53, 100, 440, 1_900, 100_000],
    [15_000, 7_900, 4_100, 2_100, 1_000, 500, 140, 38, 0],
);

/// EinStein.
pub const EINSTEIN: [Level; 3] = levels([1; 3], [4_000, 1_500, 0]);

/// Games with dice look one ply ahead. Errors alone distinguish the levels.
pub const BACKGAMMON: [Level; 3] = levels([1; 3], [2_500, 800, 0]);

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
