//! The outbox: mails to send, and mails sent.

use jiff::Timestamp;
use rusqlite::params;

use super::letters::LetterId;
use super::sql::stored_enum;
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

stored_enum! {
    MailState { Waiting = "waiting", Sent = "sent", Failed = "failed" }
}

impl Store {
    pub fn add_mail(&self, mail: &NewMail<'_>, at: Timestamp) -> Result<()> {
        self.execute(
            "INSERT INTO outbox (letter, board, player, recipient, message_id, created_at, due_at, shows_board)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)",
            params![
                mail.letter,
                mail.board,
                mail.player,
                mail.recipient,
                mail.message_id,
                at.as_second(),
                mail.shows_board,
            ],
        )?;
        self.execute("INSERT INTO mail_bytes (mail, bytes) VALUES (last_insert_rowid(), ?1)", [mail.mail])?;
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

    pub fn waiting_mails(&self) -> Result<u32> {
        self.one("SELECT count(*) FROM outbox WHERE state = 'waiting'", [], |row| row.get(0))
    }

    pub fn outbox_counts(&self) -> Result<OutboxCounts> {
        let aside = self.one("SELECT count(*) FROM mails_aside", [], |row| row.get(0))?;
        Ok(OutboxCounts { waiting: self.waiting_mails()?, aside })
    }
}
