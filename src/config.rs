//! The host's settings, from one TOML file and the environment. Everything has a default.
//!
//! Each key has a variable: `TURNPOST_ADDRESS` for `address`, `TURNPOST_SMTP_HOST` for `host` of `[smtp]`.
//! The environment wins over the file.

pub mod keep;
mod mail;
mod resolve;
pub mod serve;
mod unknown;
mod web;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::credentials::Limits;
use crate::mail::transport::SendError;
use crate::play::robot::RobotConfig;
use crate::store::NO_ADDRESS;

pub use keep::{Age, KeepConfig};
pub use mail::{DirectoryConfig, DkimSettings, MailConfig, SendmailConfig, SmtpConfig, TransportKind};
pub use serve::{LogStyle, ServeConfig};
pub use unknown::{UnknownVariable, unknown_variables};
pub use web::WebConfig;

/// The configuration file in the data directory.
pub const FILE: &str = "turnpost.toml";

/// The settings. An empty string is not set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The file that the settings were read from, if there is one.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// A warning for each setting of an earlier version in that file.
    #[serde(skip)]
    pub struck: Vec<String>,
    /// The server's name in its mails.
    pub name: String,
    /// The address that players write to.
    pub address: String,
    /// Other addresses of the server.
    pub aliases: Vec<String>,
    /// The operator's address.
    pub operator: String,
    /// The right side of Message-IDs. Empty: the domain of `address`.
    pub host: String,
    /// True if mail to `address` with a `+extension` also arrives. Reply addresses then carry a token, and return
    /// paths identify the mail that bounced.
    pub extensions: bool,
    /// The name that the mail server in front writes into `Authentication-Results`. Empty: the field is ignored.
    pub authserv_id: String,
    /// The beginnings of banners that the host's gateway puts above mail from outside, in addition to
    /// `data/banners.txt`.
    pub banners: Vec<String>,
    /// A folder of templates that replace the built-in ones.
    pub templates: String,
    /// How long to wait for a locked database before a letter is left with the mail server.
    pub busy_seconds: u32,
    /// The socket of the system log, where `receive` also reports. Empty: no system log.
    pub syslog: String,
    pub mail: MailConfig,
    /// Used by `transport = "directory"`.
    pub directory: DirectoryConfig,
    /// Used by `transport = "smtp"`.
    pub smtp: SmtpConfig,
    /// Used by `transport = "sendmail"`.
    pub sendmail: SendmailConfig,
    /// DKIM signing, for a host whose mail server does not sign.
    pub dkim: DkimSettings,
    pub serve: ServeConfig,
    pub web: WebConfig,
    pub keep: KeepConfig,
    pub robot: RobotConfig,
    pub limits: Limits,
    /// Leagues, by the key of their game.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub league: BTreeMap<String, LeagueConfig>,
}

/// Settings of one game's league.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeagueConfig {
    /// The options of the league's boards, written as in a challenge. Empty: the game's shorter start, if any.
    pub options: String,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            file: None,
            struck: Vec::new(),
            name: "Turnpost".into(),
            address: NO_ADDRESS.into(),
            aliases: Vec::new(),
            operator: "postmaster@localhost".into(),
            host: String::new(),
            extensions: true,
            authserv_id: String::new(),
            banners: Vec::new(),
            templates: String::new(),
            busy_seconds: 20,
            syslog: "/dev/log".into(),
            mail: MailConfig::default(),
            directory: DirectoryConfig::default(),
            smtp: SmtpConfig::default(),
            sendmail: SendmailConfig::default(),
            dkim: DkimSettings::default(),
            serve: ServeConfig::default(),
            web: WebConfig::default(),
            keep: KeepConfig::default(),
            robot: RobotConfig::default(),
            limits: Limits::default(),
            league: BTreeMap::new(),
        }
    }
}

/// Why a configuration is unusable. The message names the place and the right form.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// Not TOML, or a value of the wrong type.
    #[error("{0}: {1}")]
    Toml(String, Box<toml::de::Error>),
    /// A key that is not a setting.
    #[error("{place}: there is no setting `{key}`{hint}")]
    Unknown { place: String, key: String, hint: String },
    /// A value that makes no sense.
    #[error("configuration: {0}")]
    Value(String),
    #[error("configuration of the mail transport: {0}")]
    Transport(#[from] SendError),
}

impl Config {
    /// Loads the settings of a data directory: `file` or the default file, then the environment.
    pub fn load(
        data: &Path,
        file: Option<&Path>,
        variables: &BTreeMap<String, String>,
    ) -> Result<Config, ConfigError> {
        let path = file.map_or_else(|| data.join(FILE), Path::to_path_buf);
        let (text, file) = match std::fs::read_to_string(&path) {
            Ok(text) => (text, Some(std::path::absolute(&path).unwrap_or_else(|_| path.clone()))),
            Err(why) if file.is_none() && why.kind() == std::io::ErrorKind::NotFound => (String::new(), None),
            Err(why) => return Err(ConfigError::File(path, why)),
        };
        let read = |text: &str, place: String| {
            toml::from_str::<Config>(text).map_err(|why| ConfigError::Toml(place, Box::new(why)))
        };
        // The file is parsed before the environment is merged, so that an error names its line.
        let place = path.display().to_string();
        let config = read(&text, place.clone())
            .or_else(|why| unknown::without_struck(&text, &place).unwrap_or(Err(why)))
            .map_err(|why| unknown::refuse_unknown_keys(&text, &place).err().unwrap_or(why))?;
        let struck = config.struck.clone();
        let mut config = match config.with_variables(variables)? {
            Some(text) => read(&text, "the environment".into())
                .map_err(|why| config.wrong_variable(variables).unwrap_or(why))?,
            None => config,
        };
        (config.file, config.struck) = (file, struck);
        config.check()?;
        Ok(config)
    }

    /// The settings as TOML, merged with the environment; `None` when no variable is set.
    fn with_variables(&self, variables: &BTreeMap<String, String>) -> Result<Option<String>, ConfigError> {
        // The usual case: a process for one letter need not serialise all settings.
        if variables.is_empty() {
            return Ok(None);
        }
        let mut table = toml::Table::try_from(self).map_err(|why| ConfigError::Value(why.to_string()))?;
        let mut changed = false;
        let mut set = |key: &mut toml::Value, name: String| {
            if let Some(text) = variables.get(&name) {
                *key = like(key, &name, text)?;
                changed = true;
            }
            Ok::<(), ConfigError>(())
        };
        for (name, value) in &mut table {
            let name = name.to_uppercase();
            match value {
                toml::Value::Table(section) => {
                    for (key, value) in section.iter_mut() {
                        set(value, format!("TURNPOST_{name}_{}", key.to_uppercase()))?;
                    }
                }
                value => set(value, format!("TURNPOST_{name}"))?,
            }
        }
        Ok(changed.then(|| table.to_string()))
    }

    /// The error of the first variable that makes the settings unreadable on its own.
    fn wrong_variable(&self, variables: &BTreeMap<String, String>) -> Option<ConfigError> {
        variables.iter().find_map(|(name, text)| {
            let alone = BTreeMap::from([(name.clone(), text.clone())]);
            let merged = self.with_variables(&alone).ok()??;
            let why = toml::from_str::<Config>(&merged).err()?;
            Some(ConfigError::Value(format!("{name}: {}", why.message())))
        })
    }

    fn check(&self) -> Result<(), ConfigError> {
        for (key, address) in [("address", &self.address), ("operator", &self.operator)]
            .into_iter()
            .chain(self.aliases.iter().map(|alias| ("aliases", alias)))
        {
            if crate::mail::clean::address(address).is_none() {
                let why = format!(
                    "`{key}` must be a mail address such as play@example.org, and {address:?} is none"
                );
                return Err(ConfigError::Value(why));
            }
        }
        let odd = |c: char| !c.is_ascii_graphic() || "<>@".contains(c);
        if self.host.contains(odd) {
            let why = format!("`host` must be the name of a machine, and {:?} is none", self.host);
            return Err(ConfigError::Value(why));
        }
        self.serve.check().map_err(ConfigError::Value)?;
        self.web.check().map_err(ConfigError::Value)?;
        self.robot.engines.check().map_err(ConfigError::Value)?;
        self.league_options()?;
        self.tls().map(|_| ())
    }

    /// Restores from `running` the settings that a running server cannot change; returns the names of those that
    /// differed.
    pub fn keep_fixed(&mut self, running: &Config) -> Vec<&'static str> {
        let mut kept = Vec::new();
        macro_rules! keep {
            ($($section:ident.$key:ident)*) => {$(
                if self.$section.$key != running.$section.$key {
                    self.$section.$key.clone_from(&running.$section.$key);
                    kept.push(concat!(stringify!($section), ".", stringify!($key)));
                }
            )*};
        }
        keep!(serve.lmtp serve.http serve.worker serve.timer serve.machine serve.log);
        keep!(web.listen web.push robot.enabled);
        kept
    }

    /// The settings as a configuration file, passwords masked.
    pub fn print(&self) -> String {
        let mut shown = self.clone();
        if !shown.smtp.password.is_empty() {
            shown.smtp.password = "***".into();
        }
        toml::to_string_pretty(&shown).unwrap_or_default()
    }
}

/// Parses `text` as a value of the same type as `example`.
fn like(example: &toml::Value, name: &str, text: &str) -> Result<toml::Value, ConfigError> {
    let wrong = |expected: &str| ConfigError::Value(format!("{name} must be {expected}"));
    Ok(match example {
        toml::Value::Integer(_) => text.parse().map(toml::Value::Integer).map_err(|_| wrong("a number"))?,
        toml::Value::Boolean(_) => {
            text.parse().map(toml::Value::Boolean).map_err(|_| wrong("true or false"))?
        }
        toml::Value::Array(_) => {
            text.split(',').map(|item| toml::Value::String(item.trim().to_owned())).collect::<Vec<_>>().into()
        }
        _ => toml::Value::String(text.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(file: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join(FILE), file).unwrap();
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Config::load(data.path(), None, &variables.iter().map(owned).collect())
    }

    #[test]
    fn the_environment_wins_over_the_file_and_the_file_over_the_default() {
        let config = load(
            "name = 'Club'\naddress = 'a@x.org'\n[smtp]\nport = 26\n",
            &[
                ("TURNPOST_ADDRESS", "b@y.org"),
                ("TURNPOST_SMTP_PASSWORD", "12345"),
                ("TURNPOST_ALIASES", "c@y.org, d@y.org"),
            ],
        )
        .unwrap();
        assert_eq!(
            (config.name.as_str(), config.address.as_str(), config.smtp.port),
            ("Club", "b@y.org", 26)
        );
        assert_eq!(config.aliases, ["c@y.org", "d@y.org"]);
        assert_eq!(config.smtp.password, "12345");
        assert_eq!(config.identity().host, "y.org");
    }

    #[test]
    fn what_is_printed_gives_the_same_settings_and_no_password() {
        let config = load("[smtp]\nuser = 'u'\npassword = 'plover'\n", &[]).unwrap();
        let printed = config.print();
        assert!(!printed.contains("plover"));
        let mut again = load(&printed, &[("TURNPOST_SMTP_PASSWORD", "plover")]).unwrap();
        again.file.clone_from(&config.file);
        assert_eq!(format!("{again:?}"), format!("{config:?}"));
    }

    #[test]
    fn a_setting_of_an_earlier_version_is_ignored_and_named() {
        let file = "[serve]\ngather = 3\nhttp = '127.0.0.1:2480'\n[limits]\nvacation_mails_a_day = 4\n";
        let config = load(file, &[("TURNPOST_SERVE_GATHER", "3")]).unwrap();
        assert_eq!(config.serve.http, "127.0.0.1:2480");
        let said = ["limits.vacation_mails_a_day", "serve.gather"];
        assert_eq!(config.struck, said.map(|key| format!("`{key}` is no longer a setting")));
        let wrong = load(&format!("{file}answers = 1"), &[]).unwrap_err().to_string();
        assert!(wrong.contains("line 6: there is no setting `limits.answers`"), "{wrong}");
        let wrong = load(&format!("{file}answers_an_hour = 'x'"), &[]).unwrap_err().to_string();
        assert!(wrong.contains("at line 6, column"), "{wrong}");
    }

    #[test]
    fn mistakes_are_named() {
        let says = |file: &str, variables: &[(&str, &str)]| load(file, variables).unwrap_err().to_string();
        assert!(says("adress = 'a@x.org'", &[]).contains("there is no setting `adress`"));
        assert!(says("address = 'nobody'", &[]).contains("must be a mail address"));
        assert!(says("[smtp]\ntls = 'maybe'", &[]).contains("none, starttls and tls"));
        assert!(says("", &[("TURNPOST_SMTP_PORT", "many")]).contains("TURNPOST_SMTP_PORT must be a number"));
        for (section, said) in [
            ("[league.dvon]", "`[league.dvon]` names no game; did you mean `dvonn`?"),
            ("[league.hex]\noptions = '-size=99'", "`options` of [league.hex]: "),
            ("[league.hex]\noptions = '-clock=4h+'", "`options` of [league.hex]: "),
            ("[league.hex]\noptions = '-size=9 ann'", "`options` of [league.hex]: "),
            ("[league.hex]\noptions = '--unrated'", "are rated: no -position=, no --unrated"),
            ("[league.dvonn]\noptions = '-position=\"x\"'", "are rated: no -position=, no --unrated"),
            ("[league.hex]\noption = '-size=9'", "unknown field `option`"),
            (
                "[robot.engines.x]\ngame = 'chess'\nprotocol = 'uci'\ncommand = ['x']\nlevel = []",
                "unknown field `level`",
            ),
            (
                "[robot.engines.x]\ngame = 'ches'\nprotocol = 'uci'\ncommand = ['x']",
                "`game` names no game: \"ches\"",
            ),
            (
                "[robot.engines.x]\ngame = 'go'\nprotocol = 'uci'\ncommand = ['x']",
                "other games than go: chess",
            ),
            (
                "[robot.engines.robot]\ngame = 'go'\nprotocol = 'gtp'\ncommand = ['x']",
                "the name begins userids",
            ),
            ("[robot.engines.x]\ngame = 'go'\nprotocol = 'gtp'\ncommand = []", "`command` is empty"),
        ] {
            assert!(says(section, &[]).contains(said), "{}", says(section, &[]));
        }
    }
}
