//! What proofs saw of positions: a table that one thread has to itself.

use super::proof::Aim;

/// How much is at least to be seen yet to prove an aim, and to disprove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// To prove it; 0 when it is proven.
    pub proof: u32,
    /// To disprove it; 0 when it is disproven.
    pub disproof: u32,
}

impl Numbers {
    /// Nothing is known; no position that was looked at has these.
    pub const UNKNOWN: Numbers = Numbers { proof: 0, disproof: 0 };
    /// As limits: none.
    pub const MOST: Numbers = Numbers { proof: u32::MAX, disproof: u32::MAX };
    /// No number of a position that is open is greater at first sight.
    pub const FAR: u32 = 1 << 30;

    /// Of a position where the aim is reached, or is not.
    pub const fn decided(reached: bool) -> Numbers {
        if reached {
            Numbers { proof: 0, disproof: u32::MAX }
        } else {
            Numbers { proof: u32::MAX, disproof: 0 }
        }
    }

    /// Whether the aim is reached.
    pub const fn is_proven(self) -> bool {
        self.proof == 0
    }

    /// Whether the aim is not reached.
    pub const fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    /// With the eyes of the side to move: for the other side, to disprove is to prove.
    pub const fn seen_by(self, own: bool) -> Numbers {
        if own { self } else { Numbers { proof: self.disproof, disproof: self.proof } }
    }
}

/// What is known of a position. The bounds are those of one side whoever is to move, and hold for every aim; the numbers
/// are those of the last aim, and for another one no more than a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    key: u64,
    numbers: Numbers,
    least: i16,
    most: i16,
    /// Positions made for it.
    work: u32,
}

const EMPTY: Entry = Entry { key: 0, numbers: Numbers::UNKNOWN, least: i16::MIN, most: i16::MAX, work: 0 };

/// Entries among which a new one is given its place.
const WAYS: usize = 4;

/// A table of fixed size.
#[derive(Debug)]
pub struct Proofs {
    entries: Vec<[Entry; WAYS]>,
}

impl Proofs {
    /// A table of no more than so many bytes, and one kibibyte at the least.
    pub fn new(bytes: usize) -> Proofs {
        Proofs { entries: vec![[EMPTY; WAYS]; bytes.max(1024) / size_of::<[Entry; WAYS]>()] }
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// What is known of a position.
    pub fn find(&self, key: u64, aim: Aim) -> Option<Numbers> {
        let entry =
            self.entries.get(self.place(key))?.iter().find(|entry| entry.key == key && entry.work > 0)?;
        if i32::from(entry.least) >= aim.least {
            return Some(Numbers::decided(true));
        }
        if i32::from(entry.most) < aim.least {
            return Some(Numbers::decided(false));
        }
        // Decided for another aim.
        let open = entry.numbers.proof > 0 && entry.numbers.disproof > 0;
        open.then_some(entry.numbers)
    }

    /// Keeps what was seen of a position by `work` positions, in the place of what is the soonest seen again.
    pub fn keep(&mut self, key: u64, aim: Aim, numbers: Numbers, work: u64) {
        let place = self.place(key);
        let Some(bucket) = self.entries.get_mut(place) else { return };
        let known = bucket.iter().position(|entry| entry.key == key && entry.work > 0);
        let least = bucket.iter().enumerate().min_by_key(|(_, entry)| entry.work).map(|(place, _)| place);
        let Some(entry) = known.or(least).and_then(|place| bucket.get_mut(place)) else { return };
        if known.is_none() {
            *entry = Entry { key, ..EMPTY };
        }
        let aimed = aim.least as i16;
        if numbers.is_proven() {
            entry.least = entry.least.max(aimed);
        } else if numbers.is_disproven() {
            entry.most = entry.most.min(aimed - 1);
        }
        entry.numbers = numbers;
        entry.work = entry.work.saturating_add(u32::try_from(work).unwrap_or(u32::MAX)).max(1);
    }
}
