//! The line from mail to mail. Every entrance (a message on standard input, LMTP, the command line) goes through it.
//!
//! ```text
//! bytes --read--> Letter --prepare--> Prepared --act--> Transcript, Vec<Mail> --compose--> Vec<OutgoingMail> --put--> outbox
//!                         commands read,         |<------------------- one transaction ------------------------>|
//!                         passwords checked
//! ```
//!
//! When a stage fails, the transaction rolls back and the letter stays with the mail server, which can retry it.
//! [`crate::delivery`] later sends the mails of the outbox.

mod batch;
mod outbox;
mod person_or_program;
mod prepare;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use jiff::Timestamp;
use outbox::Outbox;
use rand_chacha::ChaCha12Rng;

use crate::app::App;
use crate::commands::{self, Analysed, Command, LANGUAGE};
use crate::compose;
use crate::credentials::Token;
use crate::failure::{CommandError, Error};
use crate::ids::{BoardId, Identity};
use crate::letter::{self, audience};
use crate::mail::incoming::{self, Envelope, Ignored, Unread};
use crate::mail::{AnswerBy, Letter};
use crate::notices::Transcript;
use crate::play::{Context, Rollback};
use crate::store::{ClosedLetter, Entrance, NewLetter, ProvenBy, Store};
use crate::timer::bounce::{self, BounceContext, BounceOutcome};
use crate::timer::host_acts::{self, Done, Order};
use crate::timer::tick::{self, Ticked};
use crate::timer::{self, TakenTurn, Turned};

pub use batch::{Outcomes, Waiting, Work, handle_batch};
pub use person_or_program::{Aside, Taken, judge, settle};
pub use prepare::{Prepared, identity};

pub use crate::timer::tick::forget_mails;

#[derive(Debug)]
pub enum Received {
    /// Mail that the server never acts on. A delivery report is counted.
    Ignored(Ignored, Option<BounceOutcome>),
    Handled(Handled),
    /// A letter that is answered without being read, with the reason.
    TurnedAway(Unread, Handled),
}

#[derive(Debug)]
pub enum Handled {
    /// The server has handled this letter before. It changes and sends nothing.
    Again,
    /// A delivery report about the server's own mails.
    Counted(BounceOutcome),
    /// The server does not act on this mail. The store records it with the reason.
    SetAside,
    Acted {
        /// The answer as the command line or a page shows it.
        answer: String,
        /// The sentences below the answers to commands.
        remark: Option<String>,
        /// The last command succeeded.
        ends_well: bool,
        /// Number of mails put into the outbox.
        mails: usize,
        /// Number of mails that could not be written.
        aside: usize,
        about: About,
    },
}

/// The player and the boards of a letter, for the log.
#[derive(Debug, Default)]
pub struct About {
    pub player: Option<String>,
    /// The board numbers, separated by commas.
    pub board: Option<String>,
}

impl About {
    fn letter(store: &Store, transcript: &Transcript, token: Option<&Token>) -> About {
        let account = transcript.player.and_then(|player| store.player_by_id(player).ok());
        let by_token = token.and_then(Token::seat).map(|seat| seat.board);
        let boards = transcript.answers.iter().filter_map(|answered| Some(answered.thread.as_ref()?.board));
        let boards: BTreeSet<BoardId> = boards.chain(by_token).collect();
        let boards: Vec<String> = boards.iter().map(BoardId::to_string).collect();
        About {
            player: account.map(|account| account.userid.to_string()),
            board: Some(boards.join(", ")).filter(|boards| !boards.is_empty()),
        }
    }
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
    let incoming = incoming::read(bytes, envelope, &app.server);
    match settle(incoming, |letter, why| judge(store, letter, why, now))? {
        Taken::Aside(aside) => {
            let counted = store.write(|store| aside.put(store, app, Entrance::Mail, now))?;
            Ok(Received::Ignored(aside.why, counted))
        }
        Taken::Letter(letter) => Ok(Received::Handled(handle(store, app, &letter, now, rng)?)),
        Taken::Refused { letter, why } if says_all_in_header(&letter, why) => {
            Ok(Received::Handled(handle(store, app, &letter, now, rng)?))
        }
        Taken::Refused { letter, why } => {
            Ok(Received::TurnedAway(why, turn_away(store, app, &letter, &why.to_string(), now)?))
        }
    }
}

/// True if the token unsubscribes, or if the Subject holds the command and the text seems empty: Outlook adds
/// winmail.dat even to an empty text.
pub fn says_all_in_header(letter: &Letter, why: Unread) -> bool {
    if let Some(token) = &letter.token {
        return token.unsubscribes();
    }
    why == (Unread::Winmail { with_text: true }) && LANGUAGE.is_in_subject(&letter.subject)
}

/// Prepares a letter and acts on it in one transaction. If the robot should answer in the same mail, the first try
/// collects the questions to the robot, and the second plays its move.
pub fn handle(
    store: &mut Store,
    app: &App,
    letter: &Letter,
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Handled, Error> {
    handle_button(store, app, (letter, None), now, rng)
}

/// Like [`handle`], for a letter from a page that can bring the command of its button.
pub fn handle_button(
    store: &mut Store,
    app: &App,
    (letter, command): (&Letter, Option<Command>),
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Handled, Error> {
    // Read the commands, check the credentials.
    let prepared = Prepared::new(store, app, (letter, command), now)?;
    let Some(mut prepared) = prepared else { return Ok(Handled::Again) };
    let entrance = match letter.answer {
        AnswerBy::Mail | AnswerBy::Page | AnswerBy::Nothing => Entrance::Mail,
        AnswerBy::Terminal => Entrance::Submit,
    };
    loop {
        match store.write(|store| act(store, app, letter, entrance, &prepared, now, rng)) {
            Ok(handled) => return Ok(handled),
            Err(Rollback::Failed(error)) => return Err(error),
            Err(Rollback::Asks(questions)) => prepared.think(app, questions),
        }
    }
}

/// Runs a letter's stages inside its transaction.
fn act(
    store: &Store,
    app: &App,
    letter: &Letter,
    entrance: Entrance,
    prepared: &Prepared,
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Handled, Rollback> {
    if !prepared.writer.is_operator() && prepared.is_banned {
        return Ok(refuse(store, app, letter, entrance, TurnAway::Banned, now)?);
    }
    // Count before looking for copies: a copy of a letter with other wrong passwords is one more guess.
    prepared.proofs.count_tries(store, letter, now)?;
    let Some(id) = store.add_letter(&new_letter(letter, prepared.identity, entrance), now)? else {
        return Ok(Handled::Again);
    };
    // The try after the robot was asked repeats the random draws of the first, because the robot saw that position.
    let mut again = prepared.chance.get().cloned();
    let before = rng.clone();
    let rng = again.as_mut().unwrap_or(rng);

    // Act.
    let mut ctx = Context::new(
        store,
        (&app.robot, &app.limits),
        (letter, prepared.writer.clone()),
        &prepared.proofs,
        &prepared.precomputed,
        now,
        rng,
    );
    // Look the token up again inside the transaction: the board may have changed.
    ctx.token = prepared.token.clone().map(|token| token.again(store)).transpose()?;
    ctx.server = Some(&app.server);
    ctx.operator = &app.operator;
    ctx.pages = app.pages.as_deref();
    let mut transcript = letter::act(&mut ctx, &prepared.lines)?;
    let questions = ctx.take_questions();
    if !questions.is_empty() {
        prepared.chance.get_or_init(|| before);
        return Err(Rollback::Asks(questions));
    }
    let words = ctx.take_words(&prepared.words);
    let mails = audience::of_letter(&mut ctx, &mut transcript, &words)?;
    let closed = ClosedLetter {
        player: transcript.player,
        proof: Some(prepared.writer.by),
        tally: transcript.tally(),
        commands: transcript.kept(),
        outcomes: transcript.outcomes(&prepared.proofs),
    };
    store.close_letter(id, &closed)?;
    if !transcript.last_words.is_empty() {
        store.forget_letter(id)?;
    }

    // Compose, and put into the outbox.
    let mut outbox = Outbox::new(store, app, letter, prepared.identity, id, prepared.writer.by, now);
    for mail in &mails {
        outbox.put(&transcript, mail)?;
    }
    let answer = match letter.answer {
        AnswerBy::Mail | AnswerBy::Nothing => String::new(),
        AnswerBy::Terminal | AnswerBy::Page => compose::printed(&app.templates, store, &transcript, now)?,
    };
    let (mails, aside) = (outbox.mails(), outbox.aside());
    let about = About::letter(store, &transcript, prepared.token.as_ref());
    let (ends_well, remark) = (transcript.ends_well(), transcript.remark);
    Ok(Handled::Acted { answer, remark, ends_well, mails, aside, about })
}

/// Answers an unread letter with the reason, in one transaction.
fn turn_away(
    store: &mut Store,
    app: &App,
    letter: &Letter,
    why: &str,
    now: Timestamp,
) -> Result<Handled, Error> {
    store.write(|store| refuse_unread(store, app, letter, Entrance::Mail, why, now))
}

fn new_letter(letter: &Letter, identity: Identity, entrance: Entrance) -> NewLetter {
    let (sender, message_id) = (letter.sender.clone(), letter.message_id.clone());
    NewLetter { identity, entrance, sender, message_id }
}

/// Why a letter is turned away.
enum TurnAway<'a> {
    /// The host has banned its sender.
    Banned,
    Unread(&'a str),
}

/// Turns away an unread letter. If its sender is banned, the answer says that instead.
fn refuse_unread(
    store: &Store,
    app: &App,
    letter: &Letter,
    entrance: Entrance,
    why: &str,
    now: Timestamp,
) -> Result<Handled, Error> {
    let is_banned = store.is_banned(prepare::senders(letter))?;
    let why = if is_banned { TurnAway::Banned } else { TurnAway::Unread(why) };
    refuse(store, app, letter, entrance, why, now)
}

/// Turns a letter away inside a transaction, and answers with the reason.
fn refuse(
    store: &Store,
    app: &App,
    letter: &Letter,
    entrance: Entrance,
    why: TurnAway<'_>,
    now: Timestamp,
) -> Result<Handled, Error> {
    let identity = prepare::identity_by(letter, None);
    let Some(id) = store.add_letter(&new_letter(letter, identity, entrance), now)? else {
        return Ok(Handled::Again);
    };
    let (noted, mails) = match why {
        TurnAway::Banned => {
            let mails = audience::of_banned(store, &app.limits, letter, &app.operator, now)?;
            ("the sender is banned", mails)
        }
        TurnAway::Unread(why) => (why, audience::of_too_much(store, &app.limits, letter, why, now)?),
    };
    store.turn_letter_away(id, noted)?;
    let mut outbox = Outbox::new(store, app, letter, identity, id, ProvenBy::Nothing, now);
    outbox.put_all(mails)?;
    let (mails, aside) = (outbox.mails(), outbox.aside());
    let about = About::default();
    Ok(Handled::Acted { answer: String::new(), remark: None, ends_well: false, mails, aside, about })
}

/// Tells the operator to which addresses the server stopped writing.
pub fn tell_operator(store: &mut Store, app: &App, now: Timestamp) -> Result<usize, Error> {
    store.write(|store| bounce::tell_operator(store, &app.operator, app, now))
}

/// Sends reminders, forfeits boards and moves deadlines, as far as they are due.
pub fn tick(store: &mut Store, app: &App, now: Timestamp) -> Result<Ticked, Error> {
    tick::tick(store, (&app.limits, &app.leagues, &app.operator), app, now)
}

/// Lets the robot play the turn that has waited longest; `None` when none waits.
pub fn play_robot_turn(
    store: &mut Store,
    app: &App,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<TakenTurn>, Error> {
    let turn = timer::think_one(store, (&app.robot, &app.limits), app, &now, cancel)?;
    if let Some(TakenTurn { board, turned: Turned::Failed { engine, why } }) = &turn {
        timer::hand_over(store, app, &host(app), (*board, engine, why), now())?;
    }
    Ok(turn)
}

/// Makes the analysis that has waited longest; `None` when none waits.
pub fn analyse_next(
    store: &mut Store,
    app: &App,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<Analysed>, Error> {
    commands::analyse_one(store, &app.robot, app, now, cancel)
}

/// Carries out an order of the host, and tells the players.
pub fn carry_out(
    store: &mut Store,
    app: &App,
    order: &Order,
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Done, CommandError> {
    host_acts::carry_out(store, app, &app.server, order, now, rng)
}

fn host(app: &App) -> BounceContext<'_> {
    BounceContext { server: &app.server, operator: &app.operator }
}
