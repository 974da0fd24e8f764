//! What is done only so often.
//!
//! | what | for | at most | in |
//! |---|---|---|---|
//! | wrong passwords | a userid | 20 | an hour |
//! | wrong passwords | the address in From | 10 | an hour |
//! | answers | an address | 20, then one notice | an hour |
//! | the short help | an address that is no player's | 1 | a day |
//! | the short help | all of them together | 500 | a day |
//! | a confirmation mail | an address | 1 | a day |
//!
//! The short help of one address and the confirmation mail are kept where they are asked for. An hour begins with the
//! first of its kind. Mails about what happened on a board are never held back, and neither tokens nor proven senders
//! are tries.

use jiff::Timestamp;

use crate::service::Error;
use crate::store::Store;

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    what: &'static str,
    at_most: u32,
    seconds: i64,
}

/// Twice the limit of a sender: whoever knows a userid should not be able to lock it with one letter.
pub(super) const TRIES_OF_A_USERID: RateLimit =
    RateLimit { what: "wrong password", at_most: 20, seconds: 60 * 60 };

/// From is a claim; but a guesser who stays with one is stopped here.
pub(super) const TRIES_OF_A_SENDER: RateLimit =
    RateLimit { what: "wrong password from", at_most: 10, seconds: 60 * 60 };

/// More than the quickest player reads.
pub(super) const ANSWERS: RateLimit = RateLimit { what: "answer", at_most: 20, seconds: 60 * 60 };

/// Answers to strangers, whoever they are: forged letters by the thousand must not make this server write as many.
pub(super) const STRANGERS: RateLimit = RateLimit { what: "stranger", at_most: 500, seconds: 24 * 60 * 60 };

/// What the next one of a kind may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowance {
    /// Like all before it.
    Open,
    /// The word that there will be no more for a while.
    LastNotice,
    /// None.
    Shut,
}

impl RateLimit {
    /// Counts one.
    pub(super) fn count(self, store: &Store, key: &str, now: Timestamp) -> Result<Allowance, Error> {
        let count = store.count(self.what, key, now, self.seconds)?;
        Ok(match count {
            count if count <= self.at_most => Allowance::Open,
            count if count == self.at_most + 1 => Allowance::LastNotice,
            _ => Allowance::Shut,
        })
    }

    /// Whether there may be one more, `pending` being those that are not counted yet.
    pub(super) fn has_room(
        self,
        store: &Store,
        key: &str,
        now: Timestamp,
        pending: usize,
    ) -> Result<bool, Error> {
        let pending = u32::try_from(pending).unwrap_or(u32::MAX);
        Ok(store.counted(self.what, key, now, self.seconds)?.saturating_add(pending) < self.at_most)
    }
}

/// A reset token is good for so many seconds, and no other is sent meanwhile.
pub(super) const TOKEN_SECONDS: i64 = 60 * 60;

/// A stranger is answered once in so many seconds.
pub(super) const STRANGER_PAUSE: i64 = 24 * 60 * 60;

/// An address is asked to confirm something once in so many seconds.
pub(super) const ASK_PAUSE: i64 = 24 * 60 * 60;
