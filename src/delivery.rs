//! The outbox leaves.
//!
//! Each mail is leased before it is sent, so that no two processes send it at once, and no database lock is held
//! while a mail server thinks. A crash between sending and settling sends it once more, with the same Message-ID.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::mail::ServerIdentity;
use crate::mail::bounce::verp;
use crate::mail::outgoing;
use crate::mail::transport::{OutEnvelope, SendError, Transport};
use crate::store::{Leased, SendOutcome, Store, StoreError};

/// How long a process has a mail to itself.
const LEASE: SignedDuration = SignedDuration::from_mins(10);

/// So often it is tried to note what came of a mail, a second apart. With the seconds that each try waits for the
/// database, a lock of some minutes is outlasted.
const INSIST: u32 = 120;

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
pub fn deliver(
    store: &mut Store,
    transport: &dyn Transport,
    site: &ServerIdentity,
    mut now: impl FnMut() -> Timestamp,
) -> Result<Delivered, StoreError> {
    let mut delivered = Delivered::default();
    while let Some((_, outcome)) = deliver_next(store, transport, site, &mut now)? {
        match outcome {
            SendOutcome::Sent => delivered.sent += 1,
            SendOutcome::Later(..) => delivered.later += 1,
            SendOutcome::Failed(_) => delivered.failed += 1,
        }
    }
    Ok(delivered)
}

/// Sends the next mail that is due: its number in the outbox and what came of it; `None` when none is due.
pub fn deliver_next(
    store: &mut Store,
    transport: &dyn Transport,
    site: &ServerIdentity,
    mut now: impl FnMut() -> Timestamp,
) -> Result<Option<(i64, SendOutcome)>, StoreError> {
    // A look is cheap and holds nobody up; a lease is a transaction.
    if !store.mail_is_due(now())? {
        return Ok(None);
    }
    // A lease that the power takes away is one of a process that is gone as well.
    let leased = store.write_unforced(|store| store.lease_mail(now(), LEASE))?;
    let Some(mail) = leased else { return Ok(None) };
    // Nobody asks a stranger's answer back: what comes of it stays with the mail servers.
    let to_stranger = mail.player.is_none() && outgoing::is_answer(&mail.mail);
    let envelope = OutEnvelope {
        from: if to_stranger { None } else { Some(return_path(store, site, mail.id)?) },
        to: mail.recipient.clone(),
        number: u64::try_from(mail.id).ok(),
    };
    let sent = transport.send(&envelope, &mail.mail);
    let refused = matches!(sent, Err(SendError::Permanent(_)));
    let outcome = match sent {
        Ok(()) => SendOutcome::Sent,
        Err(SendError::Permanent(why)) => SendOutcome::Failed(why),
        Err(SendError::Temporary(why)) => put_off(&mail, now(), why),
    };
    settle(store, mail.id, &outcome, refused, now)?;
    Ok(Some((mail.id, outcome)))
}

/// The envelope sender of a mail: reports about it come back to it, and show that they are about it. Where mail to our
/// address with an extension does not arrive, it is the address itself.
fn return_path(store: &Store, site: &ServerIdentity, number: i64) -> Result<String, StoreError> {
    Ok(match u64::try_from(number) {
        Ok(number) if site.extensions => verp(site, number, &store.bounce_key()?),
        _ => site.address.clone(),
    })
}

/// Notes what came of a mail, one that was refused for good as if it had come back, and insists while others keep the database to themselves: a mail that was sent and not
/// noted is sent again when its lease is over.
fn settle(
    store: &mut Store,
    id: i64,
    outcome: &SendOutcome,
    refused: bool,
    mut now: impl FnMut() -> Timestamp,
) -> Result<(), StoreError> {
    let mut tries = INSIST;
    loop {
        let noted = store.write(|store| {
            if refused {
                // Before it is settled: the recipient of a goodbye goes with that.
                store.count_bounce(id, now())?;
            }
            store.settle_mail(id, outcome, now())
        });
        match noted {
            Err(why) if why.is_busy() && tries > 0 => tries -= 1,
            done => return done,
        }
        std::thread::sleep(Duration::from_secs(1));
    }
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
