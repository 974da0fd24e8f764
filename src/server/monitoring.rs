//! `/healthz` and `/metrics`, for monitoring on this machine. One request per connection, in its own thread.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::debug;

use super::Shared;
use super::health::Health;
use crate::clock;
use crate::connections::{self, Caller, ConnectionRules, Listener};

/// The time for a whole connection, from its beginning to the last byte of the answer.
const LIMIT: Duration = Duration::from_secs(5);

/// The longest request head. hyper accepts no smaller limit.
const HEAD: usize = 8 * 1024;

/// Two threads, one for each page. Requests to `/healthz` that arrive meanwhile share one answer.
const RULES: ConnectionRules = ConnectionRules {
    most: 128,
    patience: Duration::ZERO,
    unread: LIMIT,
    threads: 2,
    last_words: Duration::ZERO,
};

struct Monitored {
    shared: Arc<Shared>,
    health: Health,
}

/// Answers requests until shutdown.
pub(super) fn serve(shared: Arc<Shared>, health: Health, listener: Listener) -> io::Result<()> {
    let router = Router::new()
        .route("/healthz", get(healthz))
        .route("/metrics", get(metrics))
        .fallback((StatusCode::NOT_FOUND, "there are /healthz and /metrics\n"))
        .method_not_allowed_fallback((StatusCode::METHOD_NOT_ALLOWED, "only GET is known here\n"))
        .with_state(Arc::new(Monitored { shared: Arc::clone(&shared), health }));
    connections::serve(vec![listener], &RULES, shared.shutdown.requested(), |caller| {
        attend(caller, router.clone())
    })
}

async fn attend(caller: Caller, router: Router) {
    let answering = http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(caller.stream), TowerToHyperService::new(router));
    tokio::select! {
        answered = timeout(LIMIT, answering) => debug!("a request was answered: {answered:?}"),
        _ = caller.connection.leaves() => {}
    }
}

async fn healthz(State(monitored): State<Arc<Monitored>>) -> Response {
    let asked = Instant::now();
    let check = move || monitored.health.check(&monitored.shared, asked);
    match spawn_blocking(check).await.unwrap_or_else(|why| Err(why.to_string())) {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

async fn metrics(State(monitored): State<Arc<Monitored>>) -> Response {
    let page = move || {
        let Monitored { shared, health } = &*monitored;
        shared.metrics.page(health.stored(&shared.in_force().config).as_ref(), &health.sizes(), clock::now())
    };
    match spawn_blocking(page).await {
        Ok(page) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], page).into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response(),
    }
}
