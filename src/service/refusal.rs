//! What players may not do. Each family of commands has its refusals, each with its sentence, beside the code that refuses.

use std::fmt;

use crate::ids::Userid;

/// A command that was read and may not be carried out. It changed nothing.
///
/// Its sentence names no userid that nobody has: it may be a password in the wrong place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    sentence: String,
    /// The player seems to have seen another position: the answer shows the board as it stands.
    pub shows_board: bool,
    /// The line may hold a password in any place: only words of the language are echoed.
    pub hides_line: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// A family's refusals.
pub(super) trait Refuse: fmt::Display {
    fn shows_board(&self) -> bool {
        false
    }

    fn hides_line(&self) -> bool {
        false
    }
}

impl<R: Refuse> From<R> for Refusal {
    fn from(refusal: R) -> Refusal {
        let (shows_board, hides_line) = (refusal.shows_board(), refusal.hides_line());
        Refusal { sentence: refusal.to_string(), shows_board, hides_line }
    }
}

/// Lets `?` and `into` turn a family's refusals into what handlers return.
macro_rules! refuses {
    ($family:ty) => {
        impl From<$family> for $crate::service::CommandError {
            fn from(refusal: $family) -> Self {
                $crate::service::CommandError::Refused(refusal.into())
            }
        }
    };
}
pub(super) use refuses;

/// " Did you mean ann?", where somebody has a name like it.
pub(super) fn hint(near: &Option<Userid>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!(" Did you mean {near}?"))
}
