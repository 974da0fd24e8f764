//! Why a letter's transaction was undone.

use super::Error;
use super::robot::Question;

/// Nothing of a letter was kept.
#[derive(Debug)]
pub enum Rollback {
    /// We failed.
    Failed(Error),
    /// The robot thinks about these first; then the letter is carried out anew.
    Asks(Vec<Question>),
}

impl<F: Into<Error>> From<F> for Rollback {
    fn from(failure: F) -> Rollback {
        Rollback::Failed(failure.into())
    }
}
