//! Accounts and their secrets. Tokens and codes are stored as hashes.

use jiff::Timestamp;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::columns::{stored_newtype, stored_row};
use super::sql::Select;
use super::words::stored_enum;
use super::{Result, Store};
use crate::ids::{Userid, address_key, mailbox};

/// The key of a player. The robot's levels have negative numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct PlayerId(pub i64);

stored_newtype!(PlayerId(i64));

stored_enum! {
    AccountState {
        Active = "active",
        /// The player takes a break and starts no games.
        SignedOff = "signed-off",
        /// Only the userid and finished games remain.
        Deleted = "deleted",
    }
}

stored_row! {
    #[derive(Debug, Clone)]
    pub struct Account from "players" {
        pub id: PlayerId = "id",
        pub userid: Userid = "userid",
        /// A PHC string of argon2id; `None` accepts no password.
        pub password_hash: Option<String> = "password_hash",
        pub state: AccountState = "state",
        /// The IANA name of the zone that the player's days are counted in.
        pub zone: String = "zone",
        pub created_at: Timestamp = "created_at",
        /// Why the host has suspended the account.
        pub suspended: Option<String> = "suspended",
        /// True if a program of its owner plays.
        pub is_bot: bool = "bot",
    }
}

impl Account {
    pub fn is_active(&self) -> bool {
        self.state == AccountState::Active
    }

    pub fn is_signed_off(&self) -> bool {
        self.state == AccountState::SignedOff
    }

    pub fn is_deleted(&self) -> bool {
        self.state == AccountState::Deleted
    }
}

/// Selects people whose account is not deleted. The robot's levels have numbers below 1.
const PRESENT: &str = "id > 0 AND state <> 'deleted'";

/// The accounts of a player: this one, and those that were merged into it.
pub(super) const WAS: &str = "WITH RECURSIVE was (id) AS (SELECT ?1 UNION SELECT player FROM acts JOIN was ON other = id AND act = 'merge')";

impl Store {
    pub fn player(&self, userid: &Userid) -> Result<Option<Account>> {
        Select::rows().and_with("userid_key = ?", userid.key()).first(self)
    }

    pub fn player_of_number(&self, number: i64) -> Result<Option<Account>> {
        Select::rows().and_with("id = ?", number).first(self)
    }

    pub fn player_by_id(&self, id: PlayerId) -> Result<Account> {
        Select::rows().and_with("id = ?", id).one(self)
    }

    /// The first `most` players after `after` who get announcements: neither signed off nor suspended, with
    /// an address that takes mail, and `broadcast` not set to off.
    pub fn readers_of_announcements(&self, after: PlayerId, most: u32) -> Result<Vec<Account>> {
        Select::rows()
            .and_with("id > ?", after)
            .and("state = 'active' AND suspended IS NULL")
            .and("NOT EXISTS (SELECT 1 FROM settings WHERE player = id AND word = 'broadcast' AND value = 'off')")
            .and("EXISTS (SELECT 1 FROM addresses a WHERE a.player = players.id AND a.confirmed_at IS NOT NULL)")
            .order("id")
            .limit(most)
            .all(self)
    }

    /// The accounts of people, oldest first.
    pub fn players(&self) -> Result<Vec<Account>> {
        Select::rows().and("id > 0").order("id").all(self)
    }

    /// Up to `limit` accounts of people, the newest first.
    pub fn newest_players(&self, limit: u32) -> Result<Vec<Account>> {
        Select::rows().and(PRESENT).order("id DESC").limit(limit).all(self)
    }

    /// The userids of people that are among these keys; the keys are in lower case.
    pub fn userids_among(&self, keys: &[String]) -> Result<Vec<Userid>> {
        let keys = serde_json::to_string(keys).unwrap_or_default();
        Select::columns("userid", "players")
            .and_with("userid_key IN (SELECT value FROM json_each(?))", keys)
            .and(PRESENT)
            .all(self)
    }

    /// The userids of people that are nearest to `key` in the alphabet, up to `limit` on each side.
    pub fn userids_around(&self, key: &str, limit: u32) -> Result<Vec<Userid>> {
        let mut around = Vec::new();
        for (side, order) in [("userid_key < ?", "userid_key DESC"), ("userid_key > ?", "userid_key")] {
            let found = Select::columns("userid", "players").and_with(side, key).and(PRESENT);
            around.extend(found.order(order).limit(limit).all(self)?);
        }
        Ok(around)
    }

    /// The accounts with this confirmed address, oldest first.
    pub fn players_at(&self, address: &str) -> Result<Vec<Account>> {
        Select::rows()
            .and("state <> 'deleted'")
            .and_with(
                "id IN (SELECT player FROM addresses WHERE address_key = ? AND confirmed_at IS NOT NULL)",
                address_key(address),
            )
            .order("id")
            .all(self)
    }

    /// Players with a confirmed address of the same mailbox, in any spelling.
    pub fn players_of_mailbox(&self, address: &str) -> Result<Vec<Account>> {
        let asked = mailbox(address);
        let mut players: Vec<(PlayerId, String)> = self.all(
            "SELECT player, address FROM addresses JOIN players ON players.id = player
             WHERE confirmed_at IS NOT NULL AND state <> 'deleted' ORDER BY player",
            [],
        )?;
        players.retain(|(_, address)| mailbox(address) == asked);
        players.dedup_by_key(|(player, _)| *player);
        players.into_iter().map(|(player, _)| self.player_by_id(player)).collect()
    }

    pub fn add_player<'h>(
        &self,
        userid: &Userid,
        password_hash: impl Into<Option<&'h str>>,
        secret: &[u8; 32],
        at: Timestamp,
    ) -> Result<PlayerId> {
        // Numbers below 1 belong to the robot.
        self.execute(
            "INSERT INTO players (id, userid, userid_key, password_hash, secret, created_at)
             VALUES ((SELECT max(coalesce(max(id), 0), 0) + 1 FROM players), ?1, ?2, ?3, ?4, ?5)",
            params![userid.as_str(), userid.key(), password_hash.into(), secret, at.as_second()],
        )?;
        Ok(PlayerId(self.conn.last_insert_rowid()))
    }

    /// True if nothing proves the owner of an active account: it has no password, no confirmed or stopped
    /// address, no board and no seek. The first player who proves a mailbox gets its userid.
    pub fn is_unclaimed(&self, account: &Account) -> Result<bool> {
        Ok(account.is_active()
            && account.id.0 > 0
            && account.password_hash.is_none()
            && !self.exists(
                "SELECT 1 FROM addresses WHERE player = ?1 AND (confirmed_at IS NOT NULL OR stopped_at IS NOT NULL)
                 UNION ALL SELECT 1 FROM seats WHERE player = ?1
                 UNION ALL SELECT 1 FROM seeks WHERE player = ?1",
                [account.id],
            )?)
    }

    /// The key of a player's reply tokens.
    pub fn secret(&self, player: PlayerId) -> Result<[u8; 32]> {
        self.one("SELECT secret FROM players WHERE id = ?1", [player])
    }

    pub fn set_account_state(&self, player: PlayerId, state: AccountState) -> Result<()> {
        self.run("UPDATE players SET state = ?2 WHERE id = ?1", params![player, state])
    }
}

/// The SHA-256 of a token or code. Codes are 128 random bits, so a fast hash is enough. Comparing hashes
/// reveals nothing by its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeHash(pub(super) [u8; 32]);

stored_newtype!(CodeHash([u8; 32]));

impl CodeHash {
    /// Hashes a code; case does not count.
    pub fn of(code: &str) -> CodeHash {
        CodeHash(Sha256::digest(code.trim().to_ascii_lowercase()).into())
    }

    pub fn hex(self) -> String {
        self.0.iter().map(|octet| format!("{octet:02x}")).collect()
    }
}

/// The key of a mailbox, which hides the address. Counts under this key outlive accounts, so a new account
/// does not reset them.
pub fn mailbox_key(address: &str) -> String {
    CodeHash::of(&mailbox(address)).hex()
}

impl Store {
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

    /// The codes in mails that still work: of forgotten passwords, for watching, for signing in, of bots and of
    /// invitations.
    pub fn mailed_codes(&self) -> Result<Vec<CodeHash>> {
        self.all(
            "SELECT token FROM resets WHERE token IS NOT NULL
             UNION ALL SELECT code FROM watchers WHERE code IS NOT NULL
             UNION ALL SELECT code FROM sessions WHERE used_at IS NULL OR scope IS NOT NULL
             UNION ALL SELECT code FROM invitations",
            [],
        )
    }

    /// Sets a password, and ends the reset token.
    pub fn set_password(&self, player: PlayerId, hash: &str) -> Result<()> {
        self.execute("UPDATE players SET password_hash = ?2 WHERE id = ?1", params![player, hash])?;
        self.run("UPDATE resets SET token = NULL WHERE player = ?1", [player])
    }

    /// The keys of the reply tokens of the accounts that were merged into a player's.
    pub fn merged_secrets(&self, player: PlayerId) -> Result<Vec<[u8; 32]>> {
        self.all(&format!("{WAS} SELECT secret FROM players WHERE id IN was AND id <> ?1"), [player])
    }

    /// Sets the secret of an account and of those that were merged into it, which ends all their reply tokens.
    pub fn set_secret(&self, player: PlayerId, secret: &[u8; 32]) -> Result<()> {
        self.run(&format!("{WAS} UPDATE players SET secret = ?2 WHERE id IN was"), params![player, secret])
    }
}
