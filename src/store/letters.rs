//! Received letters, and the threads of the server's mails.

use jiff::Timestamp;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::bans::{IS_BANNED, all_keys_over};
use super::columns::{stored_newtype, stored_row};
use super::sql::{Select, Write};
use super::words::stored_enum;
use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Identity};

/// Ignored mails kept for look-up; older ones are deleted.
const ASIDE_KEPT: u32 = 10_000;

/// The interval at which old ignored mails are deleted, in letters.
const ASIDE_CLEARED_EVERY: i64 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterId(pub i64);

stored_newtype!(LetterId(i64));

stored_enum! {
    Entrance {
        /// A mail server's pipe; in rows of earlier versions, LMTP too.
        Mail = "mail",
        Lmtp = "lmtp",
        Submit = "submit",
        /// Written by the server for the robot.
        Robot = "robot",
        /// Written by the server when a clock ran out.
        Tick = "tick",
        Report = "report",
        /// Written by the server for an act of the host.
        Admin = "admin",
    }
}

stored_enum! {
    /// The proof of a letter's writer.
    ProvenBy {
        /// The letter only claims an address.
        Nothing = "nothing",
        Password = "password",
        Token = "token",
        /// The mail server in front vouches for the sender.
        Sender = "sender",
        /// The letter was written at the server's terminal.
        Operator = "operator",
    }
}

stored_row! {
    /// A letter that comes in.
    #[derive(Debug, Clone)]
    pub struct NewLetter from "letters" {
        pub identity: Identity = "identity",
        pub entrance: Entrance = "door",
        /// The address that the letter claims to come from.
        pub sender: Option<String> = "sender",
        /// With angle brackets.
        pub message_id: Option<String> = "message_id",
    }
}

stored_row! {
    /// Whether a letter is acted on.
    #[derive(Debug, Clone, Copy)]
    pub struct LetterStanding {
        /// True if the letter was received before.
        pub is_known: bool,
        pub is_banned: bool,
    }
}

stored_row! {
    /// The outcome of a letter.
    #[derive(Debug, Default)]
    pub struct ClosedLetter from "letters" {
        pub player: Option<PlayerId> = "player",
        pub proof: Option<ProvenBy> = "proof",
        pub tally: CommandCounts = "done, refused, unreadable",
        /// One command a line, passwords masked.
        pub commands: String = "commands",
        /// The outcome of each command, one a line; empty if all were carried out.
        pub outcomes: String = "outcomes",
    }
}

stored_row! {
    /// The number of a letter's commands by outcome.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct CommandCounts {
        pub done: u32,
        pub refused: u32,
        pub unreadable: u32,
    }
}

stored_row! {
    /// The thread of mails about a board to a player.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ThreadRow from "threads t" {
        /// The Message-ID of the first mail.
        pub root: String = "root",
        /// The Message-ID of the latest mail.
        pub last: String = "last",
        /// True if a waiting mail of the thread can be replaced by a newer one.
        pub waits: bool = "EXISTS (SELECT 1 FROM outbox o INDEXED BY outbox_replaceable
            WHERE o.player = t.player AND o.board = t.board AND state = 'waiting' AND follows IS NOT NULL)",
    }
}

stored_row! {
    /// A letter and its outcome.
    #[derive(Debug, Clone)]
    pub struct LetterRow from "letters" {
        pub id: i64 = "id",
        pub received_at: Timestamp = "received_at",
        pub entrance: Entrance = "door",
        /// The address it claims to come from.
        pub sender: Option<String> = "sender",
        pub message_id: Option<String> = "message_id",
        /// `None` for letters that the server wrote, and for letters of earlier versions.
        pub proof: Option<ProvenBy> = "proof",
        /// The player it acted for.
        pub player: Option<PlayerId> = "player",
        pub tally: CommandCounts = "done, refused, unreadable",
        /// One command a line, passwords masked.
        pub commands: String = "commands",
        /// The outcome of each command, one a line; empty if all were carried out.
        pub outcomes: String = "outcomes",
        /// Why it was not read, or not answered.
        pub aside: Option<String> = "aside",
    }
}

impl ClosedLetter {
    /// A letter that the server wrote.
    pub fn of(commands: impl Into<String>) -> ClosedLetter {
        ClosedLetter { commands: commands.into(), ..ClosedLetter::default() }
    }
}

impl Store {
    /// True if the letter was received before.
    pub fn knows_letter(&self, identity: &Identity) -> Result<bool> {
        self.exists("SELECT 1 FROM letters WHERE identity = ?1", [identity])
    }

    /// Checks in one statement whether a letter is known by one of its identities, and whether one of its
    /// senders is banned. Runs for every letter.
    pub fn standing<'a>(
        &self,
        [one, other]: [Identity; 2],
        senders: impl IntoIterator<Item = &'a str>,
    ) -> Result<LetterStanding> {
        let known = |n| format!("EXISTS (SELECT 1 FROM letters WHERE identity = ?{n})");
        self.one(
            &format!("SELECT {} OR {}, {IS_BANNED}", known(2), known(3)),
            params![all_keys_over(senders), one, other],
        )
    }

    /// Records a letter; `None` if it is known.
    pub fn add_letter(&self, letter: &NewLetter, at: Timestamp) -> Result<Option<LetterId>> {
        let added = Write::row(letter).with("received_at", at.as_second()).insert_new("identity", self)?;
        Ok(added.map(LetterId))
    }

    pub fn close_letter(&self, id: LetterId, outcome: &ClosedLetter) -> Result<()> {
        Write::row(outcome).with("id", id).update(self)
    }

    pub fn turn_letter_away(&self, id: LetterId, why: &str) -> Result<()> {
        self.run("UPDATE letters SET aside = ?2 WHERE id = ?1", params![id, why])
    }

    /// Records an ignored mail, and why; only the latest of these are kept. A report that was counted already
    /// has a row, which then gets the reason.
    pub fn set_letter_aside(&self, letter: &NewLetter, why: &str, at: Timestamp) -> Result<()> {
        let NewLetter { identity, sender, message_id, .. } = letter;
        let noted = self.execute(
            "UPDATE letters SET aside = ?2, sender = ?3, message_id = ?4 WHERE identity = ?1 AND door = 'report'",
            params![identity, why, sender, message_id],
        )?;
        if noted > 0 {
            return Ok(());
        }
        // Uses another identity, so that a later letter with the same bytes does not count as known.
        let aside = Identity(Sha256::new().chain_update(b"aside").chain_update(identity.0).finalize().into());
        let letter = NewLetter { identity: aside, ..letter.clone() };
        let Some(id) = self.add_letter(&letter, at)? else { return Ok(()) };
        self.turn_letter_away(id, why)?;
        if id.0 % ASIDE_CLEARED_EVERY == 0 {
            self.execute(
                "DELETE FROM letters WHERE aside IS NOT NULL AND door IN ('mail', 'lmtp')
                   AND NOT EXISTS (SELECT 1 FROM outbox WHERE letter = letters.id)
                   AND NOT EXISTS (SELECT 1 FROM mails_aside WHERE letter = letters.id)
                   AND id <= (SELECT id FROM letters WHERE aside IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?1)",
                [ASIDE_KEPT],
            )?;
        }
        Ok(())
    }

    pub fn thread(&self, board: BoardId, player: PlayerId) -> Result<Option<ThreadRow>> {
        Select::rows().and_with("board = ?", board).and_with("player = ?", player).first(self)
    }

    /// Adds a mail to a thread; the first one starts it.
    pub fn extend_thread(&self, board: BoardId, player: PlayerId, message_id: &str) -> Result<()> {
        self.run(
            "INSERT INTO threads (board, player, root, last) VALUES (?1, ?2, ?3, ?3)
             ON CONFLICT (board, player) DO UPDATE SET last = excluded.last",
            params![board, player, message_id],
        )
    }
}
