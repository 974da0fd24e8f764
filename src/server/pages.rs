//! `/healthz` and `/metrics`, for monitoring on this machine.
//!
//! A thread for each of a few connections, one request for each connection. When all are taken, whoever has been silent
//! longest makes room: a slow client keeps nobody from an answer.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use tracing::debug;

use super::Shared;
use super::health::Health;
use crate::clock;

/// The time for a whole connection, from its beginning to the last byte of the answer.
const LIMIT: Duration = Duration::from_secs(5);

/// The longest request.
const HEAD: usize = 8 * 1024;

/// The most connections at once.
const AT_ONCE: usize = 32;

/// Everybody may be silent so long, also when others wait.
const GRACE: Duration = Duration::from_millis(100);

/// The pause after an error. Without a free file descriptor the next accept fails as well.
const PAUSE: Duration = Duration::from_millis(10);

struct Pages {
    shared: Arc<Shared>,
    health: Health,
    open: Mutex<Open>,
    one_less: Condvar,
}

/// The open connections.
#[derive(Default)]
struct Open {
    last: u64,
    /// Those whose request is not complete, the oldest first, and since when they are here.
    silent: BTreeMap<u64, (Instant, TcpStream)>,
    /// The number of the others.
    answered: usize,
}

/// Answers requests until shutdown.
pub(super) fn answer(shared: Arc<Shared>, health: Health, listener: &TcpListener) {
    let pages = Pages { shared, health, open: Mutex::default(), one_less: Condvar::new() };
    let pages = Arc::new(pages);
    while !pages.shared.shutdown.is_requested() {
        let begun = listener.accept().and_then(|(stream, _)| begin(&pages, stream));
        if let Err(why) = begun {
            debug!("a request was not answered: {why}");
            pages.shared.shutdown.wait(PAUSE);
        }
    }
}

fn begin(pages: &Arc<Pages>, stream: TcpStream) -> io::Result<()> {
    let until = Instant::now() + LIMIT;
    let place = Place { number: pages.admit(stream.try_clone()?), pages: Arc::clone(pages) };
    // Dropping the place frees it, also where no thread can be started.
    Builder::new().name(format!("page {}", place.number)).spawn(move || {
        if let Err(why) = serve(&place, stream, until) {
            debug!("a request was not answered: {why}");
        }
    })?;
    Ok(())
}

impl Pages {
    /// Enters a connection as soon as there is room for it, and gives its number.
    fn admit(&self, stream: TcpStream) -> u64 {
        let mut open = self.lock();
        while open.silent.len() + open.answered >= AT_ONCE {
            let is_late = |(since, _): &(Instant, TcpStream)| since.elapsed() >= GRACE;
            if open.silent.values().next().is_some_and(is_late)
                && let Some((_, (_, stream))) = open.silent.pop_first()
            {
                // Its thread ends at once, and until then counts with those that are answered.
                let _ = stream.shutdown(Shutdown::Both);
                open.answered += 1;
            }
            let waited = self.one_less.wait_timeout(open, GRACE / 10);
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        open.last += 1;
        let number = open.last;
        open.silent.insert(number, (Instant::now(), stream));
        number
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection's place among those open.
struct Place {
    pages: Arc<Pages>,
    number: u64,
}

impl Place {
    /// The request is complete: from here the connection makes room for nobody.
    fn is_heard(&self) {
        let mut open = self.pages.lock();
        if open.silent.remove(&self.number).is_some() {
            open.answered += 1;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.pages.lock();
        if open.silent.remove(&self.number).is_none() {
            open.answered = open.answered.saturating_sub(1);
        }
        drop(open);
        self.pages.one_less.notify_one();
    }
}

fn serve(place: &Place, mut stream: TcpStream, until: Instant) -> io::Result<()> {
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    let page = loop {
        stream.set_read_timeout(Some(left(until)?))?;
        let got = match stream.read(&mut piece) {
            Err(why) if why.kind() == ErrorKind::Interrupted => continue,
            got => got?,
        };
        head.extend(piece.get(..got).unwrap_or_default());
        if got == 0 && head.is_empty() {
            return Ok(());
        }
        let request = read(&head, got == 0);
        if let Some(request) = request {
            place.is_heard();
            break page(&place.pages, request);
        }
    };
    let mut rest = page.as_bytes();
    while !rest.is_empty() {
        stream.set_write_timeout(Some(left(until)?))?;
        match stream.write(rest) {
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            written => rest = rest.get(written?..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// The time left, which is never zero: to a socket zero means no limit.
fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
}

enum Request {
    Page { path: String, with_body: bool },
    UnknownMethod,
    Unreadable,
}

/// Reads the bytes so far; `None` while the request is incomplete.
fn read(head: &[u8], ended: bool) -> Option<Request> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut fields);
    match request.parse(head) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) if !ended && head.len() < HEAD => return None,
        _ => return Some(Request::Unreadable),
    }
    let path = request.path.unwrap_or_default();
    let path = path.split_once('?').map_or(path, |(path, _)| path).to_owned();
    Some(match request.method {
        Some("GET") => Request::Page { path, with_body: true },
        Some("HEAD") => Request::Page { path, with_body: false },
        _ => Request::UnknownMethod,
    })
}

fn page(pages: &Pages, request: Request) -> String {
    let plain = "text/plain; charset=utf-8";
    let (path, body) = match request {
        Request::Page { path, with_body } => (path, with_body),
        Request::UnknownMethod => {
            return response("405 Method Not Allowed", plain, "only GET is known here\n", true);
        }
        Request::Unreadable => return response("400 Bad Request", plain, "this is no request\n", true),
    };
    match path.as_str() {
        "/healthz" => match pages.health.check(&pages.shared) {
            Ok(()) => response("200 OK", plain, "ok\n", body),
            Err(why) => response("503 Service Unavailable", plain, &format!("{why}\n"), body),
        },
        "/metrics" => {
            let metrics = &pages.shared.metrics;
            let page = metrics.page(pages.health.stored().as_ref(), &pages.health.sizes(), clock::now());
            response("200 OK", "text/plain; version=0.0.4", &page, body)
        }
        _ => response("404 Not Found", plain, "there are /healthz and /metrics\n", body),
    }
}

fn response(status: &str, kind: &str, body: &str, with_body: bool) -> String {
    let length = body.len();
    let body = if with_body { body } else { "" };
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}
