//! The mailer: sends mail as soon as it is committed.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::{error, info, warn};

use super::Shared;
use super::courier::Courier;
use super::shared::{InForce, POLL};
use crate::delivery::Mailer;
use crate::error::HostError;
use crate::mail::transport::Transport;
use crate::store::{SendOutcome, Store};
use crate::{clock, pipeline};

/// The mailer closes a transport that is unused for this long.
const REST: Duration = Duration::from_secs(5);

/// The pause after an error.
const PAUSE: Duration = Duration::from_secs(5);

/// The longest pause while the mail server is down.
const DOWN: Duration = Duration::from_secs(60);

/// Sends mail until shutdown; a mail in transit is finished if the mail server answers soon.
pub(super) fn work(shared: &Shared, mut store: Store, data: &Path) {
    while !shared.shutdown.is_requested() {
        if let Err(why) = send(shared, &shared.in_force(), &mut store, data) {
            error!("no mail leaves: {why}");
            shared.shutdown.wait(PAUSE);
        }
    }
}

/// Sends mail until shutdown or until the settings change.
fn send(shared: &Shared, in_force: &Arc<InForce>, store: &mut Store, data: &Path) -> Result<(), HostError> {
    let transport = Courier::start(&shared.shutdown, in_force.config.transport(data)?)?;
    let mut mailer = Mailer::new(&transport, &in_force.app);
    let mut last_sent: Option<Instant> = None;
    let mut down = POLL;
    let mut was_error = false;
    while !shared.shutdown.is_requested() && Arc::ptr_eq(in_force, &shared.in_force()) {
        // Read before the look at the outbox, so that mail written in between ends the wait at once.
        let wakes = shared.shutdown.wakes();
        let begun = Instant::now();
        let sent = mailer.send_next(store, clock::now);
        if was_error && sent.is_ok() {
            // An outcome that is recorded late may have stopped mail to an address.
            tell_operator(shared, store);
        }
        was_error = sent.is_err();
        match sent {
            Ok(Some((mail, outcome))) => {
                log_outcome(shared, mail, &outcome);
                if let SendOutcome::Failed(_) = outcome {
                    tell_operator(shared, store);
                }
                shared.metrics.sending.took(begun.elapsed());
                last_sent = Some(Instant::now());
                if let SendOutcome::Held(_) = outcome {
                    shared.shutdown.wait(down);
                    down = (down * 2).min(DOWN);
                } else {
                    down = POLL;
                }
            }
            Ok(None) => {
                if last_sent.is_some_and(|last| last.elapsed() >= REST) {
                    transport.disconnect();
                    last_sent = None;
                }
                shared.shutdown.wait_unless_woken(POLL, wakes);
            }
            Err(why) => {
                error!("mail waits: {why}");
                shared.shutdown.wait(PAUSE);
            }
        }
    }
    // Returns the leases of unsent mails, which then leave under the new settings.
    if let Err(why) = mailer.record(store).and_then(|()| store.return_leases()) {
        error!("mails that were sent will be sent again: {why}");
    }
    transport.disconnect();
    Ok(())
}

/// Tells the operator if the failed mail has stopped mail to its address.
fn tell_operator(shared: &Shared, store: &mut Store) {
    let told = pipeline::tell_operator(store, &shared.in_force().app, clock::now());
    if let Err(why) = told {
        error!("the operator is told later: {why}");
    }
}

fn log_outcome(shared: &Shared, mail: i64, outcome: &SendOutcome) {
    match outcome {
        SendOutcome::Sent => {
            shared.metrics.sent.one();
            info!(mail, "sent");
        }
        SendOutcome::Held(why) => {
            shared.metrics.put_off.one();
            warn!("no mail leaves, all of them wait: {why}");
        }
        SendOutcome::Later(due, why) => {
            shared.metrics.put_off.one();
            warn!(mail, "not sent, tried again at {due}: {why}");
        }
        SendOutcome::Failed(why) => {
            shared.metrics.failed.one();
            warn!(mail, "cannot be sent: {why}");
        }
    }
}
