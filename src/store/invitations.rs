//! Invitations of people who have no account, and the mailboxes that want none.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::{Select, Write};
use super::{CodeHash, PlayerId, Result, Store};

/// How long an invitation waits for an answer, and a mailbox for the next one that it asks for or that it does not, in
/// seconds.
pub const INVITATION_SECONDS: i64 = 7 * 24 * 60 * 60;
const NEXT_SECONDS: i64 = 30 * 24 * 60 * 60;

stored_row! {
    /// An invitation that nobody has answered.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InvitationRow from "invitations" {
        pub id: i64 = "id",
        /// Who invites.
        pub player: PlayerId = "player",
        pub game: String = "game",
        /// Those of the board, as JSON.
        pub options: String = "options",
        /// Where it was mailed to; `None` for a link to hand on.
        pub address: Option<String> = "address",
        /// The userid that the holder of a link has chosen.
        pub userid: Option<String> = "userid",
        /// The link that this came of, which ends with it.
        pub link: Option<i64> = "link",
        pub made_at: Timestamp = "made_at",
    }
}

impl InvitationRow {
    /// When it ends without an answer.
    pub fn ends_at(&self) -> i64 {
        self.made_at.as_second() + INVITATION_SECONDS
    }
}

impl Store {
    /// Stores an invitation, which gets the next number; gives that.
    pub fn add_invitation(&self, row: &InvitationRow, code: CodeHash) -> Result<i64> {
        const NEW: &str = "player, game, options, address, userid, link, made_at";
        Write::row(row).only(NEW).with("code", &code).insert(self)
    }

    pub fn invitation(&self, id: i64, code: CodeHash) -> Result<Option<InvitationRow>> {
        Select::rows().and_with("id = ?", id).and_with("code = ?", code).first(self)
    }

    /// True for one that can be answered.
    pub fn is_open_invitation(&self, id: i64, now: Timestamp) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM invitations WHERE id = ?1 AND made_at > ?2 - ?3",
            params![id, now.as_second(), INVITATION_SECONDS],
        )
    }

    /// Makes an invitation as old as one that nobody has answered: the timer forgets where it went.
    pub fn expire_invitation(&self, id: i64) -> Result<()> {
        self.run("UPDATE invitations SET made_at = 0 WHERE id = ?1", [id])
    }

    /// Ends an invitation, and what came of it where it is a link.
    pub fn end_invitation(&self, id: i64) -> Result<()> {
        self.run("DELETE FROM invitations WHERE id = ?1 OR link = ?1", [id])
    }

    /// True where a mailbox, by its hash, may have an invitation now, which its reader perhaps asks for. Notes that it has.
    pub fn may_invite(&self, mailbox: &str, at: Timestamp, is_asked_for: bool) -> Result<bool> {
        let noted = self.execute(
            "INSERT INTO invited (mailbox, invited_at) VALUES (?1, ?2) ON CONFLICT (mailbox)
             DO UPDATE SET invited_at = ?2 WHERE NOT refused AND abs(invited_at - ?2) >= ?3",
            params![mailbox, at.as_second(), if is_asked_for { INVITATION_SECONDS } else { NEXT_SECONDS }],
        )?;
        Ok(noted > 0)
    }

    /// Notes that a mailbox wants no invitations.
    pub fn refuse_invitations(&self, mailbox: &str, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO invited (mailbox, invited_at, refused) VALUES (?1, ?2, 1)
             ON CONFLICT (mailbox) DO UPDATE SET refused = 1",
            params![mailbox, at.as_second()],
        )
    }

    /// Forgets invitations that nobody has answered, and where they went; and who had one long ago. Gives how many of the
    /// former.
    pub fn end_old_invitations(&self, now: Timestamp) -> Result<usize> {
        let now = now.as_second();
        self.execute(
            "DELETE FROM invited WHERE NOT refused AND invited_at <= ?1 - ?2",
            params![now, NEXT_SECONDS],
        )?;
        self.forget_invitations("made_at <= ?1", now - INVITATION_SECONDS)
    }

    /// Ends the invitations that a player has sent.
    pub fn end_invitations_of(&self, player: PlayerId) -> Result<()> {
        self.forget_invitations("player = ?1", player.0)?;
        Ok(())
    }

    fn forget_invitations(&self, which: &str, value: i64) -> Result<usize> {
        self.execute(
            &format!(
                "UPDATE outbox INDEXED BY outbox_to_addresses
                 SET recipient = '', last_error = NULL, came_back_with = NULL
                 WHERE player IS NULL AND board IS NULL AND state <> 'waiting'
                 AND lower(recipient) IN (SELECT lower(address) FROM invitations WHERE {which})"
            ),
            [value],
        )?;
        self.execute(&format!("DELETE FROM invitations WHERE {which}"), [value])
    }
}
