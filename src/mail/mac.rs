//! Codes that prove what a token was made for. They cover the whole purpose, because numbers can be reused after a
//! restore or an erasure.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The code of a token. Each part is hashed with its length, so that different lists give different codes.
pub(crate) fn of(key: &[u8], purpose: &str, made_for: &[&[u8]]) -> Hmac<Sha256> {
    // HMAC pads a short key with zeros to the block of its hash (RFC 2104 2).
    let mut block = [0; 64];
    block.iter_mut().zip(key).for_each(|(byte, key)| *byte = *key);
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&block.into());
    for part in std::iter::once(&purpose.as_bytes()).chain(made_for) {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac
}
