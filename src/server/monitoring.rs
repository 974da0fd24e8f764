//! `/healthz` and `/metrics`, for monitoring on this machine: one request a connection, on a thread of its own. When all
//! connections are taken the oldest makes room, so that a slow client does not block others.

use std::collections::VecDeque;
use std::io;
use std::net::TcpListener;
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
use tokio::task::{AbortHandle, spawn_blocking};
use tokio::time::{sleep, timeout};
use tracing::debug;

use super::Shared;
use super::health::Health;
use crate::clock;

/// The time for a whole connection, from its beginning to the last byte of the answer.
const LIMIT: Duration = Duration::from_secs(5);

/// The longest request, and the least that hyper can be told.
const HEAD: usize = 8 * 1024;

/// The most connections at once.
const AT_ONCE: usize = 128;

/// One for each of the two pages. Requests that come meanwhile get the same answer.
const READERS: usize = 2;

/// The pause after an error. Without a free file descriptor the next accept fails as well.
const PAUSE: Duration = Duration::from_millis(10);

struct Monitored {
    shared: Arc<Shared>,
    health: Health,
}

/// Answers requests until shutdown.
pub(super) fn serve(shared: Arc<Shared>, health: Health, listener: TcpListener) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(READERS)
        .thread_name("monitoring")
        .build()?;
    let router = Router::new()
        .route("/healthz", get(healthz))
        .route("/metrics", get(metrics))
        .fallback((StatusCode::NOT_FOUND, "there are /healthz and /metrics\n"))
        .method_not_allowed_fallback((StatusCode::METHOD_NOT_ALLOWED, "only GET is known here\n"))
        .with_state(Arc::new(Monitored { shared: Arc::clone(&shared), health }));
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            () = listen(&listener, &router) => {}
            () = shared.shutdown.requested() => {}
        }
        Ok(())
    })
}

async fn listen(listener: &tokio::net::TcpListener, router: &Router) {
    let mut open: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(why) => {
                debug!("a request was not answered: {why}");
                sleep(PAUSE).await;
                continue;
            }
        };
        open.retain(|task| !task.is_finished());
        if open.len() >= AT_ONCE
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
        }
        let answering = http1::Builder::new()
            .keep_alive(false)
            .max_buf_size(HEAD)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        open.push_back(tokio::spawn(timeout(LIMIT, answering)).abort_handle());
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
