//! Signs our mails (DKIM, RFC 6376) on hosts whose mail server does not.
//!
//! A mail is signed when it is written, so a second try sends the same octets.

use lettre::message::Message;
use lettre::message::dkim::{
    DkimCanonicalization, DkimCanonicalizationType, DkimConfig, DkimSigningAlgorithm, DkimSigningKey,
};
use lettre::message::header::HeaderName;

/// The signed fields, which people and programs act on (RFC 6376 5.4). A missing field is signed as missing,
/// so that none can be added on the way.
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

#[derive(Debug, thiserror::Error)]
#[error(
    "the key is neither an RSA key in PKCS#1 (`openssl genrsa -traditional 2048`, BEGIN RSA PRIVATE KEY) nor the \
     base64 of the 32 octets of an Ed25519 key"
)]
pub struct BadKey;

/// A private key, with the name its public key is published under.
pub struct Signer(DkimConfig);

impl Signer {
    /// Signs for `domain`; the public key is published at `selector._domainkey.domain`.
    pub fn new(selector: &str, domain: &str, key: &str) -> Result<Signer, BadKey> {
        let key = key.trim();
        let kind = if key.starts_with("-----BEGIN") {
            DkimSigningAlgorithm::Rsa
        } else {
            DkimSigningAlgorithm::Ed25519
        };
        let key = DkimSigningKey::new(key, kind).map_err(|_| BadKey)?;
        let names = SIGNED.map(HeaderName::new_from_ascii_str).to_vec();
        // Relaxed, since servers on the way may refold a field.
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
