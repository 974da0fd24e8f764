//! The section `[web]`.

use std::net::{IpAddr, SocketAddr};

use serde::{Deserialize, Serialize};
use turnpost_games::registry::find;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WebConfig {
    /// The address of the pages, for a proxy in front: `127.0.0.1:8080`. Empty: no pages.
    pub listen: String,
    /// The URL for visitors: `https://play.example.org`.
    pub url: String,
    /// The addresses of proxies that are trusted to name the visitor.
    pub trusted_proxies: Vec<IpAddr>,
    /// The word of the game that the first page tries. Empty: the first game that the robot plays.
    #[serde(rename = "try")]
    pub try_game: String,
    /// True: browsers whose players ask for it are told of turns, by the push services of their makers.
    pub push: bool,
}

impl Default for WebConfig {
    fn default() -> WebConfig {
        let (listen, url, try_game) = (String::new(), String::new(), String::new());
        WebConfig { listen, url, trusted_proxies: Vec::new(), try_game, push: true }
    }
}

impl WebConfig {
    pub fn place(&self) -> Result<Option<SocketAddr>, String> {
        let text = self.listen.trim();
        match text.parse::<SocketAddr>() {
            _ if text.is_empty() => Ok(None),
            Ok(address) if address.ip().is_loopback() => Ok(Some(address)),
            Ok(_) => Err(format!(
                "`listen` of [web]: {text:?} is open to other machines without TLS; let a proxy on this machine \
                 ask 127.0.0.1"
            )),
            Err(_) => {
                Err(format!("`listen` of [web]: {text:?} is no place to listen at, such as 127.0.0.1:8080"))
            }
        }
    }

    /// The URL of the pages, without a slash at the end; `None` if mails link to no page.
    pub fn pages(&self) -> Option<String> {
        Some(self.url.trim().trim_end_matches('/').to_owned()).filter(|url| !url.is_empty())
    }

    /// Refuses values that make no sense.
    pub fn check(&self) -> Result<(), String> {
        self.place()?;
        let word = self.try_game.trim();
        if !word.is_empty()
            && find(word).is_none_or(|game| game.dice || turnpost_robot::find(game.key).is_none())
        {
            return Err(format!("`try` of [web]: {word:?} is no game without dice that the robot plays"));
        }
        let url = self.url.trim();
        match url.is_empty() || url.starts_with("https://") || url.strip_prefix("http://").is_some_and(stays)
        {
            true => Ok(()),
            false => Err(format!(
                "`url` of [web]: {url:?} must begin with https://, for whoever reads a link on its way can move for its player"
            )),
        }
    }
}

/// True if requests to this host, with or without a port, stay on this machine.
fn stays(rest: &str) -> bool {
    let place = rest.split('/').next().unwrap_or_default();
    let host = match place.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|octet| octet.is_ascii_digit()) => host,
        _ => place,
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_stay_on_this_machine() {
        let read = |text: &str| toml::from_str::<WebConfig>(text).unwrap();
        assert_eq!(read("").place(), Ok(None));
        assert!(read("listen = '127.0.0.1:8080'").place().unwrap().is_some());
        assert!(read("listen = '0.0.0.0:8080'").check().unwrap_err().contains("open to other machines"));
        assert_eq!(read("try = 'chess'").check(), Ok(()));
        assert!(
            read("try = 'shogi'").check().unwrap_err().contains("no game without dice that the robot plays")
        );
        for url in [
            "play.example.org",
            "http://play.example.org",
            "http://192.0.2.1:80/",
            "http://localhost.example",
        ] {
            assert!(read(&format!("url = '{url}'")).check().unwrap_err().contains("https://"), "{url}");
        }
        for url in [
            "",
            "https://play.example.org",
            "http://localhost:8080",
            "http://127.0.0.1:1/",
            "http://[::1]:8080",
        ] {
            assert_eq!(read(&format!("url = '{url}'")).check(), Ok(()), "{url}");
        }
    }
}
