//! Rows of letters and mails, for the administrator.

use jiff::Timestamp;
use rusqlite::Row;

use super::PlayerId;
use super::letters::{Entrance, ProvenBy, Tally};
use super::outbox::MailState;
use super::sql::Columns;
use crate::ids::BoardId;

/// A letter and what became of it.
#[derive(Debug, Clone)]
pub struct LetterRow {
    pub id: i64,
    pub received_at: Timestamp,
    pub entrance: Entrance,
    /// The address it claims to come from.
    pub sender: Option<String>,
    pub message_id: Option<String>,
    /// `None` for the server's own, and for letters of earlier versions.
    pub proof: Option<ProvenBy>,
    /// The player it acted for.
    pub player: Option<PlayerId>,
    pub tally: Tally,
    /// One command a line, passwords masked.
    pub commands: String,
    /// What became of each, a line each; empty when all were carried out.
    pub outcomes: String,
    /// Why it was not read, or not answered.
    pub aside: Option<String>,
}

/// A mail of ours and what became of it.
#[derive(Debug, Clone)]
pub struct MailRow {
    pub id: i64,
    /// The letter that caused it.
    pub letter: i64,
    pub board: Option<BoardId>,
    pub player: Option<PlayerId>,
    /// Empty when it was erased.
    pub recipient: String,
    pub message_id: String,
    pub state: MailState,
    pub attempts: u32,
    pub created_at: Timestamp,
    pub due_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    pub last_error: Option<String>,
    /// When it came back for good, or was refused.
    pub bounced_at: Option<Timestamp>,
    /// What the server said that would not have it.
    pub came_back_with: Option<String>,
}

/// A mail with its bytes.
#[derive(Debug, Clone)]
pub struct StoredMail {
    pub row: MailRow,
    /// Empty when they were erased.
    pub bytes: Vec<u8>,
    /// True when its text holds a code or a token that is worth a password.
    pub secret: bool,
}

/// A mail that can never be written.
#[derive(Debug, Clone)]
pub struct MailAsideRow {
    pub letter: i64,
    pub board: Option<BoardId>,
    pub recipient: String,
    pub reason: String,
    pub created_at: Timestamp,
}

pub(super) const LETTER: &str =
    "SELECT id, received_at, door, sender, message_id, proof, player, done, refused, unreadable, commands,
    outcomes, aside FROM letters";

pub(super) const MAIL: &str =
    "SELECT id, letter, board, player, recipient, message_id, state, attempts, created_at, due_at, finished_at,
    last_error, bounced_at, came_back_with FROM outbox";

pub(super) const ASIDE: &str = "SELECT letter, board, recipient, reason, created_at FROM mails_aside";

pub(super) fn letter(row: &Row<'_>) -> rusqlite::Result<LetterRow> {
    Ok(LetterRow {
        id: row.get(0)?,
        received_at: row.instant(1)?,
        entrance: row.get(2)?,
        sender: row.get(3)?,
        message_id: row.get(4)?,
        proof: row.get(5)?,
        player: row.get(6)?,
        tally: Tally { done: row.get(7)?, refused: row.get(8)?, unreadable: row.get(9)? },
        commands: row.get(10)?,
        outcomes: row.get(11)?,
        aside: row.get(12)?,
    })
}

pub(super) fn mail(row: &Row<'_>) -> rusqlite::Result<MailRow> {
    Ok(MailRow {
        id: row.get(0)?,
        letter: row.get(1)?,
        board: row.get(2)?,
        player: row.get(3)?,
        recipient: row.get(4)?,
        message_id: row.get(5)?,
        state: row.get(6)?,
        attempts: row.get(7)?,
        created_at: row.instant(8)?,
        due_at: row.instant(9)?,
        finished_at: row.optional_instant(10)?,
        last_error: row.get(11)?,
        bounced_at: row.optional_instant(12)?,
        came_back_with: row.get(13)?,
    })
}

pub(super) fn mail_aside(row: &Row<'_>) -> rusqlite::Result<MailAsideRow> {
    Ok(MailAsideRow {
        letter: row.get(0)?,
        board: row.get(1)?,
        recipient: row.get(2)?,
        reason: row.get(3)?,
        created_at: row.instant(4)?,
    })
}
