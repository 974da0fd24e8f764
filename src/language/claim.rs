//! A command with what its line says of its writer. `credentials` decides who acts.

use super::parameters::{GivenPassword, Login, Parameters, Password, PasswordPurpose};
use super::token::quote;
use crate::ids::Userid;
use crate::store::PlayerId;

/// A command, and what its line says of its writer.
#[derive(Debug, Clone)]
pub struct Request<C> {
    pub by: Claim,
    pub command: C,
}

/// What a request says of its writer.
#[derive(Debug, Clone)]
pub enum Claim {
    /// Nothing: the command needs no player.
    Nobody,
    /// `userid password`
    Login(Login),
    /// `userid -`: the letter has to prove the userid.
    Named(Userid),
    /// The writer's place is empty: the letter itself has to prove its writer.
    LeftOut(FullForm),
    /// The holder of a token of the server.
    Holder(PlayerId),
}

impl Claim {
    /// The claim of `userid password`; the password can be `-`.
    pub(crate) fn written(userid: Userid, password: Password) -> Claim {
        match password.is_left_out() {
            true => Claim::Named(userid),
            false => Claim::Login(Login { userid, password }),
        }
    }

    /// The userid in the line.
    pub fn userid(&self) -> Option<&Userid> {
        match self {
            Claim::Login(login) => Some(&login.userid),
            Claim::Named(userid) => Some(userid),
            Claim::Nobody | Claim::LeftOut(_) | Claim::Holder(_) => None,
        }
    }
}

/// What a command needs of its writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: any person can ask.
    Nobody,
    /// A player. It is enough if the letter claims an address of the player.
    Named,
    /// A player who is proven.
    Proven,
    /// A player whom a password proves. Other letters get an answer that asks for the line once more: who holds a mail
    /// of the player need not be its reader.
    Guarded,
}

/// A line that leaves its writer out, so that a refusal can show the line in full.
#[derive(Debug, Clone)]
pub struct FullForm {
    /// All words of the line.
    pub(super) words: Vec<String>,
    /// The index of the word before which the writer belongs.
    pub(super) place: usize,
    pub(crate) needs: Needs,
    /// The answer if nothing proves the writer and the address is no player's.
    pub(crate) why: &'static str,
    /// What the command does.
    pub(crate) summary: &'static str,
}

impl FullForm {
    /// The line as it was written.
    pub(crate) fn line(&self) -> String {
        self.words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
    }

    /// The line in full, ready to copy. It contains only numbers, options, userids and moves.
    pub(crate) fn written(&self, userid: &str) -> String {
        let (before, after) = self.words.split_at_checked(self.place).unwrap_or_default();
        let named = std::iter::once(userid).chain((self.needs != Needs::Named).then_some("PASSWORD"));
        let words = before.iter().map(String::as_str).chain(named).chain(after.iter().map(String::as_str));
        words.map(quote).collect::<Vec<_>>().join(" ")
    }
}

impl<C> Request<C> {
    pub(crate) fn is_left_out(&self) -> bool {
        matches!(self.by, Claim::LeftOut(_))
    }
}

impl<C: Parameters> Request<C> {
    /// The userid and password to check: in the claim, or in a command that proves its player itself.
    pub(crate) fn login(&self) -> Option<Login> {
        match (&self.by, self.command.password()) {
            (Claim::Login(login), _) => Some(login.clone()),
            (
                _,
                Some(GivenPassword {
                    userid: Some(userid),
                    password,
                    purpose: PasswordPurpose::Proof | PasswordPurpose::SignUp,
                }),
            ) => Some(Login { userid: userid.clone(), password: password.clone() }),
            _ => None,
        }
    }

    /// The userid that the line is signed with.
    pub fn userid(&self) -> Option<&Userid> {
        self.by.userid().or_else(|| self.command.password().and_then(|given| given.userid))
    }

    /// Every password and token in the request, so that they can be kept out of everything that is written.
    pub fn passwords(&self) -> Vec<&str> {
        let by = match &self.by {
            Claim::Login(login) => Some(login.password.0.as_str()),
            _ => None,
        };
        by.into_iter().chain(self.command.passwords()).collect()
    }
}
