//! Sends the outbox.
//!
//! Pictures and signatures are made here, so that no move waits for them.
//!
//! A mail is leased before it is sent, so that no two processes send it. No database lock is held while a mail server
//! works. A crash between sending and recording sends the mail once more, with the same Message-ID. So an outcome is
//! recorded at once. If another process writes at that moment, the outcomes of some mails share a transaction.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tracing::warn;

use crate::app::App;
use crate::board::{ShownBoard, pictured};
use crate::mail::ServerIdentity;
use crate::mail::bounce::{Cause, Diagnosis, Status, Voice, verp};
use crate::mail::outgoing::{self, Picture};
use crate::mail::transport::{OutEnvelope, SendError, Transport};
use crate::picture;
use crate::store::{CameBack, Leased, Pictured, PlayerId, SendOutcome, Store, StoreError};

/// How many times recording an outcome is retried, a second apart: enough to outlast a lock of some minutes.
const INSIST: u32 = 120;

/// How many times a mail is tried: for five days, with the pauses of [`put_off`] (RFC 5321 4.5.4.1). The limit
/// counts tries instead of age: a mail can be old because the machine was off or its clock was wrong.
const TRIES: u32 = 25;

/// The outcome of a round of sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delivered {
    pub sent: u32,
    /// Mails to send again later.
    pub later: u32,
    /// Mails given up.
    pub failed: u32,
}

/// Mails leased per transaction while other processes keep the database locked; otherwise one. A free lock is then
/// rare, so one transaction records the outcomes of all these mails.
const AT_ONCE: usize = 16;

/// Sends every mail that is due. Stops while the mail server is down, so that mails leave in order later.
pub fn deliver(
    store: &mut Store,
    transport: &dyn Transport,
    app: &App,
    mut clock: impl FnMut() -> Timestamp,
) -> Result<Delivered, StoreError> {
    let mut delivered = Delivered::default();
    let mut mailer = Mailer::new(transport, app);
    loop {
        let sent = mailer.send_next(store, &mut clock).inspect_err(|_| {
            // Record the mails that were sent, or they are sent again. Useless if recording is what failed.
            if !mailer.is_stuck {
                let _ = mailer.record(store);
            }
        })?;
        let Some((_, outcome)) = sent else { return Ok(delivered) };
        match outcome {
            SendOutcome::Sent => delivered.sent += 1,
            SendOutcome::Later(..) => delivered.later += 1,
            SendOutcome::Failed(_) => delivered.failed += 1,
            SendOutcome::Held(_) => {
                delivered.later = store.waiting_mails()?;
                return Ok(delivered);
            }
        }
    }
}

/// Sends one mail after another.
pub struct Mailer<'a> {
    transport: &'a dyn Transport,
    app: &'a App,
    /// Mails that are leased and not sent yet.
    leased: VecDeque<i64>,
    unrecorded: Vec<DeliveryOutcome>,
    /// True if recording `unrecorded` failed.
    is_stuck: bool,
    pictures: Pictures,
}

struct DeliveryOutcome {
    mail: i64,
    outcome: SendOutcome,
    /// How a refusal by the mail server counts as a bounce.
    refused: Option<CameBack>,
    at: Timestamp,
}

impl<'a> Mailer<'a> {
    pub fn new(transport: &'a dyn Transport, app: &'a App) -> Mailer<'a> {
        Mailer {
            transport,
            app,
            leased: VecDeque::new(),
            unrecorded: Vec::new(),
            is_stuck: false,
            pictures: Pictures::default(),
        }
    }

    /// Sends the next mail that is due; returns its number and outcome. `None` if no mail is due and all outcomes are
    /// recorded.
    ///
    /// Fails if an outcome cannot be recorded, for example on a full disk. The next mail then waits for that.
    pub fn send_next(
        &mut self,
        store: &mut Store,
        mut clock: impl FnMut() -> Timestamp,
    ) -> Result<Option<(i64, SendOutcome)>, StoreError> {
        if self.is_stuck {
            self.record(store)?;
        }
        let Some(mail) = self.next(store, &mut clock)? else { return Ok(None) };
        let (outcome, refused) = self.send(store, &mail, &mut clock)?;
        self.unrecorded.push(DeliveryOutcome {
            mail: mail.id,
            outcome: outcome.clone(),
            refused,
            at: clock(),
        });
        if outcome == SendOutcome::Sent {
            self.record_if_free(store)?;
        } else {
            // If the mail server is slow or down, another process may be able to send the others.
            self.leased.clear();
            self.record(store)?;
        }
        Ok(Some((mail.id, outcome)))
    }

    /// Records the outcomes that are not recorded yet.
    ///
    /// Retries while the database is locked: a mail that was sent but not recorded would be sent again later.
    pub fn record(&mut self, store: &mut Store) -> Result<(), StoreError> {
        if self.unrecorded.is_empty() {
            return Ok(());
        }
        let mut tries = INSIST;
        loop {
            match store.write(|store| settle(store, &self.unrecorded)) {
                Err(why) if why.is_busy() && tries > 0 => tries -= 1,
                done => return self.recorded(done),
            }
            std::thread::sleep(Duration::from_secs(1));
        }
    }

    fn record_if_free(&mut self, store: &mut Store) -> Result<(), StoreError> {
        match store.write_if_free(|store| settle(store, &self.unrecorded)) {
            Ok(None) => Ok(()),
            done => self.recorded(done.map(drop)),
        }
    }

    fn recorded(&mut self, done: Result<(), StoreError>) -> Result<(), StoreError> {
        self.is_stuck = done.is_err();
        if done.is_ok() {
            self.unrecorded.clear();
        }
        done
    }

    fn next(
        &mut self,
        store: &mut Store,
        mut clock: impl FnMut() -> Timestamp,
    ) -> Result<Option<Leased>, StoreError> {
        loop {
            while let Some(mail) = self.leased.pop_front() {
                // The host may have erased the mail meanwhile.
                if let Some(mail) = store.leased_mail(mail)? {
                    return Ok(Some(mail));
                }
            }
            let most = if self.unrecorded.is_empty() { 1 } else { AT_ONCE };
            self.record(store)?;
            self.leased = store.lease_mails(most, &mut clock)?.into();
            if self.leased.is_empty() {
                return Ok(None);
            }
        }
    }

    fn send(
        &mut self,
        store: &Store,
        mail: &Leased,
        mut clock: impl FnMut() -> Timestamp,
    ) -> Result<(SendOutcome, Option<CameBack>), StoreError> {
        if mail.mail.is_empty() {
            return Ok((SendOutcome::Failed("its text is lost".to_owned()), None));
        }
        let server = &self.app.server;
        // An answer to a sender without an account has an empty return path, so that it cannot bounce.
        let to_stranger = mail.player.is_none() && outgoing::is_answer(&mail.mail);
        let envelope = OutEnvelope {
            from: if to_stranger { None } else { Some(return_path(store, server, mail)?) },
            to: mail.recipient.clone(),
            number: u64::try_from(mail.id).ok(),
        };
        let octets = self.finished(store, mail);
        Ok(match self.transport.send(&envelope, &octets) {
            Ok(()) => (SendOutcome::Sent, None),
            Err(SendError::Permanent(why)) => {
                let refused = came_back(&why);
                (SendOutcome::Failed(why), refused)
            }
            Err(SendError::Down(why)) => (SendOutcome::Held(why), None),
            Err(SendError::Temporary(why)) => (put_off(mail, clock(), why), None),
        })
    }

    /// The final octets of the mail, the same on every try.
    fn finished(&mut self, store: &Store, mail: &Leased) -> Vec<u8> {
        let mut octets = mail.mail.clone();
        if let Some(wanted) = mail.picture {
            let is_wanted = self.transport.has_viewers();
            let picture = is_wanted.then(|| self.pictures.get(store, wanted, mail.player)).flatten();
            octets = outgoing::with_picture(octets, &mail.message_id, picture.as_ref());
        }
        match &self.app.signer {
            Some(signer) => signer.signed(octets),
            None => octets,
        }
    }
}

/// Caches the last board, or that it cannot be drawn. The mails to both players of a board follow each other.
#[derive(Default)]
struct Pictures(Option<(Pictured, Option<ShownBoard>)>);

impl Pictures {
    fn get(&mut self, store: &Store, wanted: Pictured, player: Option<PlayerId>) -> Option<Picture> {
        let warn = |why: &dyn std::fmt::Display| {
            warn!(board = wanted.board.0, "mails leave without their picture: {why}");
        };
        if self.0.as_ref().is_none_or(|(last, _)| *last != wanted) {
            let board = pictured(store, wanted).inspect_err(|why| warn(why)).ok().flatten();
            self.0 = Some((wanted, board));
        }
        let board = self.0.as_ref()?.1.as_ref()?;
        draw(board, wanted, player).inspect_err(|why| warn(why)).ok()
    }
}

fn draw(
    board: &ShownBoard,
    wanted: Pictured,
    player: Option<PlayerId>,
) -> Result<Picture, picture::PictureError> {
    let (kind, scene) = (board.kind, board.for_player(player));
    Ok(Picture {
        png: picture::png(&scene)?,
        file_name: format!("{}-{}.png", kind.key, wanted.board),
        alt: board.scene.sentence(kind.seats),
        width: scene.frame().width.unsigned_abs(),
    })
}

/// The envelope sender (return path) of a mail. With `extensions` it is a VERP address that identifies the mail in a
/// bounce; otherwise it is the server's plain address.
fn return_path(store: &Store, server: &ServerIdentity, mail: &Leased) -> Result<String, StoreError> {
    Ok(match u64::try_from(mail.id) {
        Ok(number) if server.extensions => {
            verp(server, number, [&mail.recipient, &mail.message_id], &store.bounce_key()?)
        }
        _ => server.address.clone(),
    })
}

/// Records outcomes. A permanent refusal counts as a bounce. If a mail could not be sent, the leases of the others end.
fn settle(store: &Store, all: &[DeliveryOutcome]) -> Result<(), StoreError> {
    for DeliveryOutcome { mail, outcome, refused, at } in all {
        if let Some(what) = refused {
            // Count the bounce first: recording the outcome may erase the recipient.
            store.came_back(*mail, *what, *at)?;
        }
        store.settle_mail(*mail, outcome, *at)?;
    }
    if all.iter().any(|done| done.outcome != SendOutcome::Sent) {
        store.return_leases()?;
    }
    Ok(())
}

/// How a refusal by the mail server counts as a bounce; `None` if the next mail may pass.
fn came_back(why: &str) -> Option<CameBack> {
    match Diagnosis::of(why, Voice::Program) {
        Some(Diagnosis { status: Status::Temporary, .. } | Diagnosis { cause: Cause::Ours, .. }) => None,
        Some(Diagnosis { cause: Cause::Full | Cause::Refused, .. }) => Some(CameBack::Refused),
        _ => Some(CameBack::ForGood),
    }
}

/// Schedules the next try. The pauses grow fourfold, from a minute to six hours.
fn put_off(mail: &Leased, at: Timestamp, why: String) -> SendOutcome {
    if mail.attempts + 1 >= TRIES {
        return SendOutcome::Failed(format!(
            "given up after {TRIES} tries in five days; the last said: {why}"
        ));
    }
    let minutes = 4_i64.saturating_pow(mail.attempts).min(6 * 60);
    match at.checked_add(SignedDuration::from_mins(minutes)) {
        Ok(due) => SendOutcome::Later(due, why),
        Err(_) => SendOutcome::Failed(why),
    }
}
