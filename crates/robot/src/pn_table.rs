//! Goals, their proof and disproof numbers, and the table in which df-pn stores them.

use turnpost_games::Seat;

use super::tt::index;

/// The goal that `side` reaches at least `value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Goal {
    pub side: Seat,
    pub value: i32,
}

impl Goal {
    pub fn mover(self, to_move: Seat) -> Mover {
        if to_move == self.side { Mover::Own } else { Mover::Other }
    }
}

/// The side to move: the side of the goal, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mover {
    Own,
    Other,
}

/// The least number of positions that must be searched to prove a goal, and to disprove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// 0 if it is proven.
    pub proof: u32,
    /// 0 if it is disproven.
    pub disproof: u32,
}

impl Numbers {
    /// No limit, if used as thresholds.
    pub const MAX: Numbers = Numbers { proof: u32::MAX, disproof: u32::MAX };

    /// The numbers as the side to move sees them: for the other side, disproving is proving.
    pub const fn seen_by(self, mover: Mover) -> Numbers {
        match mover {
            Mover::Own => self,
            Mover::Other => Numbers { proof: self.disproof, disproof: self.proof },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProofStatus {
    pub numbers: Numbers,
    /// Points that the goal's side gets: at least this if the goal is proven, at most this if it is disproven.
    /// Otherwise 0.
    pub bound: i32,
}

impl ProofStatus {
    pub const UNKNOWN: ProofStatus = ProofStatus::open(1, 1);

    pub const fn open(proof: u32, disproof: u32) -> ProofStatus {
        ProofStatus { numbers: Numbers { proof, disproof }, bound: 0 }
    }

    pub const fn proven(bound: i32) -> ProofStatus {
        ProofStatus { numbers: Numbers { proof: 0, disproof: u32::MAX }, bound }
    }

    pub const fn disproven(bound: i32) -> ProofStatus {
        ProofStatus { numbers: Numbers { proof: u32::MAX, disproof: 0 }, bound }
    }

    /// The status of a position in which the goal's side gets `value`.
    pub const fn of_value(goal: Goal, value: i32) -> ProofStatus {
        if value >= goal.value { ProofStatus::proven(value) } else { ProofStatus::disproven(value) }
    }
}

/// The bounds are valid for every goal of the side. The numbers belong to the last goal, and are a first guess for
/// others.
#[derive(Debug, Clone, Copy)]
struct ProofEntry {
    hash: u64,
    numbers: Numbers,
    lower: i16,
    upper: i16,
    /// Nodes searched; 0 in an empty entry.
    work: u32,
}

const EMPTY: ProofEntry =
    ProofEntry { hash: 0, numbers: ProofStatus::UNKNOWN.numbers, lower: i16::MIN, upper: i16::MAX, work: 0 };

/// Entries of a bucket. A new entry replaces the entry with the least work.
const WAYS: usize = 4;

/// A table of fixed size, for goals of one side.
#[derive(Debug)]
pub(crate) struct PnTable(Vec<[ProofEntry; WAYS]>);

impl PnTable {
    /// A table of at most `bytes`, but at least a kibibyte.
    pub fn new(bytes: usize) -> PnTable {
        PnTable(vec![[EMPTY; WAYS]; bytes.max(1024) / size_of::<[ProofEntry; WAYS]>()])
    }

    /// The stored status for this goal; `None` if there is no entry, or if the entry decided only another goal.
    #[inline]
    pub fn probe(&self, hash: u64, goal: Goal) -> Option<ProofStatus> {
        let bucket = self.0.get(index(hash, self.0.len()))?;
        let entry = bucket.iter().find(|entry| entry.hash == hash && entry.work > 0)?;
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower >= goal.value {
            return Some(ProofStatus::proven(lower));
        }
        if upper < goal.value {
            return Some(ProofStatus::disproven(upper));
        }
        let Numbers { proof, disproof } = entry.numbers;
        (proof > 0 && disproof > 0).then_some(ProofStatus::open(proof, disproof))
    }

    pub fn store(&mut self, hash: u64, ProofStatus { numbers, bound }: ProofStatus, work: u64) {
        let place = index(hash, self.0.len());
        let Some(bucket) = self.0.get_mut(place) else { return };
        let is_same = |entry: &ProofEntry| entry.hash == hash && entry.work > 0;
        let place = bucket.iter().position(is_same);
        let entry = match place.and_then(|place| bucket.get_mut(place)) {
            Some(entry) => entry,
            None => {
                let Some(entry) = bucket.iter_mut().min_by_key(|entry| entry.work) else { return };
                *entry = ProofEntry { hash, ..EMPTY };
                entry
            }
        };
        if numbers.proof == 0 {
            entry.lower = entry.lower.max(bound as i16);
        } else if numbers.disproof == 0 {
            entry.upper = entry.upper.min(bound as i16);
        }
        entry.numbers = numbers;
        entry.work = entry.work.saturating_add(u32::try_from(work).unwrap_or(u32::MAX)).max(1);
    }
}
