//! The outbox: mails to send, and mails sent. Old mails lose their text and keep their rows.
//!
//! New mails reuse the pages that become free, so that the file stops growing. The file is not shrunk,
//! because it soon needs the pages again. A backup contains no free pages.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::columns::{Columns, Values, stored_row};
use super::letters::LetterId;
use super::sql::{Select, Write};
use super::words::stored_enum;
use super::{PlayerId, Result, Store, StoreError};
use crate::ids::BoardId;

stored_row! {
    #[derive(Debug)]
    pub struct NewMail from "outbox" {
        /// The letter that caused it.
        pub letter: LetterId = "letter",
        pub board: Option<BoardId> = "board",
        pub shows_board: bool = "shows_board",
        /// The event whose board its picture shows; the picture is drawn when the mail is sent.
        pub pictured: Option<u32> = "pictured",
        /// The player it goes to.
        pub player: Option<PlayerId> = "player",
        pub recipient: String = "recipient",
        pub message_id: String = "message_id",
        /// Set if a newer mail about the board can replace this one: the previous Message-ID of the thread,
        /// or empty if there is none.
        pub follows: Option<String> = "follows",
        pub keep: Keep = "secret",
    }
}

/// What is kept of a mail after sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Mail,
    /// Only the row: the bytes contain a code or a token, or answer a letter that proves nothing.
    Recipient,
    /// Only the row, without the recipient: the account is deleted.
    Nothing,
}

impl Columns for Keep {
    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Keep> {
        Ok(match row.get(first)? {
            0 => Keep::Mail,
            1 => Keep::Recipient,
            _ => Keep::Nothing,
        })
    }

    fn write<'a>(&'a self, to: &mut Values<'a>) {
        to.push(Box::new(*self as u8));
    }
}

stored_row! {
    /// A mail that can never be written.
    #[derive(Debug)]
    pub struct NewMailAside from "mails_aside" {
        pub letter: LetterId = "letter",
        pub board: Option<BoardId> = "board",
        pub player: Option<PlayerId> = "player",
        /// Empty if the outbox would not keep the recipient.
        pub recipient: String = "recipient",
        /// Contains no text of the mail.
        pub reason: String = "reason",
    }
}

/// The numbers of mails that wait, and of mails that were set aside.
#[derive(Debug, Clone, Copy)]
pub struct OutboxCounts {
    pub waiting: u32,
    pub aside: u32,
}

stored_enum! {
    MailState { Waiting = "waiting", Sent = "sent", Failed = "failed" }
}

stored_row! {
    /// A mail and its state.
    #[derive(Debug, Clone)]
    pub struct MailRow from "outbox" {
        pub id: i64 = "id",
        /// The letter that caused it.
        pub letter: i64 = "letter",
        pub board: Option<BoardId> = "board",
        pub player: Option<PlayerId> = "player",
        /// Empty if it was erased.
        pub recipient: String = "recipient",
        pub message_id: String = "message_id",
        pub state: MailState = "state",
        pub attempts: u32 = "attempts",
        pub created_at: Timestamp = "created_at",
        pub due_at: Timestamp = "due_at",
        pub finished_at: Option<Timestamp> = "finished_at",
        pub last_error: Option<String> = "last_error",
        /// When it came back or was refused.
        pub bounced_at: Option<Timestamp> = "bounced_at",
        /// The answer of the server that rejected it.
        pub came_back_with: Option<String> = "came_back_with",
    }
}

#[derive(Debug, Clone)]
pub struct StoredMail {
    pub row: MailRow,
    /// Empty if they were erased.
    pub bytes: Vec<u8>,
    /// True if its text contains a code or a token that is worth a password.
    pub secret: bool,
}

stored_row! {
    /// A mail that can never be written.
    #[derive(Debug, Clone)]
    pub struct MailAsideRow from "mails_aside" {
        pub letter: i64 = "letter",
        pub board: Option<BoardId> = "board",
        pub recipient: String = "recipient",
        pub reason: String = "reason",
        pub created_at: Timestamp = "created_at",
    }
}

stored_row! {
    /// A mail as it was sent.
    #[derive(Debug, Clone)]
    pub struct LastMail from "outbox JOIN mail_bytes ON mail = id" {
        pub board: Option<BoardId> = "board",
        pub message_id: String = "message_id",
        pub mail: Vec<u8> = "bytes",
        /// See [`NewMail`].
        pub pictured: Option<u32> = "pictured",
    }
}

impl Store {
    pub fn add_mail(&self, mail: &NewMail, bytes: &[u8], at: Timestamp) -> Result<()> {
        let number = Write::row(mail)
            .with("created_at", at.as_second())
            .with("due_at", at.as_second())
            .insert(self)?;
        self.run("INSERT INTO mail_bytes (mail, bytes) VALUES (?1, ?2)", params![number, bytes])
    }

    /// Marks waiting mails to a player about a board as failed, because a newer mail replaces them. They are
    /// the last of their thread, so no mail that is sent refers to them. The thread then ends before them.
    pub fn replace_waiting(
        &self,
        board: BoardId,
        player: PlayerId,
        letter: LetterId,
        at: Timestamp,
    ) -> Result<()> {
        const FREE: &str = "state = 'waiting' AND follows IS NOT NULL AND sender IS NULL AND letter <> ?3";
        let replaced: Vec<(i64, String)> = self.all(
            &format!(
                "UPDATE outbox SET state = 'failed', finished_at = ?4, last_error = 'a newer mail about the board took its place'
                 WHERE player = ?1 AND board = ?2 AND {FREE} AND id > coalesce((
                    SELECT id FROM outbox
                    WHERE player = ?1 AND board = ?2 AND state <> 'failed' AND NOT ({FREE})
                    ORDER BY id DESC LIMIT 1), 0)
                 RETURNING id, follows"
            ),
            params![player, board, letter, at.as_second()],
        )?;
        match replaced.iter().min() {
            None => Ok(()),
            Some((_, first)) if first.is_empty() => {
                self.run("DELETE FROM threads WHERE board = ?1 AND player = ?2", params![board, player])
            }
            Some((_, before)) => self.extend_thread(board, player, before),
        }
    }

    pub fn add_mail_aside(&self, mail: &NewMailAside, at: Timestamp) -> Result<()> {
        Write::row(mail).with("created_at", at.as_second()).insert(self).map(drop)
    }

    pub fn waiting_mails(&self) -> Result<u32> {
        self.one("SELECT count(*) FROM outbox WHERE state = 'waiting'", [])
    }

    pub fn outbox_counts(&self) -> Result<OutboxCounts> {
        let aside = self.one("SELECT count(*) FROM mails_aside", [])?;
        Ok(OutboxCounts { waiting: self.waiting_mails()?, aside })
    }

    /// Counts for monitoring: name, state, number.
    pub fn club_counts(&self) -> Result<Vec<(String, String, u32)>> {
        let sql = "SELECT 'players', iif(state = 'active' AND NOT EXISTS (SELECT 1 FROM addresses
                       WHERE player = p.id AND confirmed_at IS NOT NULL), 'unconfirmed', state) AS kind, count(*)
                       FROM players p WHERE id > 0 GROUP BY kind
                   UNION ALL SELECT 'boards', state, count(*) FROM boards GROUP BY state
                   UNION ALL SELECT 'contests', state, count(*) FROM contests GROUP BY state
                   UNION ALL SELECT 'robot_queue', 'turn', count(*) FROM robot_turns
                   UNION ALL SELECT 'robot_queue', 'analysis', count(*) FROM analyses WHERE made IS NULL";
        self.all(sql, [])
    }

    /// The latest mail that showed a board to a player at an address, while its bytes are kept; about
    /// `board`, if given.
    pub fn last_mail(
        &self,
        player: PlayerId,
        address: &str,
        board: Option<BoardId>,
    ) -> Result<Option<LastMail>> {
        Select::rows()
            .and_with("player = ?", player)
            .and_with("lower(recipient) = lower(?)", address)
            .and_if("board = ?", board)
            .and("shows_board = 1 AND secret = 0 AND id >= (SELECT min(mail) FROM mail_bytes)")
            .order("id DESC")
            .limit(1)
            .first(self)
    }

    /// The bytes of a mail, while they are kept.
    pub fn mail_bytes(&self, mail: i64) -> Result<Option<Vec<u8>>> {
        self.find("SELECT bytes FROM mail_bytes WHERE mail = ?1", [mail])
    }

    /// The board of the latest mail that showed a board to this player, even if its text is gone. If `board`
    /// is given, only mails about it count.
    pub fn last_board_shown(&self, player: PlayerId, board: Option<BoardId>) -> Result<Option<BoardId>> {
        self.find(
            "SELECT board FROM outbox INDEXED BY outbox_by_player
             WHERE player = ?1 AND shows_board = 1 AND secret < 2 AND board = ifnull(?2, board)
             ORDER BY id DESC LIMIT 1",
            params![player, board],
        )
    }
}

/// The number of mails in one transaction. Letters wait while it runs.
const BATCH: u32 = 100;

/// How far the clock can have been set back, in seconds.
const DAY: i64 = 24 * 60 * 60;

/// Deletes the bytes of a mail, unless the host has queued it again in the meantime.
const FORGET: &str = "DELETE FROM mail_bytes WHERE mail = ?1
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE id = ?1 AND state = 'waiting')";

stored_row! {
    struct Kept from "mail_bytes JOIN outbox ON id = mail" {
        mail: i64 = "mail",
        state: MailState = "state",
        created_at: Timestamp = "created_at",
    }
}

impl Store {
    /// Deletes the text of every mail that was written before `before` and does not wait, oldest first, while
    /// `goes_on` is true. Gives the number of these mails.
    pub fn forget_mails(
        &mut self,
        before: Timestamp,
        now: Timestamp,
        goes_on: impl Fn() -> bool,
    ) -> Result<usize> {
        let (mut forgotten, mut last) = (0, 0);
        while goes_on() {
            let kept = self.kept_mails(last)?;
            let Some(end) = kept.last() else { break };
            last = end.mail;
            let old: Vec<i64> = kept
                .iter()
                .filter(|mail| mail.state != MailState::Waiting && mail.created_at < before)
                .map(|mail| mail.mail)
                .collect();
            if !old.is_empty() {
                // No sync: work that a power failure loses is done again.
                self.write_unforced(|store| {
                    old.iter().try_for_each(|mail| store.execute(FORGET, [mail]).map(drop))?;
                    Ok::<_, StoreError>(())
                })?;
                forgotten += old.len();
                self.yield_write_lock();
            } else if kept
                .iter()
                .any(|mail| mail.created_at >= before && mail.created_at.as_second() <= now.as_second() + DAY)
            {
                // All later mails are younger. A time far in the future comes from a wrong clock and does not
                // count.
                break;
            }
        }
        Ok(forgotten)
    }

    /// The first [`BATCH`] mails with text that have a greater number than the given one.
    fn kept_mails(&self, behind: i64) -> Result<Vec<Kept>> {
        Select::rows().and_with("mail > ?", behind).order("mail").limit(BATCH).all(self)
    }
}
