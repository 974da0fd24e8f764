//! What rolls a letter's transaction back.

use crate::failure::Error;
use crate::play::robot::Question;

/// Why a letter's transaction rolls back.
#[derive(Debug)]
pub enum Rollback {
    Failed(Error),
    /// The robot answers these questions first; then we try the letter again.
    Asks(Vec<Question>),
}

impl<F: Into<Error>> From<F> for Rollback {
    fn from(failure: F) -> Rollback {
        Rollback::Failed(failure.into())
    }
}
