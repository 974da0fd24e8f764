//! Rate limits:
//! | what | for | at most | in |
//! |---|---|---|---|
//! | wrong passwords | a userid | 20 | an hour |
//! | wrong passwords | the address in From | 10 | an hour |
//! | answers | an address | 20, then one mail that says so | an hour |
//! | the short help | an address that is no player's | 1 | a day |
//! | the short help | all strangers together | 500 | a day |
//! | a confirmation mail | an address | 1 | a day |
//!
//! An hour begins with the first of its kind. Mails about a board event have no limit; tokens and proven senders are no
//! tries.

use jiff::Timestamp;

use crate::service::Error;
use crate::store::Store;

#[derive(Debug, Clone, Copy)]
pub(super) struct RateLimit {
    what: &'static str,
    at_most: u32,
    seconds: i64,
}

/// Twice the limit of a sender: one letter must not be able to lock a userid.
pub(super) const TRIES_OF_A_USERID: RateLimit =
    RateLimit { what: "wrong password", at_most: 20, seconds: 60 * 60 };

/// From proves nothing, but this stops a guesser who keeps one address.
pub(super) const TRIES_OF_A_SENDER: RateLimit =
    RateLimit { what: "wrong password from", at_most: 10, seconds: 60 * 60 };

/// More than the quickest player reads.
pub(super) const ANSWERS: RateLimit = RateLimit { what: "answer", at_most: 20, seconds: 60 * 60 };

/// All strangers together: thousands of forged letters must not make the server send as many mails.
pub(super) const STRANGERS: RateLimit = RateLimit { what: "stranger", at_most: 500, seconds: 24 * 60 * 60 };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowance {
    Open,
    /// One mail may still say that no more follow.
    LastNotice,
    Shut,
}

impl RateLimit {
    /// Counts one more.
    pub(super) fn count(self, store: &Store, key: &str, now: Timestamp) -> Result<Allowance, Error> {
        let count = store.count(self.what, key, now, self.seconds)?;
        Ok(match count {
            count if count <= self.at_most => Allowance::Open,
            count if count == self.at_most + 1 => Allowance::LastNotice,
            _ => Allowance::Shut,
        })
    }

    /// True when one more is allowed. `pending` come on top of those counted.
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

/// How long a reset token is valid. The server sends no second one meanwhile.
pub(super) const TOKEN_SECONDS: i64 = 60 * 60;

/// A stranger gets one answer in this time.
pub(super) const STRANGER_PAUSE: i64 = 24 * 60 * 60;

/// An address gets one question in this time.
pub(super) const ASK_PAUSE: i64 = 24 * 60 * 60;
