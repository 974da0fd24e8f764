//! The outbox worker: mail leaves as soon as it is committed.

use std::time::{Duration, Instant};

use tracing::{error, info, warn};

use super::Common;
use super::metrics::Metrics;
use crate::clock;
use crate::delivery::deliver_next;
use crate::mail::transport::Transport;
use crate::pipeline;
use crate::store::{SendOutcome, Store};

/// A way out that is not used for so long is let go.
const REST: Duration = Duration::from_secs(5);

/// How long to wait after a failure of ours.
const PAUSE: Duration = Duration::from_secs(5);

/// Sends mail until the server is asked to stop; the mail in hand is finished.
pub(super) fn work(common: &Common, mut store: Store, transport: &dyn Transport) {
    let poll = Duration::from_secs(common.config.serve.poll_seconds.into());
    let mut last_sent: Option<Instant> = None;
    while !common.stop.is_stopped() {
        // Taken before the look, so that mail written in between ends the nap at once.
        let calls = common.stop.calls();
        let begun = Instant::now();
        match deliver_next(&mut store, transport, &common.app.server, clock::now) {
            Ok(Some((mail, outcome))) => {
                tell(common, mail, &outcome);
                if let SendOutcome::Failed(_) = outcome {
                    tell_operator(common, &mut store);
                }
                Metrics::took(&common.counts.sending, begun.elapsed());
                last_sent = Some(Instant::now());
            }
            Ok(None) => {
                let nap = if last_sent.is_some() { poll.min(REST) } else { poll };
                if last_sent.is_some_and(|last| last.elapsed() >= REST) {
                    transport.rest();
                    last_sent = None;
                }
                common.stop.nap_unless_called(nap, calls);
            }
            Err(why) => {
                error!("mail waits: {why}");
                common.stop.nap(PAUSE);
            }
        }
    }
    transport.rest();
}

/// It may have been the last mail that an address refused.
fn tell_operator(common: &Common, store: &mut Store) {
    let told = pipeline::tell_operator(store, &common.app, clock::now());
    if let Err(why) = told {
        error!("the operator is told later: {why}");
    }
}

fn tell(common: &Common, mail: i64, outcome: &SendOutcome) {
    match outcome {
        SendOutcome::Sent => {
            common.counts.sent.one();
            info!(mail, "sent");
        }
        SendOutcome::Later(due, why) => {
            common.counts.put_off.one();
            warn!(mail, "not sent, tried again at {due}: {why}");
        }
        SendOutcome::Failed(why) => {
            common.counts.failed.one();
            warn!(mail, "cannot be sent: {why}");
        }
    }
}
