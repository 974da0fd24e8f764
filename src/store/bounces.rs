//! Mails that came back, and addresses that are stopped for it.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::sql::Columns;
use super::{PlayerId, Result, Store};

/// An address stops after this many mails came back for good.
pub const BOUNCES_AT_MOST: u32 = 3;

/// Older bounces do not count, in seconds: a mailbox may have been away for a week.
const REMEMBERED: i64 = 90 * 24 * 60 * 60;

/// A Message-ID is looked up among this many of the latest mails; reports come within days.
const LOOKED_AT: i64 = 10_000;

#[derive(Debug, Clone)]
pub struct BounceRow {
    /// As mail was sent to it.
    pub address: String,
    /// How many mails came back.
    pub count: u32,
    /// When the latest came back.
    pub last_at: Timestamp,
    /// When the address stopped.
    pub stopped_at: Option<Timestamp>,
}

impl BounceRow {
    /// True when a complaint stopped it, not a number of bounces.
    pub fn is_unwanted(&self) -> bool {
        self.stopped_at.is_some() && self.count < BOUNCES_AT_MOST
    }
}

impl Store {
    /// The key that signs our envelope senders.
    pub fn bounce_key(&self) -> Result<[u8; 32]> {
        self.one("SELECT key FROM server_keys WHERE name = 'bounce'", [], |row| row.get(0))
    }

    /// The number and address of a mail to a player, by its Message-ID, which nobody can guess.
    pub fn mail_to_player(&self, message_id: &str) -> Result<Option<(i64, String)>> {
        self.find(
            "SELECT id, recipient FROM outbox
             WHERE id > (SELECT coalesce(max(id), 0) FROM outbox) - ?2 AND message_id = ?1
             AND player IS NOT NULL
             ORDER BY id DESC LIMIT 1",
            params![message_id, LOOKED_AT],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// The address of a mail in the outbox.
    pub fn recipient_of(&self, mail: i64) -> Result<Option<String>> {
        self.find("SELECT recipient FROM outbox WHERE id = ?1", [mail], |row| row.get(0))
    }

    /// Counts a mail that came back for good or was refused, once. The third stops its address: it is no
    /// longer confirmed and watches nothing. Gives true when the address stops now.
    pub fn count_bounce(&self, mail: i64, at: Timestamp) -> Result<bool> {
        self.came_back(mail, 1, at)
    }

    /// Counts a complaint about a mail, once, which stops its address. Gives true when the address stops now.
    pub fn take_complaint(&self, mail: i64, at: Timestamp) -> Result<bool> {
        self.came_back(mail, 0, at)
    }

    /// `counts` is 0 for a complaint.
    fn came_back(&self, mail: i64, counts: u32, at: Timestamp) -> Result<bool> {
        let recipient: Option<String> = self.find(
            "UPDATE outbox SET bounced_at = ?2 WHERE id = ?1 AND bounced_at IS NULL AND recipient <> ''
             RETURNING recipient",
            params![mail, at.as_second()],
            |row| row.get(0),
        )?;
        let Some(recipient) = recipient else { return Ok(false) };
        let key = recipient.to_lowercase();
        let (count, stopped): (u32, bool) = self.one(
            "INSERT INTO bounces (address_key, address, count, last_at) VALUES (?1, ?2, ?5, ?3)
             ON CONFLICT (address_key) DO UPDATE SET count = iif(last_at <= ?3 - ?4, 0, count) + ?5, last_at = ?3
             RETURNING count, stopped_at IS NOT NULL",
            params![key, recipient, at.as_second(), REMEMBERED, counts],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        if stopped || counts > 0 && count < BOUNCES_AT_MOST {
            return Ok(false);
        }
        let mut ended = self.execute(
            "UPDATE addresses SET confirmed_at = NULL, stopped_at = ?2, stop_told = 0
             WHERE address_key = ?1 AND confirmed_at IS NOT NULL",
            params![key, at.as_second()],
        )?;
        ended += self.execute("DELETE FROM watchers WHERE address_key = ?1", [&key])?;
        if ended == 0 {
            // A stranger's address gets nothing but answers, so there is nothing to stop.
            return Ok(false);
        }
        self.execute(
            "UPDATE bounces SET stopped_at = ?2 WHERE address_key = ?1",
            params![key, at.as_second()],
        )?;
        Ok(true)
    }

    /// The stopped addresses with their userids that the operator has not heard of. They count as reported
    /// from now on.
    pub fn take_unreported_stops(&self) -> Result<Vec<(BounceRow, Vec<String>)>> {
        let stopped: Vec<(BounceRow, String)> = self.all(
            "UPDATE bounces SET reported = 1 WHERE stopped_at IS NOT NULL AND reported = 0
             RETURNING address, count, last_at, stopped_at, address_key",
            [],
            |row| Ok((bounce(row)?, row.get(4)?)),
        )?;
        let mut stops = Vec::new();
        for (row, key) in stopped {
            let userids = self.all(
                "SELECT p.userid FROM addresses a JOIN players p ON p.id = a.player
                 WHERE a.address_key = ?1 ORDER BY p.id",
                [&key],
                |row| row.get(0),
            )?;
            stops.push((row, userids));
        }
        Ok(stops)
    }

    pub fn bounces(&self, address: &str) -> Result<Option<BounceRow>> {
        let sql = "SELECT address, count, last_at, stopped_at FROM bounces WHERE address_key = ?1";
        self.find(sql, [address.to_lowercase()], bounce)
    }

    /// Records that a player knows which of their addresses are stopped.
    pub fn stops_are_told(&self, player: PlayerId) -> Result<()> {
        self.execute(
            "UPDATE addresses SET stop_told = 1 WHERE player = ?1 AND stopped_at IS NOT NULL",
            [player],
        )?;
        Ok(())
    }
}

fn bounce(row: &Row<'_>) -> rusqlite::Result<BounceRow> {
    Ok(BounceRow {
        address: row.get(0)?,
        count: row.get(1)?,
        last_at: row.instant(2)?,
        stopped_at: row.optional_instant(3)?,
    })
}
