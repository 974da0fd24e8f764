//! Chance: random numbers that are the same in every run, and how many of them a law is tried with.

/// `plain` rounds in an unoptimised `cargo test`, `long` rounds if `TURNPOST_LONG` is set.
pub fn rounds(plain: u64, long: u64) -> u64 {
    if std::env::var_os("TURNPOST_LONG").is_some() { long } else { plain }
}

/// Knuth's linear congruential generator.
pub struct Dice(pub u64);

impl Dice {
    /// A number from 0 to `bound - 1`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
