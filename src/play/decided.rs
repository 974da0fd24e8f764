//! Decisions of the host, and of organisers, that players read with the reason.

use minijinja::{Value, context};

use crate::failure::{CommandError, refuse};
use crate::notices::Mail;
use crate::notices::mail::Recipient;
use crate::store::PlayerId;

/// Maximum length of a reason, in characters.
const REASON_AT_MOST: usize = 500;

/// The reason on one line; refuses one that is too long.
pub(crate) fn reason(text: &str) -> Result<String, CommandError> {
    let reason = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if reason.chars().count() > REASON_AT_MOST || reason.chars().any(char::is_control) {
        return refuse!("a reason is a sentence or two: at most {REASON_AT_MOST} characters");
    }
    Ok(reason)
}

/// Tells a player what was done, and why. `by` is the organiser's userid, or `None` for the host.
pub(crate) fn mail(player: PlayerId, what: Value, by: Option<&str>, reason: &str) -> Mail {
    Mail::page(Recipient::Player(player), "host-acted.md", context! { m => context! { what, by, reason } })
}
