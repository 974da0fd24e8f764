//! Forms, as browsers send them.

/// The answer to a form when the server fails.
pub(super) const BUSY: &str =
    "The server could not do this at the moment, and nothing was done. Try again in a minute.";

/// The first field of this name in a form.
pub(super) fn field(body: &[u8], name: &str) -> Option<String> {
    form_urlencoded::parse(body).find(|(field, _)| field == name).map(|(_, value)| value.into_owned())
}
