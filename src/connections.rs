//! Connections that wait: one machine takes them, limits their number, and ends them, for LMTP and for pages.

mod listener;

pub use listener::{Listen, Listener, Stream};

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tracing::warn;

/// The pause after an error. Without a free file descriptor the next accept fails as well.
const PAUSE: Duration = Duration::from_millis(100);

/// An error that lasts is logged once in this time.
const COMPLAINT: Duration = Duration::from_secs(60);

/// How many connections there are, and how long we wait for them.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionRules {
    /// The most connections at once. For another one, the connection that has kept us waiting longest gives way.
    pub most: usize,
    /// The shortest wait for which a connection gives way.
    pub patience: Duration,
    /// A TCP connection that takes no answer for this long is closed.
    pub unread: Duration,
    /// The most threads for work that blocks.
    pub threads: usize,
    /// The time for what is half done at the end, and as long again for work on threads.
    pub last_words: Duration,
}

/// Why a connection must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    GiveWay,
    Shutdown,
}

/// What the machine and the service of a connection tell each other.
#[derive(Debug, Clone)]
pub struct OpenConnection(Arc<ConnectionState>);

#[derive(Debug)]
struct ConnectionState {
    /// Since when we wait for the other side; `None` while we work for it.
    waiting: Mutex<Option<Instant>>,
    leave: watch::Sender<Option<Leave>>,
}

/// We work for a connection until this is dropped.
#[derive(Debug)]
pub struct AtWork(OpenConnection);

impl Default for OpenConnection {
    fn default() -> OpenConnection {
        let waiting = Mutex::new(Some(Instant::now()));
        OpenConnection(Arc::new(ConnectionState { waiting, leave: watch::Sender::new(None) }))
    }
}

impl OpenConnection {
    fn waiting(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What we waited for is whole. A byte now and then is not.
    pub fn work(&self) -> AtWork {
        *self.waiting() = None;
        AtWork(self.clone())
    }

    /// Waits until the connection must end.
    pub async fn leaves(&self) -> Leave {
        let mut told = self.0.leave.subscribe();
        let leave = told.wait_for(Option::is_some).await.ok().and_then(|leave| *leave);
        leave.unwrap_or(Leave::Shutdown)
    }

    /// True after the order to end for a shutdown.
    pub fn is_going_down(&self) -> bool {
        *self.0.leave.borrow() == Some(Leave::Shutdown)
    }

    fn tell(&self, leave: Leave) {
        self.0.leave.send_replace(Some(leave));
    }

    /// Since when it keeps us waiting; `None` if it keeps its place, or leaves it already.
    fn waits_since(&self, patience: Duration) -> Option<Instant> {
        let stays = self.0.leave.borrow().is_none();
        self.waiting().filter(|since| stays && since.elapsed() >= patience)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        *self.0.waiting() = Some(Instant::now());
    }
}

/// Somebody who has connected.
pub struct Caller {
    /// Counts from 1.
    pub number: u64,
    pub stream: Box<dyn Stream>,
    /// `None` for a Unix socket.
    pub peer: Option<SocketAddr>,
    pub connection: OpenConnection,
}

struct OpenConnections<'a> {
    rules: &'a ConnectionRules,
    open: Vec<(OpenConnection, JoinHandle<()>)>,
    one_less: Arc<Notify>,
}

/// Hands everybody who connects to `attend`, until `ended` is done. Blocks its thread.
pub fn serve<F: Future<Output = ()> + Send + 'static>(
    listeners: Vec<Listener>,
    rules: &ConnectionRules,
    ended: impl Future<Output = ()>,
    attend: impl Fn(Caller) -> F,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(rules.threads)
        .thread_name(std::thread::current().name().unwrap_or_default())
        .build()?;
    let mut machine = OpenConnections { rules, open: Vec::new(), one_less: Arc::default() };
    runtime.block_on(async {
        let listeners: Vec<_> = listeners.into_iter().map(Listener::waiting).collect::<io::Result<_>>()?;
        tokio::select! {
            () = machine.take_all(&listeners, attend) => {}
            () = ended => {}
        }
        drop(listeners);
        machine.open.iter().for_each(|(connection, _)| connection.tell(Leave::Shutdown));
        let ends = async {
            for (_, attending) in machine.open {
                // A panic was logged when it happened.
                let _ = attending.await;
            }
        };
        // The others end with the runtime.
        let _ = timeout(rules.last_words, ends).await;
        io::Result::Ok(())
    })?;
    runtime.shutdown_timeout(rules.last_words);
    Ok(())
}

impl OpenConnections<'_> {
    async fn take_all<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        listeners: &[listener::AsyncListener],
        attend: impl Fn(Caller) -> F,
    ) {
        let (mut number, mut complained) = (0, None::<Instant>);
        loop {
            match listener::accept(listeners, self.rules.unread).await {
                Ok((stream, peer)) => {
                    self.make_room().await;
                    number += 1;
                    let connection = OpenConnection::default();
                    let attending = attend(Caller { number, stream, peer, connection: connection.clone() });
                    let one_less = Arc::clone(&self.one_less);
                    let task = async move {
                        attending.await;
                        one_less.notify_one();
                    };
                    self.open.push((connection, tokio::spawn(task)));
                }
                Err(why) => {
                    if complained.is_none_or(|last| last.elapsed() > COMPLAINT) {
                        warn!("a connection could not be taken: {why}");
                        complained = Some(Instant::now());
                    }
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Waits for a free place. Those who come meanwhile wait in the queue of the operating system.
    async fn make_room(&mut self) {
        loop {
            self.open.retain(|(_, task)| !task.is_finished());
            if self.open.len() < self.rules.most {
                return;
            }
            let patience = self.rules.patience;
            let waiting = self.open.iter().filter_map(|(open, _)| Some((open.waits_since(patience)?, open)));
            if let Some((_, longest)) = waiting.min_by_key(|(since, _)| *since) {
                longest.tell(Leave::GiveWay);
            }
            // It may be at work, or slow to take our last line.
            let _ = timeout(PAUSE, self.one_less.notified()).await;
        }
    }
}
