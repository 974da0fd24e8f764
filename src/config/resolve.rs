//! Makes the server's identity, the app and the transport from the settings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use turnpost_games::registry;

use super::{Config, ConfigError, DkimSettings, LeagueConfig, TransportKind};
use crate::app::App;
use crate::commands::contest_entry::contest_options;
use crate::contest::terms::LeagueOptions;
use crate::language::closest;
use crate::mail::ServerIdentity;
use crate::mail::clean;
use crate::mail::outgoing::Signer;
use crate::mail::transport::{Directory, Sendmail, Smtp, SmtpLogin, SmtpSettings, Tls, Transport};

impl Config {
    pub(super) fn tls(&self) -> Result<Tls, ConfigError> {
        match self.smtp.tls.as_str() {
            "none" => Ok(Tls::None),
            "starttls" => Ok(Tls::StartTls),
            "tls" => Ok(Tls::Tls),
            other => {
                let why = format!(
                    "`tls` of [smtp] is one of none, starttls and tls, and {other:?} is none of them"
                );
                Err(ConfigError::Value(why))
            }
        }
    }

    pub fn identity(&self) -> ServerIdentity {
        let domain = self.address.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        ServerIdentity {
            name: self.name.clone(),
            address: self.address.clone(),
            aliases: self.aliases.clone(),
            host: if self.host.is_empty() { domain.to_owned() } else { self.host.clone() },
            extensions: self.extensions,
            banners: self.banners.iter().map(|banner| clean::line(banner).to_lowercase()).collect(),
            authserv_id: Some(self.authserv_id.trim().to_owned()).filter(|id| !id.is_empty()),
        }
    }

    /// The board options of each league, by the key of its game.
    pub(super) fn league_options(&self) -> Result<LeagueOptions, ConfigError> {
        let mut all = LeagueOptions::new();
        for (key, LeagueConfig { options }) in &self.league {
            let Some(game) = registry::find(key) else {
                let near = closest(key, registry::games().iter().map(|game| game.key));
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                return Err(ConfigError::Value(format!("`[league.{key}]` names no game{near}")));
            };
            if !options.trim().is_empty() {
                let read = contest_options(game, options)
                    .map_err(|why| ConfigError::Value(format!("`options` of [league.{key}]: {why}")))?;
                all.insert(game.key.to_owned(), read);
            }
        }
        Ok(all)
    }

    /// The app without a signer; reads no files.
    pub fn app(&self) -> App {
        let templates = Some(PathBuf::from(&self.templates)).filter(|path| !path.as_os_str().is_empty());
        App {
            robot: self.robot.clone(),
            limits: self.limits.clone(),
            leagues: self.league_options().unwrap_or_default(),
            ..App::new(self.identity(), &self.operator, self.web.pages(), templates)
        }
    }

    /// The app with a signer, if a DKIM key is set.
    pub fn signing_app(&self) -> Result<App, ConfigError> {
        let mut app = self.app();
        let DkimSettings { key, selector, domain } = &self.dkim;
        if key.is_empty() {
            return Ok(app);
        }
        if selector.is_empty() {
            return Err(ConfigError::Value(
                "`selector` of [dkim] is missing: the name of the key in the DNS".into(),
            ));
        }
        let own = self.address.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        let domain = if domain.is_empty() { own } else { domain };
        let text = std::fs::read_to_string(key).map_err(|why| ConfigError::File(PathBuf::from(key), why))?;
        let signer = Signer::new(selector, domain, &text)
            .map_err(|why| ConfigError::Value(format!("`key` of [dkim], {key}: {why}")))?;
        app.signer = Some(signer);
        Ok(app)
    }

    /// The folder where the transport `directory` writes `.eml` files.
    pub fn mail_folder(&self, data: &Path) -> PathBuf {
        if self.directory.path.is_empty() { data.join("mail") } else { PathBuf::from(&self.directory.path) }
    }

    pub fn transport(&self, data: &Path) -> Result<Box<dyn Transport>, ConfigError> {
        Ok(match self.mail.transport {
            TransportKind::Directory => Box::new(Directory::new(self.mail_folder(data))),
            TransportKind::Sendmail => {
                Box::new(Sendmail::new(&self.sendmail.program, Duration::from_secs(60)))
            }
            TransportKind::Smtp => Box::new(Smtp::new(&self.smtp_settings()?)?),
        })
    }

    pub fn smtp_settings(&self) -> Result<SmtpSettings, ConfigError> {
        let login = (!self.smtp.user.is_empty())
            .then(|| SmtpLogin { user: self.smtp.user.clone(), password: self.smtp.password.clone() });
        Ok(SmtpSettings {
            host: self.smtp.host.clone(),
            port: self.smtp.port,
            tls: self.tls()?,
            login,
            hello: self.identity().host,
            timeout: Duration::from_secs(self.smtp.timeout_seconds.into()),
        })
    }
}
