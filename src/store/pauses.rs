//! Pauses of mail to a player.

use jiff::Timestamp;
use rusqlite::params;

use super::{PlayerId, Result, Store};

impl Store {
    pub fn pause_mails(&self, player: PlayerId, until: Timestamp) -> Result<()> {
        self.run("UPDATE players SET paused_until = ?2 WHERE id = ?1", params![player, until.as_second()])
    }

    /// Ends a pause: what has waited for its end leaves now.
    pub fn resume_mails(&self, player: PlayerId, now: Timestamp) -> Result<()> {
        self.execute("UPDATE players SET paused_until = NULL WHERE id = ?1", [player])?;
        self.execute(
            "UPDATE outbox SET created_at = ?2, due_at = ?2
             WHERE state = 'waiting' AND player = ?1 AND created_at > ?2",
            params![player, now.as_second()],
        )?;
        Ok(())
    }
}
