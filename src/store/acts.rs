//! Acts of the host, and their log.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::records::BoardRow;
use super::sql::{Select, Write};
use super::words::stored_enum;
use super::{ContestId, MailState, PlayerId, Result, Ruling, Store};
use crate::ids::{BoardId, Seat, Userid, address_key};

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
        Announce = "announce",
        /// A player did it, who appealed if the detail is `appeal`.
        Report = "report",
    }
}

stored_row! {
    /// An act of the host for the log, which names people only by number.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NewAct from "acts" {
        pub kind: ActKind = "act",
        pub board: Option<BoardId> = "board",
        pub contest: Option<ContestId> = "contest",
        pub mail: Option<i64> = "mail",
        pub player: Option<PlayerId> = "player",
        /// The second player of an act that has two.
        pub other: Option<PlayerId> = "other",
        /// Other values of the command.
        pub detail: String = "detail",
    }
}

stored_row! {
    /// An act on a contest or on one of its boards.
    #[derive(Debug, Clone)]
    pub struct ActOnContest from "acts" {
        pub kind: ActKind = "act",
        pub at: Timestamp = "at",
        pub board: Option<BoardId> = "board",
        /// The winner of the board, or the player who was taken out.
        pub player: Option<PlayerId> = "player",
        /// The organiser; `None` for the host.
        pub by: Option<PlayerId> = "other",
        pub detail: String = "detail",
        pub reason: String = "reason",
    }
}

stored_row! {
    /// The progress of a mail.
    #[derive(Debug, Clone, Copy)]
    pub struct OutgoingState from "outbox" {
        pub state: MailState = "state",
        /// True if a sender has leased the mail.
        pub is_leased: bool = "sender IS NOT NULL",
        /// True if the recipient and the bytes of the mail are still stored.
        pub is_whole: bool = "recipient <> '' AND EXISTS (SELECT 1 FROM mail_bytes WHERE mail = id)",
        pub player: Option<PlayerId> = "player",
    }
}

/// The start of an UPDATE that queues mails again as if they were new.
const AGAIN: &str =
    "UPDATE outbox SET state = 'waiting', due_at = ?1, attempts = 0, lease_until = NULL, sender = NULL,
    last_error = NULL, finished_at = NULL, bounced_at = NULL, came_back_with = NULL WHERE";

/// The detail of an act that ended a board without a result.
pub const NO_RESULT: &str = "no result";

/// The detail of an act that gave a player's place to another.
pub const REPLACED: &str = "replaced";

impl Ruling {
    /// The detail of an act that ended a board.
    pub fn in_log(self, winner: Option<Seat>) -> String {
        match (self, winner) {
            (_, Some(seat)) => format!("seat {} won", seat.index() + 1),
            (Ruling::Draw | Ruling::OrganiserDraw, None) => "draw".to_owned(),
            (_, None) => NO_RESULT.to_owned(),
        }
    }
}

impl NewAct {
    pub fn of(kind: ActKind) -> NewAct {
        NewAct {
            kind,
            board: None,
            contest: None,
            mail: None,
            player: None,
            other: None,
            detail: String::new(),
        }
    }
}

impl Store {
    /// Adds an act to the log; gives its number.
    pub fn add_act(&self, act: &NewAct, os_user: &str, reason: &str, at: Timestamp) -> Result<i64> {
        Write::row(act)
            .with("os_user", os_user)
            .with("reason", reason)
            .with("at", at.as_second())
            .insert(self)
    }

    /// The acts on a contest and its boards, oldest first.
    pub fn acts_on(&self, contest: ContestId) -> Result<Vec<ActOnContest>> {
        Select::rows().and_with("contest = ?", contest).order("number").all(self)
    }

    /// True if a player has appealed against a ruling on the board.
    pub fn has_appealed(&self, board: BoardId, player: PlayerId) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM acts WHERE act = 'report' AND detail = 'appeal' AND board = ?1 AND player = ?2",
            params![board, player],
        )
    }

    /// The reason of the last ruling on a board.
    pub fn reason_of_end(&self, board: BoardId) -> Result<Option<String>> {
        self.find(
            "SELECT reason FROM acts WHERE act = 'end' AND board = ?1 ORDER BY number DESC LIMIT 1",
            [board],
        )
    }

    /// The account into which a player's was merged.
    pub fn heir_of(&self, player: PlayerId) -> Result<Option<PlayerId>> {
        self.find(
            "SELECT other FROM acts WHERE act = 'merge' AND player = ?1 ORDER BY number DESC LIMIT 1",
            [player],
        )
    }

    /// Stores a board that is in play again. Deletes its place in the order of finished games, its analysis
    /// and the requests for it.
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

    /// Suspends a player, or ends the suspension.
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

    /// Queues a mail again as if it were new.
    pub fn send_again(&self, mail: i64, at: Timestamp) -> Result<()> {
        self.run(&format!("{AGAIN} id = ?2"), params![at.as_second(), mail])
    }

    /// Queues again every mail sent since `since`, unless it bounced or its address is stopped. Gives the
    /// number of mails queued, and the number of mails whose bytes are gone.
    pub fn send_again_since(&self, since: Timestamp, at: Timestamp) -> Result<(usize, u32)> {
        let left = "state = 'sent' AND bounced_at IS NULL AND finished_at >= ?";
        let bytes = "EXISTS (SELECT 1 FROM mail_bytes WHERE mail = id)";
        let lost = self.one(
            &format!("SELECT count(*) FROM outbox WHERE {left}1 AND NOT {bytes}"),
            [since.as_second()],
        )?;
        let again = format!(
            "{AGAIN} {left}2 AND {bytes}
             AND lower(recipient) NOT IN (SELECT address_key FROM addresses WHERE stopped_at IS NOT NULL)"
        );
        Ok((self.execute(&again, params![at.as_second(), since.as_second()])?, lost))
    }

    /// The players with an address, and whether it is confirmed and stopped for each.
    pub fn owners_of(&self, address: &str) -> Result<Vec<(PlayerId, bool, bool)>> {
        self.all(
            "SELECT player, confirmed_at IS NOT NULL, stopped_at IS NOT NULL FROM addresses
             WHERE address_key = ?1 ORDER BY player",
            [address_key(address)],
        )
    }

    /// Stops an address as a complaint does: it is no longer confirmed and watches nothing. Gives how many boards it
    /// watched.
    pub fn stop_address(&self, address: &str, at: Timestamp) -> Result<usize> {
        let key = address_key(address);
        // No mail came back, so the player is not told that one did.
        self.execute(
            "UPDATE addresses SET confirmed_at = NULL, stopped_at = ?2, stop_told = 1
             WHERE address_key = ?1 AND confirmed_at IS NOT NULL",
            params![key, at.as_second()],
        )?;
        self.end_waiting(&key, at)?;
        self.execute(
            "INSERT INTO bounces (address_key, address, count, last_at, stopped_at, unwanted, reported)
             VALUES (?1, ?2, 0, ?3, ?3, 1, 1)
             ON CONFLICT (address_key) DO UPDATE SET stopped_at = ?3, unwanted = 1, reported = 1",
            params![key, address, at.as_second()],
        )?;
        self.execute("DELETE FROM watchers WHERE address_key = ?1", [key])
    }

    /// Ends the stop of an address without an account; false if it was not stopped.
    pub fn end_stop(&self, address: &str) -> Result<bool> {
        let sql = "DELETE FROM bounces WHERE address_key = ?1 AND stopped_at IS NOT NULL";
        Ok(self.execute(sql, [address_key(address)])? > 0)
    }
}
