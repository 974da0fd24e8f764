use sha2::{Digest, Sha256};

use super::headers::Headers;
use crate::ids::{Identity, address_key};

/// Identifies a letter, so that a second copy of it does nothing. Hashes Message-ID and sender or, without a
/// Message-ID, From, Date, Subject and body. Trace fields are left out, because a second copy can take another route.
/// The sender is included, or another sender could use up the id that a player is about to send. `to` is the server's
/// plain address for every extension, so that one mail to a hundred extensions is one letter. For a report, `to` is
/// the address that tells which mail it is about.
pub(super) fn identity(
    message_id: Option<&str>,
    sender: &str,
    to: &str,
    headers: &Headers<'_>,
    body: &[u8],
) -> Identity {
    let mut hash = Fields(Sha256::new());
    match message_id {
        Some(id) => {
            hash.add(b"id");
            hash.add(id.as_bytes());
            hash.add(sender.as_bytes());
        }
        None => {
            hash.add(b"content");
            hash.add(sender.as_bytes());
            hash.add(headers.first("date").unwrap_or_default().as_bytes());
            hash.add(headers.first("subject").unwrap_or_default().as_bytes());
            // Routes change line ends and trailing empty lines.
            let body: Vec<u8> = body.trim_ascii_end().iter().copied().filter(|b| *b != b'\r').collect();
            hash.add(&body);
        }
    }
    hash.add(address_key(to).as_bytes());
    Identity(hash.0.finalize().into())
}

/// Hashes each field with its length, so that `ab` and `c` differ from `a` and `bc`.
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, field: &[u8]) {
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
    }
}
