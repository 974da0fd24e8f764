//! Handles a request: reads it, checks its limits, and makes the response.

use std::future::pending;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Version, header};
use axum::response::Response;
use axum::{Extension, Router};
use tracing::{debug, warn};

use super::address::{Address, Followed, Form, Format};
use super::answer::{Answer, AnswerKind};
use super::browser::Browser;
use super::guard;
use super::news::NewsStream;
use super::page::{self, PageRequest};
use super::site::{CurrentSite, Site};
use crate::connections::OpenConnection;
use crate::failure::Error;

/// The time limit for the head of a request, and for its form.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The time limit from the head of a request to the end of its answer.
pub(super) const LIMIT: Duration = Duration::from_secs(10);

/// How long an answer waits for news. Proxies close a silent connection after a minute.
const POLL: Duration = Duration::from_secs(25);

/// The longest body that is read, and the most bytes of a request's header fields.
const BODY: usize = 16 * 1024;
pub(super) const HEAD: usize = 16 * 1024;

/// Answers whose duration must reveal nothing take a multiple of this.
const WHOLE: Duration = Duration::from_millis(100);

/// The longest wait for the robot, which thinks for one visitor at a time.
const ROBOT_WAIT: Duration = Duration::from_secs(5);

pub(super) fn router(site: CurrentSite) -> Router {
    Router::new().fallback(answer).with_state(site)
}

async fn answer(
    State(current): State<CurrentSite>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Extension(connection): Extension<OpenConnection>,
    request: Request,
) -> Response {
    let (site, begun) = (Arc::clone(&current.borrow()), Instant::now());
    let (head, body) = request.into_parts();
    let seen = head.headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let read = Address::read(head.uri.path(), head.uri.query().unwrap_or_default());
    let (address, is_json) = read.map_or((None, false), |(address, is_json)| (Some(address), is_json));
    let since = address.as_ref().and_then(Address::since).filter(|_| head.method == Method::GET);
    let until = tokio::time::Instant::now() + if since.is_some() { POLL + LIMIT } else { LIMIT };
    let methods = guard::methods(address.as_ref());
    let format = if is_json || guard::wants_json(&head.headers) { Format::Json } else { Format::Html };
    let is_for_people = format == Format::Html && address.as_ref().is_some_and(Address::is_page);
    let referrer = guard::referrer(address.as_ref());
    let hosts = head.headers.get_all(header::HOST).iter().count();
    // The duration of these answers must not reveal whether an account exists.
    let hides = head.method == Method::POST
        && matches!(address, Some(Address::SignIn | Address::SignUp(_) | Address::Invite(_)));
    let mut stream = None;
    let told = async {
        // RFC 9112, 3.2.
        if hosts > 1 || hosts == 0 && head.version != Version::HTTP_10 {
            return Err(Answer::plain(StatusCode::BAD_REQUEST, "A request names one host.\n"));
        }
        if head.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum::<usize>() > HEAD {
            return Err(Answer::plain(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "The fields of this request are more than a page takes.\n",
            ));
        }
        if !methods.split(", ").any(|method| method == head.method.as_str()) {
            return Err(Answer::plain(StatusCode::METHOD_NOT_ALLOWED, "Pages are only read here.\n"));
        }
        let visitor = guard::visitor(peer.ip(), &head.headers, &site.proxies);
        let thinks = address.as_ref().is_some_and(Address::thinks);
        let looks = head.method == Method::GET
            && head.headers.contains_key("x-look")
            && address.as_ref().is_some_and(Address::is_alive)
            || matches!(address, Some(Address::News(_)))
            || since.is_some();
        // A conditional request for a board first counts as a look for news. If the board has changed, it also counts
        // as a page.
        let knows =
            seen.is_some() && !is_beside(address.as_ref()) && matches!(address, Some(Address::Board { .. }));
        count(&site, visitor, (address.as_ref().filter(|_| !knows), looks || knows), begun)?;
        if let Some(Address::News(followed)) = &address {
            let browser = Browser::of(&head.headers, &site.url);
            stream = Some(
                news(&site, current.clone(), &connection, (visitor, followed.clone(), browser), until)
                    .await?,
            );
            return Ok(Answer::of(AnswerKind::Events, "").private());
        }
        if let Some(since) = since {
            let whose = (visitor, Followed::Me, Browser::of(&head.headers, &site.url));
            match news(&site, current.clone(), &connection, whose, until).await {
                Ok(mut stream) => {
                    stream.told = Some(since);
                    let _ = tokio::time::timeout(POLL, stream.next()).await;
                }
                // The page says what is missing.
                Err(missing) if missing.status == StatusCode::NOT_FOUND => {}
                Err(full) => return Err(full),
            }
        }
        // The form is awaited last. The body of a request that takes no form is ignored.
        let posted = match address.as_ref().filter(|to| to.takes_forms() && head.method == Method::POST) {
            Some(to) => Some(form(&site, visitor, to.link(), format, body, until).await?),
            None => None,
        };
        let _working = connection.work();
        let robot_until = until.min(tokio::time::Instant::now() + ROBOT_WAIT);
        let steps = matches!(address, Some(Address::Board { form: Form::Steps, .. }));
        let (permits, until) = match (thinks, steps) {
            (true, _) => (&site.thinking, robot_until),
            (false, true) => (&site.stepping, until),
            (false, false) => (&site.free, until),
        };
        let seen = seen.map(str::to_owned);
        let browser = Browser::of(&head.headers, &site.url);
        let asked = PageRequest { address, format, posted, seen, browser, visitor };
        if let Some(answer) = page::unchanged(&site, &asked) {
            return Ok(answer);
        }
        if knows {
            count(&site, visitor, (asked.address.as_ref(), looks), begun)?;
        }
        let its = Arc::clone(&site);
        let takes_gzip = guard::takes_gzip(&head.headers);
        let work = move || {
            let page = page::page(&its, asked)?;
            Ok(if takes_gzip { page.packed() } else { page.unpacked() })
        };
        on_a_thread(permits, until, work).await
    };
    let mut answer = match tokio::time::timeout_at(until, told).await {
        Ok(told) => told.unwrap_or_else(|instead| instead),
        Err(_) => Answer::plain(StatusCode::GATEWAY_TIMEOUT, "The page took too long.\n"),
    };
    if hides {
        let spent = begun.elapsed().as_millis() % WHOLE.as_millis();
        tokio::time::sleep(WHOLE.saturating_sub(Duration::from_millis(spent as u64))).await;
    }
    if is_for_people && answer.kind == AnswerKind::Text && answer.status.as_u16() >= 400 {
        answer = site.dressed(answer);
    }
    // A request for JSON by the address is redirected to JSON.
    if let Some(location) = answer.location.as_mut().filter(|_| is_json) {
        *location = match location.split_once('?') {
            Some((path, query)) => format!("{path}.json?{query}"),
            None => format!("{location}.json"),
        };
    }
    debug!(status = answer.status.as_u16(), "page in {} ms", begun.elapsed().as_millis());
    let terms = guard::ResponseTerms { seen, methods, referrer, with_body: head.method != Method::HEAD };
    let mut response = guard::response(answer, &terms).unwrap_or_else(|_| Response::new(Body::empty()));
    if let Some(stream) = stream.filter(|_| head.method != Method::HEAD) {
        response.headers_mut().remove(header::CONTENT_LENGTH);
        // nginx would keep news back until it has a page of them.
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
        *response.body_mut() = stream.body();
    }
    (site.answered)(response.status().as_u16());
    response
}

/// True for files that pages load, of which a page has many.
fn is_beside(address: Option<&Address>) -> bool {
    matches!(
        address,
        Some(
            Address::Style
                | Address::Script
                | Address::DiceScript
                | Address::Icon
                | Address::IconPng
                | Address::GamePicture(..)
                | Address::Board { form: Form::Svg | Form::Dark | Form::Png, .. }
        )
    )
}

/// Counts a visitor's request. The error is the answer if a limit is exceeded.
fn count(
    site: &Site,
    visitor: IpAddr,
    (address, looks): (Option<&Address>, bool),
    begun: Instant,
) -> Result<(), Answer> {
    let too_many = |words| Err(Answer::plain(StatusCode::TOO_MANY_REQUESTS, words));
    let asking = match (is_beside(address), looks) {
        (true, _) => &site.viewers,
        (_, true) => &site.lookers,
        _ => &site.visitors,
    };
    if !asking.may_ask(visitor, begun) {
        return too_many("Too many pages for one address: wait a minute.\n");
    }
    if address.is_some_and(Address::thinks) && !site.thinkers.may_ask(visitor, begun) {
        return too_many(
            "The robot has played much for one address: wait a minute, then load this page again.\n",
        );
    }
    Ok(())
}

/// The stream of a page. The error is the answer if there is no such page, or no place for one more stream.
async fn news(
    site: &Arc<Site>,
    mut current: CurrentSite,
    connection: &OpenConnection,
    (visitor, followed, browser): (IpAddr, Followed, Browser),
    until: tokio::time::Instant,
) -> Result<NewsStream, Answer> {
    let full = |status| Answer::plain(status, "Others hear news: load this page again in a moment.\n");
    let _place = site.news.of_one.place(visitor).ok_or_else(|| full(StatusCode::TOO_MANY_REQUESTS))?;
    let permit = Arc::clone(&site.news.of_all).try_acquire_owned();
    let _permit = permit.map_err(|_| full(StatusCode::SERVICE_UNAVAILABLE))?;
    let its = Arc::clone(site);
    let found = on_a_thread(&site.free, until, move || followed.find(&its, &browser)).await?;
    let missing = || Answer::plain(StatusCode::NOT_FOUND, "There is no such page.\n");
    let (subject, with_words) = found.ok_or_else(missing)?;
    let (news, _working) = (site.news.follow(subject), connection.work());
    // New settings come with new streams.
    let ended = Box::pin(async move {
        if current.changed().await.is_err() {
            pending::<()>().await;
        }
    });
    Ok(NewsStream { news, with_words, told: None, ended, _place, _permit, _working })
}

/// Receives the form of a visitor. The error is the answer if the link is invalid, or if the form is late or too long.
async fn form(
    site: &Arc<Site>,
    visitor: IpAddr,
    link: Option<&str>,
    format: Format,
    body: Body,
    until: tokio::time::Instant,
) -> Result<Vec<u8>, Answer> {
    let Some(_place) = site.forms.place(visitor) else {
        let words = "Other forms from your address are still on their way: wait for them.\n";
        return Err(Answer::plain(StatusCode::TOO_MANY_REQUESTS, words));
    };
    if let Some(link) = link.map(str::to_owned) {
        let its = Arc::clone(site);
        let missing = on_a_thread(&site.free, until, move || page::unless_ours(&its, &link, format));
        if let Some(missing) = missing.await? {
            return Err(missing);
        }
    }
    match tokio::time::timeout(PATIENCE, to_bytes(body, BODY)).await {
        Ok(Ok(body)) => Ok(body.to_vec()),
        Ok(Err(_)) => Err(Answer::plain(StatusCode::PAYLOAD_TOO_LARGE, "This is more than a page takes.\n")),
        Err(_) => Err(Answer::plain(StatusCode::REQUEST_TIMEOUT, "The rest of this request did not come.\n")),
    }
}

/// Runs `work` on a thread of its own once a permit is free. The error is the answer if none is free in time, or if
/// `work` fails.
async fn on_a_thread<T: Send + 'static>(
    permits: &Arc<tokio::sync::Semaphore>,
    until: tokio::time::Instant,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Answer> {
    let Ok(Ok(permit)) = tokio::time::timeout_at(until, Arc::clone(permits).acquire_owned()).await else {
        return Err(Answer::plain(
            StatusCode::SERVICE_UNAVAILABLE,
            "Others are being served: load this page again in a moment.\n",
        ));
    };
    // The thread continues after the visitor has gone or the time is over. It holds its permit until it is done.
    let worked = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(permit);
        done
    })
    .await;
    let why = match worked {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(why)) => why.to_string(),
        Err(why) => why.to_string(),
    };
    warn!("a page failed: {why}");
    Err(Answer::broken())
}
