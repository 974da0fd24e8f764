//! The section `[serve]`.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServeConfig {
    /// The LMTP addresses: `127.0.0.1:2400`, `unix:/run/turnpost/lmtp`, or a list. Empty: no LMTP.
    #[serde(deserialize_with = "one_or_several")]
    pub lmtp: Vec<String>,
    /// True: believe `Authentication-Results` over TCP too, although every local user can connect.
    pub trust_local_users: bool,
    /// The address of `/healthz` and `/metrics`. Empty: neither.
    pub http: String,
    /// True: this process sends mail.
    pub worker: bool,
    /// True: this process runs the clocks, as `tick` does.
    pub timer: bool,
    pub timer_seconds: u32,
    /// An idle LMTP connection is closed after this time.
    pub idle_seconds: u32,
    /// Every LMTP connection is closed after this time.
    pub session_seconds: u32,
    /// The name of this machine, if another uses the same database. Empty: host name and a digest of `/etc/machine-id`.
    pub machine: String,
    pub log: LogStyle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogStyle {
    Text,
    /// A JSON object per line.
    Json,
}

impl Default for ServeConfig {
    fn default() -> ServeConfig {
        ServeConfig {
            lmtp: Vec::new(),
            trust_local_users: false,
            http: String::new(),
            worker: true,
            timer: true,
            timer_seconds: 60,
            idle_seconds: 300,
            session_seconds: 3600,
            machine: String::new(),
            log: LogStyle::Text,
        }
    }
}

/// An address to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    Port(SocketAddr),
    /// A Unix socket.
    File(PathBuf),
}

impl Listen {
    /// Reads `127.0.0.1:2400`, `[::1]:2400` or `unix:/path`.
    pub fn read(text: &str) -> Result<Listen, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            return match path.starts_with('/') {
                true => Ok(Listen::File(PathBuf::from(path))),
                false => Err(format!("{text:?} must name its file from the root: unix:/run/turnpost/lmtp")),
            };
        }
        match text.parse::<SocketAddr>() {
            Ok(address) if address.ip().is_loopback() => Ok(Listen::Port(address)),
            Ok(_) => Err(format!("{text:?} is open to other machines; only loopback addresses are served")),
            Err(_) => Err(format!("{text:?} is no place to listen at, such as 127.0.0.1:2400")),
        }
    }
}

impl ServeConfig {
    pub fn lmtp_places(&self) -> Result<Vec<Listen>, String> {
        let places = self.lmtp.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        places.map(|text| Listen::read(text).map_err(|why| format!("`lmtp` of [serve]: {why}"))).collect()
    }

    pub fn http_place(&self) -> Result<Option<SocketAddr>, String> {
        let text = self.http.trim();
        match Listen::read(text) {
            _ if text.is_empty() => Ok(None),
            Ok(Listen::Port(address)) => Ok(Some(address)),
            Ok(Listen::File(_)) => Err("`http` of [serve] must be a port".to_owned()),
            Err(why) => Err(format!("`http` of [serve]: {why}")),
        }
    }

    /// A name that no other machine has. The host name is part of it since machines made from one image share the
    /// number, which is digested since it is a secret.
    pub fn machine_name(&self) -> String {
        if !self.machine.is_empty() {
            return self.machine.clone();
        }
        let system = rustix::system::uname();
        let number = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
        let digest = Sha256::digest(format!("turnpost {}", number.trim()));
        let digest: String = digest.iter().take(4).map(|octet| format!("{octet:02x}")).collect();
        format!("{} {digest}", system.nodename().to_string_lossy())
    }

    /// Finds values that make no sense.
    pub fn check(&self) -> Result<(), String> {
        self.lmtp_places()?;
        self.http_place()?;
        let counts = [
            ("timer_seconds", self.timer_seconds),
            ("idle_seconds", self.idle_seconds),
            ("session_seconds", self.session_seconds),
        ];
        match counts.into_iter().find(|(_, count)| *count == 0) {
            Some((key, _)) => Err(format!("`{key}` of [serve] must be at least 1")),
            None => Ok(()),
        }
    }
}

/// Reads a string or a list of strings.
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Texts {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Texts::deserialize(deserializer)? {
        Texts::One(text) => vec![text],
        Texts::Several(texts) => texts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let port = |text: &str| Listen::Port(text.parse().unwrap());
        assert_eq!(Listen::read("127.0.0.1:2400"), Ok(port("127.0.0.1:2400")));
        assert_eq!(Listen::read("[::1]:2400"), Ok(port("[::1]:2400")));
        assert_eq!(Listen::read("unix:/run/lmtp"), Ok(Listen::File("/run/lmtp".into())));
        for (wrong, why) in [
            ("0.0.0.0:2400", "open to other machines"),
            ("192.0.2.1:25", "open to other machines"),
            ("2400", "no place to listen at"),
            ("localhost", "no place to listen at"),
            ("unix:lmtp", "from the root"),
        ] {
            assert!(Listen::read(wrong).unwrap_err().contains(why), "{wrong}");
        }
    }

    #[test]
    fn one_place_or_several() {
        let lmtp = |text: &str| toml::from_str::<ServeConfig>(text).unwrap().lmtp;
        assert_eq!(lmtp("lmtp = '127.0.0.1:2400'"), ["127.0.0.1:2400"]);
        assert_eq!(lmtp("lmtp = ['127.0.0.1:2400', 'unix:/run/lmtp']").len(), 2);
        assert_eq!(toml::from_str::<ServeConfig>("lmtp = ''").unwrap().lmtp_places(), Ok(Vec::new()));
    }

    #[test]
    fn what_means_nothing_is_named() {
        let says = |text: &str| toml::from_str::<ServeConfig>(text).unwrap().check().unwrap_err();
        assert!(says("timer_seconds = 0").contains("`timer_seconds`"));
        assert!(says("http = 'unix:/run/http'").contains("must be a port"));
        assert!(says("lmtp = '0.0.0.0:24'").contains("`lmtp` of [serve]"));
    }
}
