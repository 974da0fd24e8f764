//! SMTP by lettre.

use std::fmt;
use std::time::Duration;

use lettre::address::Envelope;
use lettre::transport::smtp::SmtpTransport;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls as LettreTls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Transport as _};

use super::{OutEnvelope, SendError, Transport};
use crate::mail::clean;

/// Where mail is handed in.
#[derive(Debug, Clone)]
pub struct SmtpSettings {
    /// The server's name or address; with TLS, the name its certificate must bear.
    pub host: String,
    /// 25 for a mail server on this machine; 587 and 465 for a provider's, with STARTTLS and TLS.
    pub port: u16,
    /// How the connection is protected.
    pub tls: Tls,
    /// The account at the server, where it asks for one.
    pub login: Option<Login>,
    /// The name this machine gives in EHLO.
    pub hello: String,
    /// How long connecting, and each answer of the server, may take.
    pub timeout: Duration,
}

/// How a connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    /// Not at all: for a server on this machine.
    None,
    /// By STARTTLS, without which nothing is sent (RFC 3207).
    StartTls,
    /// From its first octet (RFC 8314 3.3).
    Tls,
}

/// An account at a mail server.
#[derive(Clone)]
pub struct Login {
    /// Its name.
    pub user: String,
    /// Its password.
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("user", &self.user).field("password", &"***").finish()
    }
}

/// Hands mail to an SMTP server, each over a connection of its own: one that was kept is closed by the server
/// when it pleases, and lettre (its issue 743) does not notice before the next mail has failed.
pub struct Smtp(SmtpTransport);

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Smtp(***)")
    }
}

impl Smtp {
    /// Prepares the transport; nothing is connected yet. An error is one of the settings.
    pub fn new(settings: &SmtpSettings) -> Result<Self, SendError> {
        let parameters = || {
            TlsParameters::new(settings.host.clone())
                .map_err(|error| SendError::Temporary(format!("TLS cannot be set up: {error}")))
        };
        let tls = match settings.tls {
            Tls::None => LettreTls::None,
            Tls::StartTls => LettreTls::Required(parameters()?),
            Tls::Tls => LettreTls::Wrapper(parameters()?),
        };
        let mut transport = SmtpTransport::builder_dangerous(&settings.host)
            .port(settings.port)
            .tls(tls)
            .hello_name(ClientId::Domain(clean::line(&settings.hello)))
            .timeout(Some(settings.timeout));
        if let Some(login) = &settings.login {
            transport = transport.credentials(Credentials::new(login.user.clone(), login.password.clone()));
        }
        Ok(Smtp(transport.build()))
    }
}

impl Transport for Smtp {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError> {
        let address = |text: &str| clean::address(text).and_then(|text| text.parse::<Address>().ok());
        let to =
            address(&envelope.to).ok_or_else(|| SendError::Permanent("not a mail address".to_owned()))?;
        let ascii = envelope.to.is_ascii();
        let from = match &envelope.from {
            None => None,
            Some(from) => {
                let from = address(from);
                Some(from.ok_or_else(|| SendError::Temporary("our return path is no address".to_owned()))?)
            }
        };
        let envelope = Envelope::new(from, vec![to])
            .map_err(|error| SendError::Permanent(format!("no envelope: {error}")))?;
        self.0.send_raw(&envelope, mail).map(|_| ()).map_err(|error| classify(&error, ascii))
    }
}

fn classify(error: &lettre::transport::smtp::Error, ascii: bool) -> SendError {
    let text = clean::line(&error.to_string()).chars().take(300).collect();
    let code = error.status().map(u16::from).unwrap_or_default();
    // A server that does not know RFC 6531 cannot take this address, today or tomorrow.
    let undeliverable = error.is_client() && !ascii;
    // Our login and our settings are no fault of the mail: it waits until they are put right.
    let settings = matches!(code, 500..=504 | 530 | 534 | 535 | 538);
    if undeliverable || (error.is_permanent() && !settings) {
        SendError::Permanent(text)
    } else {
        SendError::Temporary(text)
    }
}
