//! Security headers, the visitor's address if there are proxies, and the formats that a request accepts.

use std::net::IpAddr;

use axum::body::Body;
use axum::http::{self, HeaderMap, HeaderName, StatusCode, header};
use axum::response::Response;

use super::address::Address;
use super::answer::{Answer, AnswerKind};

/// Browsers fetch nothing from elsewhere, and run only the scripts in our files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The policy of SVG pictures. They contain their own style, and can also be opened alone.
const PICTURES: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

pub(super) fn methods(address: Option<&Address>) -> &'static str {
    if address.is_some_and(Address::takes_forms) { "GET, HEAD, POST" } else { "GET, HEAD" }
}

/// Pages tell other sites nothing about where a visitor comes from. Pages that sign in or up send the server's origin
/// with their forms, because old browsers have no other way to say which site a form is from.
pub(super) fn referrer(address: Option<&Address>) -> &'static str {
    let has_form = |to: &Address| to.takes_forms() || matches!(to, Address::Home | Address::Try(..));
    let signs = |to: &Address| has_form(to) && to.link().is_none() && !matches!(to, Address::Study(_));
    match address.is_some_and(signs) {
        true => "strict-origin",
        false => "no-referrer",
    }
}

/// The visitor's address. `Forwarded` (RFC 7239) and `X-Forwarded-For` are trusted only from our proxies. Each proxy
/// appends the address that called it, so the last address that is not a proxy is the visitor's.
pub(super) fn visitor(peer: IpAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> IpAddr {
    let said = |name: &str| -> Vec<String> {
        let texts = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        texts.flat_map(|text| text.split(',')).map(|hop| hop.trim().to_owned()).collect()
    };
    let forwarded = said("forwarded");
    let mut hops: Vec<Option<IpAddr>> = match forwarded.is_empty() {
        false => forwarded.iter().map(|hop| address(&heard(hop)?)).collect(),
        true => said("x-forwarded-for").iter().map(|hop| address(hop)).collect(),
    };
    let mut visitor = peer.to_canonical();
    while proxies.iter().any(|proxy| proxy.to_canonical() == visitor) {
        let Some(Some(hop)) = hops.pop() else { break };
        visitor = hop;
    }
    visitor
}

/// The `for` parameter of one element of `Forwarded`.
fn heard(hop: &str) -> Option<String> {
    hop.split(';').find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        name.eq_ignore_ascii_case("for").then(|| value.trim_matches('"').to_owned())
    })
}

/// Reads `192.0.2.1`, `192.0.2.1:4711`, `[2001:db8::1]` or `[2001:db8::1]:4711`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None if text.matches(':').count() == 1 => text.split(':').next()?,
        None => text,
    };
    // Map `::ffff:1.2.3.4` to IPv4.
    bare.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

/// True if `Accept` names JSON and prefers it to HTML, by quality and then by order (RFC 9110, 12.5.1).
pub(super) fn wants_json(headers: &HeaderMap) -> bool {
    let liked = |kind| liked(headers, header::ACCEPT, kind).filter(|(much, _)| *much > 0.0);
    liked("application/json").is_some_and(|json| liked("text/html").is_none_or(|page| json > page))
}

/// True if `Accept-Encoding` allows gzip with at least the quality of `identity` (RFC 9110, 12.5.3).
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let liked = |coding| liked(headers, header::ACCEPT_ENCODING, coding).map(|(much, _)| much);
    let gzip = liked("gzip").or_else(|| liked("*")).unwrap_or(0.0);
    gzip > 0.0 && gzip >= liked("identity").unwrap_or(0.0)
}

/// The quality of `wanted` in a field such as `Accept`, and its rank: a value named earlier has a higher rank.
fn liked(headers: &HeaderMap, field: HeaderName, wanted: &str) -> Option<(f32, usize)> {
    let texts = headers.get_all(field).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).enumerate().find_map(|(place, named)| {
        let mut parts = named.split(';').map(str::trim);
        let is_it = parts.next()?.eq_ignore_ascii_case(wanted);
        let much = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        let much: f32 = much.map_or(Some(1.0), |much| much.parse().ok())?;
        is_it.then_some((much, usize::MAX - place))
    })
}

/// True if `If-None-Match` contains this ETag, by weak comparison (RFC 9110, 8.8.3.2).
pub(super) fn is_among(seen: Option<&str>, tag: &str) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    seen.is_some_and(|seen| seen.split(',').any(|seen| bare(seen) == bare(tag)))
}

/// The parts of a request that its response depends on, in addition to the answer.
pub(super) struct ResponseTerms<'a> {
    /// The value of `If-None-Match`.
    pub seen: Option<&'a str>,
    pub methods: &'static str,
    pub referrer: &'static str,
    pub with_body: bool,
}

pub(super) fn response(answer: Answer, terms: &ResponseTerms<'_>) -> Result<Response, http::Error> {
    let ResponseTerms { seen, methods, referrer, with_body } = *terms;
    let policy = if answer.kind == AnswerKind::Svg { PICTURES } else { POLICY };
    let mut builder = Response::builder()
        .header(header::CONTENT_SECURITY_POLICY, policy)
        .header(header::VARY, "Accept, Accept-Encoding")
        .header(header::REFERRER_POLICY, referrer)
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
        AnswerKind::Html => "text/html; charset=utf-8",
        AnswerKind::Script => "text/javascript; charset=utf-8",
        AnswerKind::Css => "text/css; charset=utf-8",
        AnswerKind::Svg => "image/svg+xml",
        AnswerKind::Png => "image/png",
        AnswerKind::Json => "application/json",
        AnswerKind::Atom => "application/atom+xml; charset=utf-8",
        AnswerKind::Csv => "text/csv; charset=utf-8",
        AnswerKind::Events => "text/event-stream",
        AnswerKind::Text => "text/plain; charset=utf-8",
    };
    builder = builder.header(header::CONTENT_TYPE, kind).header(header::CONTENT_LENGTH, answer.body.len());
    if answer.is_packed {
        builder = builder.header(header::CONTENT_ENCODING, "gzip");
    }
    match answer.status {
        StatusCode::METHOD_NOT_ALLOWED => builder = builder.header(header::ALLOW, methods),
        StatusCode::UNAUTHORIZED => builder = builder.header(header::WWW_AUTHENTICATE, "Bearer"),
        StatusCode::TOO_MANY_REQUESTS => builder = builder.header(header::RETRY_AFTER, 60),
        StatusCode::SERVICE_UNAVAILABLE => builder = builder.header(header::RETRY_AFTER, 5),
        _ => {}
    }
    if let Some(location) = &answer.location {
        builder = builder.header(header::LOCATION, location);
    }
    if let Some(cookie) = &answer.cookie {
        builder = builder.header(header::SET_COOKIE, cookie);
    }
    let body = if with_body { Body::from(answer.body) } else { Body::empty() };
    builder.status(answer.status).body(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_by_who_says_so() {
        let takes = |said: &str| {
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, said.parse().unwrap())]))
        };
        for said in ["gzip", "deflate, GZIP;q=0.5", "*", "br;q=1, gzip ; q=0.1", "identity;q=0.5, gzip"] {
            assert!(takes(said), "{said}");
        }
        for said in ["", "br", "gzip;q=0", "gzip;q=0, *", "*;q=0", "identity, gzip;q=0.5", "gzip;q=x"] {
            assert!(!takes(said), "{said}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
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
        let mut both = says("forwarded", "for=unknown");
        both.insert("x-forwarded-for", "198.51.100.2".parse().unwrap());
        assert_eq!(visitor(proxy, &both, &[proxy]), proxy);
        // Several of our proxies; entries before the first of them prove nothing.
        let second: IpAddr = "10.0.0.2".parse().unwrap();
        let hops = says("x-forwarded-for", "203.0.113.9, 198.51.100.2, 10.0.0.2");
        assert_eq!(visitor(proxy, &hops, &[proxy, second]).to_string(), "198.51.100.2");
        assert_eq!(visitor(proxy, &hops, &[proxy]), second);
        assert_eq!(visitor(proxy, &says("x-forwarded-for", "10.0.0.2"), &[proxy, second]), second);
        let mut lines = says("forwarded", "for=\"forged, for=203.0.113.9");
        lines.append("forwarded", "for=198.51.100.2".parse().unwrap());
        assert_eq!(visitor(proxy, &lines, &[proxy]).to_string(), "198.51.100.2");
        let mapped = says("forwarded", "for=\"[::ffff:198.51.100.2]:80\"");
        assert_eq!(
            visitor("::ffff:127.0.0.1".parse().unwrap(), &mapped, &[proxy]).to_string(),
            "198.51.100.2"
        );
    }

    #[test]
    fn json_comes_to_who_likes_it_best() {
        let wants = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            wants_json(&headers)
        };
        for accept in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/json, text/plain, */*",
            "text/html;q=0.5, application/json",
            "text/plain, application/json;q=0.1",
            "text/html;q=0, application/json;q=0.1",
        ] {
            assert!(wants(accept), "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "text/html, application/json",
            "application/json;q=0",
            "application/json;q=0.8, text/html",
            "application/jsonp",
            "application/json;q=much",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        ] {
            assert!(!wants(accept), "{accept}");
        }
    }
}
