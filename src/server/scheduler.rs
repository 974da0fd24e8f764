//! The clocks, run at an interval.

use std::time::Duration;

use tracing::{error, info};

use super::Common;
use crate::clock;
use crate::pipeline;
use crate::service::clock::Ticked;
use crate::store::Store;

/// Does what time has made due, until the server is asked to stop.
pub(super) fn run(common: &Common, mut store: Store) {
    let interval = Duration::from_secs(common.config.serve.timer_seconds.into());
    while !common.stop.is_stopped() {
        match pipeline::tick(&mut store, &common.app, clock::now()) {
            Ok(ticked) => tell(common, &ticked),
            // The next run does what was left.
            Err(why) => error!("the clocks: {why}"),
        }
        common.stop.nap(interval);
    }
}

fn tell(common: &Common, ticked: &Ticked) {
    common.counts.ticks.one();
    if let Some(down) = ticked.down {
        info!(moved = ticked.moved, "no timer ran for {} minutes: deadlines moved", down.as_mins());
    }
    for damaged in &ticked.damaged {
        error!("{damaged}");
    }
    if ticked.mails > 0 {
        common.stop.call();
    }
    let (reminded, lost, unanswered) = (ticked.reminded, ticked.timed_out, ticked.declined);
    if reminded + lost + unanswered > 0 {
        info!(reminded, lost, unanswered, mails = ticked.mails, "the clocks ran");
    }
}
