//! Pages: the stored boards, to look at in a browser.
//!
//! ```text
//! request --address--> Address --page--> Answer --guard--> response
//! ```
//!
//! Pages only read, except for buttons: a form becomes a letter, and `Hand` brings it to the
//! pipeline. Every address has one meaning (`address`), every page is rendered from the same views as the mails,
//! by the same templates, and everything works without a script.

mod act;
mod address;
mod analysis;
mod answer;
mod board;
mod choosing;
mod connection;
mod contests;
mod description;
mod form;
mod game_contests;
mod graph;
mod guard;
mod invite;
mod lists;
mod me;
mod me_form;
mod page;
mod pause;
mod play;
mod player;
mod prose;
mod session;
mod steps;
mod trial;
mod turn;
mod visitors;

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{Method, StatusCode, Version, header};
use axum::response::Response;
use axum::{Extension, Router};
use jiff::Timestamp;
use tokio::sync::watch;
use tracing::{debug, warn};

use rand::Rng;
use rand_chacha::ChaCha12Rng;

use crate::commands::Command;
use crate::compose::Templates;
use crate::connections::OpenConnection;
use crate::failure::Error;
use crate::mail::Letter;
use crate::pipeline::Handled;
use crate::play::robot::RobotConfig;
use crate::store::{Store, StoreError};

pub use connection::{RULES, attend};
pub use description::description;

use address::{Address, Form, Format, Step, Trial};
pub(crate) use answer::{Answer, AnswerKind};
use page::PageRequest;
use visitors::{Forms, Visitors};

/// The time for the head of a request to come, and for its form.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time from the head of a request to the end of its answer.
const LIMIT: Duration = Duration::from_secs(10);

/// The longest body that is read, and the most that the fields of a request may take.
const BODY: usize = 16 * 1024;
const HEAD: usize = 16 * 1024;

/// Answers whose time must tell nothing take a multiple of this.
const WHOLE: Duration = Duration::from_millis(100);

/// Requests that read the database at once; others wait.
const READERS: usize = 4;

/// The longest wait for the robot, which thinks for one visitor at a time.
const ROBOT_WAIT: Duration = Duration::from_secs(5);

/// Robot moves for one address, in a minute and in an hour.
const THOUGHTS: [u32; 2] = [20, 300];

/// Pictures, style sheets and scripts for one address, in a minute and in an hour.
const PICTURES: [u32; 2] = [600, 12_000];

/// Looks of a page that is open whether something has happened, for one address, in a minute and in an hour.
const LOOKS: [u32; 2] = [240, 7_200];

/// Links that sign in, for one address, in an hour and in a day; and those of them for one name. A player gets more of
/// them a day than one visitor may ask for.
const SIGN_INS: [u32; 2] = [20, 60];
const SIGN_INS_OF_ONE: [u32; 2] = [3, 4];

/// Hands a letter, with the command of its button, to the writer; `None` when that failed.
pub type Hand = dyn Fn(Box<Letter>, Option<Command>) -> Option<Handled> + Send + Sync;

/// The site that answers the next request: other settings make another.
pub type CurrentSite = watch::Receiver<Arc<Site>>;

/// What all requests share.
pub struct Site {
    templates: Arc<Templates>,
    /// Databases that are free.
    stores: Mutex<Vec<Store>>,
    visitors: Visitors,
    /// Requests for pictures, of which a page has many.
    viewers: Visitors,
    /// Requests of open pages that look for news.
    lookers: Visitors,
    /// Forms that are being received.
    forms: Forms,
    /// Proxies in front of us, whose word for the visitor's address counts.
    proxies: Vec<IpAddr>,
    /// Where visitors find the pages, without a slash at the end.
    url: String,
    /// The permit to draw a whole game, with a store of its own.
    stepping: Arc<tokio::sync::Semaphore>,
    steps: steps::KeptSteps,
    /// One permit for each other store.
    free: Arc<tokio::sync::Semaphore>,
    hand: Box<Hand>,
    answered: Box<dyn Fn(u16) + Send + Sync>,
    /// Keys the codes of visitors' games.
    key: [u8; 32],
    /// Draws visitors' boards.
    rng: Mutex<ChaCha12Rng>,
    now: fn() -> Timestamp,
    /// Seed of the board on the first page.
    first_seed: u64,
    /// Memory for the robot's tables; `None` where it does not play.
    robot: Option<usize>,
    /// The permit to let the robot think.
    thinking: Arc<tokio::sync::Semaphore>,
    thinkers: Visitors,
    /// Visitors who ask for links that sign in.
    signers: [Visitors; 2],
}

/// What the pages need of the server.
pub struct Setting<'a> {
    pub templates: Arc<Templates>,
    pub proxies: Vec<IpAddr>,
    /// Where visitors find the pages.
    pub url: &'a str,
    pub rng: ChaCha12Rng,
    pub now: fn() -> Timestamp,
    pub robot: &'a RobotConfig,
    pub hand: Box<Hand>,
    /// Is told the status of every answer.
    pub answered: Box<dyn Fn(u16) + Send + Sync>,
}

impl Site {
    /// `open` opens the database for reading.
    pub fn new<E: From<StoreError>>(
        setting: Setting<'_>,
        open: impl Fn() -> Result<Store, E>,
    ) -> Result<Site, E> {
        let Setting { templates, proxies, url, mut rng, now, robot, hand, answered } = setting;
        let stores = (0..=READERS).map(|_| open()).collect::<Result<Vec<_>, _>>()?;
        let key = open()?.bounce_key()?;
        Ok(Site {
            templates,
            stores: Mutex::new(stores),
            visitors: Visitors::default(),
            viewers: Visitors::allowing(PICTURES),
            lookers: Visitors::allowing(LOOKS),
            forms: Forms::default(),
            proxies,
            url: url.trim_end_matches('/').to_owned(),
            stepping: Arc::new(tokio::sync::Semaphore::new(1)),
            steps: steps::KeptSteps::default(),
            free: Arc::new(tokio::sync::Semaphore::new(READERS)),
            hand,
            answered,
            key,
            first_seed: u64::from(rng.next_u32()),
            rng: Mutex::new(rng),
            now,
            robot: robot.enabled.then(|| robot.bytes().min(trial::MEMORY)),
            thinking: Arc::new(tokio::sync::Semaphore::new(1)),
            thinkers: Visitors::allowing(THOUGHTS),
            signers: [SIGN_INS_OF_ONE, SIGN_INS].map(Visitors::allowing_daily),
        })
    }

    /// Calls `read` with a free database; `None` if there is none.
    fn reading<T>(&self, read: impl FnOnce(&Store) -> Result<T, Error>) -> Option<Result<T, Error>> {
        let store = self.stores.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        let result = read(&store);
        self.stores.lock().unwrap_or_else(PoisonError::into_inner).push(store);
        Some(result)
    }
}

fn router(site: CurrentSite) -> Router {
    Router::new().fallback(answer).with_state(site)
}

async fn answer(
    State(site): State<CurrentSite>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Extension(connection): Extension<OpenConnection>,
    request: Request,
) -> Response {
    let (site, begun) = (Arc::clone(&site.borrow()), Instant::now());
    let until = tokio::time::Instant::now() + LIMIT;
    let (head, body) = request.into_parts();
    let seen = head.headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let read = Address::read(head.uri.path(), head.uri.query().unwrap_or_default());
    let (address, is_json) = read.map_or((None, false), |(address, is_json)| (Some(address), is_json));
    let methods = guard::methods(address.as_ref());
    let format = if is_json || guard::wants_json(&head.headers) { Format::Json } else { Format::Html };
    let is_for_people = format == Format::Html && address.as_ref().is_some_and(Address::is_page);
    let referrer = guard::referrer(address.as_ref());
    let hosts = head.headers.get_all(header::HOST).iter().count();
    // The time of an answer does not tell either whether there is an account.
    let hides = head.method == Method::POST && matches!(address, Some(Address::SignIn | Address::Invite(_)));
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
        let thinks = matches!(address, Some(Address::Try(_, Trial::On { step: Step::Make(_), .. })));
        let looks = head.method == Method::GET
            && head.headers.contains_key("x-look")
            && address.as_ref().is_some_and(Address::is_alive);
        // A request whether a page is still the same counts as one for a picture, if it is.
        let knows =
            seen.is_some() && !is_beside(address.as_ref()) && matches!(address, Some(Address::Board { .. }));
        count(&site, visitor, (address.as_ref().filter(|_| !knows), looks || knows), begun)?;
        // The form is waited for last. Bytes after a request without a form are ignored.
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
        let browser = session::browser(&head.headers, &site.url);
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
    let response = guard::response(answer, &terms).unwrap_or_else(|_| Response::new(Body::empty()));
    (site.answered)(response.status().as_u16());
    response
}

/// True for files that a page refers to, of which it has many.
fn is_beside(address: Option<&Address>) -> bool {
    matches!(
        address,
        Some(
            Address::Style
                | Address::Script
                | Address::Board { form: Form::Svg | Form::Dark | Form::Png, .. }
        )
    )
}

/// Counts a request of a visitor. The error is the answer to one too many.
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
    let thinks = matches!(address, Some(Address::Try(_, Trial::On { step: Step::Make(_), .. })));
    if thinks && !site.thinkers.may_ask(visitor, begun) {
        return too_many(
            "The robot has played much for one address: wait a minute, then load this page again.\n",
        );
    }
    Ok(())
}

/// Waits for the form that a visitor sends. The error is the answer to an invalid link, or to a form that is late or too
/// long.
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

/// Works on a thread of its own, when it is this request's turn; else the answer that says so.
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
    // The thread continues after the visitor has gone or the time is over. It holds its database until it is done.
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
