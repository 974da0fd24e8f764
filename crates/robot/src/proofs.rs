//! What proofs saw of positions: a table shared by the threads of a search without locks, and where each of them is.
//!
//! An entry is three words: the position's key xor the other two, the numbers, and the rest. Two threads that write the
//! same entry at once leave words that do not fit each other, and such an entry is taken for another position's.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use prefetch_index::prefetch_index;

use super::mind::place;
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

/// A position's numbers, and what is proven where they decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The numbers.
    pub numbers: Numbers,
    /// The side gets this much at least where the aim is proven, at most where it is disproven; 0 where it is open.
    pub bound: i32,
}

impl View {
    /// Nothing is known.
    pub const UNKNOWN: View = View { numbers: Numbers::UNKNOWN, bound: 0 };

    /// Of a position that was to be looked at when the search was stopped.
    pub const OPEN: View = View { numbers: Numbers { proof: 1, disproof: 1 }, bound: 0 };

    /// Of a position where the aim is reached, or is not.
    pub const fn decided(reached: bool, bound: i32) -> View {
        View { numbers: Numbers::decided(reached), bound }
    }
}

/// What the table says of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recalled {
    /// How it looked, for this aim or for another that was left open.
    View(View),
    /// Nothing, or only results of other aims: by so many eighths of a power of two they make a proof likely, or a
    /// disproof where it is below 0.
    Lean(i32),
}

/// What was proven of a neighbouring aim counts so many eighths of a power of two, and less the further off it is.
pub const LEAN: i32 = 24;

/// An eighth less for each so many hundredths of a point.
const STEP: i32 = 70;

/// What is known of a position. The bounds are those of one side whoever is to move, and hold for every aim; the numbers
/// are those of the last aim, and for another one no more than a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    numbers: Numbers,
    least: i16,
    most: i16,
    /// Positions made for it; 0 when nothing is known.
    work: u32,
}

const NOTHING: Known = Known { numbers: Numbers::UNKNOWN, least: i16::MIN, most: i16::MAX, work: 0 };

/// An entry of the table.
#[derive(Debug, Default)]
struct Entry([AtomicU64; 3]);

impl Entry {
    fn key_and_known(&self) -> (u64, Known) {
        let [key, numbers, rest] = self.0.each_ref().map(|word| word.load(Relaxed));
        let known = Known {
            numbers: Numbers { proof: numbers as u32, disproof: (numbers >> 32) as u32 },
            least: rest as u16 as i16,
            most: (rest >> 16) as u16 as i16,
            work: (rest >> 32) as u32,
        };
        (key ^ numbers ^ rest, known)
    }

    /// What it says of the position with this key.
    #[inline]
    fn known_of(&self, key: u64) -> Option<Known> {
        let (its, known) = self.key_and_known();
        (its == key && known.work > 0).then_some(known)
    }

    fn write(&self, key: u64, known: Known) {
        let numbers = u64::from(known.numbers.proof) | u64::from(known.numbers.disproof) << 32;
        let rest =
            u64::from(known.least as u16) | u64::from(known.most as u16) << 16 | u64::from(known.work) << 32;
        for (word, value) in self.0.iter().zip([key ^ numbers ^ rest, numbers, rest]) {
            word.store(value, Relaxed);
        }
    }
}

/// Entries among which a new one is given its place.
const WAYS: usize = 4;

/// Threads that share a table: [`Proofs::other`] knows of one other.
pub const PROVERS: usize = 2;

/// Deeper than this the threads do not tell each other where they are.
const TOLD: usize = 64;

/// A table of fixed size, for aims of one side: what is proven of one side's would be wrong for the other's.
#[derive(Debug)]
pub struct Proofs {
    buckets: Vec<[Entry; WAYS]>,
    /// A label of each entry: a few bits of its key and how much work it stands for. They lie so near together that they
    /// stay in the processor's own memory, and most positions asked for are not in the table.
    labels: Vec<[AtomicU16; WAYS]>,
    /// The keys of the positions each thread is looking into, by depth.
    paths: [[AtomicU64; TOLD]; PROVERS],
}

impl Proofs {
    /// A table of no more than so many bytes, and one kibibyte at the least.
    pub fn new(bytes: usize) -> Proofs {
        let count = bytes.max(1024) / (size_of::<[Entry; WAYS]>() + size_of::<[AtomicU16; WAYS]>());
        Proofs {
            buckets: (0..count).map(|_| Default::default()).collect(),
            labels: (0..count).map(|_| Default::default()).collect(),
            paths: [const { [const { AtomicU64::new(0) }; TOLD] }; PROVERS],
        }
    }

    /// The places where a key may be: their entries with the labels of those.
    #[inline]
    fn places(&self, key: u64) -> impl Iterator<Item = (&Entry, &AtomicU16)> {
        let place = place(key, self.buckets.len());
        let (bucket, labels) = (self.buckets.get(place), self.labels.get(place));
        bucket.into_iter().flatten().zip(labels.into_iter().flatten())
    }

    /// The labels for this key will be wanted: the processor is to fetch them.
    #[inline]
    pub fn fetch_labels(&self, key: u64) {
        prefetch_index(&self.labels, place(key, self.labels.len()));
    }

    /// The entry for this key will be wanted, if there is one.
    #[inline]
    pub fn fetch_entry(&self, key: u64) {
        let place = place(key, self.buckets.len());
        let (Some(bucket), Some(labels)) = (self.buckets.get(place), self.labels.get(place)) else { return };
        for (at, label) in labels.iter().enumerate() {
            if label.load(Relaxed) & TAG == tag(key) {
                prefetch_index(bucket, at);
            }
        }
    }

    /// What is seen of the position with this key will be kept.
    #[inline]
    pub fn fetch_bucket(&self, key: u64) {
        if let Some(bucket) = self.buckets.get(place(key, self.buckets.len())) {
            // A bucket is longer than what is fetched at once.
            prefetch_index(bucket, 0);
            prefetch_index(bucket, WAYS - 1);
        }
    }

    /// A thread looks into the position with this key, so deep; with 0 into none.
    #[inline]
    pub fn tell(&self, thread: usize, at: usize, key: u64) {
        if let Some(place) = self.paths.get(thread).and_then(|path| path.get(at)) {
            place.store(key, Relaxed);
        }
    }

    /// The key of the position so deep that the other thread looks into; 0 if there is none.
    #[inline]
    pub fn other(&self, thread: usize, at: usize) -> u64 {
        self.paths.get(1 - thread).and_then(|path| path.get(at)).map_or(0, |place| place.load(Relaxed))
    }

    /// What is known of a position.
    #[inline]
    pub fn find(&self, key: u64, aim: Aim) -> Recalled {
        let tag = tag(key);
        let mut entries = self.places(key).filter(|(_, label)| label.load(Relaxed) & TAG == tag);
        let Some(known) = entries.find_map(|(entry, _)| entry.known_of(key)) else {
            return Recalled::Lean(0);
        };
        let (least, most) = (i32::from(known.least), i32::from(known.most));
        if least >= aim.least {
            return Recalled::View(View::decided(true, least));
        }
        if most < aim.least {
            return Recalled::View(View::decided(false, most));
        }
        if known.numbers.proof > 0 && known.numbers.disproof > 0 {
            return Recalled::View(View { numbers: known.numbers, bound: 0 });
        }
        // Decided for another aim. Here it may be otherwise, but more likely it is not.
        let near = |off: i32| (LEAN - off / STEP).max(0);
        Recalled::Lean(near(aim.least - least) - near(most - aim.least))
    }

    /// Keeps what was seen of a position by `work` positions, in the place of what is the soonest seen again.
    pub fn keep(&self, key: u64, View { numbers, bound }: View, work: u64) {
        let tag = tag(key);
        let mut place: Option<(&Entry, &AtomicU16)> = None;
        let (mut known, mut least) = (NOTHING, u16::MAX);
        for (entry, label) in self.places(key) {
            let its = label.load(Relaxed);
            if its & TAG == tag
                && let Some(there) = entry.known_of(key)
            {
                (known, place) = (there, Some((entry, label)));
                break;
            }
            if place.is_none() || its & !TAG < least {
                (least, place) = (its & !TAG, Some((entry, label)));
            }
        }
        let Some((entry, label)) = place else { return };
        let bound = bound as i16;
        if numbers.is_proven() {
            known.least = known.least.max(bound);
        } else if numbers.is_disproven() {
            known.most = known.most.min(bound);
        }
        known.numbers = numbers;
        known.work = known.work.saturating_add(u32::try_from(work).unwrap_or(u32::MAX)).max(1);
        entry.write(key, known);
        label.store(tag | size(known.work) << 8, Relaxed);
    }
}

/// The bits of a label that are the key's; the rest say how much work the entry stands for, 0 where there is none.
const TAG: u16 = 0xFF;

/// Bits of a key which do not decide its place.
#[inline]
fn tag(key: u64) -> u16 {
    key as u16 & TAG
}

/// How large a number is, by its highest three bits: 1 to 128, the greater the greater.
#[inline]
fn size(work: u32) -> u16 {
    let power = work.max(1).ilog2();
    let next = (u64::from(work) << 2 >> power) as u16 & 3;
    1 + (power as u16) * 4 + next
}
