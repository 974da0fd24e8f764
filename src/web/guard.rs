//! What keeps pages harmless: headers of the answer, and whose request it is.

use std::net::IpAddr;

use axum::body::Body;
use axum::http::{self, HeaderMap, StatusCode, header};
use axum::response::Response;

use super::{Answer, Kind};

/// Nothing is fetched from elsewhere, and nothing runs that does not stand in a file of ours.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";

/// Whose request it is: a proxy of ours says it in `Forwarded` (RFC 7239) or `X-Forwarded-For`, and nobody else may.
pub(super) fn visitor(peer: IpAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> IpAddr {
    if !proxies.contains(&peer) {
        return peer;
    }
    let last = |name: &str| -> Option<String> {
        let text = headers.get_all(name).iter().next_back()?.to_str().ok()?;
        Some(text.rsplit(',').next()?.trim().to_owned())
    };
    let forwarded = last("forwarded").and_then(|hop| {
        let of = hop.split(';').find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            name.eq_ignore_ascii_case("for").then(|| value.trim_matches('"').to_owned())
        })?;
        address(&of)
    });
    forwarded.or_else(|| last("x-forwarded-for").and_then(|hop| address(&hop))).unwrap_or(peer)
}

/// `192.0.2.1`, `192.0.2.1:4711`, `[2001:db8::1]` or `[2001:db8::1]:4711`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None if text.matches(':').count() == 1 => text.split(':').next()?,
        None => text,
    };
    bare.parse().ok()
}

/// True when the request asks for JSON before anything else.
pub(super) fn wants_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').next().is_some_and(|first| first.trim().starts_with("application/json"))
}

/// True when a visitor has this already. A proxy that packs what it passes on makes the tag a weak one (RFC 9110, 8.8.3).
pub(super) fn is_among(seen: Option<&str>, tag: &str) -> bool {
    seen.is_some_and(|seen| seen.split(',').any(|seen| seen.trim().trim_start_matches("W/") == tag))
}

/// The response of an answer. `seen` is the tag of what the visitor has already.
pub(super) fn response(answer: Answer, seen: Option<&str>, with_body: bool) -> Result<Response, http::Error> {
    let mut builder = Response::builder()
        .header(header::CONTENT_SECURITY_POLICY, POLICY)
        .header(header::REFERRER_POLICY, "no-referrer")
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::X_FRAME_OPTIONS, "DENY");
    if let Some(tag) = &answer.tag {
        let cache = if answer.lasting { "public, max-age=86400" } else { "no-cache" };
        builder = builder.header(header::ETAG, tag).header(header::CACHE_CONTROL, cache);
        if is_among(seen, tag) {
            return builder.status(StatusCode::NOT_MODIFIED).body(Body::empty());
        }
    } else {
        builder = builder.header(header::CACHE_CONTROL, "no-store");
    }
    let kind = match answer.kind {
        Kind::Html => "text/html; charset=utf-8",
        Kind::Css => "text/css; charset=utf-8",
        Kind::Svg => "image/svg+xml",
        Kind::Png => "image/png",
        Kind::Json => "application/json",
        Kind::Atom => "application/atom+xml; charset=utf-8",
        Kind::Text => "text/plain; charset=utf-8",
    };
    builder = builder.header(header::CONTENT_TYPE, kind).header(header::CONTENT_LENGTH, answer.body.len());
    if let Some(location) = &answer.location {
        builder = builder.header(header::LOCATION, location);
    }
    let body = if with_body { Body::from(answer.body) } else { Body::empty() };
    builder.status(answer.status).body(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_again_behind_a_proxy_that_packs() {
        assert!(is_among(Some("\"a\", W/\"b\""), "\"b\"") && is_among(Some("\"b\""), "\"b\""));
        assert!(!is_among(Some("\"bc\""), "\"b\"") && !is_among(None, "\"b\""));
    }

    #[test]
    fn only_proxies_of_ours_speak_for_others() {
        let proxy: IpAddr = "127.0.0.1".parse().unwrap();
        let peer: IpAddr = "192.0.2.9".parse().unwrap();
        let says = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            headers
        };
        let forwarded = says("forwarded", "for=198.51.100.1, for=\"[2001:db8::7]:4711\";proto=https");
        assert_eq!(visitor(proxy, &forwarded, &[proxy]).to_string(), "2001:db8::7");
        assert_eq!(visitor(peer, &forwarded, &[proxy]), peer);
        let older = says("x-forwarded-for", "198.51.100.1, 198.51.100.2");
        assert_eq!(visitor(proxy, &older, &[proxy]).to_string(), "198.51.100.2");
        assert_eq!(visitor(proxy, &says("forwarded", "for=unknown"), &[proxy]), proxy);
    }
}
