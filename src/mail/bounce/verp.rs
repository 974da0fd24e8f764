//! Envelope senders that only this server can make, one for each mail (VERP).

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::mail::{ServerIdentity, mac};

const PREFIX: &str = "bounce-";

/// 80 bits of the HMAC. Each guess costs a mail and gains at most one false bounce.
const OCTETS: usize = 10;

/// The envelope sender of a mail in the outbox: `local+bounce-42.ab…@domain`. `mail` is its recipient and its
/// Message-ID.
pub fn verp(server: &ServerIdentity, outbox_number: u64, mail: [&str; 2], key: &[u8]) -> String {
    let (local, domain) = server.address.rsplit_once('@').unwrap_or((&server.address, ""));
    let hash = tag(outbox_number, mail, key).finalize().into_bytes();
    let tag = BASE32_NOPAD.encode(hash.get(..OCTETS).unwrap_or_default()).to_ascii_lowercase();
    format!("{local}+{PREFIX}{outbox_number}.{tag}@{domain}")
}

/// The number of the mail that `address` claims to belong to; [`is_verp_of`] verifies it.
pub fn verp_number(server: &ServerIdentity, address: &str) -> Option<u64> {
    let extension = server.extension(address)?;
    let (number, _) = extension.strip_prefix(PREFIX)?.split_once('.')?;
    // A number has one spelling: no sign, no leading zeros.
    number.parse().ok().filter(|n: &u64| n.to_string() == number)
}

/// True if [`verp`] made `address` for this mail with this key. Compares in constant time.
pub fn is_verp_of(server: &ServerIdentity, address: &str, mail: [&str; 2], key: &[u8]) -> bool {
    let number = verp_number(server, address);
    let written = server.extension(address).and_then(|extension| {
        let (_, tag) = extension.rsplit_once('.')?;
        BASE32_NOPAD.decode(tag.to_ascii_uppercase().as_bytes()).ok()
    });
    number.zip(written).is_some_and(|(number, written)| {
        written.len() == OCTETS && tag(number, mail, key).verify_truncated_left(&written).is_ok()
    })
}

/// True for the form of [`verp`]. Mail to such an address never plays.
pub fn is_verp(server: &ServerIdentity, address: &str) -> bool {
    server.extension(address).is_some_and(|extension| extension.starts_with(PREFIX))
}

/// Recipient and Message-ID are included because numbers can be reused after a restore.
fn tag(outbox_number: u64, [recipient, message_id]: [&str; 2], key: &[u8]) -> Hmac<Sha256> {
    let parts: [&[u8]; 3] = [&outbox_number.to_be_bytes(), recipient.as_bytes(), message_id.as_bytes()];
    mac::of(key, "bounce", &parts)
}
