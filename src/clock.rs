//! The only place that looks at the clock and at the system's randomness.
//!
//! Everything else is handed the instant and the generator, so that tests fix both.

use jiff::Timestamp;
use rand::SeedableRng;
use rand::rngs::SysRng;
use rand_chacha::ChaCha12Rng;

/// The present instant, cut to whole seconds: what is stored and what is printed are then the same.
#[allow(clippy::disallowed_methods)]
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// A generator seeded by the operating system.
pub fn rng() -> Result<ChaCha12Rng, rand::rngs::SysError> {
    ChaCha12Rng::try_from_rng(&mut SysRng)
}
