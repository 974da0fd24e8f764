//! What goes wrong on our side, and what that undoes.

use super::Refusal;
use super::board;
use super::robot::Question;
use crate::mail::outgoing;
use crate::store::StoreError;

/// An error of ours. The letter is undone as a whole and stays with the mail server.
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

/// Why a command was not carried out.
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

/// Why a letter's transaction is undone.
#[derive(Debug)]
pub enum Rollback {
    Failed(Error),
    /// The robot thinks about these first; then the letter is acted on anew.
    Asks(Vec<Question>),
}

impl<F: Into<Error>> From<F> for Rollback {
    fn from(failure: F) -> Rollback {
        Rollback::Failed(failure.into())
    }
}
