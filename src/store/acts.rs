//! What the host does, and the log of it.

use std::ops::ControlFlow;

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::records::BoardRow;
use super::sql::Select;
use super::words::stored_enum;
use super::{MailState, PlayerId, Result, RowFilter, Store, StoreError};
use crate::ids::{BoardId, Userid, address_key};

stored_enum! {
    ActKind {
        Undo = "undo",
        End = "end",
        Adjourn = "adjourn",
        ResumeBoard = "resume board",
        Reseat = "reseat",
        Withdraw = "withdraw",
        StartContest = "start contest",
        EndContest = "end contest",
        ResetPassword = "reset password",
        AddAddress = "add address",
        Suspend = "suspend",
        ResumeUser = "resume user",
        Role = "role",
        Rename = "rename",
        Merge = "merge",
        Erase = "erase",
        RetryMail = "retry mail",
        CancelMail = "cancel mail",
        StopAddress = "stop address",
        ResumeAddress = "resume address",
        Ban = "ban",
        LiftBan = "lift ban",
    }
}

stored_row! {
    /// What the host did, for the log. It names people by their numbers alone.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NewAct {
        pub kind: ActKind,
        pub board: Option<BoardId>,
        pub mail: Option<i64>,
        pub player: Option<PlayerId>,
        /// The second player of an act that has two.
        pub other: Option<PlayerId>,
        /// What else the command said.
        pub detail: String,
    }
}

stored_row! {
    /// A line of the log.
    #[derive(Debug, Clone)]
    pub struct ActRow from "acts" {
        pub number: i64 = "number",
        pub at: Timestamp = "at",
        /// The user of the operating system.
        pub os_user: String = "os_user",
        pub act: NewAct = "act, board, mail, player, other, detail",
        /// Behind the address that the act was about. Empty once a person it may be about is erased.
        pub reason: String = "reason",
    }
}

stored_row! {
    /// How far a mail has come.
    #[derive(Debug, Clone, Copy)]
    pub struct OutgoingState from "outbox" {
        pub state: MailState = "state",
        /// Somebody has it to send.
        pub is_leased: bool = "sender IS NOT NULL",
        /// The bytes are still there.
        pub is_whole: bool = "recipient <> '' AND EXISTS (SELECT 1 FROM mail_bytes WHERE mail = id)",
        pub player: Option<PlayerId> = "player",
    }
}

impl Store {
    /// Adds an act to the log; gives its number.
    pub fn add_act(&self, act: &NewAct, os_user: &str, reason: &str, at: Timestamp) -> Result<i64> {
        self.execute(
            "INSERT INTO acts (at, os_user, act, board, mail, player, other, detail, reason)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                at.as_second(),
                os_user,
                act.kind,
                act.board,
                act.mail,
                act.player,
                act.other,
                act.detail,
                reason
            ],
        )?;
        Ok(self.conn.last_insert_rowid())
    }

    /// The acts on a player or a board, or all; the newest first.
    pub fn each_act<E: From<StoreError>>(
        &self,
        about: RowFilter,
        visit: impl FnMut(ActRow) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        Select::<ActRow>::rows()
            .and_if("? IN (player, other)", about.player)
            .and_if("board = ?", about.board)
            .order("number DESC")
            .each(self, visit)
    }

    /// The account that a player's was made one with.
    pub fn heir_of(&self, player: PlayerId) -> Result<Option<PlayerId>> {
        self.find(
            "SELECT other FROM acts WHERE act = 'merge' AND player = ?1 ORDER BY number DESC LIMIT 1",
            [player],
        )
    }

    /// Stores a board that has no result any more: it leaves the order of finished games, and nobody waits for its
    /// analysis.
    pub fn reopen_board(&self, row: &BoardRow) -> Result<()> {
        self.update_ended(row)?;
        self.note_robot_turn(row)?;
        for sql in [
            "DELETE FROM finishes WHERE board = ?1",
            "DELETE FROM analysis_readers WHERE board = ?1",
            "DELETE FROM analyses WHERE board = ?1",
        ] {
            self.execute(sql, [row.id])?;
        }
        Ok(())
    }

    /// Suspends a player, or ends that.
    pub fn set_suspended(&self, player: PlayerId, why: Option<&str>) -> Result<()> {
        self.run("UPDATE players SET suspended = ?2 WHERE id = ?1", params![player, why])
    }

    pub fn rename_player(&self, player: PlayerId, userid: &Userid) -> Result<()> {
        self.run(
            "UPDATE players SET userid = ?2, userid_key = ?3 WHERE id = ?1",
            params![player, userid.as_str(), userid.key()],
        )
    }

    pub fn outgoing_state(&self, mail: i64) -> Result<Option<OutgoingState>> {
        Select::rows().and_with("id = ?", mail).first(self)
    }

    /// Makes a mail wait again, as though it were new.
    pub fn send_again(&self, mail: i64, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE outbox SET state = 'waiting', due_at = ?2, attempts = 0, lease_until = NULL, sender = NULL, last_error = NULL,
             finished_at = NULL, bounced_at = NULL, came_back_with = NULL WHERE id = ?1",
            params![mail, at.as_second()],
        )
    }

    /// The players who have an address, and whether it is confirmed and stopped there.
    pub fn owners_of(&self, address: &str) -> Result<Vec<(PlayerId, bool, bool)>> {
        self.all(
            "SELECT player, confirmed_at IS NOT NULL, stopped_at IS NOT NULL FROM addresses
             WHERE address_key = ?1 ORDER BY player",
            [address_key(address)],
        )
    }

    /// Stops mail to an address: it is no longer confirmed and watches nothing. Gives how many boards it watched.
    pub fn stop_address(&self, address: &str, at: Timestamp) -> Result<usize> {
        let key = address_key(address);
        // Nothing came back, so nobody tells the player that something did.
        self.execute(
            "UPDATE addresses SET confirmed_at = NULL, stopped_at = ?2, stop_told = 1
             WHERE address_key = ?1 AND confirmed_at IS NOT NULL",
            params![key, at.as_second()],
        )?;
        self.execute("DELETE FROM watchers WHERE address_key = ?1", [key])
    }
}
