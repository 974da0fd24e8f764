//! What can be done for a letter before its transaction begins: reading its commands, checking its passwords.

use jiff::Timestamp;

use super::robot::{PrecomputedMoves, Question};
use super::{App, Error, Proofs, aftermath, token};
use crate::command::{self, Line, Reading};
use crate::mail::{Letter, reply_text};
use crate::store::{PlayerId, Store};

/// A letter's commands, with what their passwords prove.
pub struct Prepared {
    pub(super) lines: Vec<Line>,
    /// The words beside the commands.
    pub(super) beside: String,
    pub(super) proofs: Proofs,
    /// The address that its token was sent to, and whose it is to be.
    pub(super) asked: Option<(PlayerId, String)>,
    /// What the robot would play where the letter leads, as far as it has been asked.
    pub(super) precomputed: PrecomputedMoves,
}

impl Prepared {
    /// Prepares a letter; `None` when it was taken in before.
    ///
    /// # Errors
    /// Ours only.
    pub fn new(store: &Store, app: &App, letter: &Letter, at: Timestamp) -> Result<Option<Prepared>, Error> {
        // Cheap, and spares a redelivered letter the passwords. What counts is the same question in the transaction.
        if store.knows_letter(&letter.identity)? {
            return Ok(None);
        }
        let token_seat =
            letter.token.as_ref().map(|token| token::token_seat(store, token)).transpose()?.flatten();
        let asked = letter.token.as_ref().map(|token| token::asked(store, token)).transpose()?.flatten();
        let new = (token_seat.is_some() || asked.is_some()).then(|| reply_text::new_text(&letter.text).new);
        let lines = lines(letter, new.as_deref(), asked.is_some());
        let beside = aftermath::beside(letter, &lines, new.as_deref().filter(|_| token_seat.is_some()));
        let proofs = Proofs::gather(store, &app.passwords, letter, &lines, at)?;
        Ok(Some(Prepared { lines, beside, proofs, asked, precomputed: PrecomputedMoves::default() }))
    }

    /// Lets the robot think about what a first try at the letter has asked; the next finds the answers.
    pub fn think(&mut self, app: &App, questions: Vec<Question>) {
        self.precomputed.think(questions, app.robot.bytes());
    }

    /// Has no more questions asked: it is the robot's turn then, which waits like any other.
    pub fn ask_no_more(&mut self) {
        self.precomputed.close();
    }
}

/// The commands of a letter: of a reply with a token of ours the first line of what its writer wrote `new`, whatever its
/// Subject.
fn lines(letter: &Letter, new: Option<&str>, confirms: bool) -> Vec<Line> {
    let Some(new) = new else { return command::read(&letter.subject, &letter.text) };
    let line = command::read_reply(new);
    if !confirms {
        return line.into_iter().collect();
    }
    match line {
        // Nothing, or a command, in reply to the question whose address it is says yes. What only looks like a command
        // does not: "Who are you?"
        None => vec![Line::yes()],
        Some(line) if matches!(line.reading, Reading::Command(_)) => vec![Line::yes(), line],
        Some(line) => vec![line.into_reply()],
    }
}
