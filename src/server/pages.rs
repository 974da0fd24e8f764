//! `/healthz` and `/metrics`, for monitoring on this machine.
//!
//! One request per connection and one connection at a time is enough for a scraper.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use tracing::debug;

use super::Shared;
use crate::service::Error;

/// The time limit for a request, and for its answer.
const LIMIT: Duration = Duration::from_secs(2);

/// The longest request.
const HEAD: usize = 8 * 1024;

/// Answers requests until shutdown.
pub(super) fn answer(shared: &Shared, listener: &TcpListener) {
    while !shared.shutdown.is_requested() {
        let served = listener.accept().and_then(|(stream, _)| serve(shared, stream));
        if let Err(why) = served {
            debug!("a request was not answered: {why}");
            // Without a free file descriptor the next accept fails as well.
            shared.shutdown.wait(Duration::from_millis(10));
        }
    }
}

fn serve(shared: &Shared, mut stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(LIMIT))?;
    stream.set_write_timeout(Some(LIMIT))?;
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    let page = loop {
        let got = stream.read(&mut piece)?;
        head.extend(piece.get(..got).unwrap_or_default());
        if got == 0 && head.is_empty() {
            return Ok(());
        }
        if let Some(page) = page(shared, &head, got == 0) {
            break page;
        }
    };
    stream.write_all(page.as_bytes())
}

/// The answer to the bytes so far; `None` while the request is incomplete.
fn page(shared: &Shared, head: &[u8], ended: bool) -> Option<String> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut fields);
    let plain = "text/plain; charset=utf-8";
    match request.parse(head) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) if !ended && head.len() < HEAD => return None,
        _ => return Some(response("400 Bad Request", plain, "this is no request\n", true)),
    }
    let path = request.path.unwrap_or_default();
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let body = match request.method {
        Some("GET") => true,
        Some("HEAD") => false,
        _ => return Some(response("405 Method Not Allowed", plain, "only GET is known here\n", true)),
    };
    Some(match path {
        "/healthz" => match health(shared) {
            Ok(()) => response("200 OK", plain, "ok\n", body),
            Err(why) => response("503 Service Unavailable", plain, &format!("{why}\n"), body),
        },
        "/metrics" => {
            let outbox = shared.unproven.read(|store| Ok(store.outbox_counts()?)).ok();
            response("200 OK", "text/plain; version=0.0.4", &shared.metrics.page(outbox), body)
        }
        _ => response("404 Not Found", plain, "there are /healthz and /metrics\n", body),
    })
}

/// Checks that letters can be taken.
fn health(shared: &Shared) -> Result<(), String> {
    if shared.shutdown.is_requested() {
        return Err("the server is going down".to_owned());
    }
    let looked = shared.unproven.read(|store| Ok::<_, Error>(store.waiting_mails()?));
    looked.map(|_| ()).map_err(|why| why.to_string())
}

fn response(status: &str, kind: &str, body: &str, with_body: bool) -> String {
    let length = body.len();
    let body = if with_body { body } else { "" };
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}
