//! The only place that reads the clock and the system's randomness.
//!
//! All other code takes the time and the generator as arguments, so that tests fix both.

use jiff::Timestamp;
use rand::SeedableRng;
use rand::rngs::SysRng;
use rand_chacha::ChaCha12Rng;

/// The present time in whole seconds, as it is stored and printed.
#[allow(clippy::disallowed_methods)]
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// A generator seeded by the operating system.
pub fn rng() -> Result<ChaCha12Rng, rand::rngs::SysError> {
    ChaCha12Rng::try_from_rng(&mut SysRng)
}
