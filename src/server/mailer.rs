//! The mailer: sends mail as soon as it is committed.

use std::time::{Duration, Instant};

use tracing::{error, info, warn};

use super::Shared;
use super::courier::Courier;
use crate::delivery::Mailer;
use crate::mail::transport::Transport;
use crate::store::{SendOutcome, Store};
use crate::{clock, pipeline};

/// The mailer closes a transport that is unused for so long.
const REST: Duration = Duration::from_secs(5);

/// The pause after an error.
const PAUSE: Duration = Duration::from_secs(5);

/// The longest pause while the mail server is down.
const DOWN: Duration = Duration::from_secs(60);

/// Sends mail until shutdown; a mail in transit is finished if the mail server answers soon.
pub(super) fn work(shared: &Shared, mut store: Store, transport: Box<dyn Transport>) {
    let transport = match Courier::start(&shared.shutdown, transport) {
        Ok(courier) => courier,
        Err(why) => return error!("no mail leaves: {why}"),
    };
    let poll = Duration::from_secs(shared.config.serve.poll_seconds.into());
    let mut mailer = Mailer::new(&transport, &shared.app);
    let mut last_sent: Option<Instant> = None;
    let mut down = poll;
    let mut was_error = false;
    while !shared.shutdown.is_requested() {
        // Read before the look at the outbox, so that mail written in between ends the wait at once.
        let wakes = shared.shutdown.wakes();
        let begun = Instant::now();
        let sent = mailer.send_next(&mut store, clock::now);
        if was_error && sent.is_ok() {
            // An outcome that is recorded only now may have stopped an address.
            tell_operator(shared, &mut store);
        }
        was_error = sent.is_err();
        match sent {
            Ok(Some((mail, outcome))) => {
                log_outcome(shared, mail, &outcome);
                if let SendOutcome::Failed(_) = outcome {
                    tell_operator(shared, &mut store);
                }
                shared.metrics.sending.took(begun.elapsed());
                last_sent = Some(Instant::now());
                if let SendOutcome::Held(_) = outcome {
                    shared.shutdown.wait(down);
                    down = (down * 2).min(DOWN);
                } else {
                    down = poll;
                }
            }
            Ok(None) => {
                let pause = if last_sent.is_some() { poll.min(REST) } else { poll };
                if last_sent.is_some_and(|last| last.elapsed() >= REST) {
                    transport.disconnect();
                    last_sent = None;
                }
                shared.shutdown.wait_unless_woken(pause, wakes);
            }
            Err(why) => {
                error!("mail waits: {why}");
                shared.shutdown.wait(PAUSE);
            }
        }
    }
    if let Err(why) = mailer.record(&mut store) {
        error!("mails that were sent will be sent again: {why}");
    }
    transport.disconnect();
}

/// The failed mail may have stopped its address, which the operator should know.
fn tell_operator(shared: &Shared, store: &mut Store) {
    let told = pipeline::tell_operator(store, &shared.app, clock::now());
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
