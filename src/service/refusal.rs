//! What players may not do. Each command family keeps its refusals, with their sentences, in its own file.

use std::fmt;

use crate::ids::Userid;

/// A command that we could read and may not carry out. It changed nothing.
///
/// The sentence never names an unknown userid, which may be a misplaced password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    sentence: String,
    /// True when the player seems to have seen another position. The answer then shows the board.
    pub shows_board: bool,
    /// True when the line may hold a password anywhere. We then echo only words of the language.
    pub hides_line: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

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

/// Converts a family's refusals into [`CommandError`], so that handlers can use `?` and `into`.
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

/// " Did you mean ann?", when a similar userid exists.
pub(super) fn hint(near: &Option<Userid>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!(" Did you mean {near}?"))
}
