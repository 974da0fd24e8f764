//! What makes two deliveries one letter.

use sha2::{Digest, Sha256};

use super::headers::Headers;
use crate::ids::Identity;

/// A SHA-256 of the Message-ID, the sender and the full recipient; of a letter without a Message-ID, of From,
/// Date, Subject, body and recipient. Trace fields have no part in it, so that a second copy by another route
/// is the same letter. The sender has one, or a stranger could use up an id that a player is about to send.
pub(super) fn identity(
    message_id: Option<&str>,
    sender: &str,
    recipient: Option<&str>,
    headers: &Headers<'_>,
    body: &[u8],
) -> Identity {
    let recipient = recipient.unwrap_or_default().to_lowercase();
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
            // Routes differ in line ends, and in empty lines after the last.
            let body: Vec<u8> = body.trim_ascii_end().iter().copied().filter(|b| *b != b'\r').collect();
            hash.add(&body);
        }
    }
    hash.add(recipient.as_bytes());
    Identity(hash.0.finalize().into())
}

/// Each field goes in behind its length: `ab` and `c` are not `a` and `bc`.
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, field: &[u8]) {
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
    }
}
