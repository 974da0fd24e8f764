//! Reasons to roll a letter's transaction back.

use crate::failure::Error;
use crate::play::robot::Question;

/// Why a letter's transaction rolls back.
#[derive(Debug)]
pub enum Rollback {
    Failed(Error),
    /// The robot must answer these questions before the server tries the letter again.
    Asks(Vec<Question>),
}

impl<F: Into<Error>> From<F> for Rollback {
    fn from(failure: F) -> Rollback {
        Rollback::Failed(failure.into())
    }
}
