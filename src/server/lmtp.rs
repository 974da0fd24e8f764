//! Accepts LMTP connections: one thread for each, up to a limit.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use tracing::warn;

use super::Shared;
use super::connection::Connection;
use super::shutdown::LAST_WORDS;
use super::stream::{Listener, Stream};

/// The pause after a failed accept, for want of file descriptors or memory.
const PAUSE: Duration = Duration::from_millis(200);

/// The most open connections; for another one, the one that has brought no mail for longest gives way.
const CONNECTIONS: usize = 200;

#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<OpenSession>,
    one_less: Condvar,
}

#[derive(Default)]
struct OpenSession {
    last: u64,
    connections: HashMap<u64, Arc<Connection>>,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, OpenSession> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits a moment for room, which the connection makes that has brought no mail for longest; true when there is room.
    fn has_room(&self) -> bool {
        let open = self.lock();
        if open.connections.len() >= CONNECTIONS {
            let waiting = open.connections.values().filter_map(|open| Some((open.waits_since()?, open)));
            if let Some((_, longest)) = waiting.min_by_key(|(since, _)| *since) {
                longest.give_way();
            }
        }
        drop(open);
        let full = |open: &mut OpenSession| open.connections.len() >= CONNECTIONS;
        let waited = self.one_less.wait_timeout_while(self.lock(), PAUSE, full);
        waited.unwrap_or_else(PoisonError::into_inner).0.connections.len() < CONNECTIONS
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

    /// Closes all connections after a shutdown request: idle ones at once, the others when their mail is
    /// taken or the grace period is over.
    pub fn end(&self) {
        for connection in self.lock().connections.values() {
            connection.end_if_idle();
        }
        self.wait_for_none(LAST_WORDS);
        for connection in self.lock().connections.values() {
            connection.end();
        }
        // The remaining letters are with the writer. Their answers go unread.
        self.wait_for_none(LAST_WORDS);
    }

    fn wait_for_none(&self, at_most: Duration) {
        let waits = |open: &mut OpenSession| !open.connections.is_empty();
        drop(self.one_less.wait_timeout_while(self.lock(), at_most, waits));
    }
}

/// Accepts connections until shutdown.
pub(super) fn listen(shared: &Arc<Shared>, listener: &Listener) {
    let mut complained: Option<Instant> = None;
    while !shared.shutdown.is_requested() {
        let accepted = listener.accept();
        // It waits for its place; further connections wait in the queue of the operating system.
        while accepted.is_ok() && !shared.shutdown.is_requested() && !shared.connections.has_room() {}
        if shared.shutdown.is_requested() {
            return;
        }
        if let Err(why) = accepted.and_then(|stream| begin(shared, stream)) {
            // The cause may last, so it is logged once a minute.
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

/// Removes a connection from the list when it ends, also by a panic.
struct OpenConnection<'a>(&'a Shared, u64);

impl Drop for OpenConnection<'_> {
    fn drop(&mut self) {
        self.0.connections.remove(self.1);
        self.0.metrics.open.less();
    }
}
