//! Why a letter or one of its commands fails: an error of the server, or a refusal.

use std::fmt;

use crate::ids::Userid;
use crate::mail::outgoing;
use crate::store::StoreError;

/// An error of the server. The letter's transaction rolls back, and the letter stays with the mail server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}", .0.for_host())]
    Store(#[from] StoreError),
    #[error("template: {0}")]
    Template(#[from] minijinja::Error),
    #[error("mail: {0}")]
    Compose(#[from] outgoing::ComposeError),
    #[error("password hashing: {0}")]
    Password(argon2::password_hash::Error),
    #[error("board: {0}")]
    Record(#[from] BadRecord),
    #[error("the program panicked")]
    Panicked,
}

impl Error {
    /// True if the data are at fault, so that a second try fails too.
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::Record(_) | Error::Store(StoreError::Damaged(_)))
    }
}

/// A [`Refusal`] with this sentence, written as for `format!`.
macro_rules! refusal {
    ($($sentence:tt)*) => {
        $crate::failure::Refusal::new(format!($($sentence)*))
    };
}
pub(crate) use refusal;

/// Why a command or an order of the host failed.
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
        match failure.into() {
            Error::Store(StoreError::Banned(address)) => CommandError::Refused(refusal!(
                "The host has banned {address}, so no account can have this address."
            )),
            failure => CommandError::Failed(failure),
        }
    }
}

/// An event that cannot follow the ones before it.
#[derive(Debug, thiserror::Error)]
#[error("event {number}: {why}")]
pub struct BadRecord {
    pub number: u32,
    pub why: String,
}

/// Why a command was refused. The command changed nothing.
///
/// The sentence never names an unknown userid, which may be a misplaced password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    sentence: String,
    /// True if the player seems to have seen another position. The answer then shows the board.
    pub shows_board: bool,
    /// True if the line may hold a password anywhere. The echo then shows only words of the command language.
    pub hides_line: bool,
    /// True if the same line in a reply to the answer carries the command out.
    pub asks_again: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl Refusal {
    pub(crate) fn new(sentence: String) -> Refusal {
        Refusal { sentence, shows_board: false, hides_line: false, asks_again: false }
    }

    /// Makes the answer show the board as well.
    pub(crate) fn showing_board(self) -> Refusal {
        Refusal { shows_board: true, ..self }
    }

    /// Makes the answer carry a token that confirms the command.
    pub(crate) fn asking_again(self) -> Refusal {
        Refusal { asks_again: true, ..self }
    }

    /// Echoes only the words of the language, since the line may hold a password anywhere.
    pub(crate) fn hiding_line(self) -> Refusal {
        Refusal { hides_line: true, ..self }
    }
}

/// Refuses with this sentence: `return refuse!("On board {board} it is your own turn.")`.
macro_rules! refuse {
    ($($sentence:tt)*) => {
        Err($crate::failure::Refusal::new(format!($($sentence)*)).into())
    };
}
pub(crate) use refuse;

/// " Did you mean ann?", if a similar userid exists.
pub(crate) fn hint(near: &Option<Userid>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!(" Did you mean {near}?"))
}
