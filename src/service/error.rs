//! Our own errors, and what they roll back.

use crate::mail::outgoing;
use crate::service::robot::Question;
use crate::service::{Refusal, board};
use crate::store::StoreError;

/// An error of ours. It rolls the whole letter back; the letter stays with the mail server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("template: {0}")]
    Template(#[from] minijinja::Error),
    #[error("mail: {0}")]
    Compose(#[from] outgoing::ComposeError),
    #[error("password hashing: {0}")]
    Password(argon2::password_hash::Error),
    #[error("board: {0}")]
    Record(#[from] board::BadRecord),
    #[error("the program panicked")]
    Panicked,
}

/// Why a command failed.
#[derive(Debug)]
pub enum CommandError {
    Refused(Refusal),
    Failed(Error),
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Refused(refusal)
    }
}

impl<F: Into<Error>> From<F> for CommandError {
    fn from(failure: F) -> CommandError {
        CommandError::Failed(failure.into())
    }
}

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
