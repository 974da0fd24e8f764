//! Envelope senders of our own for each mail (VERP), which nobody else can make.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::mail::ServerIdentity;

const PREFIX: &str = "bounce-";

/// So many octets of the HMAC are written: 80 bits, sixteen characters. What can be won by guessing one is to have
/// one bounce too many counted, and each guess is a mail.
const OCTETS: usize = 10;

/// The envelope sender of a mail of the outbox, `local+bounce-42.ab…@domain`: reports about that mail come to it.
pub fn verp(server: &ServerIdentity, outbox_number: u64, key: &[u8]) -> String {
    let (local, domain) = server.address.rsplit_once('@').unwrap_or((&server.address, ""));
    let hash = mac(outbox_number, key).map(|mac| mac.finalize().into_bytes()).unwrap_or_default();
    let tag = BASE32_NOPAD.encode(hash.get(..OCTETS).unwrap_or_default()).to_ascii_lowercase();
    format!("{local}+{PREFIX}{outbox_number}.{tag}@{domain}")
}

/// The number of the mail whose envelope sender this is; `None` for anything that [`verp`] did not make with this
/// key. Compared in constant time.
pub fn read_verp(server: &ServerIdentity, address: &str, key: &[u8]) -> Option<u64> {
    let extension = server.extension(address)?;
    let (number, tag) = extension.strip_prefix(PREFIX)?.split_once('.')?;
    // One way to write a number: without signs and zeros in front.
    let outbox_number: u64 = number.parse().ok().filter(|n: &u64| n.to_string() == number)?;
    let tag = BASE32_NOPAD.decode(tag.to_ascii_uppercase().as_bytes()).ok()?;
    if tag.len() != OCTETS {
        return None;
    }
    mac(outbox_number, key)?.verify_truncated_left(&tag).ok()?;
    Some(outbox_number)
}

/// Whether an address looks like one of [`verp`]'s: only reports come there, and nothing that comes there plays.
pub fn is_verp(server: &ServerIdentity, address: &str) -> bool {
    server.extension(address).is_some_and(|extension| extension.starts_with(PREFIX))
}

/// The HMAC to be; it takes keys of every length.
fn mac(outbox_number: u64, key: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    // The purpose is in it, so that the key may serve for other tokens.
    mac.update(b"turnpost bounce\0");
    mac.update(&outbox_number.to_be_bytes());
    Some(mac)
}
