//! Invitations of people without an account, and the mailboxes that refuse them.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::{Select, Write};
use super::{CodeHash, PlayerId, Result, Store};

/// How long an invitation is open, in seconds; also the pause before a mailbox gets another one that it asks
/// for. `NEXT_SECONDS` is the pause before one that it does not ask for.
pub const INVITATION_SECONDS: i64 = 7 * 24 * 60 * 60;
const NEXT_SECONDS: i64 = 30 * 24 * 60 * 60;

stored_row! {
    /// An open invitation.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InvitationRow from "invitations" {
        pub id: i64 = "id",
        pub player: PlayerId = "player",
        pub game: String = "game",
        /// The options of the board, in JSON.
        pub options: String = "options",
        /// The invited address; `None` for a link that the player passes on.
        pub address: Option<String> = "address",
        /// The userid that its reader has chosen, or that its mail proposes.
        pub userid: Option<String> = "userid",
        /// The invitation by link from which this one came; it ends when the link does.
        pub link: Option<i64> = "link",
        pub made_at: Timestamp = "made_at",
    }
}

impl InvitationRow {
    /// The time at which it expires, in Unix seconds.
    pub fn ends_at(&self) -> i64 {
        self.made_at.as_second() + INVITATION_SECONDS
    }
}

impl Store {
    /// Stores an invitation; gives its new number.
    pub fn add_invitation(&self, row: &InvitationRow, code: CodeHash) -> Result<i64> {
        const NEW: &str = "player, game, options, address, userid, link, made_at";
        Write::row(row).only(NEW).with("code", code).insert(self)
    }

    pub fn invitation(&self, id: i64, code: CodeHash) -> Result<Option<InvitationRow>> {
        Select::rows().and_with("id = ?", id).and_with("code = ?", code).first(self)
    }

    /// The open invitations to the confirmed addresses of a player.
    pub fn invitations_to(&self, player: PlayerId, now: Timestamp) -> Result<Vec<InvitationRow>> {
        Select::rows()
            .and_with(
                "lower(address) IN (SELECT address_key FROM addresses WHERE player = ? AND confirmed_at IS NOT NULL)",
                player,
            )
            .and_with("made_at > ?", now.as_second() - INVITATION_SECONDS)
            .order("id")
            .all(self)
    }

    pub fn is_open_invitation(&self, id: i64, now: Timestamp) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM invitations WHERE id = ?1 AND made_at > ?2 - ?3",
            params![id, now.as_second(), INVITATION_SECONDS],
        )
    }

    /// Expires an invitation: the timer then deletes its address.
    pub fn expire_invitation(&self, id: i64) -> Result<()> {
        self.run("UPDATE invitations SET made_at = 0 WHERE id = ?1", [id])
    }

    /// Ends an invitation, and those that came from it if it is a link.
    pub fn end_invitation(&self, id: i64) -> Result<()> {
        self.run("DELETE FROM invitations WHERE id = ?1 OR link = ?1", [id])
    }

    /// True if a mailbox, given by its hash, can get an invitation now; records it. The pause is shorter if
    /// the invitation `is_asked_for`.
    pub fn may_invite(&self, mailbox: &str, at: Timestamp, is_asked_for: bool) -> Result<bool> {
        let noted = self.execute(
            "INSERT INTO invited (mailbox, invited_at) VALUES (?1, ?2) ON CONFLICT (mailbox)
             DO UPDATE SET invited_at = ?2 WHERE NOT refused AND abs(invited_at - ?2) >= ?3",
            params![mailbox, at.as_second(), if is_asked_for { INVITATION_SECONDS } else { NEXT_SECONDS }],
        )?;
        Ok(noted > 0)
    }

    pub fn refuses_invitations(&self, mailbox: &str) -> Result<bool> {
        self.exists("SELECT 1 FROM invited WHERE mailbox = ?1 AND refused", [mailbox])
    }

    pub fn refuse_invitations(&self, mailbox: &str, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO invited (mailbox, invited_at, refused) VALUES (?1, ?2, 1)
             ON CONFLICT (mailbox) DO UPDATE SET refused = 1",
            params![mailbox, at.as_second()],
        )
    }

    /// Deletes expired invitations with their addresses, and old records of invited mailboxes. Gives the
    /// number of invitations deleted.
    pub fn end_old_invitations(&self, now: Timestamp) -> Result<usize> {
        let now = now.as_second();
        self.execute(
            "DELETE FROM invited WHERE NOT refused AND invited_at <= ?1 - ?2",
            params![now, NEXT_SECONDS],
        )?;
        self.forget_invitations("made_at <= ?1", now - INVITATION_SECONDS)
    }

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
