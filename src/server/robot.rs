//! The robot's turns and analyses, thought about one after the other, behind everything else that the machine does.

use std::time::Duration;

use tracing::{error, info, warn};

use super::Common;
use crate::clock;
use crate::pipeline;
use crate::service::Error;
use crate::service::robot::{Made, Turned};
use crate::store::Store;

/// How long to wait after a failure of ours.
const PAUSE: Duration = Duration::from_secs(5);

/// So much nicer than the rest of the server: mail comes first.
const NICER: i32 = 10;

/// Does what waits for the robot, until the server is asked to stop; a thought is broken off then, and waits.
pub(super) fn work(common: &Common, mut store: Store) {
    // Linux counts this for the thread alone. Elsewhere it would slow the mail down as well.
    #[cfg(target_os = "linux")]
    if let Err(why) = rustix::process::nice(NICER) {
        warn!("the robot thinks at the priority of the rest: {why}");
    }
    let poll = Duration::from_secs(common.config.serve.poll_seconds.into());
    while !common.stop.is_stopped() {
        // Taken before the look, so that a turn that arises in between ends the nap at once.
        let calls = common.stop.calls();
        match next(common, &mut store) {
            Ok(true) => {}
            Ok(false) => common.stop.nap_unless_called(poll, calls),
            Err(why) => {
                error!("the robot waits: {why}");
                common.stop.nap(PAUSE);
            }
        }
    }
}

/// Does one thing; gives whether there was one. Players wait for moves; analyses wait for a quiet moment.
fn next(common: &Common, store: &mut Store) -> Result<bool, Error> {
    let cancel = common.stop.flag();
    if let Some(turn) = pipeline::play_robot_turn(store, &common.app, clock::now, cancel)? {
        let board = turn.board.0;
        match turn.turned {
            Turned::Played { mails } => {
                info!(board, mails, "the robot played");
                common.stop.call();
            }
            Turned::Dropped => info!(board, "the board went on before the robot played"),
            Turned::Stopped => info!(board, "the robot's turn waits"),
            Turned::Lost(why) => error!(board, "the robot cannot play: {why}"),
        }
        return Ok(true);
    }
    let Some(done) = pipeline::analyse_next(store, &common.app, clock::now, cancel)? else {
        return Ok(false);
    };
    let board = done.board.0;
    match done.made {
        Made::Kept { mails } => {
            info!(board, mails, "a game was analysed");
            common.stop.call();
        }
        Made::Stopped => info!(board, "the analysis waits"),
        Made::Lost(why) => error!(board, "a game cannot be analysed: {why}"),
    }
    Ok(true)
}
