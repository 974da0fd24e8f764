//! What the server has to know of any command before it carries it out.

use super::login::{Login, NewPassword, OnBoard, Password};
use crate::ids::BoardId;

/// The answers of a command, whatever it is.
pub trait Parameters {
    /// The board it acts on, and with whose password.
    fn at(&self) -> Option<&OnBoard> {
        None
    }

    /// The userid and password it acts with.
    fn login(&self) -> Option<&Login> {
        self.at().map(|at| &at.login)
    }

    /// The board whose thread its answer belongs to.
    fn board(&self) -> Option<BoardId> {
        self.at().map(|at| at.board)
    }

    /// A password it sets.
    fn new_password(&self) -> Option<NewPassword<'_>> {
        None
    }

    /// A token or code in it, as secret as a password.
    fn token(&self) -> Option<&Password> {
        None
    }

    /// The words it carries to somebody, which stand in the text of the letter.
    fn text(&mut self) -> Option<&mut String> {
        None
    }

    /// True when its words are more likely prose where no game's name stands before them.
    fn may_be_prose(&self) -> bool {
        false
    }

    /// Every password and token in it, so that it can be kept out of everything that is written.
    fn passwords(&self) -> Vec<&str> {
        let login = self.login().map(|login| &login.password);
        let new = self.new_password().map(|new| new.password);
        let all = login.into_iter().chain(new).chain(self.token());
        all.filter(|password| !password.is_left_out()).map(|password| password.0.as_str()).collect()
    }
}

impl Parameters for Login {
    fn login(&self) -> Option<&Login> {
        Some(self)
    }
}

impl Parameters for OnBoard {
    fn at(&self) -> Option<&OnBoard> {
        Some(self)
    }
}
