//! What is proven of the position a search thinks about; its threads share it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::mind::INFINITE;
use super::order::NONE;

/// What is proven, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// It gets this at least.
    pub least: i32,
    /// And this at most.
    pub most: i32,
    /// The code of the ply that gets `least`.
    pub ply: u16,
}

impl Bounds {
    fn pack(self) -> u64 {
        // Values fit sixteen bits.
        u64::from(self.least as u16) | u64::from(self.most as u16) << 16 | u64::from(self.ply) << 32
    }

    fn unpack(word: u64) -> Bounds {
        let [least, most] = [word as u16 as i16, (word >> 16) as u16 as i16].map(i32::from);
        Bounds { least, most, ply: (word >> 32) as u16 }
    }
}

/// The bounds, in one word, so that threads may read and narrow them at any time.
#[derive(Debug)]
pub struct Proven(AtomicU64);

impl Proven {
    /// Nothing.
    pub fn nothing() -> Proven {
        Proven(AtomicU64::new(Bounds { least: -INFINITE, most: INFINITE, ply: NONE }.pack()))
    }

    /// What is proven by now.
    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds::unpack(self.0.load(Relaxed))
    }

    /// Whether it is known by now if the side to move gets this much.
    #[inline]
    pub fn decides(&self, least: i32) -> bool {
        let bounds = self.bounds();
        bounds.least >= least || bounds.most < least
    }

    /// The side to move gets this much, by the ply with this code.
    pub fn reaches(&self, least: i32, ply: u16) {
        self.narrow(|bounds| if least > bounds.least { Bounds { least, ply, ..bounds } } else { bounds });
    }

    /// It gets no more than this.
    pub fn stays_below(&self, value: i32) {
        self.narrow(|bounds| Bounds { most: bounds.most.min(value), ..bounds });
    }

    fn narrow(&self, change: impl Fn(Bounds) -> Bounds) {
        let changed = |word| Some(change(Bounds::unpack(word)).pack());
        self.0.fetch_update(Relaxed, Relaxed, changed).map(drop).unwrap_or_default();
    }
}
