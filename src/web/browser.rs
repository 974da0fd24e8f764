//! The browser that a request comes from. It has a cookie or the token of a bot, a name, and the mark of whether a page
//! of this server sent the request.

use axum::http::{HeaderMap, header};

use super::Site;
use super::form::field;
use crate::credentials::token;

/// A browser, as its request describes it.
#[derive(Debug, Default)]
pub(crate) struct Browser {
    /// The code of its cookie.
    pub cookie: Option<String>,
    /// The token of a bot, which no browser sends by itself.
    pub bearer: Option<String>,
    /// Its name in the player's list of browsers.
    pub name: String,
    /// True if a page of this server sent the request, as far as browsers tell.
    pub is_from_our_page: bool,
}

impl Browser {
    /// Describes the browser by the request's headers. Old browsers send no `Sec-Fetch-Site`, but `Origin`.
    pub fn of(headers: &HeaderMap, url: &str) -> Browser {
        let said = |name: header::HeaderName| {
            headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
        };
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let is_code =
            |code: &str| code.len() <= 64 && code.bytes().all(|octet| octet.is_ascii_alphanumeric());
        let cookie =
            cookies.find(|(name, code)| *name == cookie_name(url) && is_code(code)).map(|(_, code)| code);
        let site = said(header::HeaderName::from_static("sec-fetch-site"));
        let bearer = said(header::AUTHORIZATION).split_once(' ');
        let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        Browser {
            bearer: bearer.map(|(_, token)| token.to_owned()),
            cookie: cookie.map(str::to_owned),
            name: name(said(header::USER_AGENT)),
            is_from_our_page: if site.is_empty() {
                said(header::ORIGIN) == origin(url)
            } else {
                site == "same-origin"
            },
        }
    }

    pub fn cookie(&self) -> &str {
        self.cookie.as_deref().unwrap_or_default()
    }

    /// The code in this browser's forms, which other sites cannot know.
    pub fn form_code(&self, site: &Site) -> String {
        token::page_code(&site.key, FORM, self.cookie())
    }

    /// True if this server made the form for this browser, and one of its pages sent it.
    pub fn has_sent(&self, site: &Site, body: &[u8]) -> bool {
        let code = field(body, "code").unwrap_or_default();
        self.is_from_our_page && token::is_page_code(&site.key, FORM, self.cookie(), &code)
    }
}

/// The purpose of a form's code.
const FORM: &str = "form";

impl Site {
    /// The value of `Set-Cookie`. An empty code deletes the cookie.
    pub(super) fn cookie(&self, code: &str) -> String {
        let secure = if self.url.starts_with("https:") { "; Secure" } else { "" };
        let age = if code.is_empty() { 0 } else { 400 * 24 * 60 * 60 };
        let name = cookie_name(&self.url);
        format!("{name}={code}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}")
    }
}

/// The cookie's name. With the prefix `__Host-` no neighbouring site can set it.
fn cookie_name(url: &str) -> &'static str {
    if url.starts_with("https:") { "__Host-turnpost" } else { "turnpost" }
}

/// The origin of our pages, as browsers write it.
fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let scheme = scheme.to_ascii_lowercase();
    let host = rest.split('/').next().unwrap_or_default().to_ascii_lowercase();
    let usual = if scheme == "https" { ":443" } else { ":80" };
    format!("{scheme}://{}", host.strip_suffix(usual).unwrap_or(&host))
}

/// The name of a browser from its `User-Agent`: `Firefox on Linux`.
fn name(agent: &str) -> String {
    const PROGRAMS: [(&str, &str); 5] = [
        ("Firefox", "Firefox"),
        ("Edg", "Edge"),
        ("OPR", "Opera"),
        ("Chrom", "Chrome"),
        ("Safari", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ];
    let named = |known: &[(&str, &'static str)]| {
        known.iter().find(|(sign, _)| agent.contains(sign)).map(|(_, name)| *name)
    };
    match (named(&PROGRAMS), named(&SYSTEMS)) {
        (Some(program), Some(system)) => format!("{program} on {system}"),
        (Some(program), None) => program.to_owned(),
        (None, Some(system)) => format!("a browser on {system}"),
        (None, None) => "a program".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_has_a_name_that_its_owner_knows() {
        for (agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0",
                "Edge on Windows",
            ),
            ("curl/8.5.0", "a program"),
            ("\u{1F600}", "a program"),
        ] {
            assert_eq!(name(agent), expected);
        }
    }
}
