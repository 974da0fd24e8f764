//! One LMTP connection.

use std::collections::HashMap;
use std::net::Shutdown;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::{debug, error, info};

use super::Shared;
use super::connection_pool::Permit;
use super::stream::Stream;
use super::writer::LetterOutcome;
use crate::clock;
use crate::commands::Command;
use crate::failure::Error;
use crate::ids::Identity;
use crate::mail::incoming::{self, Envelope, EnvelopeSender, MAX_MESSAGE};
use crate::mail::lmtp::{Action, MailOutcome, MailTransaction, Session, Settings, delivered};
use crate::mail::{Letter, Proof, ServerIdentity, bounce};
use crate::pipeline::{self, About, Aside, Handled, Prepared, Taken, Waiting, Work, says_all_in_header};

/// The size of the read buffer.
const PIECE: usize = 16 * 1024;

/// A session that holds more bytes than this is receiving a large mail. The number of large mails is limited.
const SMALL: usize = 64 * 1024;

/// How long a letter waits for the robot's attention. After that the robot answers in a mail of its own.
const ROBOT_WAIT: Duration = Duration::from_secs(2);

/// A connection that has brought no mail for this long gives way when another one waits for its place.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) struct Connection {
    pub number: u64,
    stream: Stream,
    /// True between two mails.
    idle: AtomicBool,
    /// Since when we have waited for a whole mail; `None` while we take one.
    waiting: Mutex<Option<Instant>>,
    /// True once it must give its place to another one.
    gives_way: AtomicBool,
}

impl Connection {
    pub fn new(number: u64, stream: Stream) -> Connection {
        let waiting = Mutex::new(Some(Instant::now()));
        Connection { number, stream, idle: AtomicBool::new(true), waiting, gives_way: AtomicBool::new(false) }
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Instant>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when it has brought no whole mail; `None` for one that may keep its place.
    pub fn waits_since(&self) -> Option<Instant> {
        let is_leaving = self.gives_way.load(Ordering::SeqCst);
        self.waiting().filter(|since| !is_leaving && since.elapsed() > PATIENCE)
    }

    /// Makes room for another one. The mail server comes again with a mail that is half here.
    pub fn give_way(&self) {
        self.gives_way.store(true, Ordering::SeqCst);
        self.stream.shutdown(Shutdown::Read);
    }

    /// Closes the connection, unless a mail is arriving.
    pub fn end_if_idle(&self) {
        if self.idle.load(Ordering::SeqCst) {
            self.stream.shutdown(Shutdown::Read);
        }
    }

    pub fn end(&self) {
        self.stream.shutdown(Shutdown::Both);
    }

    /// Speaks LMTP until one side ends the connection.
    pub fn talk(&self, shared: &Shared) {
        if let Err(why) = self.session(shared) {
            debug!(connection = self.number, "connection lost: {why}");
        }
        self.end();
    }

    fn session(&self, shared: &Shared) -> std::io::Result<()> {
        let (idle, until) = limits(shared);
        let mut session = Session::new(Settings::new(&shared.in_force().app.server.host, MAX_MESSAGE));
        let mut large: Option<Permit<'_>> = None;
        let mut piece = vec![0; PIECE];
        self.stream.set_limits(idle, idle)?;
        self.stream.write_all(session.greeting().as_bytes())?;
        loop {
            self.idle.store(session.is_idle(), Ordering::SeqCst);
            // `idle` is stored before the shutdown flag is read. One of the two threads therefore sees the
            // other.
            if shared.shutdown.is_requested() && session.is_idle() {
                return self.stream.write_all(session.shut_down().as_bytes());
            }
            let left = until.saturating_duration_since(Instant::now()).min(idle);
            if session.kept() <= SMALL {
                large = None;
            } else if large.is_none() {
                large = shared.large_mails.take(left);
            }
            if left.is_zero() || (session.kept() > SMALL && large.is_none()) {
                return self.stream.write_all(session.time_out().as_bytes());
            }
            self.stream.set_limits(left, idle)?;
            let got = match self.stream.read(&mut piece) {
                Ok(0) if shared.shutdown.is_requested() => {
                    return self.stream.write_all(session.shut_down().as_bytes());
                }
                Ok(0) if self.gives_way.load(Ordering::SeqCst) => {
                    return self.stream.write_all(session.give_way().as_bytes());
                }
                Ok(0) => return Ok(()),
                Ok(got) => got,
                Err(why) if is_late(&why) => {
                    return self.stream.write_all(session.time_out().as_bytes());
                }
                Err(why) if why.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(why) => return Err(why),
            };
            self.idle.store(false, Ordering::SeqCst);
            let actions = session.feed(piece.get(..got).unwrap_or_default());
            let mut replies = String::new();
            let mut ends = false;
            for action in actions {
                match action {
                    Action::Reply(reply) => replies += &reply,
                    Action::Deliver(mail) => {
                        *self.waiting() = None;
                        replies += &delivered(&self.take(shared, mail));
                        *self.waiting() = Some(Instant::now());
                    }
                    Action::Close => ends = true,
                }
            }
            self.stream.write_all(replies.as_bytes())?;
            if ends {
                return Ok(());
            }
        }
    }

    /// Reads a mail once for all its recipients, and acts on it once for all but those whose address holds a token.
    fn take(&self, shared: &Shared, mail: MailTransaction) -> Vec<MailOutcome> {
        let begun = Instant::now();
        let in_force = shared.in_force();
        let server = &in_force.app.server;
        let MailTransaction { sender, recipients, data } = mail;
        let believed = in_force.config.serve.trust_local_users || !self.stream.is_open_to_local_users();
        let identity = if believed { server } else { &in_force.unproven_identity };
        let read = |recipient: &str| {
            let sender = Some(EnvelopeSender::read(&sender));
            read(shared, &data, &Envelope { sender, recipient: Some(recipient.to_owned()) }, identity)
        };
        let is_report = |recipient: &&String| bounce::is_verp(server, recipient);
        let (reports, letters): (Vec<&String>, Vec<&String>) = recipients.iter().partition(is_report);
        // A report is about one mail. With our plain address in the place of several, only a letter's text holds a token.
        let report = reports.first().map(|recipient| read(recipient));
        let letter = match letters.as_slice() {
            [] => None,
            [recipient] => Some(read(recipient)),
            _ => Some(read(&server.address)),
        };
        // Not kept while the letter waits.
        drop(data);
        let mut of_report =
            report.map(|mail| self.act(shared, mail, &reports)).unwrap_or_default().into_iter();
        let mut of_letter =
            letter.map(|mail| self.act(shared, mail, &letters)).unwrap_or_default().into_iter();
        let outcomes = recipients.iter().map(|recipient| {
            let outcome = if is_report(&recipient) { of_report.next() } else { of_letter.next() };
            outcome.unwrap_or(MailOutcome::Later)
        });
        let outcomes = outcomes.collect();
        shared.metrics.answering.took(begun.elapsed());
        outcomes
    }

    fn act(&self, shared: &Shared, taken: Result<Taken, Error>, recipients: &[&String]) -> Vec<MailOutcome> {
        match taken {
            Ok(Taken::Aside(aside)) => vec![self.set_aside(shared, aside); recipients.len()],
            Ok(Taken::Letter(letter)) => self.deliver_to_all(shared, letter, recipients),
            Ok(Taken::Refused { letter, why }) if says_all_in_header(&letter, why) => {
                self.deliver_to_all(shared, letter, recipients)
            }
            Ok(Taken::Refused { letter, why }) => {
                info!(connection = self.number, "mail not read: {why}");
                vec![self.deliver(shared, letter, Some(why.to_string())); recipients.len()]
            }
            Err(why) => {
                error!(connection = self.number, "mail left with the mail server: {why}");
                vec![MailOutcome::Later; recipients.len()]
            }
        }
    }

    /// Delivers a letter for each of its recipients, and once where they make no difference.
    fn deliver_to_all(
        &self,
        shared: &Shared,
        mut letter: Box<Letter>,
        recipients: &[&String],
    ) -> Vec<MailOutcome> {
        if let [recipient] = recipients {
            letter.token = shared.in_force().app.server.token(recipient).or(letter.token);
            return vec![self.deliver(shared, letter, None)];
        }
        let in_text = letter.token.take();
        let mut outcomes = Vec::new();
        let mut delivered: HashMap<Identity, MailOutcome> = HashMap::new();
        for recipient in recipients {
            letter.token = shared.in_force().app.server.token(recipient).or_else(|| in_text.clone());
            let identity = shared.unproven.read(|store| pipeline::identity(store, &letter, clock::now()));
            outcomes.push(match identity {
                Ok(identity) => {
                    *delivered.entry(identity).or_insert_with(|| self.deliver(shared, letter.clone(), None))
                }
                Err(why) => {
                    error!(connection = self.number, "left with the mail server: {why}");
                    MailOutcome::Later
                }
            });
        }
        outcomes
    }

    /// Hands a mail that is no letter to the writer, which records it and counts reports.
    fn set_aside(&self, shared: &Shared, aside: Box<Aside>) -> MailOutcome {
        shared.metrics.ignored(&aside.why);
        info!(connection = self.number, "mail set aside: {}", aside.why);
        let letter = Box::new(Letter::by_server(aside.origin.identity));
        match shared.writer.submit(Waiting { letter, work: Work::SetAside(aside) }, |_, _| {}) {
            Some(Ok(Handled::Counted(counted))) => {
                info!(connection = self.number, "report: {counted}");
                MailOutcome::Taken
            }
            Some(Ok(_)) => MailOutcome::Taken,
            Some(Err(failure)) => {
                error!(connection = self.number, "mail left with the mail server: {failure}");
                MailOutcome::Later
            }
            None => MailOutcome::Later,
        }
    }

    fn deliver(&self, shared: &Shared, letter: Box<Letter>, why: Option<String>) -> MailOutcome {
        let (connection, letter_id) = (self.number, letter.message_id.clone().unwrap_or_default());
        let outcome = prepare_and_submit(shared, (letter, None), why);
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
            Some(Ok(Handled::Acted { .. })) => (&shared.metrics.acted, MailOutcome::Taken),
            Some(Ok(Handled::Again | Handled::Counted(_) | Handled::SetAside)) => {
                (&shared.metrics.again, MailOutcome::Taken)
            }
            Some(Err(_)) | None => (&shared.metrics.later, MailOutcome::Later),
        };
        count.one();
        outcome
    }
}

fn limits(shared: &Shared) -> (Duration, Instant) {
    let in_force = shared.in_force();
    let serve = &in_force.config.serve;
    let session = Duration::from_secs(serve.session_seconds.into());
    (Duration::from_secs(serve.idle_seconds.into()), Instant::now() + session)
}

/// True for a timeout of the socket; systems report it in two ways.
fn is_late(why: &std::io::Error) -> bool {
    matches!(why.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

/// Reads a mail; about a doubtful one a database is asked.
fn read(shared: &Shared, bytes: &[u8], envelope: &Envelope, server: &ServerIdentity) -> Result<Taken, Error> {
    pipeline::settle(incoming::read(bytes, envelope, server), |letter, why| {
        shared.proven.read(|store| pipeline::judge(store, letter, why, clock::now()))
    })
}

/// Acts on what a player did on a page; `None` when that failed.
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
