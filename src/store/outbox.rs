//! The outbox: mails to send, and mails sent.

use jiff::{SignedDuration, Timestamp};
use rusqlite::params;

use super::letters::LetterId;
use super::sql::{Columns, stored_enum};
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

#[derive(Debug)]
pub struct NewMail<'a> {
    /// The letter that caused it.
    pub letter: LetterId,
    pub board: Option<BoardId>,
    /// It shows the board.
    pub shows_board: bool,
    /// The player it goes to.
    pub player: Option<PlayerId>,
    pub recipient: &'a str,
    pub message_id: &'a str,
    /// The rendered mail.
    pub mail: &'a [u8],
}

/// A mail that cannot be written, now or ever.
#[derive(Debug)]
pub struct NewMailAside<'a> {
    pub letter: LetterId,
    pub board: Option<BoardId>,
    pub player: Option<PlayerId>,
    /// Empty when the outbox would not keep it either.
    pub recipient: &'a str,
    /// Quotes nothing from the mail.
    pub reason: &'a str,
}

/// How many mails wait, and how many were set aside.
#[derive(Debug, Clone, Copy)]
pub struct OutboxCounts {
    pub waiting: u32,
    pub aside: u32,
}

/// A mail that one process has to itself while it sends it.
#[derive(Debug, Clone)]
pub struct Leased {
    pub id: i64,
    /// `None` for a stranger.
    pub player: Option<PlayerId>,
    pub recipient: String,
    pub message_id: String,
    pub mail: Vec<u8>,
    pub created_at: Timestamp,
    /// How often it was tried before.
    pub attempts: u32,
}

/// The outcome of sending a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    Sent,
    /// When to try again, and why it failed.
    Later(Timestamp, String),
    /// Why it is given up.
    Failed(String),
}

stored_enum! {
    MailState { Waiting = "waiting", Sent = "sent", Failed = "failed" }
}

/// The condition for mails that may be sent at `?1`, behind the table's name.
///
/// No pause and no lease lasts half a day. A longer one was written before the clock was set back, and is
/// ignored.
macro_rules! is_due {
    () => {
        "INDEXED BY outbox_due
         WHERE state = 'waiting' AND due_at NOT BETWEEN ?1 + 1 AND ?1 + 43200
           AND (lease_until IS NULL OR lease_until NOT BETWEEN ?1 + 1 AND ?1 + 43200)"
    };
}

impl Store {
    pub fn add_mail(&self, mail: &NewMail<'_>, at: Timestamp) -> Result<()> {
        self.execute(
            "INSERT INTO outbox (letter, board, player, recipient, message_id, mail, created_at, due_at,
                shows_board)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)",
            params![
                mail.letter,
                mail.board,
                mail.player,
                mail.recipient,
                mail.message_id,
                mail.mail,
                at.as_second(),
                mail.shows_board,
            ],
        )?;
        Ok(())
    }

    pub fn add_mail_aside(&self, mail: &NewMailAside<'_>, at: Timestamp) -> Result<()> {
        let NewMailAside { letter, board, player, recipient, reason } = mail;
        self.execute(
            "INSERT INTO mails_aside (letter, board, player, recipient, reason, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![letter, board, player, recipient, reason, at.as_second()],
        )?;
        Ok(())
    }

    /// True when a mail is due and not leased.
    pub fn mail_is_due(&self, at: Timestamp) -> Result<bool> {
        self.exists(concat!("SELECT 1 FROM outbox ", is_due!(), " LIMIT 1"), [at.as_second()])
    }

    /// Leases the next mail that is due. No other process gets it before the lease ends.
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

    /// Records the outcome of a leased mail and ends the lease.
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

    pub fn waiting_mails(&self) -> Result<u32> {
        self.one("SELECT count(*) FROM outbox WHERE state = 'waiting'", [], |row| row.get(0))
    }

    pub fn outbox_counts(&self) -> Result<OutboxCounts> {
        let aside = self.one("SELECT count(*) FROM mails_aside", [], |row| row.get(0))?;
        Ok(OutboxCounts { waiting: self.waiting_mails()?, aside })
    }
}
