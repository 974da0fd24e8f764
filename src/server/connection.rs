//! One LMTP connection.

use std::net::Shutdown;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tracing::{debug, error, info};

use super::Common;
use super::connection_limit::Permit;
use super::metrics::Metrics;
use super::stream::Stream;
use super::writer::LetterOutcome;
use crate::clock;
use crate::mail::bounce::Report;
use crate::mail::incoming::{self, Envelope, EnvelopeSender, Ignored, Incoming, MAX_MESSAGE};
use crate::mail::lmtp::{Action, Mail, Outcome, Session, Settings, delivered};
use crate::mail::{Letter, Proof};
use crate::pipeline::{Handled, Prepared, Waiting, Work};
use crate::service::Error;

/// What is read at once.
const PIECE: usize = 16 * 1024;

/// A session that keeps more octets than this is in the middle of a large mail, of which only a few are taken at a time.
const SMALL: usize = 64 * 1024;

/// A letter waits no longer for others to have had the robot think.
const QUICK_WAIT: Duration = Duration::from_secs(2);

/// A connection, as the thread that ends the server sees it.
pub(super) struct Connection {
    pub number: u64,
    stream: Stream,
    /// Whether nothing is half said on it.
    idle: AtomicBool,
}

impl Connection {
    pub fn new(number: u64, stream: Stream) -> Connection {
        Connection { number, stream, idle: AtomicBool::new(true) }
    }

    /// Ends it, unless a mail is on its way in.
    pub fn end_if_idle(&self) {
        if self.idle.load(Ordering::SeqCst) {
            self.stream.shutdown(Shutdown::Read);
        }
    }

    /// Ends it.
    pub fn end(&self) {
        self.stream.shutdown(Shutdown::Both);
    }

    /// Speaks until one side has had enough.
    pub fn talk(&self, common: &Common) {
        if let Err(why) = self.session(common) {
            debug!(connection = self.number, "connection lost: {why}");
        }
        self.end();
    }

    fn session(&self, common: &Common) -> std::io::Result<()> {
        let (idle, until) = limits(common);
        let mut session = Session::new(Settings::new(&common.app.server.host, MAX_MESSAGE));
        let mut large: Option<Permit<'_>> = None;
        let mut piece = vec![0; PIECE];
        self.stream.set_limits(idle, idle)?;
        self.stream.write_all(session.greeting().as_bytes())?;
        loop {
            self.idle.store(session.is_idle(), Ordering::SeqCst);
            // Asked after it was said whether this connection is idle, so that one of the two sees the other.
            if common.stop.is_stopped() && session.is_idle() {
                return self.stream.write_all(session.shut_down().as_bytes());
            }
            let left = until.saturating_duration_since(Instant::now()).min(idle);
            if session.kept() <= SMALL {
                large = None;
            } else if large.is_none() {
                large = common.large.take(left);
            }
            if left.is_zero() || (session.kept() > SMALL && large.is_none()) {
                return self.stream.write_all(session.time_out().as_bytes());
            }
            self.stream.set_limits(left, idle)?;
            let got = match self.stream.read(&mut piece) {
                Ok(0) if common.stop.is_stopped() => {
                    return self.stream.write_all(session.shut_down().as_bytes());
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
                    Action::Deliver(mail) => replies += &delivered(&self.take(common, mail)),
                    Action::Close => ends = true,
                }
            }
            self.stream.write_all(replies.as_bytes())?;
            if ends {
                return Ok(());
            }
        }
    }

    /// Takes a mail, once for each recipient: the extension of the address may be a token.
    fn take(&self, common: &Common, mail: Mail) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let Mail { sender, recipients, data } = mail;
        let last = recipients.len().saturating_sub(1);
        let mut data = Some(data);
        for (n, recipient) in recipients.into_iter().enumerate() {
            let begun = Instant::now();
            let envelope =
                Envelope { sender: Some(EnvelopeSender::read(&sender)), recipient: Some(recipient) };
            let read = |data: &Vec<u8>| incoming::read(data, &envelope, &common.app.server);
            // The octets of a mail are not kept while its last letter waits.
            let intake = if n == last { data.take().as_ref().map(read) } else { data.as_ref().map(read) };
            outcomes.push(match intake {
                Some(intake) => self.deliver(common, intake),
                None => Outcome::Later,
            });
            Metrics::took(&common.counts.microseconds, begun.elapsed());
        }
        outcomes
    }

    fn deliver(&self, common: &Common, intake: Incoming) -> Outcome {
        let (letter, why) = match intake {
            Incoming::Ignored(why) => {
                common.counts.aside.one();
                info!(connection = self.number, "mail set aside: {why}");
                return match why {
                    Ignored::Report { report, .. } => self.count(common, report),
                    _ => Outcome::Taken,
                };
            }
            Incoming::Letter(letter) => (letter, None),
            Incoming::Refused { letter, why } => (letter, Some(why.to_string())),
        };
        let (connection, letter_id) = (self.number, letter.message_id.clone().unwrap_or_default());
        let outcome = hand_in(common, letter, why);
        match &outcome {
            Some(Ok(Handled::Acted { mails, .. })) => {
                info!(connection, letter = letter_id, mails, "letter acted on");
            }
            Some(Ok(Handled::Again | Handled::Counted(_))) => {
                info!(connection, letter = letter_id, "letter came before");
            }
            Some(Err(why)) => error!(connection, letter = letter_id, "left with the mail server: {why}"),
            None => error!(connection, letter = letter_id, "left with the mail server: the writer is gone"),
        }
        let (count, outcome) = match outcome {
            Some(Ok(Handled::Acted { .. })) => (&common.counts.acted, Outcome::Taken),
            Some(Ok(Handled::Again | Handled::Counted(_))) => (&common.counts.again, Outcome::Taken),
            Some(Err(_)) | None => (&common.counts.later, Outcome::Later),
        };
        count.one();
        outcome
    }

    /// Leaves a report to the writer.
    fn count(&self, common: &Common, report: Box<Report>) -> Outcome {
        let letter = Box::new(Letter::of_ours(report.identity));
        match common.writer_handle.hand_in(Waiting { letter, work: Work::Count(report) }, |_, _| {}) {
            Some(Ok(Handled::Counted(counted))) => {
                info!(connection = self.number, "report: {counted}");
                Outcome::Taken
            }
            Some(Ok(_)) => Outcome::Taken,
            Some(Err(failure)) => {
                error!(connection = self.number, "report left with the mail server: {failure}");
                Outcome::Later
            }
            None => Outcome::Later,
        }
    }
}

fn limits(common: &Common) -> (Duration, Instant) {
    let serve = &common.config.serve;
    let session = Duration::from_secs(serve.session_seconds.into());
    (Duration::from_secs(serve.idle_seconds.into()), Instant::now() + session)
}

/// Whether a time limit of the socket is over; which of the two is said differs between systems.
fn is_late(why: &std::io::Error) -> bool {
    matches!(why.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

/// Prepares a letter, and leaves the rest to the writer.
fn hand_in(common: &Common, letter: Box<Letter>, too_much: Option<String>) -> Option<LetterOutcome> {
    let work = match too_much {
        Some(why) => Work::TurnAway(why),
        None => match prepare(common, &letter) {
            Ok(Some(prepared)) => Work::Act(Box::new(prepared)),
            Ok(None) => return Some(Ok(Handled::Again)),
            Err(failure) => return Some(Err(failure.into())),
        },
    };
    common.writer_handle.hand_in(Waiting { letter, work }, |prepared, questions| {
        match common.quick.take(QUICK_WAIT) {
            Some(_place) => prepared.think(&common.app, questions),
            // Others have the robot think already: then it answers in a mail of its own.
            None => prepared.ask_no_more(),
        }
    })
}

fn prepare(common: &Common, letter: &Letter) -> Result<Option<Prepared>, Error> {
    // Letters that need no password do not queue up behind those whose passwords are being checked.
    let proven = letter.token.is_some() || letter.proof == Proof::Sender;
    let shelf = if proven { &common.proven } else { &common.unproven };
    shelf.look(|store| Prepared::new(store, &common.app, letter, clock::now()))
}
