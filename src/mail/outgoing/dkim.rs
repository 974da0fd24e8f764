//! Signing our mails ourselves (DKIM, RFC 6376), where no mail server in front does.
//!
//! A mail is signed once, when it is written: what is stored is what leaves, and a second try sends the same octets.

use lettre::message::Message;
use lettre::message::dkim::{
    DkimCanonicalization, DkimCanonicalizationType, DkimConfig, DkimSigningAlgorithm, DkimSigningKey,
};
use lettre::message::header::HeaderName;

/// The fields that are signed: what people and programs go by (RFC 6376 5.4). Of those a mail has not, it is signed that
/// it has them not: none can be added on the way.
const SIGNED: [&str; 14] = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Reply-To",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "List-Unsubscribe",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "X-Loop",
];

/// What is wrong with a key.
#[derive(Debug, thiserror::Error)]
#[error(
    "the key is neither an RSA key in PKCS#1 (`openssl genrsa -traditional 2048`, BEGIN RSA PRIVATE KEY) nor the \
     base64 of the 32 octets of an Ed25519 key"
)]
pub struct BadKey;

/// A key with the name it is published under.
pub struct Signer(DkimConfig);

impl Signer {
    /// Signs for `domain` with the private key whose public half stands at `selector._domainkey.domain`.
    pub fn new(selector: &str, domain: &str, key: &str) -> Result<Signer, BadKey> {
        let key = key.trim();
        let kind = if key.starts_with("-----BEGIN") {
            DkimSigningAlgorithm::Rsa
        } else {
            DkimSigningAlgorithm::Ed25519
        };
        let key = DkimSigningKey::new(key, kind).map_err(|_| BadKey)?;
        let names = SIGNED.map(HeaderName::new_from_ascii_str).to_vec();
        // Relaxed: a server on the way may fold a field anew.
        let relaxed = DkimCanonicalization {
            header: DkimCanonicalizationType::Relaxed,
            body: DkimCanonicalizationType::Relaxed,
        };
        Ok(Signer(DkimConfig::new(selector.to_owned(), domain.to_owned(), key, names, relaxed)))
    }

    pub(super) fn sign(&self, mail: &mut Message) {
        mail.sign(&self.0);
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signer(***)")
    }
}
