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

use crate::clock;
use crate::config::{Config, ConfigError, TransportKind};
use crate::data_dir;
use crate::error::{EX_TEMPFAIL, HostError};
use crate::service::{App, Passwords};
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
struct Shared {
    config: Config,
    app: App,
    shutdown: Shutdown,
    metrics: Metrics,
    connections: Connections,
    writer: WriterHandle,
    /// Where letters are prepared that prove themselves.
    proven: ConnectionPool,
    /// Where the others are, whose passwords are checked: one a core.
    unproven: ConnectionPool,
    /// For large mails.
    large_mails: ConnectionLimit,
    /// For letters on which the robot is to think at once.
    instant_robot: ConnectionLimit,
}

impl Shared {
    fn new(
        config: Config,
        writer: WriterHandle,
        open: &impl Fn(&Config) -> Result<Store, HostError>,
    ) -> Result<Shared, HostError> {
        let pool = |count: usize| -> Result<ConnectionPool, HostError> {
            Ok(ConnectionPool::new((0..count).map(|_| open(&config)).collect::<Result<_, _>>()?))
        };
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (proven, unproven) = (pool(PROVEN)?, pool(cores)?);
        let mut key = [0; 32];
        clock::rng()?.fill_bytes(&mut key);
        let app = App { passwords: Passwords::remembering(key), ..config.signing_app()? };
        Ok(Shared {
            config,
            app,
            shutdown: Shutdown::default(),
            metrics: Metrics::default(),
            connections: Connections::default(),
            writer,
            proven,
            unproven,
            large_mails: ConnectionLimit::new(LARGE),
            instant_robot: ConnectionLimit::new(1),
        })
    }

    fn thread(
        self: &Arc<Shared>,
        name: &'static str,
        work: impl FnOnce(&Shared) + Send + 'static,
    ) -> Result<JoinHandle<()>, HostError> {
        let shared = Arc::clone(self);
        thread(name, move || work(&shared))
    }
}

/// A server at work.
pub struct Serving {
    shared: Arc<Shared>,
    places: Vec<Place>,
    http: Option<SocketAddr>,
    listeners: Vec<(Place, JoinHandle<()>)>,
    /// The mailer, the scheduler and the robots.
    workers: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Serving {
    /// Starts a server for a data directory.
    pub fn start(data: &Path, config: Config) -> Result<Serving, HostError> {
        data_dir::create(data)?;
        let write_lock = Arc::new(WriteLock::default());
        let open =
            |config: &Config| Ok::<_, HostError>(data_dir::open_store(data, config)?.sharing(&write_lock));
        let rng = clock::rng()?;
        let Listeners { lmtp, http } = Listeners::bind(&config)?;
        let transport = config.transport(data)?;
        let (writer_handle, writer) = writer::channel();
        let shared = Arc::new(Shared::new(config, writer_handle, &open)?);
        let serve = &shared.config.serve;

        let mut serving = Serving {
            shared: Arc::clone(&shared),
            places: lmtp.iter().map(|(_, place)| place.clone()).collect(),
            http: http.as_ref().map(|(_, address)| *address),
            listeners: Vec::new(),
            workers: Vec::new(),
            writer: None,
        };
        let store = open(&shared.config)?;
        serving.writer = Some(shared.thread("writer", |shared| writer.work(shared, store, rng))?);
        if serve.worker {
            let store = open(&shared.config)?;
            let work = move |shared: &Shared| mailer::work(shared, store, transport.as_ref());
            serving.workers.push(shared.thread("worker", work)?);
        }
        if serve.timer {
            let store = open(&shared.config)?;
            serving.workers.push(shared.thread("timer", |shared| scheduler::run(shared, store))?);
        }
        let robots = if shared.config.robot.enabled { shared.config.robot.threads } else { 0 };
        for _ in 0..robots {
            let store = open(&shared.config)?;
            serving.workers.push(shared.thread("robot", |shared| robot::work(shared, store))?);
        }
        for (listener, place) in lmtp {
            let shared = Arc::clone(&shared);
            let thread = thread("listener", move || lmtp::listen(&shared, &listener))?;
            serving.listeners.push((place, thread));
        }
        if let Some((listener, address)) = http {
            let thread = shared.thread("pages", move |shared| pages::answer(shared, &listener))?;
            serving.listeners.push((Place::Port(address), thread));
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
        self.shared.shutdown.request();
        let mut threads = self.workers;
        for (place, listener) in self.listeners {
            // One that cannot be woken ends with the process.
            if stream::wake(&place) {
                threads.push(listener);
            }
        }
        self.shared.connections.end();
        self.shared.writer.close();
        for thread in threads.into_iter().chain(self.writer) {
            // Its panic was logged when it happened.
            let _ = thread.join();
        }
    }

    /// One sentence about what it does.
    fn sentence(&self, data: &Path) -> String {
        let config = &self.shared.config;
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

/// The sockets that a server listens on, each with its real address.
struct Listeners {
    lmtp: Vec<(Listener, Place)>,
    http: Option<(TcpListener, SocketAddr)>,
}

impl Listeners {
    fn bind(config: &Config) -> Result<Listeners, HostError> {
        let wrong = |why: String| HostError::Config(ConfigError::Value(why));
        let mut lmtp = Vec::new();
        for place in config.serve.lmtp_places().map_err(wrong)? {
            let io = |why| HostError::Io(format!("listening at {place}"), why);
            let listener = Listener::bind(&place).map_err(io)?;
            let real = listener.place().map_err(io)?;
            lmtp.push((listener, real));
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
        Ok(Listeners { lmtp, http })
    }
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
