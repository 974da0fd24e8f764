//! How long and by what means a search may think.

use std::time::Duration;

use super::proofs::PROVERS;

/// The default size of the table of positions: 64 MiB.
pub const MEMORY: usize = 64 << 20;

/// What bounds a search. It ends at the first bound it meets, when everything is proven, or when it is cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Positions made. Bounds the search to one thread, so that it gives the same answer on every machine. The first
    /// look at each of the plies is finished even if that takes a few more.
    pub nodes: Option<u64>,
    /// Time from the start.
    pub time: Option<Duration>,
    /// Plies deep.
    pub depth: Option<u32>,
    /// Threads, when neither nodes nor depth bound the search.
    pub threads: usize,
    /// Bytes of the table of positions.
    pub memory: usize,
    /// Decides among estimates that differ by less than [`noise`](Limits::noise).
    pub seed: u64,
    /// How far estimates are off, at most, in hundredths of a point: what makes the low levels err.
    pub noise: i32,
    /// Whether the exact result is wanted more than a good ply: near the end proofs then have nineteen twentieths
    /// of the positions, and a quarter otherwise.
    pub exact: bool,
    /// The means.
    pub techniques: Techniques,
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
            techniques: Techniques::ALL,
        }
    }
}

impl Limits {
    /// So many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So much time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// So many plies deep.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether the answer is to depend on the position alone.
    pub fn repeatable(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }

    /// Bytes of the table of positions: two thirds of the memory, and no more than the positions searched can fill.
    pub fn table_bytes(&self) -> usize {
        self.fillable().min(self.memory / 3 * 2)
    }

    /// Bytes for what proofs see: what the table of positions and those of endings leave.
    pub(super) fn proof_bytes(&self) -> usize {
        self.proving() - PROVERS * self.ending_bytes()
    }

    /// Bytes for one thread's endings: half a mebibyte at most, to stay in the memory of its processor.
    pub(super) fn ending_bytes(&self) -> usize {
        (self.proving() / 16).min(1 << 19)
    }

    /// Bytes for all that proofs need.
    fn proving(&self) -> usize {
        self.fillable().min(self.memory / 3)
    }

    /// Sixteen bytes a position.
    fn fillable(&self) -> usize {
        let bytes = self.nodes.map(|nodes| nodes.saturating_mul(16));
        bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX)
    }
}

macro_rules! techniques {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// What the search does beside plain alpha-beta. All are on; each can be left out to measure what it brings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Techniques {
            $($(#[doc = $doc])+ pub $name: bool,)+
        }

        impl Techniques {
            /// All of them.
            pub const ALL: Techniques = Techniques { $($name: true,)+ };
            /// None: alpha-beta, deeper by one ply at a time.
            pub const NONE: Techniques = Techniques { $($name: false,)+ };
            /// Their names.
            pub const NAMES: &[&str] = &[$(stringify!($name),)+];

            /// The same without the one so called; `None` if there is none.
            #[must_use]
            pub fn without(mut self, name: &str) -> Option<Techniques> {
                match name {
                    $(stringify!($name) => self.$name = false,)+
                    _ => return None,
                }
                Some(self)
            }
        }
    };
}

techniques! {
    /// The table of positions seen before.
    table,
    /// Plies that cut a neighbouring position off come early.
    killers,
    /// Plies that cut positions off anywhere come early.
    history,
    /// After the first ply, a window of no width asks only whether another is better (principal variation search).
    scout,
    /// The first window is narrow, about the last value.
    aspiration,
    /// Plies that come late are searched less deep at first.
    reductions,
    /// A position that is good even after a pass is good.
    passing,
    /// Near the leaves, a position whose estimate is far above the window is good, and one far below is bad.
    margins,
    /// At the leaves, plies that land on stacks of the other side are followed.
    quiescence,
    /// A position with one ply is searched one deeper.
    extension,
    /// Near the end, part of the positions go into proofs that reach to it.
    proofs,
    /// A window outside what the pieces on the board allow is closed.
    limits,
}
