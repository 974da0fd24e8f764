//! Received letters, and the threads of our mails.

use jiff::Timestamp;
use rusqlite::params;

use super::sql::{Columns, stored_enum};
use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Identity};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterId(pub i64);

stored_enum! {
    /// Where a letter came from.
    Entrance {
        Mail = "mail",
        Submit = "submit",
        /// The server wrote it for the robot.
        Robot = "robot",
        /// The server wrote it when a clock ran out.
        Tick = "tick",
        /// A delivery report.
        Report = "report",
        /// The host acted.
        Admin = "admin",
    }
}

/// How many commands of a letter had which outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub done: u32,
    pub refused: u32,
    pub unreadable: u32,
}

/// A letter, for the administrator.
#[derive(Debug, Clone)]
pub struct LetterRow {
    pub id: i64,
    pub received_at: Timestamp,
    pub entrance: Entrance,
    /// The address it claims to come from.
    pub sender: Option<String>,
    /// The player it acted for.
    pub player: Option<PlayerId>,
    pub tally: Tally,
    /// One command per line, passwords masked.
    pub commands: String,
}

/// The thread of mails about a board to a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadRow {
    /// The Message-ID of the first mail.
    pub root: String,
    /// The Message-ID of the latest mail.
    pub last: String,
}

impl Store {
    /// True when the letter came before.
    pub fn knows_letter(&self, identity: &Identity) -> Result<bool> {
        self.exists("SELECT 1 FROM letters WHERE identity = ?1", [identity])
    }

    /// Records a letter; `None` when it came before.
    pub fn add_letter(
        &self,
        identity: &Identity,
        at: Timestamp,
        entrance: Entrance,
        sender: Option<&str>,
    ) -> Result<Option<LetterId>> {
        let added = self.execute(
            "INSERT INTO letters (identity, received_at, door, sender) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (identity) DO NOTHING",
            params![identity, at.as_second(), entrance, sender],
        )?;
        Ok((added == 1).then(|| LetterId(self.conn.last_insert_rowid())))
    }

    /// Records the outcome of a letter.
    pub fn close_letter(
        &self,
        id: LetterId,
        player: Option<PlayerId>,
        tally: Tally,
        commands: &str,
    ) -> Result<()> {
        self.execute(
            "UPDATE letters SET player = ?2, done = ?3, refused = ?4, unreadable = ?5, commands = ?6
             WHERE id = ?1",
            params![id, player, tally.done, tally.refused, tally.unreadable, commands],
        )?;
        Ok(())
    }

    /// The latest letters, newest first.
    pub fn letters(&self, limit: u32) -> Result<Vec<LetterRow>> {
        self.all(
            "SELECT id, received_at, door, sender, player, done, refused, unreadable, commands
             FROM letters ORDER BY id DESC LIMIT ?1",
            [limit],
            |row| {
                Ok(LetterRow {
                    id: row.get(0)?,
                    received_at: row.instant(1)?,
                    entrance: row.get(2)?,
                    sender: row.get(3)?,
                    player: row.get(4)?,
                    tally: Tally { done: row.get(5)?, refused: row.get(6)?, unreadable: row.get(7)? },
                    commands: row.get(8)?,
                })
            },
        )
    }

    pub fn thread(&self, board: BoardId, player: PlayerId) -> Result<Option<ThreadRow>> {
        self.find(
            "SELECT root, last FROM threads WHERE board = ?1 AND player = ?2",
            params![board, player],
            |row| Ok(ThreadRow { root: row.get(0)?, last: row.get(1)? }),
        )
    }

    /// Adds a mail to a thread; the first mail starts it.
    pub fn extend_thread(&self, board: BoardId, player: PlayerId, message_id: &str) -> Result<()> {
        self.execute(
            "INSERT INTO threads (board, player, root, last) VALUES (?1, ?2, ?3, ?3)
             ON CONFLICT (board, player) DO UPDATE SET last = excluded.last",
            params![board, player, message_id],
        )?;
        Ok(())
    }
}
