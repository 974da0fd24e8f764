//! SMTP, on lettre's connection.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{SmtpConnection, Tls as LettreTls, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};

use super::{OutEnvelope, SendError, Transport};
use crate::mail::clean;

#[derive(Debug, Clone)]
pub struct SmtpSettings {
    /// The server's name or address. With TLS, it is the name in the certificate.
    pub host: String,
    /// 25 for a mail server on this machine; 587 (STARTTLS) or 465 (TLS) for a provider.
    pub port: u16,
    pub tls: Tls,
    pub login: Option<SmtpLogin>,
    /// The name of this machine in EHLO.
    pub hello: String,
    /// The time limit for connecting and for each answer.
    pub timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    /// Only for a server on this machine.
    None,
    /// STARTTLS is required (RFC 3207).
    StartTls,
    /// TLS from the first octet (RFC 8314 3.3).
    Tls,
}

#[derive(Clone)]
pub struct SmtpLogin {
    pub user: String,
    pub password: String,
}

impl fmt::Debug for SmtpLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpLogin").field("user", &self.user).field("password", &"***").finish()
    }
}

/// Sends mail to an SMTP server and keeps the connection.
///
/// lettre's own transport sends the end of a mail as a second small packet, which waits 40 ms (Nagle's
/// algorithm and delayed acknowledgements, lettre 0.11.23). This one sends mail and end together.
///
/// The server can close a kept connection unnoticed (lettre's issue 743). If MAIL fails on it, the mail goes out on a
/// new connection.
pub struct Smtp {
    settings: SmtpSettings,
    tls: LettreTls,
    kept: Mutex<Option<SmtpConnection>>,
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Smtp(***)")
    }
}

impl Smtp {
    /// Prepares the transport without connecting. An error means wrong settings.
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
        Ok(Smtp { settings: settings.clone(), tls, kept: Mutex::new(None) })
    }

    /// Connects, logs in if there is a login, and leaves.
    pub fn try_connecting(&self) -> Result<(), SendError> {
        let mut connection = self.connect().map_err(|error| SendError::Down(told(&error)))?;
        // The server has answered; a failed QUIT means nothing.
        let _ = connection.quit();
        Ok(())
    }

    fn connect(&self) -> Result<SmtpConnection, Error> {
        let SmtpSettings { host, port, login, hello, timeout, .. } = &self.settings;
        let hello = ClientId::Domain(clean::line(hello));
        let wrapper = match &self.tls {
            LettreTls::Wrapper(parameters) => Some(parameters),
            _ => None,
        };
        let mut connection =
            SmtpConnection::connect((host.as_str(), *port), Some(*timeout), &hello, wrapper, None)?;
        if let LettreTls::Required(parameters) = &self.tls {
            connection.starttls(parameters, &hello)?;
        }
        if let Some(login) = login {
            let credentials = Credentials::new(login.user.clone(), login.password.clone());
            connection.auth(DEFAULT_MECHANISMS, &credentials)?;
        }
        Ok(connection)
    }

    /// A connection on which the server has accepted MAIL.
    fn begin(&self, mail: &Mail, needs: &[Extension]) -> Result<SmtpConnection, SendError> {
        if let Some(mut connection) = self.take_kept() {
            match connection.command(mail) {
                Ok(_) => return Ok(connection),
                Err(_) => connection.abort(),
            }
        }
        // A server that cannot be reached (RFC 5321 3.1) says nothing about this mail.
        let mut connection = self.connect().map_err(|error| SendError::Down(told(&error)))?;
        if let Some(lacks) = needs.iter().find(|need| !connection.server_info().supports_feature(**need)) {
            connection.abort();
            // The server will never take this mail (RFC 6531 3.2, RFC 6152 3).
            return Err(SendError::Permanent(format!("the mail server does not know {lacks}")));
        }
        match connection.command(mail) {
            Ok(_) => Ok(connection),
            Err(error) => {
                connection.abort();
                Err(classify(&error))
            }
        }
    }

    fn take_kept(&self) -> Option<SmtpConnection> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Transport for Smtp {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError> {
        let address = |text: &str| clean::address(text).and_then(|text| text.parse::<Address>().ok());
        let to =
            address(&envelope.to).ok_or_else(|| SendError::Permanent("not a mail address".to_owned()))?;
        let from = match &envelope.from {
            None => None,
            Some(from) => {
                let from = address(from);
                Some(from.ok_or_else(|| SendError::Temporary("our return path is no address".to_owned()))?)
            }
        };
        let (mut parameters, mut needs) = (Vec::new(), Vec::new());
        if !envelope.to.is_ascii() || envelope.from.as_ref().is_some_and(|from| !from.is_ascii()) {
            parameters.push(MailParameter::SmtpUtfEight);
            needs.push(Extension::SmtpUtfEight);
        }
        if !mail.is_ascii() {
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
            needs.push(Extension::EightBitMime);
        }
        let mut connection = self.begin(&Mail::new(from, parameters), &needs)?;
        let handed_over = connection
            .command(Rcpt::new(to, Vec::new()))
            .and_then(|_| connection.command(Data))
            .and_then(|_| match std::str::from_utf8(mail) {
                Ok(mail) => connection.command(WithEnd(mail)),
                Err(_) => connection.message(mail),
            });
        match handed_over {
            Ok(_) => {
                *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection);
                Ok(())
            }
            Err(error) => {
                connection.abort();
                Err(classify(&error))
            }
        }
    }

    fn disconnect(&self) {
        if let Some(mut connection) = self.take_kept() {
            // The server can be gone already.
            let _ = connection.quit();
        }
    }
}

impl Drop for Smtp {
    fn drop(&mut self) {
        self.disconnect();
    }
}

/// A mail as sent after DATA, with stuffed dots and its end (RFC 5321 4.5.2).
struct WithEnd<'a>(&'a str);

impl fmt::Display for WithEnd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.0.split_inclusive("\r\n") {
            if line.starts_with('.') {
                f.write_str(".")?;
            }
            f.write_str(line)?;
        }
        f.write_str(if self.0.ends_with("\r\n") { ".\r\n" } else { "\r\n.\r\n" })
    }
}

/// The server's answer, shortened.
fn told(error: &Error) -> String {
    clean::line(&error.to_string()).chars().take(300).collect()
}

fn classify(error: &Error) -> SendError {
    let text = told(error);
    let code = error.status().map(u16::from).unwrap_or_default();
    // These codes blame the login or the settings. The mail waits until the host repairs them.
    let settings = matches!(code, 500..=504 | 530 | 534 | 535 | 538);
    if error.is_permanent() && !settings { SendError::Permanent(text) } else { SendError::Temporary(text) }
}
