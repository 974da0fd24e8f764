//! The connections of visitors, and the time limits for requests and answers.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::Extension;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tracing::debug;

use super::news::STREAMS;
use super::router::{HEAD, LIMIT, PATIENCE, router};
use super::site::{CurrentSite, READERS};
use crate::connections::{Caller, ConnectionRules};

/// In addition to the readers, one thread draws whole games, one lets the robot think and one hears news.
pub const RULES: ConnectionRules = ConnectionRules {
    most: 256 + STREAMS,
    patience: Duration::ZERO,
    unread: LIMIT,
    threads: READERS + 3,
    last_words: Duration::ZERO,
};

/// Answers the requests of one connection until it ends.
pub async fn attend(site: CurrentSite, Caller { stream, peer, connection, .. }: Caller) {
    let peer = peer.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    let service = router(site).layer(Extension(ConnectInfo(peer))).layer(Extension(connection.clone()));
    let answering = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        // The buffer also holds the request line, so it is larger than `HEAD`.
        .max_buf_size(2 * HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    tokio::select! {
        answered = answering => debug!("a visitor is gone: {answered:?}"),
        _ = connection.leaves() => {}
    }
}
