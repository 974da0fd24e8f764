//! The robot thread: plays and analyses at the lowest priority.

use std::time::Duration;

use tracing::{error, info, warn};

use super::Shared;
use super::shared::POLL;
use crate::commands::Made;
use crate::failure::Error;
use crate::store::Store;
use crate::timer::Turned;
use crate::{clock, pipeline};

/// The pause after an error.
const PAUSE: Duration = Duration::from_secs(5);

/// The niceness of the thread: mail comes first.
const NICER: i32 = 10;

/// Does the robot's tasks until shutdown. A search that is cut off is done again later.
pub(super) fn work(shared: &Shared, mut store: Store) {
    // Linux applies niceness to the thread. Elsewhere it would slow down the mail as well.
    #[cfg(target_os = "linux")]
    if let Err(why) = rustix::process::nice(NICER) {
        warn!("the robot thinks at the priority of the rest: {why}");
    }
    while !shared.shutdown.is_requested() {
        // Read before the look, so that a new task ends the wait at once.
        let wakes = shared.shutdown.wakes();
        match next(shared, &mut store) {
            Ok(true) => {}
            Ok(false) => shared.shutdown.wait_unless_woken(POLL, wakes),
            Err(why) => {
                error!("the robot waits: {why}");
                shared.shutdown.wait(PAUSE);
            }
        }
    }
}

/// Does one task; false if there is none. Players wait for moves, so moves come first.
fn next(shared: &Shared, store: &mut Store) -> Result<bool, Error> {
    let cancel = shared.shutdown.flag();
    if let Some(turn) = pipeline::play_robot_turn(store, &shared.in_force().app, clock::now, cancel)? {
        let board = turn.board.0;
        match turn.turned {
            Turned::Played { mails } => {
                info!(board, mails, "the robot played");
                shared.shutdown.wake();
            }
            Turned::Dropped => info!(board, "the board went on before the robot played"),
            Turned::Stopped => info!(board, "the robot's turn waits"),
            Turned::Adjourned => {}
            Turned::Failed { engine, why } => {
                error!(board, "{engine} does not play, and the board is adjourned: {why}");
                shared.shutdown.wake();
            }
            Turned::Lost(why) => error!(board, "the robot cannot play: {why}"),
        }
        return Ok(true);
    }
    let Some(done) = pipeline::analyse_next(store, &shared.in_force().app, clock::now, cancel)? else {
        return Ok(false);
    };
    let board = done.board.0;
    match done.made {
        Made::Kept { mails } => {
            info!(board, mails, "a game was analysed");
            shared.shutdown.wake();
        }
        Made::Stopped => info!(board, "the analysis waits"),
        Made::Lost(why) => error!(board, "a game cannot be analysed: {why}"),
    }
    Ok(true)
}
