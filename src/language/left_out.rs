//! Commands that leave out who writes: `GAME challenge robot`, `GAME move 12 F3`.
//!
//! A letter that proves its writer need not name them, where the command's [`WriterPlace`] allows it. The line is kept
//! with the writer's place open. The server fills it in when it knows who wrote, and reads the whole. The full form wins
//! where both can be read.

use super::entry::{CommandMatch, Entry, WriterPlace};
use super::parameters::Parameters;
use super::token::{Word, quote};
use crate::ids::{BoardId, Userid};

/// A userid that nobody has: a line is tried with it.
const SOMEBODY: &str = "you";

/// What is said where nothing proves the writer of a command that takes a userid, or a userid and a password.
pub(crate) const NO_USERID: &str =
    "Nothing in this letter proves who wrote it, so your userid is missing. In full:";
const NO_LOGIN: &str =
    "Nothing in this letter proves who wrote it, so your userid and password are missing. In full:";

/// A command without its writer.
pub struct LeftOut<C: 'static> {
    found: CommandMatch<C>,
    /// All words of the line.
    words: Vec<String>,
    /// Before which of them the writer would stand.
    place: usize,
    pub board: Option<BoardId>,
}

impl<C: Parameters> LeftOut<C> {
    pub(crate) fn entry(&self) -> &'static Entry<C> {
        self.found.entry
    }

    /// True when the full form has a password behind the userid.
    pub fn takes_password(&self) -> bool {
        matches!(self.found.entry.writer, WriterPlace::LastWithPassword | WriterPlace::BehindBoard(_))
    }

    /// What to say where nothing proves the writer. The full form follows.
    pub(crate) fn unproven(&self) -> &'static str {
        match self.found.entry.writer {
            WriterPlace::First(why) | WriterPlace::Last(why) => why,
            _ => NO_LOGIN,
        }
    }

    /// The command as this player would write it in full.
    pub(crate) fn by(&self, writer: &Userid) -> Option<C> {
        let words = self.with(writer.as_str(), "-").map(|text| Word { text: text.to_owned(), span: 0..0 });
        self.found.read(&mut self.found.args(words.collect())).ok()
    }

    /// The full form, ready to copy. All that stands in it is a number, an option, a userid or a move.
    pub(crate) fn written(&self, userid: &str) -> String {
        self.with(userid, "PASSWORD").map(quote).collect::<Vec<_>>().join(" ")
    }

    fn with<'w>(&'w self, userid: &'w str, password: &'w str) -> impl Iterator<Item = &'w str> {
        let (before, after) = self.words.split_at_checked(self.place).unwrap_or_default();
        let named = std::iter::once(userid).chain(self.takes_password().then_some(password));
        before.iter().map(String::as_str).chain(named).chain(after.iter().map(String::as_str))
    }
}

/// The command that `words` are without their writer; `None` where they are none.
pub(super) fn read<C: Parameters>(words: &[Word], found: CommandMatch<C>) -> Option<LeftOut<C>> {
    let words: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    let place = match found.entry.writer {
        WriterPlace::Fixed => return None,
        WriterPlace::First(_) => found.used,
        WriterPlace::Last(_) | WriterPlace::LastWithPassword => words.len(),
        WriterPlace::BehindBoard(looks_right) => {
            let place = found.used + 1;
            let behind: Vec<&str> = words.get(place..)?.iter().map(String::as_str).collect();
            looks_right(&behind).then_some(place)?
        }
    };
    let mut left_out = LeftOut { found, words, place, board: None };
    left_out.board = left_out.by(&SOMEBODY.parse().ok()?)?.board();
    Some(left_out)
}
