//! Web push: tells a browser, closed ones too, whose turn it is (RFC 8030).

mod secrets;

use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use serde_json::json;
use turnpost_games::registry;
use ureq::http::Uri;

pub use secrets::PushKey;

use crate::store::{PushRow, Store, StoreError};

/// The push services of Google, Mozilla, Apple and Microsoft; any name can be before a dot. The server asks nobody else,
/// or a browser could have it ask machines of its own network.
const SERVICES: [&str; 4] =
    ["fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"];

/// The address at which a browser takes pushes, and its keys.
#[derive(Debug)]
pub struct Subscription {
    endpoint: Uri,
    /// A point of P-256.
    key: Vec<u8>,
    secret: Vec<u8>,
}

impl Subscription {
    /// Reads `ENDPOINT KEY SECRET`; `None` unless the endpoint is of a known push service.
    pub fn read(text: &str) -> Option<Subscription> {
        let words: Vec<&str> = text.split(' ').collect();
        let [endpoint, key, secret] = *words.as_slice() else { return None };
        let endpoint: Uri = endpoint.parse().ok()?;
        // Neither a port nor a user.
        let host = endpoint.host().filter(|host| endpoint.authority().is_some_and(|all| all == host))?;
        let is_of = |service: &&str| host == *service || service.starts_with('.') && host.ends_with(*service);
        let is_known = endpoint.scheme_str() == Some("https") && SERVICES.iter().any(is_of);
        let [key, secret] = [key, secret].map(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
        let found = Subscription { endpoint, key: key?, secret: secret? };
        (is_known && found.key.len() == 65 && found.secret.len() == 16).then_some(found)
    }
}

/// A request to a push service.
#[derive(Debug, Clone)]
pub struct PushRequest {
    pub endpoint: Uri,
    /// The board. A push takes the place of an earlier one of its topic that has not reached the browser.
    pub topic: String,
    pub authorization: String,
    /// Encrypted.
    pub body: Vec<u8>,
}

/// Sends the push that is due first, by `post`, which returns the status of the answer if one comes. False if none is
/// due. No transaction is open meanwhile.
pub fn send_next(
    store: &mut Store,
    server: (&PushKey, &str),
    post: impl FnOnce(&PushRequest) -> Option<u16>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(push) = store.take_push(now)? else { return Ok(false) };
    let answer = request(&push, server, now).map(|request| post(&request));
    store.write_unforced(|store| match answer {
        // The browser takes no more of them (RFC 8030, 7.3).
        Some(Some(404 | 410)) => store.end_push(push.session),
        Some(None | Some(429 | 500..)) => Ok(()),
        _ => store.drop_push(&push),
    })?;
    Ok(true)
}

/// The request of a push; `None` if its browser has no key.
fn request(push: &PushRow, (key, pages): (&PushKey, &str), now: Timestamp) -> Option<PushRequest> {
    let (to, topic) = (Subscription::read(&push.to)?, push.board.to_string());
    let title = format!("{} {topic}", registry::find(&push.game)?.name);
    let text = json!({"title": title, "body": format!("Your move against {}.", push.opponent), "tag": topic});
    let authorization = key.authorization(&to.endpoint, pages, now)?;
    let body = secrets::sealed(&to, text.to_string().as_bytes())?;
    Some(PushRequest { endpoint: to.endpoint, topic, authorization, body })
}
