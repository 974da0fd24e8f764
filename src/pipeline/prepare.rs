//! The stages of a letter before its transaction: its commands are read, its passwords checked.

use jiff::Timestamp;

use crate::app::App;
use crate::command::body::{below_first_line, own_words};
use crate::command::{self, Command, Line, Reading};
use crate::mail::{Letter, reply_text};
use crate::service::robot::{PrecomputedMoves, Question};
use crate::service::{Error, Proofs, token};
use crate::store::{PlayerId, Store};

/// A letter's commands, with what their passwords prove.
pub struct Prepared {
    pub(super) lines: Vec<Line>,
    /// The words beside the commands.
    pub(super) words: String,
    pub(super) proofs: Proofs,
    /// The address that its token was sent to, and whose it is to be.
    pub(super) confirming: Option<(PlayerId, String)>,
    /// What the robot would play where the letter leads, as far as it has been asked.
    pub(super) precomputed: PrecomputedMoves,
}

impl Prepared {
    /// Prepares a letter; `None` when it was handled before.
    pub fn new(store: &Store, app: &App, letter: &Letter, now: Timestamp) -> Result<Option<Prepared>, Error> {
        // Cheap, and spares a redelivered letter the passwords. What counts is the same question in the transaction.
        if store.knows_letter(&letter.identity)? {
            return Ok(None);
        }
        let token = letter.token.as_ref();
        let seat = token.map(|token| token::token_seat(store, token)).transpose()?.flatten();
        let confirming = token.map(|token| token::asked(store, token)).transpose()?.flatten();
        let new = (seat.is_some() || confirming.is_some()).then(|| reply_text::new_text(&letter.text).new);
        let lines = read_commands(letter, new.as_deref(), confirming.is_some());
        let words = beside(letter, &lines, new.as_deref().filter(|_| seat.is_some()));
        let proofs = Proofs::gather(store, &app.passwords, letter, &lines, now)?;
        Ok(Some(Prepared { lines, words, proofs, confirming, precomputed: PrecomputedMoves::default() }))
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
fn read_commands(letter: &Letter, new: Option<&str>, confirms: bool) -> Vec<Line> {
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

/// The words that stand beside a Subject command, or below the first line of what a reply says `new`. A command that
/// carries words takes them for itself.
fn beside(letter: &Letter, lines: &[Line], new: Option<&str>) -> String {
    let talks = lines.iter().any(|line| matches!(line.reading, Reading::Command(Command::Talk(_))));
    match (talks, new) {
        (false, Some(new)) => below_first_line(new),
        (false, None) if command::is_in_subject(&letter.subject) => own_words(&letter.text),
        _ => String::new(),
    }
}
