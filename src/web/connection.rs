//! Connections of visitors: how many there are at once, and how long each may take to ask and to listen.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tracing::debug;

use super::{HEAD, LIMIT, Site, router};

/// The most connections at once. Another one waits until one of them ends.
const CONNECTIONS: usize = 256;

/// The pause after an error. Without a free file descriptor the next accept fails as well.
const PAUSE: Duration = Duration::from_millis(100);

/// Attends to visitors for as long as it is polled.
pub(super) async fn listen(site: Arc<Site>, listener: TcpListener) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let accepted = listener.accept().await;
        match accepted.and_then(|(stream, peer)| patient(&stream).map(|()| (stream, peer))) {
            Ok((stream, peer)) => {
                let site = Arc::clone(&site);
                tokio::spawn(async move {
                    attend(site, stream, peer).await;
                    drop(place);
                });
            }
            Err(why) => {
                debug!("a visitor was not let in: {why}");
                tokio::time::sleep(PAUSE).await;
            }
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
    let service = router(site).layer(Extension(ConnectInfo(peer)));
    let answering = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(LIMIT)
        // The first line comes on top of the fields.
        .max_buf_size(2 * HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    if let Err(why) = answering.await {
        debug!("a visitor is gone: {why}");
    }
}
