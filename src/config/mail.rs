//! The settings about outgoing mail: transport and signature.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailConfig {
    pub transport: TransportKind,
    /// `receive` sends the mails of a letter before it ends; otherwise `deliver` sends them.
    pub after_receive: bool,
    /// The same for `submit`.
    pub after_submit: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransportKind {
    /// Files in a folder. Nothing leaves the machine.
    Directory,
    Smtp,
    Sendmail,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DirectoryConfig {
    /// Empty: `mail` in the data directory.
    pub path: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SmtpConfig {
    pub host: String,
    pub port: u16,
    /// `none`, `starttls` or `tls`.
    pub tls: String,
    /// Empty: no login.
    pub user: String,
    pub password: String,
    /// The time limit for connecting and for each answer of the mail server.
    pub timeout_seconds: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SendmailConfig {
    pub program: String,
}

/// The key that signs mail (RFC 6376).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DkimSettings {
    /// The file of the private key: RSA in PKCS#1, or the base64 of an Ed25519 key. Empty: mail is not signed
    /// here.
    pub key: String,
    /// The public key is published under `selector._domainkey.domain`.
    pub selector: String,
    /// The domain that signs. Empty: the domain of `address`.
    pub domain: String,
}

impl Default for MailConfig {
    fn default() -> MailConfig {
        MailConfig { transport: TransportKind::Directory, after_receive: false, after_submit: true }
    }
}

impl Default for SmtpConfig {
    fn default() -> SmtpConfig {
        SmtpConfig {
            host: "127.0.0.1".into(),
            port: 25,
            tls: "none".into(),
            user: String::new(),
            password: String::new(),
            timeout_seconds: 60,
        }
    }
}

impl Default for SendmailConfig {
    fn default() -> SendmailConfig {
        SendmailConfig { program: "/usr/sbin/sendmail".into() }
    }
}
