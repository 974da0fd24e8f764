//! Codes that the pages hand out: of sessions, sign-outs, feeds and forms.

use super::mac::{code, decoded, fits, page_mac};
use crate::store::{CodeHash, SessionRow};

/// The token in a link that signs a browser out: `d4.CODE`.
pub(crate) fn that_signs_out(key: &[u8; 32], session: &SessionRow) -> String {
    format!("d{}.{}", session.id, code(page_mac(key, SIGN_OUT, &named(session))))
}

pub(super) fn is_of_sign_out(key: &[u8; 32], session: &SessionRow, code: &[u8]) -> bool {
    fits(page_mac(key, SIGN_OUT, &named(session)), code)
}

const SIGN_OUT: &str = "sign out";

/// The text that a sign-out code covers. A session number alone is not enough: a later session can get the same one.
fn named(session: &SessionRow) -> String {
    format!("{} {} {}", session.id, session.player.0, session.begun_at)
}

/// The session code of a browser that signed in by the link with the code `link`. It is made with the server's `key`,
/// so a later reader of the mail cannot derive it.
pub(crate) fn of_session(key: &[u8; 32], link: &str) -> String {
    code(page_mac(key, "session", link))
}

/// The hash of a feed's code. No cookie has a dot, so the code signs no browser in.
pub(crate) fn of_feed(code: &str) -> CodeHash {
    CodeHash::of(&format!("feed.{code}"))
}

/// A code for a text that a page hands out. It is made with the server's `key`, so only forms from this server fit.
pub fn page_code(key: &[u8; 32], purpose: &str, text: &str) -> String {
    code(page_mac(key, purpose, text))
}

/// True if `code` is the code of this text for this purpose.
pub fn is_page_code(key: &[u8; 32], purpose: &str, text: &str, code: &str) -> bool {
    fits(page_mac(key, purpose, text), &decoded(code))
}
