//! The table of positions seen before (transposition table), shared by all threads of a search without locks.
//!
//! An entry is two words: what is known, and the position's key xor what is known. Two threads that write the same
//! entry at once leave words that do not fit each other, and such an entry is taken for empty.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use prefetch_index::prefetch_index;

use super::mind::place;

/// The depth of what was proven to the end of the game, which no search can improve on.
pub const PROVEN: u8 = u8::MAX;

/// Entries that share a cache line.
const WAYS: usize = 4;

/// Bytes of a bucket.
const BUCKET: usize = 16 * WAYS;

/// What an entry says about the value it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The position is worth this or more.
    Lower,
    /// This or less.
    Upper,
    /// Exactly this, as far as was searched.
    Exact,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// The best ply, by its code; `None` when nothing is known of it.
    pub best: Option<u16>,
    /// The value for the side to move.
    pub value: i16,
    /// How deep it was searched; [`PROVEN`] when to the end.
    pub depth: u8,
    /// How the value is to be taken.
    pub bound: Bound,
}

impl Known {
    fn pack(self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3_u64,
        };
        let best = self.best.map_or(0, |code| u64::from(code) | 1 << 16);
        best | u64::from(self.value as u16) << 17
            | u64::from(self.depth) << 33
            | bound << 41
            | u64::from(age & 63) << 43
    }

    fn unpack(word: u64) -> Option<Known> {
        let bound = match word >> 41 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        let best = (word >> 16 & 1 == 1).then_some(word as u16);
        Some(Known { best, value: (word >> 17) as u16 as i16, depth: depth_of(word), bound })
    }
}

fn depth_of(word: u64) -> u8 {
    (word >> 33) as u8
}

fn age_of(word: u64) -> u8 {
    (word >> 43) as u8 & 63
}

/// One entry: what is known, and the key xor that.
#[derive(Debug, Default)]
struct Entry(AtomicU64, AtomicU64);

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; WAYS]);

/// A table of fixed size.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    age: u8,
}

impl Table {
    /// A table of at most so many bytes, and no less than one kibibyte.
    pub fn new(bytes: usize) -> Table {
        let count = bytes.max(1024) / BUCKET;
        Table { buckets: (0..count).map(|_| Bucket::default()).collect(), age: 0 }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// A new search begins: what earlier ones left is the first to be given up.
    pub fn begin(&mut self) {
        self.age = (self.age + 1) & 63;
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[place(key, self.buckets.len())]
    }

    /// What is known of the position with this key will be wanted: the processor is to fetch it.
    #[inline]
    pub fn fetch(&self, key: u64) {
        prefetch_index(&self.buckets, place(key, self.buckets.len()));
    }

    /// What is known of the position.
    #[inline]
    pub fn find(&self, key: u64) -> Option<Known> {
        self.bucket(key).0.iter().find_map(|entry| {
            let word = entry.0.load(Relaxed);
            if entry.1.load(Relaxed) ^ word == key { Known::unpack(word) } else { None }
        })
    }

    /// Keeps what is known of the position, in the place of what is worth least.
    #[inline]
    pub fn keep(&self, key: u64, mut known: Known) {
        let mut worst: Option<(&Entry, i32)> = None;
        for entry in &self.bucket(key).0 {
            let word = entry.0.load(Relaxed);
            let worth = match Known::unpack(word) {
                None => -1,
                Some(old) if entry.1.load(Relaxed) ^ word == key => {
                    // The same position: a proof is kept, and a best ply is not forgotten.
                    if old.depth == PROVEN && known.depth != PROVEN {
                        return;
                    }
                    known.best = known.best.or(old.best);
                    worst = Some((entry, -2));
                    break;
                }
                Some(old) if age_of(word) == self.age => 1000 + i32::from(old.depth.min(100)),
                Some(old) => i32::from(old.depth.min(100)),
            };
            if worst.is_none_or(|(_, least)| worth < least) {
                worst = Some((entry, worth));
            }
        }
        if let Some((entry, _)) = worst {
            let word = known.pack(self.age);
            entry.0.store(word, Relaxed);
            entry.1.store(key ^ word, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found() {
        let table = Table::new(1 << 20);
        for (n, bound) in [Bound::Lower, Bound::Upper, Bound::Exact].into_iter().enumerate() {
            for (best, value, depth) in
                [(None, -4900, 0), (Some(0), 0, PROVEN), (Some(u16::MAX), i16::MAX, 7)]
            {
                let known = Known { best, value, depth, bound };
                let key = super::super::mind::mix((value as u64) << 8 | n as u64);
                assert_eq!(table.find(key), None);
                table.keep(key, known);
                assert_eq!(table.find(key), Some(known));
            }
        }
    }

    #[test]
    fn the_size_is_respected() {
        for bytes in [0, 1024, 5000, 1 << 20, (1 << 26) - 1, 1 << 26] {
            let table = Table::new(bytes);
            assert!(table.bytes() <= bytes.max(1024) && 2 * table.bytes() > bytes, "{bytes}");
            assert_eq!(table.bytes(), table.buckets.len() * size_of::<Bucket>());
        }
    }

    #[test]
    fn a_proof_is_not_forgotten_for_a_guess() {
        let table = Table::new(1024);
        let proof = Known { best: Some(3), value: 100, depth: PROVEN, bound: Bound::Exact };
        table.keep(77, proof);
        table.keep(77, Known { depth: 9, ..proof });
        assert_eq!(table.find(77), Some(proof));
    }

    #[test]
    fn words_that_do_not_fit_are_an_empty_entry() {
        let table = Table::new(1024);
        table.keep(77, Known { best: Some(3), value: 100, depth: 4, bound: Bound::Exact });
        for entry in &table.bucket(77).0 {
            entry.0.fetch_xor(1 << 20, Relaxed);
        }
        assert_eq!(table.find(77), None);
    }
}
