//! Taking connections: a thread for each, and no more at once than are allowed.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use tracing::warn;

use super::Shared;
use super::connection::Connection;
use super::stream::{Listener, Stream};

/// How long mails that are on their way in may take to arrive once the server is asked to stop.
const GRACE: Duration = Duration::from_secs(20);

/// How long to wait when a connection cannot be taken, for want of file descriptors or memory.
const PAUSE: Duration = Duration::from_millis(200);

/// All connections that are open.
#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<Open>,
    one_less: Condvar,
}

#[derive(Default)]
struct Open {
    last: u64,
    connections: HashMap<u64, Arc<Connection>>,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for one more, or for a moment.
    fn has_room(&self, limit: usize) -> bool {
        let full = |open: &mut Open| open.connections.len() >= limit;
        let waited = self.one_less.wait_timeout_while(self.lock(), PAUSE, full);
        waited.unwrap_or_else(PoisonError::into_inner).0.connections.len() < limit
    }

    fn add(&self, stream: Stream) -> Arc<Connection> {
        let mut open = self.lock();
        open.last += 1;
        let connection = Arc::new(Connection::new(open.last, stream));
        open.connections.insert(connection.number, Arc::clone(&connection));
        connection
    }

    fn remove(&self, number: u64) {
        self.lock().connections.remove(&number);
        self.one_less.notify_all();
    }

    /// Ends all connections, after the server was asked to stop: those on which nothing is said at once, and those
    /// that bring a mail when it is taken, or when they take too long.
    pub fn end(&self) {
        for connection in self.lock().connections.values() {
            connection.end_if_idle();
        }
        self.wait_for_none(GRACE);
        for connection in self.lock().connections.values() {
            connection.end();
        }
        // What is left are letters that the writer has; their answers are nobody's to hear.
        self.wait_for_none(GRACE);
    }

    fn wait_for_none(&self, at_most: Duration) {
        let waits = |open: &mut Open| !open.connections.is_empty();
        drop(self.one_less.wait_timeout_while(self.lock(), at_most, waits));
    }
}

/// Takes connections until the server is asked to stop.
pub(super) fn listen(shared: &Arc<Shared>, listener: &Listener) {
    let limit = usize::try_from(shared.config.serve.connections).unwrap_or(usize::MAX);
    let mut complained: Option<Instant> = None;
    while !shared.shutdown.is_requested() {
        // One more would wait in the system's queue.
        if !shared.connections.has_room(limit) {
            continue;
        }
        let accepted = listener.accept();
        if shared.shutdown.is_requested() {
            return;
        }
        if let Err(why) = accepted.and_then(|stream| begin(shared, stream)) {
            // It may be so for a while, with every connection that is tried.
            if complained.is_none_or(|last| last.elapsed() > Duration::from_secs(60)) {
                warn!("a connection could not be taken: {why}");
                complained = Some(Instant::now());
            }
            shared.shutdown.wait(PAUSE);
        }
    }
}

fn begin(shared: &Arc<Shared>, stream: Stream) -> std::io::Result<JoinHandle<()>> {
    let connection = shared.connections.add(stream);
    let number = connection.number;
    shared.metrics.connections.one();
    shared.metrics.open.one();
    let its = Arc::clone(shared);
    let started = Builder::new().name(format!("lmtp {number}")).spawn(move || {
        let left = OpenConnection(&its, number);
        connection.talk(&its);
        drop(left);
    });
    started.inspect_err(|_| drop(OpenConnection(shared, number)))
}

/// Strikes a connection off the list when it ends, by a panic too.
struct OpenConnection<'a>(&'a Shared, u64);

impl Drop for OpenConnection<'_> {
    fn drop(&mut self) {
        self.0.connections.remove(self.1);
        self.0.metrics.open.less();
    }
}
