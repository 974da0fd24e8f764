//! `turnpost submit`: commands as words or lines, answers on standard output.

use rand::Rng;

use super::Instance;
use crate::clock;
use crate::command::token::quote;
use crate::error::HostError;
use crate::mail::{AnswerBy, Identity, Letter, Operator, Proof};
use crate::pipeline::Handled;

/// What is submitted.
#[derive(Debug)]
pub struct Submission {
    /// For whom the operator speaks.
    pub speaks_for: Operator,
    /// The address it claims to come from.
    pub from: Option<String>,
    /// The commands, one a line.
    pub text: String,
}

/// What came of it.
#[derive(Debug)]
pub struct Answered {
    /// For standard output.
    pub text: String,
    /// Whether the last command was carried out.
    pub ends_well: bool,
    /// How many mails it caused.
    pub mails: usize,
}

/// One command from the words of a command line, each of which keeps its bounds.
pub fn line_of(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// Acts on commands given on this machine. Each call is a letter of its own.
///
/// # Errors
/// Ours only.
pub fn submit(server: &mut Instance, submission: Submission) -> Result<Answered, HostError> {
    let mut identity = [0; 32];
    clock::rng()?.fill_bytes(&mut identity);
    let letter = Letter {
        identity: Identity(identity),
        message_id: None,
        references: Vec::new(),
        sender: submission.from,
        return_path: None,
        proof: Proof::Operator(submission.speaks_for),
        token: None,
        subject: String::new(),
        text: submission.text,
        answer: AnswerBy::Door,
    };
    match server.handle(&letter, clock::now())? {
        Handled::Acted { answer, ends_well, mails } => Ok(Answered { text: answer, ends_well, mails }),
        // An identity of 256 random bits does not come twice.
        Handled::Again | Handled::Counted(_) => {
            Ok(Answered { text: String::new(), ends_well: false, mails: 0 })
        }
    }
}
