//! An event of the server that causes mail: a reminder, a robot move, a delivery report.
//!
//! The store records it like a letter, so that it happens once even if a tick stops or runs again.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::failure::Error;
use crate::ids::Identity;
use crate::mail::Letter;
use crate::notices::Mail;
use crate::store::{Entrance, LetterId, NewLetter, Store};

/// An occasion recorded in the open transaction.
pub struct Occasion {
    /// Used by code that needs a letter.
    pub letter: Letter,
    pub id: LetterId,
}

impl Occasion {
    /// Records an occasion by its name; `None` if it was recorded before.
    pub(crate) fn begin(
        store: &Store,
        entrance: Entrance,
        name: &str,
        now: Timestamp,
    ) -> Result<Option<Occasion>, Error> {
        let letter = Letter::by_server(Identity(Sha256::digest(name).into()));
        let new = NewLetter { identity: letter.identity, entrance, sender: None, message_id: None };
        let id = store.add_letter(&new, now)?;
        Ok(id.map(|id| Occasion { letter, id }))
    }
}

/// Composes mails and stores them in the transaction of `store`.
pub trait Outbox {
    /// The base address of the pages without a slash at the end, if there are pages.
    fn pages(&self) -> Option<&str>;

    /// Returns the number of mails stored.
    fn put(
        &self,
        store: &Store,
        occasion: &Occasion,
        mails: Vec<Mail>,
        now: Timestamp,
    ) -> Result<usize, Error>;
}
