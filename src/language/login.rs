//! Who acts, and on which board.

use std::fmt;

use crate::ids::{BoardId, Userid};
use turnpost_games::GameKind;

/// `userid password`
#[derive(Debug, Clone)]
pub struct Login {
    pub userid: Userid,
    pub password: Password,
}

/// `board userid password`, of a player on one of its seats.
#[derive(Debug, Clone)]
pub struct OnBoard {
    pub game: &'static GameKind,
    pub board: BoardId,
    pub login: Login,
}

/// [`OnBoard`] as a grammar writes it.
pub(crate) const ON_BOARD: &str = "board userid password";

/// A password, token or code as it was given. It prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl Password {
    /// True for the `-` that leaves the proof to the letter.
    pub fn is_left_out(&self) -> bool {
        self.0 == "-"
    }

    /// True for the word that stands for a password in our mails, copied as it is.
    pub fn is_placeholder(&self) -> bool {
        self.0.eq_ignore_ascii_case("password")
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A password that a command sets, with the account it sets it for.
pub struct NewPassword<'c> {
    pub userid: &'c Userid,
    pub password: &'c Password,
    pub by: SetBy<'c>,
}

/// What lets a command set a password.
pub enum SetBy<'c> {
    /// Nobody has the userid, or somebody who never confirmed it.
    SignUp,
    OldPassword(&'c Login),
    /// The token of a mail that the account asked for.
    Token(&'c Password),
}
