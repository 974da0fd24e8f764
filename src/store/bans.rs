//! Banned senders: mailboxes, and domains with their subdomains.

use std::iter::{once, successors};

use jiff::Timestamp;
use rusqlite::params;

use super::players::mailbox_key;
use super::{PlayerId, Result, Store, StoreError};
use crate::ids::domain_key;

/// The key of a banned sender: a mailbox, or a domain written with a leading `@`.
fn key_of(sender: &str) -> String {
    match sender.strip_prefix('@') {
        Some(domain) => format!("@{}", domain_key(domain)),
        None => mailbox_key(sender),
    }
}

/// The keys of all bans that would cover an address: its mailbox, its domain and the domains above.
fn keys_over(address: &str) -> impl Iterator<Item = String> {
    let domain = address.rsplit_once('@').map(|(_, domain)| domain);
    let domains = successors(domain, |domain| domain.split_once('.').map(|(_, above)| above));
    once(key_of(address)).chain(domains.map(|domain| key_of(&format!("@{domain}"))))
}

/// The keys of all bans that would cover one of these addresses, as a JSON array.
pub(super) fn all_keys_over<'a>(addresses: impl IntoIterator<Item = &'a str>) -> String {
    let keys = addresses.into_iter().flat_map(keys_over);
    serde_json::json!(keys.collect::<Vec<_>>()).to_string()
}

/// True if a ban has one of the keys `?1`. SQLite reads no key while there are no bans.
pub(super) const IS_BANNED: &str = "EXISTS (SELECT 1 FROM bans)
    AND EXISTS (SELECT 1 FROM bans WHERE banned IN (SELECT value FROM json_each(?1)))";

impl Store {
    pub fn is_banned<'a>(&self, addresses: impl IntoIterator<Item = &'a str>) -> Result<bool> {
        self.one(&format!("SELECT {IS_BANNED}"), [all_keys_over(addresses)])
    }

    /// Fails if an address is banned. Called when an address is added and again when it is confirmed.
    pub(super) fn must_not_be_banned(&self, address: &str) -> Result<()> {
        match self.is_banned([address])? {
            true => Err(StoreError::Banned(address.to_owned())),
            false => Ok(()),
        }
    }

    /// Bans a sender; false if it was banned before.
    pub fn ban(&self, sender: &str, reason: &str, at: Timestamp) -> Result<bool> {
        let added = self.execute(
            "INSERT INTO bans (banned, sender, reason, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            params![key_of(sender), sender, reason, at.as_second()],
        )?;
        Ok(added > 0)
    }

    /// Ends the ban of a sender; false if there was none.
    pub fn lift_ban(&self, sender: &str) -> Result<bool> {
        Ok(self.execute("DELETE FROM bans WHERE banned = ?1", [key_of(sender)])? > 0)
    }

    /// Deletes the address and the reason from a ban; the ban stays in force.
    pub(super) fn forget_banned(&self, address: &str) -> Result<()> {
        self.run("UPDATE bans SET sender = '', reason = '' WHERE banned = ?1", [key_of(address)])
    }

    /// The players with an address that the ban of a sender covers.
    pub fn players_of_banned(&self, sender: &str) -> Result<Vec<PlayerId>> {
        let key = key_of(sender);
        let mut all: Vec<(PlayerId, String)> =
            self.all("SELECT player, address FROM addresses ORDER BY player", [])?;
        all.retain(|(_, address)| keys_over(address).any(|over| over == key));
        all.dedup_by_key(|(player, _)| *player);
        Ok(all.into_iter().map(|(player, _)| player).collect())
    }
}
