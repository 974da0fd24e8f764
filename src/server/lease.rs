//! Records in the database that this machine serves it. Ends the server if another machine has taken over or the
//! database is gone.

use std::time::Duration;

use signal_hook::consts::SIGTERM;
use tracing::{error, warn};

use super::Shared;
use crate::clock;
use crate::error::HostError;
use crate::store::{Store, StoreError, Takeover};

/// How often the record is renewed: a quarter of the time after which a machine counts as gone.
const RENEWAL: Duration = Duration::from_secs(30);

const UNTOLD: &str = "the other machines are not told that this one serves";

/// How long shutdown waits for other writers.
const PATIENCE: Duration = Duration::from_secs(1);

/// Makes the first record. A full disk, or a database that another process has locked, does not stop the server:
/// [`keep`] makes the record later.
pub(super) fn begin(store: &mut Store, takeover: Takeover) -> Result<(), HostError> {
    let now = clock::now();
    if let Some(other) = store.served_elsewhere(now)?.filter(|_| takeover == Takeover::Never) {
        return Err(HostError::served_elsewhere(other, now));
    }
    match take(store, takeover) {
        Err(HostError::Store(why)) if why.may_pass() => warn!("{UNTOLD}: {why}"),
        taken => taken?,
    }
    Ok(())
}

/// Records that this machine serves; fails if another does.
fn take(store: &mut Store, takeover: Takeover) -> Result<(), HostError> {
    let now = clock::now();
    if takeover == Takeover::ByHost {
        return Ok(store.take_over(now)?);
    }
    match store.serve(now)? {
        None => Ok(()),
        Some(other) => Err(HostError::served_elsewhere(other, now)),
    }
}

/// True if this server can only end: another has taken over, or the database is gone.
fn ends(why: &HostError) -> bool {
    matches!(why, HostError::ServedElsewhere(..) | HostError::Store(StoreError::Gone(_)))
}

/// Renews the record until shutdown.
pub(super) fn keep(shared: &Shared, mut store: Store) {
    loop {
        let pause = RENEWAL.min(Duration::from_secs(shared.in_force().config.serve.timer_seconds.into()));
        shared.shutdown.wait(pause);
        match take(&mut store, Takeover::Never) {
            _ if shared.shutdown.is_requested() => return,
            Err(why) if ends(&why) => {
                error!("{why}");
                return drop(signal_hook::low_level::raise(SIGTERM));
            }
            Err(why) => warn!("{UNTOLD}: {why}"),
            Ok(()) => {}
        }
    }
}

/// Records that this machine no longer serves; fails if another has taken over.
pub(super) fn end(mut store: Store) -> Result<(), HostError> {
    let ended = store
        .set_patience(PATIENCE)
        .map_err(HostError::from)
        .and_then(|()| take(&mut store, Takeover::Never));
    match ended.and_then(|()| Ok(store.end_serving()?)) {
        Err(why) if ends(&why) => Err(why),
        Err(why) => {
            warn!("other machines wait two minutes: {why}");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}
