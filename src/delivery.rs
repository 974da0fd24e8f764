//! Sends the outbox.
//!
//! A mail is leased before it is sent, so that no two processes send it. No database lock is held while a
//! mail server works. A crash between sending and recording sends the mail once more, with the same
//! Message-ID.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::mail::ServerIdentity;
use crate::mail::bounce::{Cause, Diagnosis, Status, Voice, verp};
use crate::mail::outgoing;
use crate::mail::transport::{OutEnvelope, SendError, Transport};
use crate::store::{CameBack, Leased, SendOutcome, Store, StoreError};

/// How often recording an outcome is tried, a second apart: enough to outlast a lock of some minutes.
const INSIST: u32 = 120;

/// How long sending a mail is tried.
const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(5 * 24);

/// The outcome of a round of sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delivered {
    pub sent: u32,
    /// Mails to send again later.
    pub later: u32,
    /// Mails given up.
    pub failed: u32,
}

/// Sends every mail that is due.
pub fn deliver(
    store: &mut Store,
    transport: &dyn Transport,
    server: &ServerIdentity,
    mut clock: impl FnMut() -> Timestamp,
) -> Result<Delivered, StoreError> {
    let mut delivered = Delivered::default();
    while let Some((_, outcome)) = deliver_next(store, transport, server, &mut clock)? {
        match outcome {
            SendOutcome::Sent => delivered.sent += 1,
            SendOutcome::Later(..) => delivered.later += 1,
            SendOutcome::Failed(_) => delivered.failed += 1,
        }
    }
    Ok(delivered)
}

/// Sends the next mail that is due; gives its number and outcome. `None` when no mail is due.
pub fn deliver_next(
    store: &mut Store,
    transport: &dyn Transport,
    server: &ServerIdentity,
    mut clock: impl FnMut() -> Timestamp,
) -> Result<Option<(i64, SendOutcome)>, StoreError> {
    let Some(mail) = store.lease_mail(&mut clock)? else { return Ok(None) };
    // Answers to strangers take no bounces.
    let to_stranger = mail.player.is_none() && outgoing::is_answer(&mail.mail);
    let envelope = OutEnvelope {
        from: if to_stranger { None } else { Some(return_path(store, server, mail.id)?) },
        to: mail.recipient.clone(),
        number: u64::try_from(mail.id).ok(),
    };
    let sent = transport.send(&envelope, &mail.mail);
    let refused = match &sent {
        Err(SendError::Permanent(why)) => came_back(why),
        Ok(()) | Err(SendError::Temporary(_)) => None,
    };
    let outcome = match sent {
        Ok(()) => SendOutcome::Sent,
        Err(SendError::Permanent(why)) => SendOutcome::Failed(why),
        Err(SendError::Temporary(why)) => put_off(&mail, clock(), why),
    };
    settle(store, mail.id, &outcome, refused, clock)?;
    Ok(Some((mail.id, outcome)))
}

/// The envelope sender of a mail. It identifies the mail in a bounce, if extended addresses arrive; otherwise
/// it is our plain address.
fn return_path(store: &Store, server: &ServerIdentity, number: i64) -> Result<String, StoreError> {
    Ok(match u64::try_from(number) {
        Ok(number) if server.extensions => verp(server, number, &store.bounce_key()?),
        _ => server.address.clone(),
    })
}

/// Records the outcome of a mail, and keeps trying while the database is locked: a mail sent but not recorded
/// is sent again when this process forgets it or ends. A refusal for good counts as a bounce.
fn settle(
    store: &mut Store,
    id: i64,
    outcome: &SendOutcome,
    refused: Option<CameBack>,
    mut clock: impl FnMut() -> Timestamp,
) -> Result<(), StoreError> {
    let mut tries = INSIST;
    loop {
        let noted = store.write(|store| {
            if let Some(what) = refused {
                // First, because recording the outcome may erase the recipient.
                store.came_back(id, what, clock())?;
            }
            store.settle_mail(id, outcome, clock())
        });
        match noted {
            Err(why) if why.is_busy() && tries > 0 => tries -= 1,
            done => return done,
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// What a refusal of the mail server counts; `None` when the next mail may pass.
fn came_back(why: &str) -> Option<CameBack> {
    match Diagnosis::of(why, Voice::Program) {
        Some(Diagnosis { status: Status::Temporary, .. }) => None,
        Some(Diagnosis { cause: Cause::Full | Cause::Refused, .. }) => Some(CameBack::Refused),
        _ => Some(CameBack::ForGood),
    }
}

/// The pauses grow fourfold from a minute to six hours; after five days the mail is given up (RFC 5321
/// 4.5.4.1).
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
