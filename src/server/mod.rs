//! `turnpost serve`: one process that takes letters over LMTP, sends mail, and runs the clocks.
//!
//! ```text
//! connections --Prepared--> writer --commit--> outbox --> mailer --> the world
//!                       (one thread)             ^
//!                     scheduler, robot -----------+
//! ```
//!
//! A connection reads a mail and checks its passwords. The writer acts on it, in one commit with other
//! waiting letters. The answer to the mail server follows the commit. Memory holds nothing that a crash would
//! lose, so `receive`, `deliver`, `tick` and another `serve` may use the same database.

mod connection_pool;
mod courier;
mod health;
pub(crate) mod journal;
mod lease;
mod letters;
mod lmtp;
mod mailer;
mod metrics;
mod monitoring;
mod pusher;
mod robot;
mod scheduler;
mod shared;
mod shutdown;
mod writer;

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

use health::Health;
use journal::Journal;
use shared::{GONE, InForce, Shared, thread};
use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM};
use tokio::sync::watch;
use tracing::subscriber::{NoSubscriber, set_global_default, with_default};
use tracing::{error, info, warn};

use crate::config::serve::LogStyle;
use crate::config::{Config, ConfigError, TransportKind, UnknownVariable};
use crate::connections::{self, Listen, Listener};
use crate::error::{EX_TEMPFAIL, HostError};
use crate::failure::Error;
use crate::store::{Store, Takeover, WriteLock};
use crate::web::{self, Site};
use crate::{clock, data_dir};

struct Serving {
    shared: Arc<Shared>,
    places: Vec<Listen>,
    http: Option<Listen>,
    web: Option<Listen>,
    site: Option<watch::Sender<Arc<Site>>>,
    lmtp: Option<JoinHandle<()>>,
    workers: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
    /// Records that this machine serves.
    lease: Store,
}

impl Serving {
    fn start(data: &Path, config: Config, takeover: Takeover) -> Result<Serving, HostError> {
        data_dir::refuse_read_only(data)?;
        data_dir::narrow(data, &config);
        let write_lock = Arc::new(WriteLock::default());
        let rng = clock::rng()?;
        let in_force = Arc::new(InForce::new(config, data)?);
        let InForce { config, app, .. } = &*in_force;
        // Reads all templates now and logs their faults. Later changes to them wait for a reload.
        app.templates.check();
        let open = || Ok::<_, HostError>(data_dir::open_store(data, config)?.sharing(&write_lock));
        let mut lease = open()?;
        let Listeners { lmtp, http, web } = Listeners::bind(config)?;
        let (writer_handle, writer) = writer::channel();
        let shared = Arc::new(Shared::new(Arc::clone(&in_force), writer_handle, &open)?);
        // Comes after the steps above: a server that cannot serve must not take over.
        lease::begin(&mut lease, takeover)?;

        let mut serving = Serving {
            shared: Arc::clone(&shared),
            places: lmtp.iter().map(|(_, place)| place.clone()).collect(),
            http: http.as_ref().map(|(_, place)| place.clone()),
            web: web.as_ref().map(|(_, place)| place.clone()),
            lmtp: None,
            workers: Vec::new(),
            writer: None,
            lease,
            site: None,
        };
        let store = open()?;
        serving.workers.push(shared.thread("lease", |shared| lease::keep(shared, store))?);
        let store = open()?.gathering()?;
        serving.writer = Some(shared.thread("writer", |shared| writer.work(shared, store, rng))?);
        if config.serve.worker {
            let store = open()?;
            let data = data.to_owned();
            let work = move |shared: &Shared| mailer::work(shared, store, &data);
            serving.workers.push(shared.thread("worker", work)?);
        }
        if config.serve.timer {
            let store = open()?;
            serving.workers.push(shared.thread("timer", |shared| scheduler::run(shared, store))?);
        }
        if config.robot.enabled {
            let store = open()?;
            serving.workers.push(shared.thread("robot", |shared| robot::work(shared, store))?);
        }
        let its = Arc::clone(&shared);
        let listeners = lmtp.into_iter().map(|(listener, _)| listener).collect();
        let work = move || {
            if let Err(why) = lmtp::listen(&its, listeners) {
                error!("LMTP ended: {why}");
            }
        };
        serving.lmtp = Some(thread("LMTP", work)?);
        if let Some((listener, _)) = http {
            let health = Health::new(data.to_owned(), open()?, open()?)?;
            let its = Arc::clone(&shared);
            let work = move || {
                if let Err(why) = monitoring::serve(its, health, listener) {
                    error!("/healthz and /metrics ended: {why}");
                }
            };
            serving.workers.push(thread("monitoring", work)?);
        }
        if let Some((listener, _)) = web {
            let (sender, site) = watch::channel(serving.pages(data, &in_force)?);
            serving.site = Some(sender);
            let its = Arc::clone(&shared);
            let work = move || {
                let attend = |caller| web::attend(site.clone(), caller);
                let ended = its.shutdown.requested();
                if let Err(why) = connections::serve(vec![listener], &web::RULES, ended, attend) {
                    error!("the pages ended: {why}");
                }
            };
            serving.workers.push(thread("web", work)?);
            if pushes(config) {
                let store = open()?;
                serving.workers.push(shared.thread("pusher", |shared| pusher::work(shared, store))?);
            }
        }
        Ok(serving)
    }

    /// Makes the web pages from these settings.
    fn pages(&self, data: &Path, in_force: &InForce) -> Result<Arc<Site>, HostError> {
        let (hand, counts) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        let setting = web::Setting {
            templates: Arc::clone(&in_force.app.templates),
            proxies: in_force.config.web.trusted_proxies.clone(),
            url: &in_force.config.web.url,
            try_game: &in_force.config.web.try_game,
            rng: clock::rng()?,
            now: clock::now,
            robot: &in_force.config.robot,
            push: pushes(&in_force.config),
            hand: Box::new(move |letter, command| letters::take_from_page(&hand, letter, command)),
            answered: Box::new(move |status| counts.metrics.page_answered(status)),
        };
        Ok(Arc::new(Site::new(setting, || data_dir::open_store(data, &in_force.config))?))
    }

    /// Puts new settings and templates in force. If any of them is wrong, fails and changes nothing.
    fn reload(&self, data: &Path, mut config: Config) -> Result<(), HostError> {
        let old = self.shared.in_force();
        let kept = config.keep_fixed(&old.config);
        drop(data_dir::open_store(data, &config)?);
        let new = InForce::new(config, data)?;
        // Without the log, which would say that the built-in templates are used.
        with_default(NoSubscriber::default(), || new.app.templates.check());
        let known = old.app.templates.faults();
        if let Some(fault) = new.app.templates.faults().into_iter().find(|fault| !known.contains(fault)) {
            return Err(HostError::Asked(fault.why));
        }
        if let Some(site) = &self.site {
            site.send_replace(self.pages(data, &new)?);
        }
        self.shared.put_in_force(new);
        for setting in kept {
            warn!("`{setting}` keeps its old value until the server is started anew");
        }
        Ok(())
    }

    /// Stops the server. Mails in transit are finished if the other side answers within seconds.
    fn stop(self) -> Result<(), HostError> {
        self.shared.shutdown.request();
        // Panics were logged when they happened.
        let _ = self.lmtp.map(JoinHandle::join);
        self.shared.writer.close();
        for thread in self.workers.into_iter().chain(self.writer) {
            let _ = thread.join();
        }
        lease::end(self.lease)
    }

    /// One sentence about what the server does, for the log.
    fn sentence(&self, data: &Path) -> String {
        let config = &self.shared.in_force().config;
        let places = match self.places.as_slice() {
            [] => "no LMTP (`lmtp` of [serve] names no place)".to_owned(),
            places => {
                let places: Vec<String> = places.iter().map(Listen::to_string).collect();
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
        let http = match &self.http {
            Some(address) => format!("/healthz and /metrics at http://{address}"),
            None => "no /healthz and /metrics (`http` of [serve] is empty)".to_owned(),
        };
        let web = match &self.web {
            Some(address) => format!("; web pages at http://{address}"),
            None => String::new(),
        };
        format!(
            "serving {} from {}: {places}; {worker}; {timer}; {http}{web}",
            config.address,
            data.display()
        )
    }
}

/// True if browsers can be told of turns. Push services want to know whose server asks.
fn pushes(config: &Config) -> bool {
    config.web.push && config.web.pages().is_some()
}

/// The listening sockets with their real addresses.
struct Listeners {
    lmtp: Vec<(Listener, Listen)>,
    http: Option<(Listener, Listen)>,
    web: Option<(Listener, Listen)>,
}

impl Listeners {
    fn bind(config: &Config) -> Result<Listeners, HostError> {
        let wrong = |why: String| HostError::Config(ConfigError::Value(why));
        let bind = |place: Listen| {
            let bound = Listener::bind(&place).and_then(|listener| Ok((listener.place()?, listener)));
            let (real, listener) =
                bound.map_err(|why| HostError::Io(format!("listening at {place}"), why))?;
            Ok::<_, HostError>((listener, real))
        };
        let lmtp =
            config.serve.lmtp_places().map_err(wrong)?.into_iter().map(bind).collect::<Result<_, _>>()?;
        let http = config.serve.http_place().map_err(wrong)?.map(Listen::Port).map(bind).transpose()?;
        let web = config.web.place().map_err(wrong)?.map(Listen::Port).map(bind).transpose()?;
        Ok(Listeners { lmtp, http, web })
    }
}

const ENDING: [i32; 2] = [SIGINT, SIGTERM];

/// Signals that end a program by default. This server only logs them.
const MEANINGLESS: [i32; 6] = [SIGALRM, SIGIO, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM];

/// Serves until SIGTERM or SIGINT. SIGHUP makes it `read` the settings again. `unknown`: variables that look like
/// settings. `takeover`: whether to serve although another machine does.
pub(crate) fn serve(
    data: &Path,
    read: impl Fn() -> Result<Config, HostError>,
    unknown: &[UnknownVariable],
    takeover: Takeover,
) -> Result<(), HostError> {
    let config = read()?;
    begin_log(config.serve.log);
    for ignored in unknown.iter().map(ToString::to_string).chain(config.struck.clone()) {
        warn!("{ignored}");
    }
    let known = [SIGHUP].iter().chain(&ENDING).chain(&MEANINGLESS);
    let mut signals =
        signal_hook::iterator::Signals::new(known).map_err(|why| HostError::Io("signals".into(), why))?;
    let serving = Serving::start(data, config, takeover)?;
    if let Some(warning) = data_dir::open_to_others(data) {
        warn!("{warning}");
    }
    info!("{}", serving.sentence(data));
    tell_systemd(&[sd_notify::NotifyState::Ready]);
    let in_terminal = std::io::stdin().is_terminal();
    for signal in signals.forever() {
        let name = signal_hook::low_level::signal_name(signal).unwrap_or_default();
        // A server that was started by hand ends with its terminal.
        let is_hung_up = signal == SIGHUP && in_terminal && !std::io::stdin().is_terminal();
        if is_hung_up || ENDING.contains(&signal) {
            info!("going down: {name}");
            break;
        }
        if signal != SIGHUP {
            warn!("{name} means nothing to this server; SIGHUP has it read its settings again");
            continue;
        }
        match read().and_then(|config| serving.reload(data, config)) {
            Ok(()) => info!("settings and templates were read again: {}", serving.sentence(data)),
            Err(why) => error!("settings and templates stay as they were: {why}"),
        }
    }
    tell_systemd(&[sd_notify::NotifyState::Stopping]);
    // A second signal ends the process at once.
    let insisted = signals.handle();
    let watch = thread("signals", move || {
        if signals.forever().any(|signal| ENDING.contains(&signal)) {
            error!("stopped at once");
            std::process::exit(i32::from(EX_TEMPFAIL));
        }
    })?;
    let stopped = serving.stop();
    insisted.close();
    // The thread has ended, or ends with the process.
    let _ = watch.join();
    info!("stopped");
    match GONE.load(Ordering::SeqCst) {
        false => stopped,
        true => Err(HostError::Service(Error::Panicked)),
    }
}

/// Notifies systemd. Does nothing without systemd.
fn tell_systemd(state: &[sd_notify::NotifyState<'_>]) {
    if let Err(why) = sd_notify::notify(state) {
        error!("systemd was not told: {why}");
    }
}

/// Starts the log on standard error. Only the first call in a process counts.
///
/// A line names connections, players, boards, letters by Message-ID, and mails by number in the outbox. It never quotes
/// a letter: a Subject may hold a password, and an address may hold a token.
fn begin_log(style: LogStyle) {
    // A log line that cannot be written is not reported. The report would also go to standard error, and panic there.
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).with_ansi(false);
    let log = log.log_internal_errors(false);
    // A log that is already installed stays.
    let _ = match (style, journal::is_read()) {
        (LogStyle::Text, false) => set_global_default(log.finish()),
        (LogStyle::Text, true) => {
            set_global_default(log.without_time().with_level(false).map_event_format(Journal).finish())
        }
        (LogStyle::Json, false) => set_global_default(log.json().flatten_event(true).finish()),
        (LogStyle::Json, true) => set_global_default(
            log.json().flatten_event(true).without_time().map_event_format(Journal).finish(),
        ),
    };
    // The usual panic message may quote a letter.
    std::panic::set_hook(Box::new(|panic| match panic.location() {
        Some(place) => error!("the program panicked in {}, line {}", place.file(), place.line()),
        None => error!("the program panicked"),
    }));
}
