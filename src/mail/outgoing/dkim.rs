//! Signs outgoing mails (DKIM, RFC 6376) on hosts whose mail server does not.
//!
//! A mail is signed when it is sent, over its final octets. A second try gives the same signature: its time is the
//! mail's Date. Both canonicalizations are relaxed, because servers on the way can refold a field.

use data_encoding::BASE64;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use sha2::{Digest, Sha256};

/// The signed fields, which people and programs rely on (RFC 6376 5.4). A missing field is signed as missing, so that
/// none can be added on the way.
const SIGNED: [&str; 15] = [
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
    "List-Unsubscribe-Post",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "X-Loop",
];

/// The most characters of a signature on one line.
const WIDTH: usize = 72;

#[derive(Debug, thiserror::Error)]
#[error(
    "the key is neither an RSA key of 2048 to 4096 bits in PKCS#1 (`openssl genrsa -traditional 2048`, BEGIN RSA \
     PRIVATE KEY) nor the base64 of the 32 octets of an Ed25519 key"
)]
pub struct BadKey;

/// A private key, with the name under which its public key is published.
pub struct Signer {
    selector: String,
    domain: String,
    key: Key,
}

enum Key {
    Rsa(Box<RsaKeyPair>),
    Ed25519(Ed25519KeyPair),
}

impl Signer {
    /// Signs for `domain`; the public key is published at `selector._domainkey.domain`.
    pub fn new(selector: &str, domain: &str, key: &str) -> Result<Signer, BadKey> {
        let is_pem = key.trim().starts_with("-----BEGIN");
        let base64: String = key.lines().filter(|line| !line.starts_with("-----")).map(str::trim).collect();
        let octets = BASE64.decode(base64.as_bytes()).map_err(|_| BadKey)?;
        let key = if is_pem {
            RsaKeyPair::from_der(&octets).map(|key| Key::Rsa(Box::new(key)))
        } else {
            Ed25519KeyPair::from_seed_unchecked(&octets).map(Key::Ed25519)
        };
        Ok(Signer { selector: selector.to_owned(), domain: domain.to_owned(), key: key.map_err(|_| BadKey)? })
    }

    /// The mail with a signature on top. A mail that has one does not change.
    pub fn signed(&self, mail: Vec<u8>) -> Vec<u8> {
        let (head, body) = super::head_and_body(&mail);
        let head = String::from_utf8_lossy(head);
        let fields = fields(&head);
        let last = |wanted: &str| fields.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        if last("DKIM-Signature").is_some() {
            return mail;
        }
        let algorithm = match self.key {
            Key::Rsa(_) => "rsa-sha256",
            Key::Ed25519(_) => "ed25519-sha256",
        };
        let date = last("Date").and_then(|(_, date)| mailparse::dateparse(date.trim()).ok());
        let time = date.map(|date| format!(" t={date};")).unwrap_or_default();
        let names = SIGNED.map(str::to_ascii_lowercase).join(":\r\n ");
        let hash = BASE64.encode(&Sha256::digest(relaxed_body(body)));
        let (domain, selector) = (&self.domain, &self.selector);
        let unsigned = format!(
            "v=1; a={algorithm}; c=relaxed/relaxed;\r\n d={domain};\r\n s={selector};{time}\r\n h={names};\r\n \
             bh={hash};\r\n b="
        );
        let mut header: Vec<u8> = Vec::new();
        for (name, value) in SIGNED.iter().filter_map(|name| last(name)) {
            header.extend_from_slice(relaxed_field(name, value).as_bytes());
            header.extend_from_slice(b"\r\n");
        }
        header.extend_from_slice(relaxed_field("DKIM-Signature", &unsigned).as_bytes());
        let Some(signature) = self.key.sign(&header) else { return mail };
        let signature = BASE64.encode(&signature);
        let lines: Vec<String> = signature
            .as_bytes()
            .chunks(WIDTH)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        let mut signed = format!("DKIM-Signature: {unsigned}{}\r\n", lines.join("\r\n ")).into_bytes();
        signed.extend_from_slice(&mail);
        signed
    }
}

impl Key {
    /// `None` if the library fails, which it does only for keys that `Signer::new` refuses.
    fn sign(&self, octets: &[u8]) -> Option<Vec<u8>> {
        match self {
            Key::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), octets, &mut signature).ok()?;
                Some(signature)
            }
            // RFC 8463 3: Ed25519 signs the hash of the header.
            Key::Ed25519(key) => Some(key.sign(&Sha256::digest(octets)).as_ref().to_vec()),
        }
    }
}

/// The fields of a header, with their folds.
fn fields(head: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in head.split("\r\n") {
        match (line.starts_with([' ', '\t']), line.split_once(':')) {
            (true, _) => {
                if let Some((_, value)) = fields.last_mut() {
                    value.push_str(line);
                }
            }
            (false, Some((name, value))) => fields.push((name, value.to_owned())),
            (false, None) => {}
        }
    }
    fields
}

/// The relaxed header canonicalization (RFC 6376 3.4.2).
fn relaxed_field(name: &str, value: &str) -> String {
    let words: Vec<&str> = value.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect();
    format!("{}:{}", name.trim().to_ascii_lowercase(), words.join(" "))
}

/// The relaxed body canonicalization (RFC 6376 3.4.4).
fn relaxed_body(body: &[u8]) -> Vec<u8> {
    let mut relaxed = Vec::with_capacity(body.len());
    let mut empty = 0;
    for line in body.split(|octet| *octet == b'\n') {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            empty += 1;
            continue;
        }
        relaxed.extend_from_slice(&b"\r\n".repeat(std::mem::take(&mut empty)));
        let mut blank = false;
        for octet in line {
            let is_blank = matches!(octet, b' ' | b'\t');
            if !(is_blank && blank) {
                relaxed.push(if is_blank { b' ' } else { *octet });
            }
            blank = is_blank;
        }
        relaxed.extend_from_slice(b"\r\n");
    }
    relaxed
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signer(***)")
    }
}
