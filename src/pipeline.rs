//! The line from mail to mail. Every entrance (a message on standard input, LMTP, the command line) goes through it.
//!
//! ```text
//! bytes --read_mail--> Letter --prepare--> Prepared --act--> Transcript, Vec<Notification> --compose--> Vec<OutgoingMail> --put--> outbox
//!                              commands read,         |<------------------- one transaction ------------------------>|
//!                              passwords checked
//! ```
//!
//! Nothing of a letter is kept when one of its stages fails: it stays with the mail server and is handled again.
//! [`crate::delivery`] takes the mails from the outbox to the world, any time later.

mod batch;
mod outbox;
mod prepare;

use std::sync::atomic::AtomicBool;

use jiff::Timestamp;
use rand_chacha::ChaCha12Rng;

use crate::app::App;
use crate::mail::bounce::Report;
use crate::mail::incoming::{self, Envelope, Ignored, Incoming};
use crate::mail::{AnswerBy, Letter};
use crate::reply;
use crate::service::bounce::{self, Counted, Host};
use crate::service::clock::{self, Ticked};
use crate::service::robot::{self, Analysed, Turn};
use crate::service::{self, Context, Error, Rollback, audience, token};
use crate::store::Store;

pub use batch::{Outcomes, Waiting, Work, handle_batch};
use outbox::Outbox;
pub use prepare::Prepared;

/// What became of a mail.
#[derive(Debug)]
pub enum Received {
    /// It was no letter to act on; if it was a report, it was counted.
    Ignored(Ignored, Option<Counted>),
    Handled(Handled),
}

/// What became of a letter.
#[derive(Debug)]
pub enum Handled {
    /// It was handled before; nothing changed and nothing is sent.
    Again,
    /// It was a report about mails of ours.
    Counted(Counted),
    Acted {
        /// The answer as the command line prints it.
        answer: String,
        /// Its last command was carried out.
        ends_well: bool,
        /// How many mails it put into the outbox.
        mails: usize,
    },
}

/// Takes in the bytes of a mail.
pub fn receive(
    store: &mut Store,
    app: &App,
    bytes: &[u8],
    envelope: &Envelope,
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Received, Error> {
    // Read the mail.
    match incoming::read(bytes, envelope, &app.server) {
        Incoming::Ignored(why) => {
            let counted = match &why {
                Ignored::Report { report, .. } => Some(take_report(store, app, report, now)?),
                _ => None,
            };
            Ok(Received::Ignored(why, counted))
        }
        Incoming::Letter(letter) => Ok(Received::Handled(handle(store, app, &letter, now, rng)?)),
        Incoming::Refused { letter, why } => {
            Ok(Received::Handled(turn_away(store, app, &letter, &why.to_string(), now)?))
        }
    }
}

/// Handles a letter: prepares it, then acts on it in one transaction. Where the robot is to answer in the same mail,
/// it thinks between a first try and a second.
pub fn handle(
    store: &mut Store,
    app: &App,
    letter: &Letter,
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Handled, Error> {
    // Read the commands, check the credentials.
    let Some(mut prepared) = Prepared::new(store, app, letter, now)? else { return Ok(Handled::Again) };
    loop {
        match store.write(|store| act(store, app, letter, &prepared, now, rng)) {
            Ok(handled) => return Ok(handled),
            Err(Rollback::Failed(error)) => return Err(error),
            Err(Rollback::Asks(questions)) => prepared.think(app, questions),
        }
    }
}

/// The stages of a letter inside its transaction.
fn act(
    store: &Store,
    app: &App,
    letter: &Letter,
    prepared: &Prepared,
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Handled, Rollback> {
    let entrance = match letter.answer {
        AnswerBy::Mail => "mail",
        AnswerBy::Door => "submit",
    };
    let Some(id) = store.add_letter(&letter.identity, now, entrance, letter.sender.as_deref())? else {
        return Ok(Handled::Again);
    };
    prepared.proofs.count_tries(store, letter, now)?;

    // Act.
    let mut ctx = Context::new(store, &app.robot, letter, &prepared.proofs, &prepared.precomputed, now, rng);
    // Asked again inside the transaction: the board may have moved on.
    ctx.token_seat =
        letter.token.as_ref().map(|token| token::token_seat(store, token)).transpose()?.flatten();
    ctx.confirming = prepared.confirming.clone();
    let mut transcript = service::act(&mut ctx, &prepared.lines)?;
    let questions = ctx.take_questions();
    if !questions.is_empty() {
        return Err(Rollback::Asks(questions));
    }
    let notifications = audience::of_letter(&mut ctx, &mut transcript, &prepared.words)?;
    store.close_letter(id, transcript.player, transcript.tally(), &transcript.echoes())?;
    if !transcript.last_words.is_empty() {
        store.forget_letter(id)?;
    }

    // Compose, and put into the outbox.
    let mut outbox = Outbox::new(store, app, letter, id, now);
    for notification in &notifications {
        outbox.put(&transcript, notification)?;
    }
    let answer = match letter.answer {
        AnswerBy::Mail => String::new(),
        AnswerBy::Door => reply::printed(&app.templates, store, &transcript)?,
    };
    Ok(Handled::Acted { answer, ends_well: transcript.ends_well(), mails: outbox.mails() })
}

/// Answers a letter that is more than is read, once, with the reason.
pub fn turn_away(
    store: &mut Store,
    app: &App,
    letter: &Letter,
    why: &str,
    now: Timestamp,
) -> Result<Handled, Error> {
    store.write(|store| refuse(store, app, letter, why, now))
}

/// The same inside a transaction.
fn refuse(store: &Store, app: &App, letter: &Letter, why: &str, now: Timestamp) -> Result<Handled, Error> {
    let Some(id) = store.add_letter(&letter.identity, now, "mail", letter.sender.as_deref())? else {
        return Ok(Handled::Again);
    };
    let mut outbox = Outbox::new(store, app, letter, id, now);
    outbox.put_all(audience::of_too_much(store, letter, why, now)?)?;
    Ok(Handled::Acted { answer: String::new(), ends_well: false, mails: outbox.mails() })
}

/// Counts what a delivery report says.
pub fn take_report(store: &mut Store, app: &App, report: &Report, now: Timestamp) -> Result<Counted, Error> {
    store.write(|store| bounce::count(store, host(app), app, report, now))
}

/// Tells the operator of addresses to which no more mail is sent.
pub fn tell_operator(store: &mut Store, app: &App, now: Timestamp) -> Result<usize, Error> {
    store.write(|store| bounce::tell_operator(store, &app.operator, app, now))
}

/// Does what time has made due: reminders, forfeits, deadlines that move.
pub fn tick(store: &mut Store, app: &App, now: Timestamp) -> Result<Ticked, Error> {
    clock::tick(store, app, now)
}

/// Lets the robot play the turn that has waited longest; `None` when none waits.
pub fn play_robot_turn(
    store: &mut Store,
    app: &App,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<Turn>, Error> {
    robot::think_one(store, &app.robot, app, now, cancel)
}

/// Makes the analysis that has waited longest; `None` when none waits.
pub fn analyse_next(
    store: &mut Store,
    app: &App,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<Analysed>, Error> {
    robot::analyse_one(store, &app.robot, app, now, cancel)
}

fn host(app: &App) -> Host<'_> {
    Host { server: &app.server, operator: &app.operator }
}
