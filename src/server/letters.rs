//! Handles mails from LMTP, and letters made from the buttons of pages.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::{error, info};

use super::Shared;
use super::writer::LetterOutcome;
use crate::clock;
use crate::commands::Command;
use crate::failure::Error;
use crate::ids::Identity;
use crate::mail::incoming::{self, Envelope, EnvelopeSender};
use crate::mail::lmtp::{MailOutcome, MailTransaction};
use crate::mail::{Letter, Proof, ServerIdentity, bounce};
use crate::pipeline::{self, About, Aside, Handled, Prepared, Taken, Waiting, Work, says_all_in_header};

/// How long a letter waits until the robot is free. After that the robot answers in a mail of its own.
const ROBOT_WAIT: Duration = Duration::from_secs(2);

/// A connection that brings mails.
pub(super) struct LetterSource {
    pub shared: Arc<Shared>,
    pub connection: u64,
    /// True if any user of this machine can open such a connection.
    pub is_open_to_local_users: bool,
}

impl LetterSource {
    /// Reads a mail once for all its recipients. Acts on it once per token in their addresses, and once for all others.
    pub fn take(&self, mail: MailTransaction) -> Vec<MailOutcome> {
        let (begun, shared) = (Instant::now(), &*self.shared);
        let in_force = shared.in_force();
        let server = &in_force.app.server;
        let MailTransaction { sender, recipients, data } = mail;
        let believed = in_force.config.serve.trust_local_users || !self.is_open_to_local_users;
        let identity = if believed { server } else { &in_force.unproven_identity };
        let read = |recipient: &str| {
            let sender = Some(EnvelopeSender::read(&sender));
            read(shared, &data, &Envelope { sender, recipient: Some(recipient.to_owned()) }, identity)
        };
        let is_report = |recipient: &&String| bounce::is_verp(server, recipient);
        let (reports, letters): (Vec<&String>, Vec<&String>) = recipients.iter().partition(is_report);
        // A report is about one mail. Several recipients are read as the plain address: only the text can hold a token.
        let report = reports.first().map(|recipient| read(recipient));
        let letter = match letters.as_slice() {
            [] => None,
            [recipient] => Some(read(recipient)),
            _ => Some(read(&server.address)),
        };
        // Frees the raw mail before the letter waits.
        drop(data);
        let mut of_report = report.map(|mail| self.act(mail, &reports)).unwrap_or_default().into_iter();
        let mut of_letter = letter.map(|mail| self.act(mail, &letters)).unwrap_or_default().into_iter();
        let outcomes = recipients.iter().map(|recipient| {
            let outcome = if is_report(&recipient) { of_report.next() } else { of_letter.next() };
            outcome.unwrap_or(MailOutcome::Later)
        });
        let outcomes = outcomes.collect();
        shared.metrics.answering.took(begun.elapsed());
        outcomes
    }

    fn act(&self, taken: Result<Taken, Error>, recipients: &[&String]) -> Vec<MailOutcome> {
        match taken {
            Ok(Taken::Aside(aside)) => vec![self.set_aside(aside); recipients.len()],
            Ok(Taken::Letter(letter)) => self.deliver_to_all(letter, recipients),
            Ok(Taken::Refused { letter, why }) if says_all_in_header(&letter, why) => {
                self.deliver_to_all(letter, recipients)
            }
            Ok(Taken::Refused { letter, why }) => {
                info!(connection = self.connection, "mail not read: {why}");
                vec![self.deliver(letter, Some(why.to_string())); recipients.len()]
            }
            Err(why) => {
                error!(connection = self.connection, "mail left with the mail server: {why}");
                vec![MailOutcome::Later; recipients.len()]
            }
        }
    }

    /// Delivers a letter for each recipient, but only once for all recipients that give it the same identity.
    fn deliver_to_all(&self, mut letter: Box<Letter>, recipients: &[&String]) -> Vec<MailOutcome> {
        if let [recipient] = recipients {
            letter.token = self.shared.in_force().app.server.token(recipient).or(letter.token);
            return vec![self.deliver(letter, None)];
        }
        let in_text = letter.token.take();
        let mut outcomes = Vec::new();
        let mut delivered: HashMap<Identity, MailOutcome> = HashMap::new();
        for recipient in recipients {
            letter.token = self.shared.in_force().app.server.token(recipient).or_else(|| in_text.clone());
            let identity =
                self.shared.unproven.read(|store| pipeline::identity(store, &letter, clock::now()));
            outcomes.push(match identity {
                Ok(identity) => {
                    *delivered.entry(identity).or_insert_with(|| self.deliver(letter.clone(), None))
                }
                Err(why) => {
                    error!(connection = self.connection, "left with the mail server: {why}");
                    MailOutcome::Later
                }
            });
        }
        outcomes
    }

    /// Hands a mail that is no letter to the writer, which records it and counts reports.
    fn set_aside(&self, aside: Box<Aside>) -> MailOutcome {
        self.shared.metrics.ignored(&aside.why);
        info!(connection = self.connection, "mail set aside: {}", aside.why);
        let letter = Box::new(Letter::by_server(aside.origin.identity));
        match self.shared.writer.submit(Waiting { letter, work: Work::SetAside(aside) }, |_, _| {}) {
            Some(Ok(Handled::Counted(counted))) => {
                info!(connection = self.connection, "report: {counted}");
                MailOutcome::Taken
            }
            Some(Ok(_)) => MailOutcome::Taken,
            Some(Err(failure)) => {
                error!(connection = self.connection, "mail left with the mail server: {failure}");
                MailOutcome::Later
            }
            None => MailOutcome::Later,
        }
    }

    fn deliver(&self, letter: Box<Letter>, why: Option<String>) -> MailOutcome {
        let (connection, letter_id) = (self.connection, letter.message_id.clone().unwrap_or_default());
        let outcome = prepare_and_submit(&self.shared, (letter, None), why);
        match &outcome {
            Some(Ok(Handled::Acted { mails, about: About { player, board }, .. })) => {
                info!(connection, letter = letter_id, player, board, mails, "letter acted on");
            }
            Some(Ok(Handled::Again | Handled::Counted(_) | Handled::SetAside)) => {
                info!(connection, letter = letter_id, "letter came before");
            }
            Some(Err(why)) => error!(connection, letter = letter_id, "left with the mail server: {why}"),
            None => error!(connection, letter = letter_id, "left with the mail server: the writer is gone"),
        }
        let (count, outcome) = match outcome {
            Some(Ok(Handled::Acted { .. })) => (&self.shared.metrics.acted, MailOutcome::Taken),
            Some(Ok(Handled::Again | Handled::Counted(_) | Handled::SetAside)) => {
                (&self.shared.metrics.again, MailOutcome::Taken)
            }
            Some(Err(_)) | None => (&self.shared.metrics.later, MailOutcome::Later),
        };
        count.one();
        outcome
    }
}

/// Reads a mail. If it is doubtful, [`pipeline::judge`] looks into a database.
fn read(shared: &Shared, bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Result<Taken, Error> {
    pipeline::settle(incoming::read(bytes, envelope, server), |letter, why| {
        shared.proven.read(|store| pipeline::judge(store, letter, why, clock::now()))
    })
}

/// Acts on a letter from a page; `None` if that fails.
pub(super) fn take_from_page(
    shared: &Shared,
    letter: Box<Letter>,
    command: Option<Command>,
) -> Option<Handled> {
    match prepare_and_submit(shared, (letter, command), None) {
        Some(Ok(handled)) => {
            let count = match handled {
                Handled::Acted { .. } => &shared.metrics.acted,
                _ => &shared.metrics.again,
            };
            count.one();
            Some(handled)
        }
        Some(Err(why)) => {
            error!("a page was not acted on: {why}");
            None
        }
        None => None,
    }
}

/// Prepares a letter and hands it to the writer.
fn prepare_and_submit(
    shared: &Shared,
    (letter, command): (Box<Letter>, Option<Command>),
    too_much: Option<String>,
) -> Option<LetterOutcome> {
    let work = match too_much {
        Some(why) => Work::TurnAway(why),
        None => match prepare(shared, (&letter, command)) {
            Ok(Some(prepared)) => Work::Act(Box::new(prepared)),
            Ok(None) => return Some(Ok(Handled::Again)),
            Err(failure) => return Some(Err(failure.into())),
        },
    };
    shared.writer.submit(Waiting { letter, work }, |prepared, questions| {
        match shared.instant_robot.take(ROBOT_WAIT) {
            Some(_place) => prepared.think(&shared.in_force().app, questions),
            // The robot is busy with other letters. It answers this one in a mail of its own.
            None => prepared.ask_no_more(),
        }
    })
}

fn prepare(
    shared: &Shared,
    (letter, command): (&Letter, Option<Command>),
) -> Result<Option<Prepared>, Error> {
    // Letters that need no password do not wait for password checks.
    let proven = letter.token.is_some() || letter.proof == Proof::Sender;
    let pool = if proven { &shared.proven } else { &shared.unproven };
    pool.read(|store| Prepared::new(store, &shared.in_force().app, (letter, command), clock::now()))
}
