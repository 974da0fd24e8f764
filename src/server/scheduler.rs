//! Runs the clocks at an interval.

use std::time::Duration;

use tracing::{error, info};

use super::Shared;
use crate::store::Store;
use crate::timer::tick::Ticked;
use crate::{clock, pipeline};

/// Runs the clocks until shutdown.
pub(super) fn run(shared: &Shared, mut store: Store) {
    while !shared.shutdown.is_requested() {
        match pipeline::tick(&mut store, &shared.in_force().app, clock::now()) {
            Ok(ticked) => {
                log_ticked(shared, &ticked);
                // After the tick, because only a tick notices that the clock has jumped.
                forget_mails(shared, &mut store);
            }
            // The next run does what is left.
            Err(why) => error!("the clocks: {why}"),
        }
        shared.shutdown.wait(Duration::from_secs(shared.in_force().config.serve.timer_seconds.into()));
    }
}

/// Erases the text of old mails.
fn forget_mails(shared: &Shared, store: &mut Store) {
    let now = clock::now();
    let Some(before) = shared.in_force().config.keep.mails.before(now) else { return };
    match pipeline::forget_mails(store, before, now, || !shared.shutdown.is_requested()) {
        Ok(0) => {}
        Ok(mails) => info!(mails, "old mails lost their text"),
        Err(why) => error!("old mails: {why}"),
    }
}

fn log_ticked(shared: &Shared, ticked: &Ticked) {
    shared.metrics.ticks.one();
    if let Some(down) = ticked.down {
        info!(moved = ticked.moved, "no timer ran for {} minutes: deadlines moved", down.as_mins());
    }
    for moved in &ticked.rated_again {
        info!("a rating was worked out again: {moved}");
    }
    for damaged in &ticked.damaged {
        error!("{damaged}");
    }
    if ticked.mails > 0 {
        shared.shutdown.wake();
    }
    let (reminded, lost, unanswered) = (ticked.reminded, ticked.timed_out, ticked.declined);
    if reminded + lost + unanswered > 0 {
        info!(reminded, lost, unanswered, mails = ticked.mails, "the clocks ran");
    }
}
