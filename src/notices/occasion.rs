//! An event of the server's own that causes mail: a reminder, a robot move, a delivery report.
//!
//! The store notes it like a letter, so that it happens once, however often a tick repeats or breaks off.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::failure::Error;
use crate::ids::Identity;
use crate::mail::Letter;
use crate::notices::Mail;
use crate::store::{Entrance, LetterId, NewLetter, Store};

/// An occasion noted in the open transaction.
pub struct Occasion {
    /// Stands in where code asks for a letter.
    pub letter: Letter,
    pub id: LetterId,
}

impl Occasion {
    /// Notes an occasion by its name; `None` when the store has it already.
    pub(crate) fn begin(
        store: &Store,
        entrance: Entrance,
        name: &str,
        now: Timestamp,
    ) -> Result<Option<Occasion>, Error> {
        let letter = Letter::by_server(Identity(Sha256::digest(name).into()));
        let new = NewLetter { identity: &letter.identity, entrance, sender: None, message_id: None };
        let id = store.add_letter(&new, now)?;
        Ok(id.map(|id| Occasion { letter, id }))
    }
}

/// Composes mails and stores the mails, in the transaction of `store`.
pub trait Outbox {
    /// Where players find the pages, without a slash at the end, if there are any.
    fn pages(&self) -> Option<&str>;

    /// Returns how many mails it put.
    fn put(
        &self,
        store: &Store,
        occasion: &Occasion,
        mails: Vec<Mail>,
        now: Timestamp,
    ) -> Result<usize, Error>;
}
