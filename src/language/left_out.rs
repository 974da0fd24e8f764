//! What is said to whoever left the writer out.

/// What is said where nothing proves the writer of a command that takes a userid, or a userid and a password.
pub(crate) const NO_USERID: &str =
    "Nothing in this letter proves who wrote it, so your userid is missing. In full:";
pub(super) const NO_LOGIN: &str =
    "Nothing in this letter proves who wrote it, so your userid and password are missing. In full:";
