//! Acting on a letter: one letter, its effects and every mail it causes are one transaction.

mod account;
mod aftermath;
pub mod board;
mod card;
mod challenge;
pub mod clock;
mod desk;
pub mod note;
mod nudge;
mod objection;
mod offer;
pub mod password;
mod play;
mod proof;
mod query;
mod queue;
pub mod record;
mod refusal;
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

use crate::command::{self, Line, Reading};
use crate::ids::BoardId;
use crate::mail::{AnswerBy, Letter, outgoing, reply_text};
use crate::reply::{self, Reply, Templates};
use crate::store::{LetterId, NewMail, PlayerId, Store, StoreError};

pub use desk::Desk;
pub use objection::Objection;
pub use proof::Proofs;
pub use refusal::Refusal;
pub use transcript::{Answer, Answered, Event, Notice, Thread, Transcript};

/// A stranger is answered once in so many seconds.
const STRANGER_PAUSE: i64 = 24 * 60 * 60;

/// What goes wrong on our side. The letter is undone as a whole and stays with whoever brought it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
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
}

/// Why a command was not carried out.
#[derive(Debug)]
pub enum Stop {
    /// It may not be.
    Refused(Refusal),
    /// We could not.
    Failed(Failure),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

impl<F: Into<Failure>> From<F> for Stop {
    fn from(failure: F) -> Stop {
        Stop::Failed(failure.into())
    }
}

/// The parts of the server that stay the same from letter to letter.
pub struct House {
    /// Who the server is in its mails.
    pub site: crate::mail::Site,
    /// The texts.
    pub templates: Templates,
}

impl House {
    /// A house of that name and addresses, with the host's own texts from `templates` where it has them.
    pub fn new(site: crate::mail::Site, operator: &str, templates: Option<std::path::PathBuf>) -> House {
        let templates = Templates::new(templates, &site, operator);
        House { site, templates }
    }
}

/// What became of a letter, for the door it came by.
#[derive(Debug)]
pub enum Handled {
    /// It was taken in before; nothing was changed and nothing is sent.
    Again,
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
    house: &House,
    letter: &Letter,
    at: Timestamp,
    chance: &mut ChaCha12Rng,
) -> Result<Handled, Failure> {
    // Cheap, and spares a redelivered letter the passwords. What counts is the same question in the transaction.
    if store.knows_letter(&letter.identity)? {
        return Ok(Handled::Again);
    }
    // A reply with a token of ours plays the first line of what its writer wrote, whatever its Subject.
    let bearer = letter.token.as_ref().map(|token| token::bearer(store, token)).transpose()?.flatten();
    let lines = match bearer {
        Some(_) => command::read_reply(&reply_text::new_text(&letter.text).new).into_iter().collect(),
        None => command::read(&letter.subject, &letter.text),
    };
    let beside = aftermath::beside(letter, &lines, bearer.is_some());
    let proofs = Proofs::gather(store, &lines, at)?;
    store.write(|store| {
        let door = match letter.answer {
            AnswerBy::Mail => "mail",
            AnswerBy::Door => "submit",
        };
        let Some(id) = store.add_letter(&letter.identity, at, door, letter.sender.as_deref())? else {
            return Ok(Handled::Again);
        };
        // Asked again inside the transaction: the board may have moved on.
        let bearer = letter.token.as_ref().map(|token| token::bearer(store, token)).transpose()?.flatten();
        let mut desk = Desk::new(store, letter, &proofs, at, chance);
        desk.bearer = bearer;
        let mut transcript = act(&mut desk, lines)?;
        desk.aftermath(&mut transcript, &beside)?;
        let echoes: Vec<&str> = transcript.answers.iter().map(|answered| answered.echo.as_str()).collect();
        store.close_letter(id, transcript.player, transcript.tally(), &echoes.join("\n"))?;
        if !transcript.last_words.is_empty() {
            store.forget_letter(id)?;
        }
        let zone = match transcript.player {
            Some(player) => desk.zone(player)?,
            None => TimeZone::UTC,
        };
        let answer = reply::answer(house, &zone, letter.answer, &transcript)?;
        let mut post = Post { store, house, letter, id, at, mails: 0 };
        if letter.answer == AnswerBy::Mail {
            post.answer(&transcript, &answer)?;
        }
        for notice in &transcript.notices {
            let said = transcript.said.as_ref().filter(|said| said.to.contains(&notice.to));
            if post.holds_back(&transcript.glances, notice, said)? {
                continue;
            }
            let reply = reply::notice_with(house, &desk.zone(notice.to)?, notice, said)?;
            post.mail_player(notice.to, &reply, outgoing::AutoSubmitted::Generated)?;
        }
        for mailing in &transcript.mailings {
            post.send(&desk, mailing)?;
        }
        post.next_of_digest(&desk, &transcript)?;
        let mails = post.mails;
        Ok(Handled::Acted { answer: Box::new(answer), ends_well: transcript.ends_well(), mails })
    })
}

/// Answers a letter that is more than is read, once, with the reason.
///
/// # Errors
/// Ours only; it can be tried again.
pub fn turn_away(
    store: &mut Store,
    house: &House,
    letter: &Letter,
    why: &str,
    at: Timestamp,
) -> Result<Handled, Failure> {
    store.write(|store| {
        let Some(id) = store.add_letter(&letter.identity, at, "mail", letter.sender.as_deref())? else {
            return Ok(Handled::Again);
        };
        let answer = reply::too_much(house, why)?;
        let mut post = Post { store, house, letter, id, at, mails: 0 };
        let sender = letter.sender.as_deref().unwrap_or_default();
        match store.players_at(sender)?.first() {
            Some(player) => post.mail_player(player.id, &answer, outgoing::AutoSubmitted::Replied)?,
            None if store.may_answer_stranger(sender, at, STRANGER_PAUSE)? => {
                post.put(None, sender, &answer, outgoing::AutoSubmitted::Replied)?;
            }
            None => {}
        }
        let mails = post.mails;
        Ok(Handled::Acted { answer: Box::new(answer), ends_well: false, mails })
    })
}

/// Carries out the commands of a letter, each in a savepoint of its own.
fn act(desk: &mut Desk<'_>, lines: Vec<Line>) -> Result<Transcript, Failure> {
    let mut transcript = Transcript::default();
    for line in lines {
        let Line { echo, strict_echo, reading } = line;
        let (answer, thread) = match reading {
            Reading::Skip | Reading::End => continue,
            Reading::Reply(text) => {
                let bearer = desk.bearer;
                let before = desk.notices();
                let store = desk.store;
                let answer = match store.savepoint(|| desk.reply(&text)) {
                    Ok(event) => Answer::Done(event),
                    Err(Stop::Refused(refusal)) => {
                        desk.forget_notices(before);
                        Answer::Refused(refusal)
                    }
                    Err(Stop::Failed(failure)) => return Err(failure),
                };
                (answer, desk.thread(bearer.map(|bearer| bearer.board))?)
            }
            Reading::Unknown { suggestion } => (Answer::Unknown { suggestion }, None),
            Reading::Malformed(error) => (Answer::Malformed(error), None),
            Reading::Command(command) => {
                let board = command.board();
                let before = desk.notices();
                let store = desk.store;
                match store.savepoint(|| desk.act(command)) {
                    Ok(event) => {
                        let thread = event.thread();
                        (Answer::Done(event), thread)
                    }
                    Err(Stop::Refused(refusal)) => {
                        desk.forget_notices(before);
                        (Answer::Refused(refusal), desk.thread(board)?)
                    }
                    Err(Stop::Failed(failure)) => return Err(failure),
                }
            }
        };
        // A password that did not fit may stand anywhere in its line.
        let unproven = matches!(answer, Answer::Refused(Refusal::NotProven));
        let echo = if unproven { strict_echo } else { desk.proofs.mask(&echo) };
        let now = desk.board_now(&answer, thread.as_ref())?;
        transcript.answers.push(Answered { echo, answer, thread, now });
    }
    transcript.player = desk.player()?;
    transcript.notices = desk.take_notices();
    transcript.mailings = desk.take_mailings();
    transcript.last_words = desk.take_last_words();
    Ok(transcript)
}

/// Puts the mails of one letter into the outbox.
struct Post<'a> {
    store: &'a Store,
    house: &'a House,
    letter: &'a Letter,
    id: LetterId,
    at: Timestamp,
    mails: usize,
}

impl Post<'_> {
    /// The answer goes to the registered addresses of the player the letter acted for, never to an unproven one; a
    /// stranger gets a short help, once a day.
    fn answer(&mut self, transcript: &Transcript, answer: &Reply) -> Result<(), Failure> {
        if transcript.is_answered_by_mailings(self.letter.sender.as_deref()) {
            return Ok(());
        }
        for address in &transcript.last_words {
            self.put(None, address, answer, outgoing::AutoSubmitted::Replied)?;
            self.store.mark_last_mail(true)?;
        }
        if let Some(player) = transcript.player {
            return self.mail_player(player, answer, outgoing::AutoSubmitted::Replied);
        }
        let Some(sender) = &self.letter.sender else { return Ok(()) };
        if self.store.may_answer_stranger(sender, self.at, STRANGER_PAUSE)? {
            let short = reply::stranger(self.house, transcript)?;
            self.put(None, sender, &short, outgoing::AutoSubmitted::Replied)?;
        }
        Ok(())
    }

    fn mail_player(
        &mut self,
        player: PlayerId,
        reply: &Reply,
        mark: outgoing::AutoSubmitted,
    ) -> Result<(), Failure> {
        for address in
            self.store.addresses(player)?.into_iter().filter(|address| address.confirmed_at.is_some())
        {
            self.put(Some(player), &address.address, reply, mark)?;
        }
        Ok(())
    }

    fn put(
        &mut self,
        player: Option<PlayerId>,
        address: &str,
        reply: &Reply,
        mark: outgoing::AutoSubmitted,
    ) -> Result<(), Failure> {
        let site = &self.house.site;
        let purpose = self.mails.to_string();
        let message_id = outgoing::message_id(&self.letter.identity, address, &purpose, &site.host);
        let mut references = Vec::new();
        if let (Some(player), Some(board)) = (player, reply.board)
            && let Some(thread) = self.store.thread(board, player)?
        {
            if thread.last != thread.root {
                references.push(thread.root);
            }
            references.push(thread.last);
        }
        // An answer belongs under the letter it answers; a notice under our last mail about the board.
        let in_reply_to = match mark {
            outgoing::AutoSubmitted::Replied => self.letter.message_id.clone(),
            outgoing::AutoSubmitted::Generated => references.last().cloned(),
        };
        if let Some(id) = in_reply_to.clone().filter(|id| !references.contains(id)) {
            references.push(id);
        }
        let draft = outgoing::Draft {
            to: address.to_owned(),
            message_id: message_id.clone(),
            in_reply_to,
            references,
            subject: reply.subject.clone(),
            date: self.at,
            mark,
            unsubscribe: reply.unsubscribe.clone(),
            text: reply.text.clone(),
            html: reply.html.clone(),
            reply_to: self.reply_to(player, reply.board)?,
        };
        let mail = outgoing::compose(&draft, site)?;
        let new = NewMail {
            letter: self.id,
            board: reply.board,
            player,
            recipient: address,
            message_id: &message_id,
            mail: &mail,
        };
        self.store.add_mail(&new, self.at)?;
        if reply.secret {
            self.store.mark_last_mail(false)?;
        }
        if let (Some(player), Some(board)) = (player, reply.board) {
            self.store.extend_thread(board, player, &message_id)?;
        }
        self.mails += 1;
        Ok(())
    }

    /// The address that lets a plain reply play, for somebody who sits at the board.
    fn reply_to(&self, player: Option<PlayerId>, board: Option<BoardId>) -> Result<Option<String>, Failure> {
        let (Some(player), Some(board)) = (player, board) else { return Ok(None) };
        let token = token::give(self.store, board, player)?;
        Ok(token.and_then(|token| self.house.site.extended(&token)))
    }
}
