//! Mails that are to leave, and those that left.

use jiff::{SignedDuration, Timestamp};
use rusqlite::params;

use super::letters::LetterId;
use super::sql::{Columns, stored_enum};
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// A mail to put into the outbox.
#[derive(Debug)]
pub struct NewMail<'a> {
    /// The letter that caused it.
    pub letter: LetterId,
    /// The board it is about.
    pub board: Option<BoardId>,
    /// The player it goes to.
    pub player: Option<PlayerId>,
    /// The one address it goes to.
    pub recipient: &'a str,
    /// Its Message-ID.
    pub message_id: &'a str,
    /// Its final bytes.
    pub mail: &'a [u8],
}

/// A mail that this process has to itself for a while, to send it.
#[derive(Debug, Clone)]
pub struct Leased {
    /// Its number.
    pub id: i64,
    /// The player it goes to; `None`: somebody who is none, or not known to be.
    pub player: Option<PlayerId>,
    /// The address it goes to.
    pub recipient: String,
    /// Its Message-ID.
    pub message_id: String,
    /// Its bytes.
    pub mail: Vec<u8>,
    /// When it was written.
    pub created_at: Timestamp,
    /// How often it was tried before.
    pub attempts: u32,
}

/// What came of sending a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    /// It was taken.
    Sent,
    /// It is to be tried again then.
    Later(Timestamp, String),
    /// It cannot be sent.
    Failed(String),
}

stored_enum! {
    MailState { Waiting = "waiting", Sent = "sent", Failed = "failed" }
}

/// A mail of the outbox as the administrator sees it.
#[derive(Debug, Clone)]
pub struct OutboxRow {
    /// Its number.
    pub id: i64,
    /// The board it is about.
    pub board: Option<BoardId>,
    /// The address it goes to.
    pub recipient: String,
    /// Its Message-ID.
    pub message_id: String,
    pub state: MailState,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it is to be tried next.
    pub due_at: Timestamp,
    /// What the last try said.
    pub last_error: Option<String>,
}

/// Which mails may be sent at `?1`, as SQL behind the table's name.
///
/// No pause and no lease is as long as half a day: what seems to wait for longer was written by a clock that has been
/// set back since, and would wait until that hour comes again.
macro_rules! is_due {
    () => {
        "INDEXED BY outbox_due
         WHERE state = 'waiting' AND due_at NOT BETWEEN ?1 + 1 AND ?1 + 43200
           AND (lease_until IS NULL OR lease_until NOT BETWEEN ?1 + 1 AND ?1 + 43200)"
    };
}

impl Store {
    /// Puts a mail into the outbox.
    pub fn add_mail(&self, mail: &NewMail<'_>, at: Timestamp) -> Result<()> {
        self.execute(
            "INSERT INTO outbox (letter, board, player, recipient, message_id, mail, created_at, due_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
            params![
                mail.letter,
                mail.board,
                mail.player,
                mail.recipient,
                mail.message_id,
                mail.mail,
                at.as_second(),
            ],
        )?;
        Ok(())
    }

    /// Whether a mail is due that no process is about to send.
    pub fn mail_is_due(&self, at: Timestamp) -> Result<bool> {
        self.exists(concat!("SELECT 1 FROM outbox ", is_due!(), " LIMIT 1"), [at.as_second()])
    }

    /// Takes the next mail that is due, for `lease`: no other process gets it before that is over.
    pub fn lease_mail(&self, at: Timestamp, lease: SignedDuration) -> Result<Option<Leased>> {
        let sql = concat!(
            "UPDATE outbox SET lease_until = ?1 + ?2, attempts = attempts + 1
             WHERE id = (SELECT id FROM outbox ",
            is_due!(),
            " ORDER BY id LIMIT 1)
             RETURNING id, recipient, message_id, mail, attempts, created_at, player",
        );
        self.find(sql, params![at.as_second(), lease.as_secs()], |row| {
            Ok(Leased {
                id: row.get(0)?,
                recipient: row.get(1)?,
                message_id: row.get(2)?,
                mail: row.get(3)?,
                attempts: row.get::<_, u32>(4)?.saturating_sub(1),
                created_at: row.instant(5)?,
                player: row.get(6)?,
            })
        })
    }

    /// Notes what came of sending a leased mail, and gives the lease back.
    pub fn settle_mail(&self, id: i64, outcome: &SendOutcome, at: Timestamp) -> Result<()> {
        let (state, due_at, error, finished_at) = match outcome {
            SendOutcome::Sent => (MailState::Sent, None, None, Some(at)),
            SendOutcome::Later(due, why) => (MailState::Waiting, Some(*due), Some(why), None),
            SendOutcome::Failed(why) => (MailState::Failed, None, Some(why), Some(at)),
        };
        self.execute(
            "UPDATE outbox SET state = ?2, due_at = coalesce(?3, due_at), last_error = ?4,
             finished_at = ?5, lease_until = NULL,
             mail = iif(secret > 0 AND ?2 <> 'waiting', x'', mail),
             recipient = iif(secret = 2 AND ?2 <> 'waiting', '', recipient)
             WHERE id = ?1 AND state = 'waiting'",
            params![
                id,
                state,
                due_at.map(Timestamp::as_second),
                error,
                finished_at.map(Timestamp::as_second)
            ],
        )?;
        Ok(())
    }

    /// How many mails wait to be sent.
    pub fn waiting_mails(&self) -> Result<u32> {
        self.one("SELECT count(*) FROM outbox WHERE state = 'waiting'", [], |row| row.get(0))
    }

    /// The latest mails, newest first.
    pub fn outbox(&self, limit: u32) -> Result<Vec<OutboxRow>> {
        self.all(
            "SELECT id, board, recipient, message_id, state, attempts, created_at, due_at, last_error
             FROM outbox ORDER BY id DESC LIMIT ?1",
            [limit],
            |row| {
                Ok(OutboxRow {
                    id: row.get(0)?,
                    board: row.get(1)?,
                    recipient: row.get(2)?,
                    message_id: row.get(3)?,
                    state: row.get(4)?,
                    attempts: row.get(5)?,
                    created_at: row.instant(6)?,
                    due_at: row.instant(7)?,
                    last_error: row.get(8)?,
                })
            },
        )
    }
}
