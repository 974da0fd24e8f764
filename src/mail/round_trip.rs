//! Mails that the server sends to itself, to check that they arrive. Each has a code in its Message-ID.

use data_encoding::HEXLOWER;

use super::ServerIdentity;
use super::server_identity::MESSAGE_ID_PREFIX;

const MARK: &str = "round-trip.";

/// A code of random octets.
pub fn code(octets: [u8; 16]) -> String {
    HEXLOWER.encode(&octets)
}

pub fn message_id(code: &str, host: &str) -> String {
    format!("<{MESSAGE_ID_PREFIX}{MARK}{code}@{host}>")
}

/// The code in the Message-ID of such a mail.
pub(super) fn code_of(message_id: &str, server: &ServerIdentity) -> Option<String> {
    let id = message_id.trim_matches(['<', '>']);
    let (local, _) = id.rsplit_once('@').filter(|_| server.wrote(message_id))?;
    let code = local.strip_prefix(MESSAGE_ID_PREFIX)?.strip_prefix(MARK)?;
    let is_code = code.len() == 32 && code.bytes().all(|c| c.is_ascii_hexdigit());
    is_code.then(|| code.to_owned())
}
