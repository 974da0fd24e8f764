//! The facts that the server needs of any command before it carries it out.

use std::fmt;

use turnpost_games::GameKind;

use super::token::Written;
use crate::ids::{BoardId, Userid};

/// What every command says of itself.
pub trait Parameters {
    /// The board whose thread its answer belongs to.
    fn board(&self) -> Option<BoardId> {
        None
    }

    /// A password or code that it holds.
    fn password(&self) -> Option<GivenPassword<'_>> {
        None
    }

    /// Its canonical line, which leaves its writer out. `word` is that of its entry.
    fn line(&self, word: &str) -> String {
        word.to_owned()
    }

    /// The words it carries to other players. They are the text of the letter.
    fn text(&mut self) -> Option<&mut String> {
        None
    }

    /// True if its words are more likely prose when no game's name comes before them.
    fn may_be_prose(&self) -> bool {
        false
    }

    /// Every password and token in it, so that it can be kept out of everything that is written.
    fn passwords(&self) -> Vec<&str> {
        let given = self.password();
        let token = given.as_ref().and_then(|given| match given.purpose {
            PasswordPurpose::Token(token) => Some(token),
            _ => None,
        });
        let all = given.map(|given| given.password).into_iter().chain(token);
        all.filter(|password| !password.is_left_out()).map(|password| password.0.as_str()).collect()
    }
}

impl Parameters for OnBoard {
    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and([self.board]).end()
    }
}

/// A userid with its password.
#[derive(Debug, Clone)]
pub struct Login {
    pub userid: Userid,
    pub password: Password,
}

/// A board on which one of its players acts.
#[derive(Debug, Clone, Copy)]
pub struct OnBoard {
    pub game: &'static GameKind,
    pub board: BoardId,
}

/// The arguments of [`OnBoard`] in a grammar.
pub(crate) const ON_BOARD: &str = "board userid password";

/// A password, token or code as it was given. It prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl Password {
    /// True if the password is `-`: the letter itself must prove its writer.
    pub fn is_left_out(&self) -> bool {
        self.0 == "-"
    }

    /// True if the player copied the placeholder for a password from a mail of the server.
    pub fn is_placeholder(&self) -> bool {
        ["password", "newpassword", "new-password"].iter().any(|word| self.0.eq_ignore_ascii_case(word))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A password that a command holds, with the account it is for.
pub struct GivenPassword<'c> {
    /// `None` for the writer of the command.
    pub userid: Option<&'c Userid>,
    pub password: &'c Password,
    pub purpose: PasswordPurpose<'c>,
}

/// Why a command holds a password.
pub enum PasswordPurpose<'c> {
    /// It proves the player. The command sets none.
    Proof,
    /// It is a code from a mail, of no account.
    Code,
    /// Sets the password of a new account, and proves the player of one that has signed off.
    SignUp,
    /// Sets the password of an account without one, by a `yes` to the server's question.
    Question,
    /// Replaces the password in the claim.
    Change,
    /// Sets a new password by the token of a mail that the account asked for.
    Token(&'c Password),
}
