//! The transposition table: stores search results of positions. All threads of a search share it without locks.
//!
//! An entry is two words: the data, and the hash xor the data. If two threads write an entry at once, the words do not
//! match and the entry counts as empty. Hashes are Zobrist keys: the xor of one random word for each piece on each
//! space.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::move_picker::NO_MOVE;

/// The depth stored with an exact score, which no search improves.
pub(crate) const EXACT_DEPTH: u8 = u8::MAX;

/// Entries that share a cache line.
const WAYS: usize = 4;
const BUCKET: usize = 16 * WAYS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The position is worth at least this.
    Lower,
    /// The position is worth at most this.
    Upper,
    /// The position is worth exactly this at the searched depth.
    Exact,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The code of the best move, or [`NO_MOVE`].
    pub best_move: u16,
    /// The value for the side to move.
    pub value: i16,
    /// How deep the search was, or [`EXACT_DEPTH`].
    pub depth: u8,
    pub bound: Bound,
}

impl Entry {
    fn pack(self) -> u64 {
        let bound = match self.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3_u64,
        };
        u64::from(self.best_move)
            | u64::from(self.value as u16) << 16
            | u64::from(self.depth) << 32
            | bound << 40
    }

    fn unpack(word: u64) -> Option<Entry> {
        let bound = match word >> 40 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry { best_move: word as u16, value: (word >> 16) as i16, depth: (word >> 32) as u8, bound })
    }
}

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

#[derive(Debug)]
pub(crate) struct TranspositionTable(Vec<Bucket>);

impl TranspositionTable {
    /// A table of at most `bytes`, but at least a kibibyte.
    pub fn new(bytes: usize) -> TranspositionTable {
        let count = bytes.max(1024) / BUCKET;
        TranspositionTable((0..count).map(|_| Bucket::default()).collect())
    }

    #[inline]
    fn slots(&self, hash: u64) -> &[Slot] {
        self.0.get(index(hash, self.0.len())).map_or(&[], |bucket| &bucket.0)
    }

    #[inline]
    pub(crate) fn probe(&self, hash: u64) -> Option<Entry> {
        self.slots(hash).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == hash { Entry::unpack(data) } else { None }
        })
    }

    /// Stores an entry in place of the least valuable one of its bucket.
    #[inline]
    pub(crate) fn store(&self, hash: u64, mut entry: Entry) {
        let mut worst: Option<(&Slot, i32)> = None;
        for slot in self.slots(hash) {
            let data = slot.data.load(Relaxed);
            let value = match Entry::unpack(data) {
                None => -1,
                Some(old) if slot.check.load(Relaxed) ^ data == hash => {
                    // Keep an exact score, and keep a known best move.
                    if old.depth == EXACT_DEPTH && entry.depth != EXACT_DEPTH {
                        return;
                    }
                    if entry.best_move == NO_MOVE {
                        entry.best_move = old.best_move;
                    }
                    worst = Some((slot, 0));
                    break;
                }
                Some(old) => i32::from(old.depth.min(100)),
            };
            if worst.is_none_or(|(_, least)| value < least) {
                worst = Some((slot, value));
            }
        }
        if let Some((slot, _)) = worst {
            let data = entry.pack();
            slot.data.store(data, Relaxed);
            slot.check.store(hash ^ data, Relaxed);
        }
    }
}

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

/// The index of a hash in a table of `len` entries, without a division.
#[inline]
pub(crate) fn index(hash: u64, len: usize) -> usize {
    ((u128::from(hash) * len as u128) >> 64) as usize
}
