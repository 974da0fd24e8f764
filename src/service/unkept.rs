//! Why a letter's transaction was undone.

use super::Failure;
use super::robot::Question;

/// Nothing of a letter was kept.
#[derive(Debug)]
pub enum Unkept {
    /// We failed.
    Failed(Failure),
    /// The robot thinks about these first; then the letter is carried out anew.
    Asks(Vec<Question>),
}

impl<F: Into<Failure>> From<F> for Unkept {
    fn from(failure: F) -> Unkept {
        Unkept::Failed(failure.into())
    }
}
