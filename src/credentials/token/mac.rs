//! The codes of tokens: HMAC-SHA-256 keyed with a player's secret, cut to 128 bits, in lower-case base32, because some
//! mail servers fold the case of local parts.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::{MailKind, TokenRecord};
use crate::ids::{Seat, address_key};
use crate::mail::mac;
use crate::store::{AddressRow, ContestId, MessageRow};

/// Bytes of the MAC that a token keeps.
const KEPT: usize = 16;

/// True if `code` is this MAC, cut to `KEPT` bytes. Compares in constant time.
pub(super) fn fits(mac: Hmac<Sha256>, code: &[u8]) -> bool {
    code.len() == KEPT && mac.verify_truncated_left(code).is_ok()
}

/// The bytes of a code; empty if it is not base32.
pub(super) fn decoded(code: &str) -> Vec<u8> {
    BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes()).unwrap_or_default()
}

/// The text of a MAC in a token.
pub(super) fn code(mac: Hmac<Sha256>) -> String {
    let mac = mac.finalize().into_bytes();
    BASE32_NOPAD.encode(mac.get(..KEPT).unwrap_or_default()).to_ascii_lowercase()
}

/// The MAC, by the server's key, of a text that a page hands out and later checks.
pub(super) fn page_mac(key: &[u8; 32], purpose: &str, text: &str) -> Hmac<Sha256> {
    mac::of(key, purpose, &[text.as_bytes()])
}

/// Covers the time when the address was added: an address that is removed and added again gets a new code.
pub(super) fn address_mac(secret: &[u8; 32], row: &AddressRow) -> Hmac<Sha256> {
    let added = row.added_at.as_second().to_be_bytes();
    mac::of(secret, "address", &[address_key(&row.address).as_bytes(), &added])
}

/// Covers what [`address_mac`] does, the kind of the token, and the day when it was made.
pub(super) fn reader_mac(secret: &[u8; 32], row: &AddressRow, kind: char, day: i64) -> Hmac<Sha256> {
    let [added, day] = [row.added_at.as_second(), day].map(i64::to_be_bytes);
    mac::of(
        secret,
        "reader",
        &[kind.to_string().as_bytes(), address_key(&row.address).as_bytes(), &added, &day],
    )
}

pub(super) fn contest_mac(secret: &[u8; 32], contest: ContestId) -> Hmac<Sha256> {
    mac::of(secret, "contest", &[&contest.0.to_be_bytes()])
}

pub(super) fn unsubscribe_mac(secret: &[u8; 32]) -> Hmac<Sha256> {
    mac::of(secret, "unsubscribe", &[])
}

/// Covers writer, time and board too: the number can be reused after the message is deleted.
pub(super) fn message_mac(secret: &[u8; 32], message: &MessageRow) -> Hmac<Sha256> {
    let (board, event) = message.about.map_or((0, 0), |(board, event)| (board.0, event));
    let MessageRow { id, writer, sent_at, .. } = message;
    let numbers = [id.0, writer.0, sent_at.as_second(), board.into(), event.into()].map(i64::to_be_bytes);
    mac::of(secret, "message", &[&numbers.concat()])
}

/// `asked` is the move that a question is about.
pub(super) fn board_mac(
    secret: &[u8; 32],
    record: &TokenRecord,
    seat: Seat,
    (mail, event): (MailKind, u32),
    asked: &str,
) -> Hmac<Sha256> {
    let purpose = match mail {
        MailKind::Board | MailKind::Chat => "reply",
        MailKind::Question => "question",
        MailKind::Page => "page",
    };
    let numbers = [record.board.0, seat.index() as u32, event].map(u32::to_be_bytes);
    mac::of(secret, purpose, &[&numbers.concat(), record.until(event), asked.as_bytes()])
}
