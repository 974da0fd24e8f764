//! The arguments of a command, taken one after the other.

use std::ops::Range;

use super::token::Word;
use super::{Login, Password, Seated};
use crate::ids::{BoardId, Userid, Which};
use turnpost_games::GameKind;

/// What stands behind a command's word.
pub struct Args {
    /// The game the command was given for; the first of the registry for commands without one.
    pub game: &'static GameKind,
    words: std::vec::IntoIter<(usize, Word)>,
    peeked: Option<(usize, Word)>,
    secrets: Vec<Range<usize>>,
}

/// What was expected where.
#[derive(Debug)]
pub struct Expected {
    /// The index of the word it was expected at; `None`: behind the last.
    pub at: Option<usize>,
    /// What was expected there, in words that do not repeat what was found.
    pub why: String,
}

impl Expected {
    /// Something else was expected at that word.
    pub fn at(at: Option<usize>, why: impl Into<String>) -> Expected {
        Expected { at, why: why.into() }
    }
}

impl Args {
    /// Arguments from the words of a line of which the first `used` are the command's own.
    pub fn new(game: &'static GameKind, words: Vec<Word>, used: usize) -> Args {
        let words = words.into_iter().enumerate().skip(used).collect::<Vec<_>>().into_iter();
        Args { game, words, peeked: None, secrets: Vec::new() }
    }

    /// Where passwords stood.
    pub fn secrets(&self) -> &[Range<usize>] {
        &self.secrets
    }

    fn peek(&mut self) -> Option<&(usize, Word)> {
        if self.peeked.is_none() {
            self.peeked = self.words.next();
        }
        self.peeked.as_ref()
    }

    fn next(&mut self) -> Option<(usize, Word)> {
        self.peeked.take().or_else(|| self.words.next())
    }

    /// Whether nothing is left.
    pub fn is_empty(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Whether the next word is this one, in any case.
    pub fn next_is(&mut self, word: &str) -> bool {
        self.peek().is_some_and(|(_, next)| next.text.eq_ignore_ascii_case(word))
    }

    /// The next word, which must be there.
    pub fn word(&mut self, what: &str) -> Result<(usize, String), Expected> {
        match self.next() {
            Some((at, word)) => Ok((at, word.text)),
            None => Err(Expected::at(None, format!("{what} is missing at the end"))),
        }
    }

    /// A userid.
    pub fn userid(&mut self, what: &str) -> Result<Userid, Expected> {
        let (at, word) = self.word(what)?;
        if word.starts_with('-') {
            return Err(Expected::at(
                Some(at),
                format!("this is no option known here, and {what} is expected"),
            ));
        }
        word.parse().map_err(|why| Expected::at(Some(at), format!("{what} is expected here: {why}")))
    }

    /// A password, whose place is remembered.
    pub fn password(&mut self) -> Result<Password, Expected> {
        match self.next() {
            Some((_, word)) => {
                self.secrets.push(word.span);
                Ok(Password(word.text))
            }
            None => Err(Expected::at(None, "the password is missing at the end")),
        }
    }

    /// Another word that is to be kept out of everything that is written: a new password, a token.
    pub fn secret(&mut self, what: &str) -> Result<Password, Expected> {
        match self.next() {
            Some((_, word)) => {
                self.secrets.push(word.span);
                Ok(Password(word.text))
            }
            None => Err(Expected::at(None, format!("{what} is missing at the end"))),
        }
    }

    /// `userid password`.
    pub fn login(&mut self) -> Result<Login, Expected> {
        let userid = self.userid("your userid")?;
        let password = self.password()?;
        Ok(Login { userid, password })
    }

    /// A board's number.
    pub fn board(&mut self) -> Result<BoardId, Expected> {
        let (at, word) = self.word("the board's number")?;
        word.parse()
            .map_err(|why| Expected::at(Some(at), format!("the board's number is expected here: {why}")))
    }

    /// `board userid password`.
    pub fn seated(&mut self) -> Result<Seated, Expected> {
        let board = self.board()?;
        let userid = self.userid("your userid")?;
        let password = self.password()?;
        Ok(Seated { game: self.game, board, login: Login { userid, password } })
    }

    /// All that is left, in words.
    pub fn rest(&mut self) -> Vec<(usize, String)> {
        std::iter::from_fn(|| self.next()).map(|(at, word)| (at, word.text)).collect()
    }

    /// All that is left, as text.
    pub fn rest_as_text(&mut self) -> String {
        self.rest().into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    /// Nothing more may follow.
    pub fn finish(&mut self) -> Result<(), Expected> {
        match self.next() {
            Some((at, _)) => Err(Expected::at(Some(at), "nothing is expected from here on")),
            None => Ok(()),
        }
    }

    /// Takes out every word for which `take` has a value, wherever it stands.
    pub fn extract<T>(
        &mut self,
        mut take: impl FnMut(&str) -> Option<Result<T, String>>,
    ) -> Result<Vec<T>, Expected> {
        let mut taken = Vec::new();
        let mut left = Vec::new();
        while let Some((at, word)) = self.next() {
            match take(&word.text) {
                Some(Ok(value)) => taken.push(value),
                Some(Err(why)) => return Err(Expected::at(Some(at), why)),
                None => left.push((at, word)),
            }
        }
        self.words = left.into_iter();
        Ok(taken)
    }
}

/// `all`, `active`, `inactive` or `next`.
pub fn which(word: &str) -> Option<Which> {
    match word.to_ascii_lowercase().as_str() {
        "all" => Some(Which::All),
        "active" => Some(Which::Active),
        "inactive" => Some(Which::Inactive),
        "next" => Some(Which::Next),
        _ => None,
    }
}
