//! Envelope senders that only this server can make, one for each mail (VERP).

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::mail::ServerIdentity;

const PREFIX: &str = "bounce-";

/// The length of the tag: 80 bits of the HMAC. Each guess costs a mail and gains one false bounce.
const OCTETS: usize = 10;

/// The envelope sender of a mail in the outbox: `local+bounce-42.ab…@domain`.
pub fn verp(server: &ServerIdentity, outbox_number: u64, key: &[u8]) -> String {
    let (local, domain) = server.address.rsplit_once('@').unwrap_or((&server.address, ""));
    let hash = mac(outbox_number, key).map(|mac| mac.finalize().into_bytes()).unwrap_or_default();
    let tag = BASE32_NOPAD.encode(hash.get(..OCTETS).unwrap_or_default()).to_ascii_lowercase();
    format!("{local}+{PREFIX}{outbox_number}.{tag}@{domain}")
}

/// The number of the mail that `address` belongs to; `None` unless [`verp`] made it with this key. Compares
/// in constant time.
pub fn read_verp(server: &ServerIdentity, address: &str, key: &[u8]) -> Option<u64> {
    let extension = server.extension(address)?;
    let (number, tag) = extension.strip_prefix(PREFIX)?.split_once('.')?;
    // A number has one spelling: no sign, no leading zeros.
    let outbox_number: u64 = number.parse().ok().filter(|n: &u64| n.to_string() == number)?;
    let tag = BASE32_NOPAD.decode(tag.to_ascii_uppercase().as_bytes()).ok()?;
    if tag.len() != OCTETS {
        return None;
    }
    mac(outbox_number, key)?.verify_truncated_left(&tag).ok()?;
    Some(outbox_number)
}

/// True for the form of [`verp`]. Mail to such an address never plays.
pub fn is_verp(server: &ServerIdentity, address: &str) -> bool {
    server.extension(address).is_some_and(|extension| extension.starts_with(PREFIX))
}

/// HMAC takes keys of every length.
fn mac(outbox_number: u64, key: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    // The purpose is part of the message, so that the key may serve other tokens.
    mac.update(b"turnpost bounce\0");
    mac.update(&outbox_number.to_be_bytes());
    Some(mac)
}
