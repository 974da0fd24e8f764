//! Accepts connections, limits their number and ends them, for LMTP and for the web pages.

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

/// The pause after a failed accept. Without a free file descriptor, the next accept would fail as well.
const PAUSE: Duration = Duration::from_millis(100);

/// A lasting accept error is logged once per this interval.
const COMPLAINT: Duration = Duration::from_secs(60);

/// Limits and timeouts of connections.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionRules {
    /// The most connections at once. To admit one more, the server closes the one that it has waited for longest.
    pub most: usize,
    /// A connection can be closed for another one once the server has waited for it this long.
    pub patience: Duration,
    /// TCP_USER_TIMEOUT: a connection whose peer acknowledges no data for this long is closed.
    pub unread: Duration,
    /// The most threads for blocking work.
    pub threads: usize,
    /// At shutdown: the time for open connections to finish, then as long again for blocking work.
    pub last_words: Duration,
}

/// Why a connection must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    GiveWay,
    Shutdown,
}

/// State that the accept loop and the handler of a connection share.
#[derive(Debug, Clone)]
pub struct OpenConnection(Arc<ConnectionState>);

#[derive(Debug)]
struct ConnectionState {
    /// When the server began to wait for the peer; `None` while the server works for it.
    waiting: Mutex<Option<Instant>>,
    leave: watch::Sender<Option<Leave>>,
}

/// A guard: the server works for the connection until this is dropped.
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

    /// Marks the connection as at work. Call it when a whole request has arrived: single bytes do not end a wait.
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

    /// True once the connection has been told to end for a shutdown.
    pub fn is_going_down(&self) -> bool {
        *self.0.leave.borrow() == Some(Leave::Shutdown)
    }

    fn tell(&self, leave: Leave) {
        self.0.leave.send_replace(Some(leave));
    }

    /// When the server began to wait for the peer. `None` if that was less than `patience` ago. Also `None` while the
    /// server works for the connection or after it told the connection to end.
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

/// A new connection.
pub struct Caller {
    /// The number of the connection, from 1.
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

/// Passes every new connection to `attend` until `ended` completes. Blocks its thread.
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
        // Connections that are still open end with the runtime.
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

    /// Waits for a free place. New connections meanwhile wait in the listen backlog of the operating system.
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
            // All connections may be at work, or the one that was told to leave is slow to take its last line.
            let _ = timeout(PAUSE, self.one_less.notified()).await;
        }
    }
}
