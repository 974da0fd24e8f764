//! Acting on a letter: one letter, its effects and every mail it causes are one transaction.

mod account;
mod aftermath;
pub mod batch;
pub mod board;
pub mod bounce;
mod challenge;
pub mod clock;
mod confirm;
mod context;
mod limits;
mod mail_preferences;
pub mod note;
mod nudge;
mod objection;
mod offer;
pub mod password;
mod play;
mod post;
mod prepared;
mod profile;
mod proof;
mod query;
mod queue;
pub mod record;
mod refusal;
pub mod robot;
mod rollback;
mod seek;
mod settings;
pub mod standing;
mod talk;
pub mod token;
mod transcript;
pub mod verify;
pub mod view;
mod watch;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand_chacha::ChaCha12Rng;

use crate::command::{Line, Reading};
use crate::mail::{AnswerBy, Letter, outgoing};
use crate::reply::{self, Reply, Templates};
use crate::store::{Entrance, Store, StoreError};

pub use context::Context;
pub use objection::Objection;
pub use password::Passwords;
use post::Post;
pub use prepared::Prepared;
pub use proof::Proofs;
pub use refusal::Refusal;
pub use rollback::Rollback;
pub use transcript::{Answer, Answered, Event, Notice, Thread, Transcript};

/// A stranger is answered once in so many seconds.
const STRANGER_PAUSE: i64 = 24 * 60 * 60;

/// What goes wrong on our side. The letter is undone as a whole and stays with whoever brought it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A template.
    #[error("template: {0}")]
    Template(#[from] minijinja::Error),
    /// A mail that could not be written.
    #[error("mail: {0}")]
    Compose(#[from] outgoing::ComposeError),
    /// The password hasher.
    #[error("password hashing: {0}")]
    Password(argon2::password_hash::Error),
    /// A record that could not be followed.
    #[error("board: {0}")]
    Record(#[from] board::BadRecord),
    /// A mistake of this program's.
    #[error("the program panicked")]
    Panicked,
}

/// Why a command was not carried out.
#[derive(Debug)]
pub enum CommandError {
    /// It may not be.
    Refused(Refusal),
    /// We could not.
    Failed(Error),
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Refused(refusal)
    }
}

impl<F: Into<Error>> From<F> for CommandError {
    fn from(failure: F) -> CommandError {
        CommandError::Failed(failure.into())
    }
}

/// The parts of the server that stay the same from letter to letter.
pub struct App {
    /// Who the server is in its mails.
    pub site: crate::mail::ServerIdentity,
    /// The texts.
    pub templates: Templates,
    /// Who checks passwords.
    pub passwords: Passwords,
    /// Where the operator is reached.
    pub operator: String,
    /// Who signs its mails.
    pub signer: Option<outgoing::Signer>,
    /// What the host has decided about the robot.
    pub robot: robot::RobotConfig,
}

impl App {
    /// A house of that name and addresses, with the host's own texts from `templates` where it has them.
    pub fn new(
        site: crate::mail::ServerIdentity,
        operator: &str,
        templates: Option<std::path::PathBuf>,
    ) -> App {
        let templates = Templates::new(templates, &site, operator);
        App {
            site,
            templates,
            passwords: Passwords::default(),
            operator: operator.to_owned(),
            signer: None,
            robot: robot::RobotConfig::default(),
        }
    }
}

/// What became of a letter, for the door it came by.
#[derive(Debug)]
pub enum Handled {
    /// It was taken in before; nothing was changed and nothing is sent.
    Again,
    /// It was a report about mails of ours.
    Counted(bounce::Counted),
    /// It was acted on.
    Acted {
        /// The answer as it is printed; mailed as well, if the letter asked for that.
        answer: Box<Reply>,
        /// Whether its last command was carried out.
        ends_well: bool,
        /// How many mails it put into the outbox.
        mails: usize,
    },
}

/// Acts on a letter.
///
/// # Errors
/// Ours only: nothing of the letter is then kept, and it can be handled again.
pub fn handle(
    store: &mut Store,
    app: &App,
    letter: &Letter,
    at: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Handled, Error> {
    let Some(mut prepared) = Prepared::new(store, app, letter, at)? else { return Ok(Handled::Again) };
    loop {
        match store.write(|store| carry_out(store, app, letter, &prepared, at, rng)) {
            Ok(handled) => return Ok(handled),
            Err(Rollback::Failed(failure)) => return Err(failure),
            // Nothing is kept of the letter, and the robot thinks while others may write.
            Err(Rollback::Asks(questions)) => prepared.think(app, questions),
        }
    }
}

/// Acts on a letter, inside the transaction.
fn carry_out(
    store: &Store,
    app: &App,
    letter: &Letter,
    prepared: &Prepared,
    at: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Handled, Rollback> {
    let Prepared { lines, beside, proofs, asked, precomputed } = prepared;
    let entrance = match letter.answer {
        AnswerBy::Mail => Entrance::Mail,
        AnswerBy::Terminal => Entrance::Submit,
    };
    let Some(id) = store.add_letter(&letter.identity, at, entrance, letter.sender.as_deref())? else {
        return Ok(Handled::Again);
    };
    // Asked again inside the transaction: the board may have moved on.
    let token_seat =
        letter.token.as_ref().map(|token| token::token_seat(store, token)).transpose()?.flatten();
    proofs.count_tries(store, letter, at)?;
    let mut ctx = Context::new(store, app, letter, proofs, precomputed, at, rng);
    ctx.token_seat = token_seat;
    ctx.confirming = asked.clone();
    let mut transcript = act(&mut ctx, lines)?;
    if !ctx.robot.questions.is_empty() {
        return Err(Rollback::Asks(std::mem::take(&mut ctx.robot.questions)));
    }
    ctx.aftermath(&mut transcript, beside)?;
    let echoes: Vec<&str> = transcript.answers.iter().map(|answered| answered.echo.as_str()).collect();
    store.close_letter(id, transcript.player, transcript.tally(), &echoes.join("\n"))?;
    if !transcript.last_words.is_empty() {
        store.forget_letter(id)?;
    }
    let zone = match transcript.player {
        Some(player) => ctx.zone(player)?,
        None => TimeZone::UTC,
    };
    let home = match transcript.player.filter(|_| letter.answer == AnswerBy::Mail) {
        Some(player) => Some(store.addresses(player)?),
        None => None,
    };
    ctx.tell_of_stops(&mut transcript, home.as_ref())?;
    let answer = reply::answer(app, &zone, letter.answer, &transcript)?;
    let mut post = Post { store, app, letter, id, at, mails: 0 };
    if letter.answer == AnswerBy::Mail {
        post.answer(&transcript, home.as_ref(), &answer)?;
    }
    post.tell(&transcript)?;
    let mails = post.mails;
    Ok(Handled::Acted { answer: Box::new(answer), ends_well: transcript.ends_well(), mails })
}

/// Answers a letter that is more than is read, once, with the reason.
///
/// # Errors
/// Ours only; it can be tried again.
pub fn turn_away(
    store: &mut Store,
    app: &App,
    letter: &Letter,
    why: &str,
    at: Timestamp,
) -> Result<Handled, Error> {
    store.write(|store| say_no(store, app, letter, why, at))
}

/// Answers a letter that is more than is read, inside the transaction.
fn say_no(store: &Store, app: &App, letter: &Letter, why: &str, at: Timestamp) -> Result<Handled, Error> {
    let Some(id) = store.add_letter(&letter.identity, at, Entrance::Mail, letter.sender.as_deref())? else {
        return Ok(Handled::Again);
    };
    let answer = reply::too_much(app, why)?;
    let mut post = Post { store, app, letter, id, at, mails: 0 };
    let sender = letter.sender.as_deref().unwrap_or_default();
    match store.players_at(sender)?.first() {
        Some(player) => post.answer_player(player.id, &store.addresses(player.id)?, &answer, false)?,
        None => post.answer_stranger(|| Ok(answer.clone()))?,
    }
    let mails = post.mails;
    Ok(Handled::Acted { answer: Box::new(answer), ends_well: false, mails })
}

/// Carries out the commands of a letter, each in a savepoint of its own.
fn act(ctx: &mut Context<'_>, lines: &[Line]) -> Result<Transcript, Error> {
    let mut transcript = Transcript::default();
    for line in lines {
        let Line { echo, strict_echo, reading } = line;
        let (answer, thread) = match reading {
            Reading::Skip | Reading::End => continue,
            Reading::Reply(text) => {
                let token_seat = ctx.token_seat;
                let before = ctx.notices();
                let store = ctx.store;
                let answer = match store.savepoint(|| ctx.reply(text)) {
                    Ok(event) => Answer::Done(event),
                    Err(CommandError::Refused(refusal)) => {
                        ctx.forget_notices(before);
                        Answer::Refused(refusal)
                    }
                    Err(CommandError::Failed(failure)) => return Err(failure),
                };
                (answer, ctx.thread(token_seat.map(|token_seat| token_seat.board))?)
            }
            Reading::Rest => (Answer::Refused(Refusal::RestNotRead), None),
            Reading::Unknown { suggestion } => (Answer::Unknown { suggestion: suggestion.clone() }, None),
            Reading::Malformed(error) => (Answer::Malformed(error.clone()), None),
            Reading::Command(command) => {
                let board = command.board();
                let before = ctx.notices();
                let store = ctx.store;
                match store.savepoint(|| ctx.act(command.clone())) {
                    Ok(event) => {
                        let thread = event.thread();
                        (Answer::Done(event), thread)
                    }
                    Err(CommandError::Refused(refusal)) => {
                        ctx.forget_notices(before);
                        (Answer::Refused(refusal), ctx.thread(board)?)
                    }
                    Err(CommandError::Failed(failure)) => return Err(failure),
                }
            }
        };
        // A password that did not fit may stand anywhere in its line.
        let unproven = matches!(answer, Answer::Refused(Refusal::NotProven));
        let echo = if unproven { strict_echo.clone() } else { ctx.proofs.mask(echo) };
        let now = ctx.board_now(&answer, thread.as_ref())?;
        transcript.answers.push(Answered { echo, answer, thread, now });
    }
    transcript.player = ctx.player()?;
    transcript.notices = ctx.take_notices();
    transcript.mailings = ctx.take_mailings();
    transcript.last_words = ctx.take_last_words();
    transcript.preferences = std::mem::take(&mut ctx.preferences);
    transcript.asked = ctx.confirming.take().map(|(_, address)| address);
    Ok(transcript)
}
