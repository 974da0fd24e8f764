//! Connections of visitors: their number, the one that ends when all are taken, and the time limits for requests and
//! answers.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tracing::debug;

use super::{CurrentSite, HEAD, LIMIT, PATIENCE, Site, router};

/// The most connections at once. Another one takes the place of the connection that has kept us waiting longest.
const CONNECTIONS: usize = 256;

/// The pause after an error. Without a free file descriptor the next accept fails as well.
const PAUSE: Duration = Duration::from_millis(100);

/// The time since which a connection sends its request or takes its answer; `None` while the server works for it. A byte now
/// and then does not count as a request.
#[derive(Debug, Clone)]
pub(super) struct KeptWaiting(Arc<Mutex<Option<Instant>>>);

/// We work for a connection until this is dropped.
pub(super) struct AtWork(KeptWaiting);

impl KeptWaiting {
    fn new() -> KeptWaiting {
        KeptWaiting(Arc::new(Mutex::new(Some(Instant::now()))))
    }

    fn since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The request is whole.
    pub fn work(&self) -> AtWork {
        *self.since() = None;
        AtWork(self.clone())
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        *self.0.since() = Some(Instant::now());
    }
}

/// Attends to visitors for as long as it is polled.
pub(super) async fn listen(site: CurrentSite, listener: TcpListener) {
    let mut open: Vec<(KeptWaiting, AbortHandle)> = Vec::new();
    loop {
        let accepted = listener.accept().await;
        match accepted.and_then(|(stream, peer)| patient(&stream).map(|()| (stream, peer))) {
            Ok((stream, peer)) => {
                make_room(&mut open).await;
                let waiting = KeptWaiting::new();
                let attending = attend_to(site.clone(), stream, peer, waiting.clone());
                open.push((waiting, tokio::spawn(attending).abort_handle()));
            }
            Err(why) => {
                debug!("a visitor was not let in: {why}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Ends the connection that has kept us waiting longest, if all places are taken.
async fn make_room(open: &mut Vec<(KeptWaiting, AbortHandle)>) {
    loop {
        open.retain(|(_, task)| !task.is_finished());
        if open.len() < CONNECTIONS {
            return;
        }
        let waiting = open.iter().enumerate();
        match waiting.filter_map(|(at, (waiting, _))| Some(((*waiting.since())?, at))).min() {
            Some((_, longest)) => open.swap_remove(longest).1.abort(),
            None => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Closes the connection of a visitor who does not take the answer in time.
fn patient(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let limit = u32::try_from(LIMIT.as_millis()).unwrap_or(u32::MAX);
    Ok(rustix::net::sockopt::set_tcp_user_timeout(stream, limit)?)
}

/// Answers the requests of one connection until it ends.
pub async fn attend<S>(site: Arc<Site>, stream: S, peer: SocketAddr)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    attend_to(watch::channel(site).1, stream, peer, KeptWaiting::new()).await;
}

async fn attend_to<S>(site: CurrentSite, stream: S, peer: SocketAddr, waiting: KeptWaiting)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = router(site).layer(Extension(ConnectInfo(peer))).layer(Extension(waiting));
    let answering = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        // The first line comes on top of the fields.
        .max_buf_size(2 * HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    if let Err(why) = answering.await {
        debug!("a visitor is gone: {why}");
    }
}
