//! `admin export-user`: everything stored about one person.

use serde_json::Value;

use crate::failure::Error;
use crate::mail::outgoing;
use crate::store::{PlayerId, Store};

/// Everything about a player, a list of rows for each part. Of mails to others it has the text alone: their header names
/// an address.
pub fn export(store: &Store, player: PlayerId) -> Result<Value, Error> {
    let mut all = store.export_player(player)?;
    let mails = all.get_mut("mails_to_others").and_then(Value::as_array_mut);
    for mail in mails.into_iter().flatten() {
        if let Some(text) = mail.get_mut("text") {
            *text = outgoing::text(text.as_str().unwrap_or_default().as_bytes()).into();
        }
    }
    Ok(all)
}
