//! Zobrist keys: a random word for each thing that can stand in each place. A position's hash is their exclusive or.

/// A generator of three shifts and two multiplications (splitmix64). Every bit of the result depends on all of `seed`.
#[inline]
pub const fn mix(seed: u64) -> u64 {
    let mut state = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    state = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state = (state ^ state >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ state >> 31
}

/// `COUNT` keys for each of 64 spaces. Different seeds give different tables.
pub(crate) const fn keys<const COUNT: usize>(seed: u64) -> [[u64; COUNT]; 64] {
    let mut table = [[0; COUNT]; 64];
    let mut at = 0;
    while at < 64 * COUNT {
        table[at / COUNT][at % COUNT] = mix(mix(seed) ^ at as u64);
        at += 1;
    }
    table
}

/// The place of a hash in a table of `len` entries, without a division.
#[inline]
pub(crate) fn index(hash: u64, len: usize) -> usize {
    ((u128::from(hash) * len as u128) >> 64) as usize
}
