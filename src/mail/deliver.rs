//! The outbox leaves.
//!
//! Each mail is leased before it is sent, so that no two processes send it at once, and no database lock is held
//! while a mail server thinks. A crash between sending and settling sends it once more, with the same Message-ID.

use jiff::{SignedDuration, Timestamp};

use super::Site;
use super::transport::{OutEnvelope, SendError, Transport};
use crate::store::{Leased, SendOutcome, Store, StoreError};

/// How long a process has a mail to itself.
const LEASE: SignedDuration = SignedDuration::from_mins(10);

/// A mail is tried for so long.
const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(5 * 24);

/// What a round of sending came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delivered {
    /// Mails handed over.
    pub sent: u32,
    /// Mails to be tried again.
    pub later: u32,
    /// Mails that cannot be sent.
    pub failed: u32,
}

/// Sends every mail that is due.
///
/// # Errors
/// When the store fails; mails that cannot be sent are no error.
pub fn deliver(
    store: &mut Store,
    transport: &dyn Transport,
    site: &Site,
    mut now: impl FnMut() -> Timestamp,
) -> Result<Delivered, StoreError> {
    let mut delivered = Delivered::default();
    while let Some(mail) = store.write(|store| store.lease_mail(now(), LEASE))? {
        let envelope = OutEnvelope {
            from: Some(site.address.clone()),
            to: mail.recipient.clone(),
            number: u64::try_from(mail.id).ok(),
        };
        let outcome = match transport.send(&envelope, &mail.mail) {
            Ok(()) => SendOutcome::Sent,
            Err(SendError::Permanent(why)) => SendOutcome::Failed(why),
            Err(SendError::Temporary(why)) => put_off(&mail, now(), why),
        };
        match outcome {
            SendOutcome::Sent => delivered.sent += 1,
            SendOutcome::Later(..) => delivered.later += 1,
            SendOutcome::Failed(_) => delivered.failed += 1,
        }
        store.write(|store| store.settle_mail(mail.id, &outcome, now()))?;
    }
    Ok(delivered)
}

/// The pauses grow fourfold from a minute to six hours; after five days it is given up (RFC 5321 4.5.4.1).
fn put_off(mail: &Leased, at: Timestamp, why: String) -> SendOutcome {
    if at.duration_since(mail.created_at) >= GIVE_UP_AFTER {
        return SendOutcome::Failed(format!("given up after five days; the last try said: {why}"));
    }
    let minutes = 4_i64.saturating_pow(mail.attempts).min(6 * 60);
    match at.checked_add(SignedDuration::from_mins(minutes)) {
        Ok(due) => SendOutcome::Later(due, why),
        Err(_) => SendOutcome::Failed(why),
    }
}
