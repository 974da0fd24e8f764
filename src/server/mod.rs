//! `turnpost serve`: one process that takes letters over LMTP, sends the mail they cause, and keeps the clocks.
//!
//! ```text
//! LMTP connections --Prepared--> the writer --commit--> outbox --> the worker --> the world
//!   (a thread each)             (one thread)              ^
//!                             the timer, the robot -------+
//! ```
//!
//! A connection reads a mail and checks its passwords; the writer acts on it, together with the others that wait; the
//! answer to the mail server comes after the commit. Nothing is kept in memory that would be lost: another `serve`, or
//! `receive`, `deliver` and `tick`, may work on the same database at the same time.
//!
//! Reading order: [`ServeConfig`], [`Serving`], `lmtp`, `connection`, `writer`, `worker`, `timer`, `robot`, `pages`.

mod connection;
mod connection_limit;
mod connection_pool;
mod lmtp;
mod log;
mod mailer;
mod metrics;
mod pages;
mod robot;
mod scheduler;
mod shutdown;
mod stream;
mod writer;

use std::net::{SocketAddr, TcpListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use rand::Rng;
use signal_hook::consts::{SIGINT, SIGTERM};
use tracing::{error, info};

use crate::app::App;
use crate::clock;
use crate::config::{Config, ConfigError, TransportKind};
use crate::data_dir;
use crate::error::{EX_TEMPFAIL, HostError};
use crate::service::Passwords;
use crate::store::{Store, WriteLock};
use connection_limit::ConnectionLimit;
use connection_pool::ConnectionPool;
use lmtp::Connections;
use metrics::Metrics;
use shutdown::Shutdown;
use stream::Listener;
use writer::WriterHandle;

pub use crate::config::serve::{LogStyle, Place, ServeConfig};

/// So many large mails are taken in at a time; the others wait on their connections.
const LARGE: u32 = 8;

/// So many letters that need no password are prepared at a time.
const PROVEN: usize = 2;

/// What all threads of a server share.
struct Common {
    config: Config,
    app: App,
    stop: Shutdown,
    counts: Metrics,
    connections: Connections,
    writer_handle: WriterHandle,
    /// Where letters are prepared that prove themselves.
    proven: ConnectionPool,
    /// Where the others are, whose passwords are checked: one a core.
    unproven: ConnectionPool,
    /// For large mails.
    large: ConnectionLimit,
    /// For letters on which the robot is to think at once.
    quick: ConnectionLimit,
}

/// A server at work.
pub struct Serving {
    common: Arc<Common>,
    places: Vec<Place>,
    http: Option<SocketAddr>,
    listeners: Vec<(Place, JoinHandle<()>)>,
    /// The worker and the timer.
    others: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Serving {
    /// Starts a server for a data directory.
    ///
    /// # Errors
    /// When settings or database cannot be used, or a place to listen at is taken.
    pub fn start(data: &Path, config: Config) -> Result<Serving, HostError> {
        data_dir::create(data)?;
        let write_lock = Arc::new(WriteLock::default());
        let open =
            || -> Result<Store, HostError> { Ok(data_dir::open_store(data, &config)?.sharing(&write_lock)) };
        let shelf = |count: usize| -> Result<ConnectionPool, HostError> {
            Ok(ConnectionPool::new((0..count).map(|_| open()).collect::<Result<_, _>>()?))
        };
        let mut rng = clock::rng()?;
        let mut key = [0; 32];
        rng.fill_bytes(&mut key);
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (writer_handle, writer) = writer::writer_handle();
        let (listeners, http) = listeners(&config)?;
        let (proven, unproven) = (shelf(PROVEN)?, shelf(cores)?);
        let (for_clerk, for_worker, for_timer) = (open()?, open()?, open()?);
        let thinkers = if config.robot.enabled { config.robot.threads } else { 0 };
        let for_robot = (0..thinkers).map(|_| open()).collect::<Result<Vec<_>, _>>()?;
        let transport = config.transport(data)?;
        let app = App { passwords: Passwords::remembering(key), ..config.signing_app()? };
        let (stop, counts, connections) = (Shutdown::default(), Metrics::default(), Connections::default());
        let (large, quick) = (ConnectionLimit::new(LARGE), ConnectionLimit::new(1));
        let common =
            Common { config, app, stop, counts, connections, writer_handle, proven, unproven, large, quick };
        let mut serving = Serving {
            common: Arc::new(common),
            places: Vec::new(),
            http: None,
            listeners: Vec::new(),
            others: Vec::new(),
            writer: None,
        };
        let common = Arc::clone(&serving.common);
        serving.writer = Some(thread("writer", move || writer.work(&common, for_clerk, rng))?);
        if serving.common.config.serve.worker {
            let common = Arc::clone(&serving.common);
            let work = move || mailer::work(&common, for_worker, transport.as_ref());
            serving.others.push(thread("worker", work)?);
        }
        if serving.common.config.serve.timer {
            let common = Arc::clone(&serving.common);
            serving.others.push(thread("timer", move || scheduler::run(&common, for_timer))?);
        }
        for store in for_robot {
            let common = Arc::clone(&serving.common);
            serving.others.push(thread("robot", move || robot::work(&common, store))?);
        }
        for (listener, place) in listeners {
            serving.places.push(place.clone());
            let common = Arc::clone(&serving.common);
            serving.listeners.push((place, thread("listener", move || lmtp::listen(&common, &listener))?));
        }
        if let Some((listener, address)) = http {
            serving.http = Some(address);
            let common = Arc::clone(&serving.common);
            let pages = thread("pages", move || pages::answer(&common, &listener))?;
            serving.listeners.push((Place::Port(address), pages));
        }
        Ok(serving)
    }

    /// Where it takes mail by LMTP.
    pub fn lmtp(&self) -> &[Place] {
        &self.places
    }

    /// Where its pages are.
    pub fn http(&self) -> Option<SocketAddr> {
        self.http
    }

    /// Ends what it does: mails on their way in are taken, the mail on its way out is sent.
    pub fn stop(self) {
        self.common.stop.stop();
        let mut threads = self.others;
        for (place, listener) in self.listeners {
            // One that cannot be woken ends with the process.
            if stream::knock(&place) {
                threads.push(listener);
            }
        }
        self.common.connections.end();
        self.common.writer_handle.close();
        for thread in threads.into_iter().chain(self.writer) {
            // Its panic was logged when it happened.
            let _ = thread.join();
        }
    }

    /// One sentence about what it does.
    fn sentence(&self, data: &Path) -> String {
        let config = &self.common.config;
        let places = match self.places.as_slice() {
            [] => "no LMTP (`lmtp` of [serve] names no place)".to_owned(),
            places => {
                let places: Vec<String> = places.iter().map(Place::to_string).collect();
                format!("LMTP at {}", places.join(" and "))
            }
        };
        let worker = match (config.serve.worker, config.mail.transport) {
            (false, _) => "mail waits for `deliver`".to_owned(),
            (true, TransportKind::Directory) => {
                format!("mail goes to files in {}", config.mail_folder(data).display())
            }
            (true, TransportKind::Smtp) => {
                format!("mail goes to {} port {}", config.smtp.host, config.smtp.port)
            }
            (true, TransportKind::Sendmail) => format!("mail goes to {}", config.sendmail.program),
        };
        let timer = match config.serve.timer {
            true => format!("clocks every {} s", config.serve.timer_seconds),
            false => "clocks wait for `tick`".to_owned(),
        };
        let http = match self.http {
            Some(address) => format!("pages at http://{address}"),
            None => "no pages (`http` of [serve] is empty)".to_owned(),
        };
        format!("serving {} from {}: {places}; {worker}; {timer}; {http}", config.address, data.display())
    }
}

type Listeners = Vec<(Listener, Place)>;
type Http = Option<(TcpListener, SocketAddr)>;

fn listeners(config: &Config) -> Result<(Listeners, Http), HostError> {
    let wrong = |why: String| HostError::Config(ConfigError::Value(why));
    let mut listeners = Vec::new();
    for place in config.serve.lmtp_places().map_err(wrong)? {
        let io = |why| HostError::Io(format!("listening at {place}"), why);
        let listener = Listener::bind(&place).map_err(io)?;
        let real = listener.place().map_err(io)?;
        listeners.push((listener, real));
    }
    let http = match config.serve.http_place().map_err(wrong)? {
        None => None,
        Some(address) => {
            let io = |why| HostError::Io(format!("listening at {address}"), why);
            let listener = TcpListener::bind(address).map_err(io)?;
            let real = listener.local_addr().map_err(io)?;
            Some((listener, real))
        }
    };
    Ok((listeners, http))
}

/// Starts a part of the server. The others are of no use without it: when it panics, the process is asked to end, and
/// whoever watches over it starts it anew.
fn thread(name: &'static str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, HostError> {
    let started = Builder::new().name(name.to_owned()).spawn(move || {
        // Nothing of the part is used after this.
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

/// Whether a part of the server has panicked.
static GONE: AtomicBool = AtomicBool::new(false);

/// Serves until SIGTERM or SIGINT.
///
/// # Errors
/// When it cannot start, or a part of it panicked.
pub fn serve(data: &Path, config: Config) -> Result<(), HostError> {
    log::begin(config.serve.log);
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])
        .map_err(|why| HostError::Io("signals".into(), why))?;
    let serving = Serving::start(data, config)?;
    info!("{}", serving.sentence(data));
    tell_systemd(&[sd_notify::NotifyState::Ready]);
    let signal = signals.forever().next().unwrap_or(SIGTERM);
    info!("going down: {}", if signal == SIGINT { "SIGINT" } else { "SIGTERM" });
    tell_systemd(&[sd_notify::NotifyState::Stopping]);
    // Whoever asks twice does not want to wait for mails on their way in.
    let insisted = signals.handle();
    let watch = thread("signals", move || {
        if signals.forever().next().is_some() {
            error!("stopped at once");
            std::process::exit(i32::from(EX_TEMPFAIL));
        }
    })?;
    serving.stop();
    insisted.close();
    // It has ended, or ends with the process.
    let _ = watch.join();
    info!("stopped");
    match GONE.load(Ordering::SeqCst) {
        false => Ok(()),
        true => Err(HostError::Asked("a part of the server panicked; the log says which".to_owned())),
    }
}

/// Not being started by systemd is no failure; not reaching it is worth a line.
fn tell_systemd(state: &[sd_notify::NotifyState<'_>]) {
    if let Err(why) = sd_notify::notify(state) {
        error!("systemd was not told: {why}");
    }
}
