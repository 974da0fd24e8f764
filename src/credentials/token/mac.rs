//! The codes of tokens: HMAC-SHA-256 keyed with a player's secret, cut to 128 bits, in lower-case base32, because some
//! mail servers fold the case of local parts.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::MailKind;
use crate::ids::{BoardId, Seat};
use crate::store::MessageRow;

/// Bytes of the MAC that a token keeps.
const KEPT: usize = 16;

/// True when `code` is the MAC's. Compares in constant time.
pub(super) fn fits(mac: Hmac<Sha256>, code: &[u8]) -> bool {
    code.len() == KEPT && mac.verify_truncated_left(code).is_ok()
}

/// The bytes of a code; empty where it is none.
pub(super) fn decoded(code: &str) -> Vec<u8> {
    BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes()).unwrap_or_default()
}

/// A MAC as a token writes it.
pub(super) fn code(mac: Hmac<Sha256>) -> String {
    let mac = mac.finalize().into_bytes();
    BASE32_NOPAD.encode(mac.get(..KEPT).unwrap_or_default()).to_ascii_lowercase()
}

pub(super) fn trial_mac(key: &[u8; 32], record: &str) -> Hmac<Sha256> {
    let mut mac = keyed(key);
    mac.update(b"turnpost trial\0");
    mac.update(record.as_bytes());
    mac
}

pub(super) fn address_mac(secret: &[u8; 32], address: &str) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(b"turnpost address\0");
    mac.update(address.to_lowercase().as_bytes());
    mac
}

pub(super) fn unsubscribe_mac(secret: &[u8; 32]) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(b"turnpost unsubscribe\0");
    mac
}

/// The number may be given again when the mail is forgotten, so writer and time belong to it.
pub(super) fn message_mac(secret: &[u8; 32], message: &MessageRow) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(b"turnpost message\0");
    mac.update(&message.id.0.to_be_bytes());
    mac.update(&message.writer.0.to_be_bytes());
    mac.update(&message.sent_at.as_second().to_be_bytes());
    mac
}

pub(super) fn board_mac(
    secret: &[u8; 32],
    board: BoardId,
    seat: Seat,
    (mail, event): (MailKind, u32),
) -> Hmac<Sha256> {
    let mut mac = keyed(secret);
    mac.update(match mail {
        MailKind::Board | MailKind::Chat => b"turnpost reply token\0".as_slice(),
        MailKind::Question => b"turnpost question token\0",
        MailKind::Page => b"turnpost page token\0",
    });
    mac.update(&board.0.to_be_bytes());
    mac.update(&[seat.index() as u8]);
    mac.update(&event.to_be_bytes());
    mac
}

fn keyed(secret: &[u8; 32]) -> Hmac<Sha256> {
    // HMAC pads a short key with zeros to the block of its hash (RFC 2104 2).
    let mut key = [0; 64];
    key.iter_mut().zip(secret).for_each(|(byte, secret)| *byte = *secret);
    <Hmac<Sha256> as KeyInit>::new(&key.into())
}
