//! The keys about mail that leaves: by which way, and signed with what.

use serde::{Deserialize, Serialize};

/// How mail leaves.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailConfig {
    /// By which way.
    pub transport: TransportKind,
    /// Whether `receive` sends what a letter caused at once, before it ends; else `deliver` does.
    pub after_receive: bool,
    /// Whether `submit` does.
    pub after_submit: bool,
}

/// The ways out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransportKind {
    /// Files in a folder: nothing leaves the machine.
    Directory,
    /// A mail server.
    Smtp,
    /// The machine's sendmail program.
    Sendmail,
}

/// A folder of `.eml` files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DirectoryConfig {
    /// The folder; empty: `mail` in the data directory.
    pub path: String,
}

/// A mail server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SmtpConfig {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// `none`, `starttls` or `tls`.
    pub tls: String,
    /// The user to log in as; empty: no login.
    pub user: String,
    /// The password for that.
    pub password: String,
    /// How many seconds connecting, and each answer of the server, may take.
    pub timeout_seconds: u32,
}

/// A sendmail program.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SendmailConfig {
    /// Its path.
    pub program: String,
}

/// A key to sign mail with (RFC 6376).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DkimSettings {
    /// The file of the private key: RSA in PKCS#1, or the base64 of an Ed25519 key; empty: mail is not signed here.
    pub key: String,
    /// The name the public half is published under, `selector._domainkey.domain`.
    pub selector: String,
    /// The domain it signs for; empty: that of `address`.
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
