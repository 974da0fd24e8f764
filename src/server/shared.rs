//! State that all threads of the server share, and the start of a thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use signal_hook::consts::SIGTERM;
use tokio::sync::watch;
use tracing::error;

use super::connection_pool::{ConnectionLimit, ConnectionPool};
use super::metrics::Metrics;
use super::shutdown::Shutdown;
use super::writer::WriterHandle;
use crate::app::App;
use crate::config::Config;
use crate::error::HostError;
use crate::mail::ServerIdentity;
use crate::store::Store;

/// The pause between two looks for work that another process wrote or that is due again.
pub(super) const POLL: Duration = Duration::from_secs(2);

/// The most letters without passwords prepared at once.
const PROVEN: usize = 2;

/// The settings, and the parts that are made of them.
pub(super) struct InForce {
    pub config: Config,
    pub app: App,
    /// The server's identity for mail from local users whom the settings do not trust. It has no authserv-id, so no
    /// `Authentication-Results` of such a mail counts.
    pub unproven_identity: ServerIdentity,
}

impl InForce {
    /// Fails if a part cannot be made.
    pub fn new(config: Config, data: &Path) -> Result<InForce, HostError> {
        // Only a check: the mailer makes its own transport.
        config.transport(data)?;
        let app = config.signing_app()?;
        let unproven_identity = ServerIdentity { authserv_id: None, ..app.server.clone() };
        Ok(InForce { config, app, unproven_identity })
    }
}

pub(super) struct Shared {
    in_force: watch::Sender<Arc<InForce>>,
    pub shutdown: Shutdown,
    pub metrics: Metrics,
    pub writer: WriterHandle,
    /// Databases for letters that need no password check.
    pub proven: ConnectionPool,
    /// Databases for letters with passwords, one per core.
    pub unproven: ConnectionPool,
    /// Limits the letters that the robot answers at once.
    pub instant_robot: ConnectionLimit,
}

impl Shared {
    pub fn new(
        in_force: Arc<InForce>,
        writer: WriterHandle,
        open: &impl Fn() -> Result<Store, HostError>,
    ) -> Result<Shared, HostError> {
        let pool = |count: usize| -> Result<ConnectionPool, HostError> {
            Ok(ConnectionPool::new((0..count).map(|_| open()).collect::<Result<_, _>>()?))
        };
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (proven, unproven) = (pool(PROVEN)?, pool(cores)?);
        Ok(Shared {
            in_force: watch::Sender::new(in_force),
            shutdown: Shutdown::default(),
            metrics: Metrics::default(),
            writer,
            proven,
            unproven,
            instant_robot: ConnectionLimit::new(1),
        })
    }

    /// The settings in force. Each task asks for them anew.
    pub fn in_force(&self) -> Arc<InForce> {
        Arc::clone(&self.in_force.borrow())
    }

    /// Puts new settings in force for the next tasks.
    pub fn put_in_force(&self, in_force: InForce) {
        self.in_force.send_replace(Arc::new(in_force));
        self.shutdown.wake();
    }

    pub fn thread(
        self: &Arc<Shared>,
        name: &'static str,
        work: impl FnOnce(&Shared) + Send + 'static,
    ) -> Result<JoinHandle<()>, HostError> {
        let shared = Arc::clone(self);
        thread(name, move || work(&shared))
    }
}

/// Starts a thread. When it panics the process ends, since the others are useless alone; the service manager
/// restarts it.
pub(super) fn thread(
    name: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, HostError> {
    let started = Builder::new().name(name.to_owned()).spawn(move || {
        // The thread's data is not used after this.
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            error!("the {name} is gone");
            GONE.store(true, Ordering::SeqCst);
            if let Err(why) = signal_hook::low_level::raise(SIGTERM) {
                error!("the server cannot be ended: {why}");
            }
        }
    });
    started.map_err(|why| HostError::Io(format!("starting the {name}"), why))
}

/// True when a thread has panicked.
pub(super) static GONE: AtomicBool = AtomicBool::new(false);
