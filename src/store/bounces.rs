//! Mails that came back, and addresses that were stopped because of them.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::{StoredRow, stored_row};
use super::sql::Select;
use super::{PlayerId, Result, SendOutcome, Store};
use crate::ids::{BoardId, address_key};

/// This many permanent bounces stop an address.
const BOUNCES_AT_MOST: u32 = 3;

/// A refused mail to an existing address counts as one part in [`PARTS`] of a permanent bounce.
const PARTS: u32 = 3;

/// Refused mails stop an address only if the first is this old, in seconds: a mailbox can be full for some
/// days.
const PATIENCE: i64 = 7 * 24 * 60 * 60;

/// Earlier bounces are forgotten if none followed for this time, in seconds.
const REMEMBERED: i64 = 90 * 24 * 60 * 60;

/// The pause between two questions to an address about reports that prove nothing, in seconds.
const ASKED_AGAIN: i64 = 30 * 24 * 60 * 60;

/// A Message-ID is searched in this many of the latest mails; reports come within days.
const LOOKED_AT: i64 = 10_000;

stored_row! {
    #[derive(Debug, Clone)]
    pub struct BounceRow from "bounces" {
        /// The address as the mail spelled it.
        pub address: String = "address",
        /// The number of mails that came back.
        pub count: u32 = "count + refused",
        /// The number of refused mails to the existing address: each counts a third.
        pub refused: u32 = "refused",
        pub last_at: Timestamp = "last_at",
        pub stopped_at: Option<Timestamp> = "stopped_at",
        /// True if a complaint stopped it, not a number of bounces.
        pub unwanted: bool = "unwanted",
    }
}

/// The kind of a report about a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CameBack {
    /// The address takes no mail.
    ForGood,
    /// The address exists, but the mailbox is full, or a filter or a rule refused the mail.
    Refused,
    /// The reader complained about the mail.
    Unwanted,
}

stored_row! {
    /// A sent mail to a player.
    #[derive(Debug, Clone)]
    pub struct MailToPlayer from "outbox" {
        pub number: i64 = "id",
        pub player: PlayerId = "player",
        pub recipient: String = "recipient",
        /// The board it is about.
        pub board: Option<BoardId> = "board",
    }
}

impl Store {
    /// The key that signs envelope senders.
    pub fn bounce_key(&self) -> Result<[u8; 32]> {
        self.one("SELECT key FROM server_keys WHERE name = 'bounce'", [])
    }

    /// Finds a mail to a player by its Message-ID, which only its reader and people it was forwarded to know.
    pub fn mail_to_player(&self, message_id: &str) -> Result<Option<MailToPlayer>> {
        Select::rows()
            .and_with("id > (SELECT coalesce(max(id), 0) FROM outbox) - ?", LOOKED_AT)
            .and_with("message_id = ?", message_id)
            .and("player IS NOT NULL")
            .order("id DESC")
            .limit(1)
            .first(self)
    }

    /// True if a confirmed address can be asked now about a report that proves nothing. Records the question.
    pub fn may_ask_about_report(&self, player: PlayerId, address: &str, at: Timestamp) -> Result<bool> {
        let key = address_key(address);
        let confirmed = self.exists(
            "SELECT 1 FROM addresses WHERE player = ?1 AND address_key = ?2 AND confirmed_at IS NOT NULL",
            params![player, key],
        )?;
        if !confirmed {
            return Ok(false);
        }
        self.execute("DELETE FROM asked_addresses WHERE asked_at <= ?1 - ?2", [at.as_second(), ASKED_AGAIN])?;
        let noted = self.execute(
            "INSERT INTO asked_addresses (address_key, asked_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![key, at.as_second()],
        )?;
        Ok(noted > 0)
    }

    /// The address and the Message-ID of a mail in the outbox.
    pub fn sent_mail(&self, mail: i64) -> Result<Option<(String, String)>> {
        self.find("SELECT recipient, message_id FROM outbox WHERE id = ?1", [mail])
    }

    /// Counts a report about a mail, once for each mail. A complaint or the third permanent bounce stops the
    /// address: it is no longer confirmed and watches nothing. True if the address stops now.
    pub fn came_back(&self, mail: i64, what: CameBack, at: Timestamp) -> Result<bool> {
        let recipient: Option<String> = self.find(
            "UPDATE outbox SET bounced_at = ?2 WHERE id = ?1 AND bounced_at IS NULL AND recipient <> ''
             RETURNING recipient",
            params![mail, at.as_second()],
        )?;
        let Some(recipient) = recipient else { return Ok(false) };
        let key = address_key(&recipient);
        let (for_good, refused) = (what == CameBack::ForGood, what == CameBack::Refused);
        let (enough, stopped): (bool, bool) = self.one(
            "INSERT INTO bounces (address_key, address, count, refused, refused_since, last_at)
             VALUES (?1, ?2, ?5, ?6, iif(?6, ?3, NULL), ?3)
             ON CONFLICT (address_key) DO UPDATE SET
                count = iif(last_at <= ?3 - ?4, 0, count) + ?5,
                refused = iif(last_at <= ?3 - ?4, 0, refused) + ?6,
                refused_since = coalesce(iif(last_at <= ?3 - ?4, NULL, refused_since), iif(?6, ?3, NULL)),
                last_at = ?3
             RETURNING count >= ?7
                OR (count * ?8 + refused >= ?7 * ?8 AND refused_since <= ?3 - ?9), stopped_at IS NOT NULL",
            params![
                key,
                recipient,
                at.as_second(),
                REMEMBERED,
                for_good,
                refused,
                BOUNCES_AT_MOST,
                PARTS,
                PATIENCE
            ],
        )?;
        if stopped || !(enough || what == CameBack::Unwanted) {
            return Ok(false);
        }
        let mut ended = self.execute(
            "UPDATE addresses SET confirmed_at = NULL, stopped_at = ?2, stop_told = 0
             WHERE address_key = ?1 AND confirmed_at IS NOT NULL",
            params![key, at.as_second()],
        )?;
        ended += self.execute("DELETE FROM watchers WHERE address_key = ?1", [&key])?;
        if ended == 0 {
            // The address of a sender without an account gets only answers, so there is nothing to stop.
            return Ok(false);
        }
        self.end_waiting(&key, at)?;
        self.execute(
            "UPDATE bounces SET stopped_at = ?2, unwanted = ?3 WHERE address_key = ?1",
            params![key, at.as_second(), what == CameBack::Unwanted],
        )?;
        Ok(true)
    }

    /// Marks the mails that wait for an address as failed, because it stops now. If the address had been
    /// stopped before, the mail that asks whether it works again still waits.
    pub(super) fn end_waiting(&self, key: &str, at: Timestamp) -> Result<()> {
        let waiting: Vec<i64> = self.all(
            "SELECT id FROM outbox INDEXED BY outbox_due WHERE state = 'waiting' AND lower(recipient) = ?1
             AND NOT (player IS NULL AND secret = 1
                AND EXISTS (SELECT 1 FROM addresses WHERE address_key = ?1 AND stopped_at < ?2))",
            params![key, at.as_second()],
        )?;
        let outcome = SendOutcome::Failed("the address was stopped".to_owned());
        waiting.into_iter().try_for_each(|mail| self.settle_mail(mail, &outcome, at))
    }

    /// Stores the answer of the server that rejected a mail.
    pub fn keep_bounce_words(&self, mail: i64, said: &str) -> Result<()> {
        self.run(
            "UPDATE outbox SET came_back_with = ?2
             WHERE id = ?1 AND bounced_at IS NOT NULL AND came_back_with IS NULL AND recipient <> ''",
            params![mail, said],
        )
    }

    /// Gives the stopped addresses that have not been reported to the operator, each with its userids, and
    /// marks them as reported.
    pub fn take_unreported_stops(&self) -> Result<Vec<(BounceRow, Vec<String>)>> {
        let stopped: Vec<(BounceRow, String)> = self.all(
            &format!(
                "UPDATE bounces SET reported = 1 WHERE stopped_at IS NOT NULL AND reported = 0
                 RETURNING {}, address_key",
                BounceRow::COLUMNS
            ),
            [],
        )?;
        let mut stops = Vec::new();
        for (row, key) in stopped {
            let userids = self.all(
                "SELECT p.userid FROM addresses a JOIN players p ON p.id = a.player
                 WHERE a.address_key = ?1 ORDER BY p.id",
                [&key],
            )?;
            stops.push((row, userids));
        }
        Ok(stops)
    }

    pub fn bounces(&self, address: &str) -> Result<Option<BounceRow>> {
        Select::rows().and_with("address_key = ?", address_key(address)).first(self)
    }

    pub fn stops_are_told(&self, player: PlayerId) -> Result<()> {
        self.run("UPDATE addresses SET stop_told = 1 WHERE player = ?1 AND stopped_at IS NOT NULL", [player])
    }
}
