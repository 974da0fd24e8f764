//! Something of ours that people are told of: a reminder, a move of the robot's, a report that was counted.
//!
//! It is noted like a letter, so that it happens once however often a timer runs or breaks off.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::Error;
use super::notification::Notification;
use crate::mail::{Identity, Letter};
use crate::store::{LetterId, Store};

/// An occasion whose mails are part of the transaction it was noted in.
pub struct Occasion {
    /// What stands for it where a letter is wanted.
    pub letter: Letter,
    pub id: LetterId,
}

impl Occasion {
    /// Notes the occasion of that name; `None` when it was noted before.
    pub(super) fn begin(
        store: &Store,
        entrance: &str,
        name: &str,
        now: Timestamp,
    ) -> Result<Option<Occasion>, Error> {
        let letter = Letter::of_ours(Identity(Sha256::digest(name).into()));
        let id = store.add_letter(&letter.identity, now, entrance, None)?;
        Ok(id.map(|id| Occasion { letter, id }))
    }
}

/// Where notifications are composed and put into the outbox, within the transaction of `store`.
pub trait Outbox {
    /// Gives how many mails there were.
    fn put(
        &self,
        store: &Store,
        occasion: &Occasion,
        notifications: Vec<Notification>,
        now: Timestamp,
    ) -> Result<usize, Error>;
}
