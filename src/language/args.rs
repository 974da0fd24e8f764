//! The arguments of a command, taken one after the other.

use std::ops::Range;

use super::claim::Claim;
use super::move_finder::MoveFinder;
use super::parameters::{OnBoard, Password};
use super::token::{UNCLOSED, Word, plain, words};
use super::values::{BoardAndPly, read_address, which};
use crate::ids::{BoardId, Userid, Which};
use turnpost_games::GameKind;

/// The words of a line after those that name the command.
pub(crate) struct Args {
    /// The game that the command is for; the first of the registry if the line names none.
    pub game: &'static GameKind,
    /// The line names the game.
    named: bool,
    words: std::vec::IntoIter<Numbered>,
    peeked: Option<Numbered>,
    secrets: Vec<Range<usize>>,
    writer: Writing,
    /// The number of words in the line.
    end: usize,
}

/// What the line says in the writer's place.
enum Writing {
    Unread,
    Read(Claim),
    /// The line leaves the writer out.
    Empty,
    /// The line leaves the writer out, before the word with this index.
    EmptyAt(usize),
}

/// A word with its index in the line.
struct Numbered {
    at: usize,
    word: Word,
}

/// An argument that is no secret.
pub(crate) struct Argument {
    /// The index of its word in the line.
    pub at: usize,
    pub text: String,
}

impl Argument {
    /// An error at this argument; `why` says what was expected.
    pub fn error(&self, why: impl Into<String>) -> ArgumentError {
        ArgumentError::at(self.at, why)
    }

    pub fn address(&self) -> Result<String, ArgumentError> {
        read_address(&self.text).map_err(|why| self.error(why))
    }
}

/// An argument that is missing or is not what was expected.
#[derive(Debug)]
pub(crate) struct ArgumentError {
    /// The index of the word in the line; `None`: after the last.
    pub at: Option<usize>,
    /// What was expected there. Never repeats what was found, which may be a misplaced password.
    pub why: String,
}

impl ArgumentError {
    pub fn at(at: usize, why: impl Into<String>) -> ArgumentError {
        ArgumentError { at: Some(at), why: why.into() }
    }

    pub fn at_end(why: impl Into<String>) -> ArgumentError {
        ArgumentError { at: None, why: why.into() }
    }
}

/// Boards or players, and a choice of boards.
pub(crate) struct Selection<T> {
    pub items: Vec<T>,
    pub which: Which,
}

impl Args {
    /// The words of a line after the first `used`, which are the command's own.
    pub fn new(game: &'static GameKind, named: bool, words: Vec<Word>, used: usize) -> Args {
        let end = words.len();
        let numbered = words.into_iter().enumerate().map(|(at, word)| Numbered { at, word });
        let words = numbered.skip(used).collect::<Vec<_>>().into_iter();
        Args { game, named, words, peeked: None, secrets: Vec::new(), writer: Writing::Unread, end }
    }

    /// Reads the text of a form as the arguments of a line that leaves its writer out. The error says what
    /// was expected.
    pub(crate) fn of_form<C>(
        game: &'static GameKind,
        text: &str,
        read: fn(&mut Args) -> Result<C, ArgumentError>,
    ) -> Result<C, String> {
        let words = words(&plain(text)).map_err(|_| UNCLOSED.to_owned())?;
        let mut args = Args::new(game, true, words, 0).without_writer();
        let read = read(&mut args).and_then(|command| args.finish().map(|()| command));
        read.map_err(|expected| expected.why)
    }

    /// The game that the line names; `None` if it names none.
    pub fn named_game(&self) -> Option<&'static GameKind> {
        self.named.then_some(self.game)
    }

    /// The byte ranges of the line that must not be shown.
    pub fn secrets(&self) -> &[Range<usize>] {
        &self.secrets
    }

    fn peek(&mut self) -> Option<&Numbered> {
        if self.peeked.is_none() {
            self.peeked = self.words.next();
        }
        self.peeked.as_ref()
    }

    fn next(&mut self) -> Option<Numbered> {
        self.peeked.take().or_else(|| self.words.next())
    }

    pub fn is_empty(&mut self) -> bool {
        self.peek().is_none()
    }

    /// How many words are left.
    pub fn left(&self) -> usize {
        usize::from(self.peeked.is_some()) + self.words.len()
    }

    /// How many words are left before those of the writer.
    pub fn left_before_writer(&self) -> usize {
        let of_the_writer = if matches!(self.writer, Writing::Unread | Writing::Read(_)) { 2 } else { 0 };
        self.left().saturating_sub(of_the_writer)
    }

    /// True if the next word contains this character.
    pub fn next_holds(&mut self, c: char) -> bool {
        self.peek().is_some_and(|next| next.word.text.contains(c))
    }

    /// True when this word is among those left, in any case.
    pub fn holds(&self, word: &str) -> bool {
        let left = self.peeked.iter().chain(self.words.as_slice());
        left.map(|left| &left.word.text).any(|text| text.eq_ignore_ascii_case(word))
    }

    /// Takes the next word if it is this one, in any case.
    pub fn take(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|next| next.word.text.eq_ignore_ascii_case(word));
        if found {
            self.next();
        }
        found
    }

    /// The next word, which must be there.
    pub fn word(&mut self, what: &str) -> Result<Argument, ArgumentError> {
        match self.next() {
            Some(Numbered { at, word }) => Ok(Argument { at, text: word.text }),
            None => Err(ArgumentError::at_end(format!("{what} is missing at the end"))),
        }
    }

    pub fn userid(&mut self, what: &str) -> Result<Userid, ArgumentError> {
        let word = self.word(what)?;
        if word.text.starts_with('-') {
            return Err(word.error(format!("this is no option known here, and {what} is expected")));
        }
        word.text.parse().map_err(|why| word.error(format!("{what} is expected here: {why}")))
    }

    pub fn password(&mut self) -> Result<Password, ArgumentError> {
        self.secret("the password")
    }

    /// A password, token or code. Its place is remembered, so that it can be masked.
    pub fn secret(&mut self, what: &str) -> Result<Password, ArgumentError> {
        match self.next() {
            Some(Numbered { word, .. }) => {
                self.secrets.push(word.span);
                Ok(Password(word.text))
            }
            None => Err(ArgumentError::at_end(format!("{what} is missing at the end"))),
        }
    }

    /// Marks the line as one that leaves its writer out.
    pub fn without_writer(self) -> Args {
        Args { writer: Writing::Empty, ..self }
    }

    /// Reads the writer: `userid password`, or nothing in a line that leaves them out.
    pub fn writer(&mut self) -> Result<(), ArgumentError> {
        self.writer = match self.writer {
            Writing::Unread | Writing::Read(_) => Writing::Read(self.written_claim()?),
            Writing::Empty | Writing::EmptyAt(_) => Writing::EmptyAt(self.place()),
        };
        Ok(())
    }

    /// The index of the next word in the line.
    pub fn place(&mut self) -> usize {
        let end = self.end;
        self.peek().map_or(end, |next| next.at)
    }

    /// Records that the command means its writer, because it names no userid. `place` is the index at which
    /// the writer would be named. An error for a line in full.
    pub fn means_writer(&mut self, place: usize, missing: &str) -> Result<(), ArgumentError> {
        match self.writer {
            Writing::Empty | Writing::EmptyAt(_) => {
                self.writer = Writing::EmptyAt(place);
                Ok(())
            }
            Writing::Unread | Writing::Read(_) => Err(ArgumentError::at_end(missing)),
        }
    }

    /// True for a line that leaves its writer out.
    pub fn leaves_writer_out(&self) -> bool {
        matches!(self.writer, Writing::Empty | Writing::EmptyAt(_))
    }

    /// Reads the writer's userid without a password. `place` is the index of the userid in a line that leaves
    /// it out.
    pub fn writer_by_name(&mut self, place: usize) -> Result<(), ArgumentError> {
        self.writer = match self.leaves_writer_out() {
            true => Writing::EmptyAt(place),
            false => Writing::Read(Claim::Named(self.userid("your userid")?)),
        };
        Ok(())
    }

    /// What the line says of its writer.
    pub fn claim(&self) -> Claim {
        match &self.writer {
            Writing::Read(claim) => claim.clone(),
            Writing::Unread | Writing::Empty | Writing::EmptyAt(_) => Claim::Nobody,
        }
    }

    /// The index of the word before which the writer would be named.
    pub fn empty_place(&self) -> Option<usize> {
        match self.writer {
            Writing::EmptyAt(place) => Some(place),
            _ => None,
        }
    }

    /// Reads `userid password`.
    fn written_claim(&mut self) -> Result<Claim, ArgumentError> {
        let userid = self.userid("your userid")?;
        Ok(Claim::written(userid, self.password()?))
    }

    pub fn board(&mut self) -> Result<BoardId, ArgumentError> {
        let word = self.word("the board's number")?;
        word.text.parse().map_err(|why| word.error(format!("the board's number is expected here: {why}")))
    }

    /// Reads `board[#ply]`; `what` names it in errors.
    pub fn board_and_ply(&mut self, what: &str) -> Result<BoardAndPly, ArgumentError> {
        let word = self.word(what)?;
        word.text.parse().map_err(|why: String| word.error(why))
    }

    /// Reads `board userid password`.
    pub fn on_board(&mut self) -> Result<OnBoard, ArgumentError> {
        let board = self.board()?;
        self.writer()?;
        Ok(OnBoard { game: self.game, board })
    }

    /// Reads `on` or `off`.
    pub fn on_or_off(&mut self) -> Result<bool, ArgumentError> {
        let word = self.word("`on` or `off`")?;
        match word.text.to_ascii_lowercase().as_str() {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(word.error("`on` or `off` is expected here")),
        }
    }

    /// Takes all words that are left.
    pub fn rest(&mut self) -> Vec<Argument> {
        let rest = std::iter::from_fn(|| self.next());
        rest.map(|Numbered { at, word }| Argument { at, text: word.text }).collect()
    }

    /// Takes all words that are left, joined by spaces.
    pub fn rest_as_text(&mut self) -> String {
        self.rest().into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
    }

    /// The error for a missing move. If the password looks like a move, the error is that the password is
    /// missing.
    pub fn no_move_behind(&self) -> ArgumentError {
        let notation = self.game.notation;
        if let Writing::Read(Claim::Login(login)) = &self.writer
            && MoveFinder::of(self.game).is_moves_only(&login.password.0)
        {
            return ArgumentError::at_end("the password is missing; it stands before the move");
        }
        ArgumentError::at_end(format!("the move is missing at the end ({notation})"))
    }

    /// Reads all words that are left, except for at most one that chooses boards.
    pub fn rest_and_which<T>(
        &mut self,
        read: impl Fn(&Argument) -> Result<T, ArgumentError>,
    ) -> Result<Selection<T>, ArgumentError> {
        let mut items = Vec::new();
        let mut found = None;
        for word in self.rest() {
            match which(&word.text) {
                Some(which) if found.replace(which).is_some() => {
                    return Err(word.error("one of all, active, inactive and next is enough"));
                }
                Some(_) => {}
                None => items.push(read(&word)?),
            }
        }
        Ok(Selection { items, which: found.unwrap_or(Which::Active) })
    }

    /// An error if a word is left.
    pub fn finish(&mut self) -> Result<(), ArgumentError> {
        match self.next() {
            Some(Numbered { at, .. }) => Err(ArgumentError::at(at, "nothing is expected from here on")),
            None => Ok(()),
        }
    }

    /// Takes out every word for which `take` has a value, at any place.
    pub fn extract<T>(
        &mut self,
        mut take: impl FnMut(&str) -> Option<Result<T, String>>,
    ) -> Result<Vec<T>, ArgumentError> {
        let mut taken = Vec::new();
        let mut left = Vec::new();
        while let Some(next) = self.next() {
            match take(&next.word.text) {
                Some(Ok(value)) => taken.push(value),
                Some(Err(why)) => return Err(ArgumentError::at(next.at, why)),
                None => left.push(next),
            }
        }
        self.words = left.into_iter();
        Ok(taken)
    }
}
