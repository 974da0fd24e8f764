//! Secrets of accounts. Tokens and codes are stored as hashes.

use jiff::Timestamp;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::columns::{stored_newtype, stored_row};
use super::sql::Select;
use super::{AccountState, LetterId, PlayerId, Result, Store};
use crate::ids::BoardId;

/// The SHA-256 of a token or code. Codes are 128 random bits, so a fast hash is enough. Comparing hashes
/// reveals nothing by its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeHash(pub(super) [u8; 32]);

stored_newtype!(CodeHash([u8; 32]));

impl CodeHash {
    /// Hashes a code in any case.
    pub fn of(code: &str) -> CodeHash {
        CodeHash(Sha256::digest(code.trim().to_ascii_lowercase()).into())
    }

    pub fn hex(self) -> String {
        self.0.iter().map(|octet| format!("{octet:02x}")).collect()
    }
}

impl Store {
    /// Ends the open challenges of a player.
    pub fn end_seeks(&self, player: PlayerId) -> Result<()> {
        self.run("UPDATE seeks SET state = 'ended' WHERE player = ?1 AND state = 'open'", [player])
    }

    /// The address of a player who shows it to opponents.
    pub fn open_address(&self, userid: &str) -> Result<Option<String>> {
        self.find(
            "SELECT a.address FROM players p JOIN addresses a ON a.player = p.id
             WHERE p.userid_key = ?1 AND p.openness = 1 AND a.confirmed_at IS NOT NULL
             ORDER BY a.added_at, a.address_key LIMIT 1",
            [userid.to_ascii_lowercase()],
        )
    }

    /// Stores a reset token, at most once in `pause` seconds; gives true when it was stored.
    pub fn add_reset(&self, player: PlayerId, token: CodeHash, at: Timestamp, pause: i64) -> Result<bool> {
        let changed = self.execute(
            "INSERT INTO resets (player, token, sent_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (player) DO UPDATE SET token = excluded.token, sent_at = excluded.sent_at
             WHERE abs(resets.sent_at - excluded.sent_at) >= ?4",
            params![player, token, at.as_second(), pause],
        )?;
        Ok(changed == 1)
    }

    /// True when this token was sent within the last `good_for` seconds and is unused.
    pub fn is_reset(&self, player: PlayerId, token: CodeHash, at: Timestamp, good_for: i64) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM resets WHERE player = ?1 AND token = ?2 AND sent_at > ?3 - ?4",
            params![player, token, at.as_second(), good_for],
        )
    }

    /// The codes that mails of ours hold and nobody has used: of forgotten passwords, and of those who want to watch.
    pub fn mailed_codes(&self) -> Result<Vec<CodeHash>> {
        self.all(
            "SELECT token FROM resets WHERE token IS NOT NULL
             UNION ALL SELECT code FROM watchers WHERE code IS NOT NULL",
            [],
        )
    }

    /// Sets a password and ends a reset token.
    pub fn set_password(&self, player: PlayerId, hash: &str) -> Result<()> {
        self.execute("UPDATE players SET password_hash = ?2 WHERE id = ?1", params![player, hash])?;
        self.execute("UPDATE resets SET token = NULL WHERE player = ?1", [player])?;
        Ok(())
    }

    /// Sets the secret of an account, which ends all its reply tokens.
    pub fn set_secret(&self, player: PlayerId, secret: &[u8; 32]) -> Result<()> {
        self.run("UPDATE players SET secret = ?2 WHERE id = ?1", params![player, secret])
    }

    pub fn set_account_state(&self, player: PlayerId, state: AccountState) -> Result<()> {
        self.run("UPDATE players SET state = ?2 WHERE id = ?1", params![player, state])
    }

    /// Erases all personal data of an account; the userid and finished games stay.
    pub fn erase_player(&self, player: PlayerId, secret: &[u8; 32]) -> Result<()> {
        self.set_secret(player, secret)?;
        self.execute(
            "UPDATE players SET state = 'deleted', password_hash = NULL, role = 'player', zone = 'UTC',
             digest = 0, openness = 0, broadcast = 0, broadcast_at = NULL, announced_at = NULL, seeks_told = 0,
             suspended = NULL WHERE id = ?1",
            [player],
        )?;
        for sql in [
            "DELETE FROM watchers WHERE address_key IN (SELECT address_key FROM addresses WHERE player = ?1)",
            "UPDATE letters SET sender = NULL, message_id = NULL, commands = '', outcomes = ''
             WHERE player = ?1 OR lower(sender) IN (SELECT address_key FROM addresses WHERE player = ?1)",
            // Letters of others may name an address too, such as an organiser's.
            "UPDATE letters SET commands = '', outcomes = '' WHERE EXISTS (SELECT 1 FROM addresses a
             WHERE a.player = ?1 AND instr(lower(commands || outcomes), a.address_key) > 0)",
            // Confirmation mails have an address and no player.
            "DELETE FROM mail_bytes WHERE mail IN (SELECT id FROM outbox WHERE state <> 'waiting' AND (player = ?1
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1)))",
            "UPDATE outbox SET recipient = '', came_back_with = NULL WHERE state <> 'waiting' AND (player = ?1
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1))",
            "UPDATE outbox SET secret = 2 WHERE state = 'waiting' AND (player = ?1
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1))",
            "DELETE FROM asked_addresses WHERE address_key IN (SELECT address_key FROM addresses WHERE player = ?1)",
            "DELETE FROM bounces WHERE address_key IN (SELECT address_key FROM addresses WHERE player = ?1)",
            "DELETE FROM limits WHERE key IN (SELECT address_key FROM addresses WHERE player = ?1)
             OR key = (SELECT userid_key FROM players WHERE id = ?1)",
            "DELETE FROM limit_hits WHERE player = ?1",
            "DELETE FROM mails_aside WHERE player = ?1
             OR lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?1)",
            "DELETE FROM addresses WHERE player = ?1",
            "DELETE FROM resets WHERE player = ?1",
            "DELETE FROM game_settings WHERE player = ?1",
            "DELETE FROM blocks WHERE player = ?1 OR blocked = ?1",
            "DELETE FROM vacations WHERE player = ?1",
            "DELETE FROM held WHERE player = ?1",
            "DELETE FROM told WHERE player = ?1",
            "DELETE FROM messages WHERE reader = ?1 OR writer = ?1",
        ] {
            self.execute(sql, [player])?;
        }
        Ok(())
    }

    /// True when a player may write to everybody now, at most once in `seconds`. Records it.
    pub fn may_broadcast(&self, player: PlayerId, at: Timestamp, seconds: i64) -> Result<bool> {
        let changed = self.execute(
            "UPDATE players SET broadcast_at = ?2
             WHERE id = ?1 AND (broadcast_at IS NULL OR abs(broadcast_at - ?2) >= ?3)",
            params![player, at.as_second(), seconds],
        )?;
        Ok(changed == 1)
    }

    /// Marks the latest mail in the outbox as secret: its bytes are erased once it is sent, and the recipient
    /// of a goodbye too.
    pub fn mark_last_mail(&self, goodbye: bool) -> Result<()> {
        self.run(
            "UPDATE outbox SET secret = ?1 WHERE id = last_insert_rowid()",
            [if goodbye { 2 } else { 1 }],
        )
    }

    /// Erases the sender and the commands of a letter.
    pub fn forget_letter(&self, letter: LetterId) -> Result<()> {
        self.run(
            "UPDATE letters SET sender = NULL, message_id = NULL, commands = '', outcomes = '' WHERE id = ?1",
            [letter],
        )
    }

    /// The latest mail to a player at an address, or the latest about a board, while its bytes are kept.
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

    /// The board, or that board, that the latest mail to a player showed, whether its text is kept or not.
    pub fn last_board_shown(&self, player: PlayerId, board: Option<BoardId>) -> Result<Option<BoardId>> {
        self.find(
            "SELECT board FROM outbox INDEXED BY outbox_by_player
             WHERE player = ?1 AND shows_board = 1 AND secret = 0 AND board = ifnull(?2, board)
             ORDER BY id DESC LIMIT 1",
            params![player, board],
        )
    }
}

stored_row! {
    /// A mail as it was sent.
    #[derive(Debug, Clone)]
    pub struct LastMail from "outbox JOIN mail_bytes ON mail = id" {
        pub board: Option<BoardId> = "board",
        pub message_id: String = "message_id",
        pub mail: Vec<u8> = "bytes",
        /// See [`NewMail`](super::NewMail).
        pub pictured: Option<u32> = "pictured",
    }
}
