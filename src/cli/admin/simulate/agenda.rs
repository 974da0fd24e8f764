//! What the members do next, and when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::ids::BoardId;

/// A member, counted from 1.
pub(super) type Member = u32;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doing {
    SignUp(Member),
    Challenge,
    Seek,
    /// Accepts a seek of somebody else.
    Accept,
    /// Whoever is to move plays or gives up.
    Move(BoardId),
    /// Whoever is to move writes to the other.
    Chat(BoardId),
    Vacation(Member),
    /// The timer runs and the mails leave.
    Tick,
}

/// By time, in seconds, and then in the order in which things were added.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    entries: BinaryHeap<Reverse<(i64, u64, Doing)>>,
    added: u64,
}

impl Agenda {
    pub fn add(&mut self, at: i64, doing: Doing) {
        self.added += 1;
        self.entries.push(Reverse((at, self.added, doing)));
    }

    pub fn next(&mut self) -> Option<(i64, Doing)> {
        self.entries.pop().map(|Reverse((at, _, doing))| (at, doing))
    }

    /// The next letter that is written before `until`; `None` when the timer comes first.
    pub fn next_letter(&mut self, until: i64) -> Option<Doing> {
        let Reverse((at, _, doing)) = self.entries.peek()?;
        if *at >= until || *doing == Doing::Tick {
            return None;
        }
        self.next().map(|(_, doing)| doing)
    }
}
