//! The section `[serve]`.

use std::net::SocketAddr;

use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use crate::connections::Listen;

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
            machine: String::new(),
            log: LogStyle::Text,
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

    /// A name that no other machine has: the host name and a digest of the machine ID. The host name is needed because
    /// machines made from one image share the ID. The ID is digested because it is a secret.
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

    /// Refuses values that make no sense.
    pub fn check(&self) -> Result<(), String> {
        self.lmtp_places()?;
        self.http_place()?;
        match self.timer_seconds {
            0 => Err("`timer_seconds` of [serve] must be at least 1".to_owned()),
            _ => Ok(()),
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
