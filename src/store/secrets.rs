//! Secrets of accounts. Tokens and codes are stored as hashes.

use jiff::Timestamp;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::columns::stored_newtype;
use super::{PlayerId, Result, Store};

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
}
