//! The mail addresses of players.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{ContestId, PlayerId, Result, Store};
use crate::ids::{address_key, same_address};

stored_row! {
    #[derive(Debug, Clone)]
    pub struct AddressRow {
        /// The player's spelling.
        pub address: String,
        /// When the player proved that they read it; `None` while unproven or stopped.
        pub confirmed_at: Option<Timestamp>,
        /// When bounces stopped it.
        pub stopped_at: Option<Timestamp>,
        /// True if the player knows that it stopped.
        pub stop_told: bool,
        /// True if it is removed when another address is confirmed.
        pub leaves: bool,
        pub added_at: Timestamp,
    }
}

stored_row! {
    /// A player with one of their addresses; a player without addresses has one such row, with `address:
    /// None`.
    struct AddressOf from "players p LEFT JOIN addresses a ON a.player = p.id" {
        secret: [u8; 32] = "p.secret",
        mail: Option<String> = "(SELECT value FROM settings s WHERE s.player = p.id AND s.word = 'mail')",
        paused_until: Option<Timestamp> = "p.paused_until",
        address: Option<AddressRow> =
            "a.address, a.confirmed_at, a.stopped_at, a.stop_told, a.leaves, a.added_at",
    }
}

/// The addresses of a player, and what else a mail to the player needs.
#[derive(Debug, Clone, Default)]
pub struct PlayerAddresses {
    /// The addresses in order of registration.
    pub rows: Vec<AddressRow>,
    /// The key of the player's reply tokens.
    pub secret: [u8; 32],
    /// The value of `set mail`, if the player has set it.
    pub mail: Option<String>,
    /// The end of the player's pause, which holds back mails that can wait.
    pub paused_until: Option<Timestamp>,
}

impl PlayerAddresses {
    /// The addresses that get mail.
    pub fn confirmed(&self) -> impl Iterator<Item = &str> {
        let confirmed = self.rows.iter().filter(|row| row.confirmed_at.is_some());
        confirmed.map(|row| row.address.as_str())
    }

    /// The row of an address; case does not count.
    pub fn row(&self, address: &str) -> Option<&AddressRow> {
        self.rows.iter().find(|row| same_address(&row.address, address))
    }
}

impl Store {
    /// The confirmed addresses of the players in the record of a contest.
    pub fn addresses_in_contest(&self, id: ContestId) -> Result<Vec<(PlayerId, String)>> {
        self.all(
            "SELECT player, address FROM addresses WHERE confirmed_at IS NOT NULL
             AND player IN (SELECT player FROM contest_events WHERE contest = ?1)",
            [id],
        )
    }

    /// Registers an address; one that is registered already stays. Confirms it if `confirmed_at` is set.
    pub fn add_address(
        &self,
        player: PlayerId,
        address: &str,
        at: Timestamp,
        confirmed_at: Option<Timestamp>,
    ) -> Result<()> {
        self.must_not_be_banned(address)?;
        self.execute(
            "INSERT INTO addresses (player, address, address_key, added_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (player, address_key) DO UPDATE SET leaves = 0",
            params![player, address, address_key(address), at.as_second()],
        )?;
        if confirmed_at.is_some() {
            self.confirm_address(player, address, at)?;
        }
        Ok(())
    }

    /// Confirms an address and deletes its bounces. If no address of the account was proven before, deletes
    /// its other addresses and its settings, which other people might have written.
    pub fn confirm_address(&self, player: PlayerId, address: &str, at: Timestamp) -> Result<()> {
        self.must_not_be_banned(address)?;
        let key = address_key(address);
        if self.is_unclaimed(&self.player_by_id(player)?)? {
            self.forget_claims(player, &key)?;
        }
        self.execute(
            "UPDATE addresses SET confirmed_at = coalesce(confirmed_at, ?3), stopped_at = NULL, stop_told = 0
             WHERE player = ?1 AND address_key = ?2",
            params![player, key, at.as_second()],
        )?;
        self.run("DELETE FROM bounces WHERE address_key = ?1", [key])
    }

    /// Marks an address for removal when another one is confirmed.
    pub fn let_address_leave(&self, player: PlayerId, address: &str) -> Result<()> {
        self.run(
            "UPDATE addresses SET leaves = 1 WHERE player = ?1 AND address_key = ?2",
            params![player, address_key(address)],
        )
    }

    pub fn remove_address(&self, player: PlayerId, address: &str) -> Result<()> {
        self.run(
            "DELETE FROM addresses WHERE player = ?1 AND address_key = ?2",
            params![player, address_key(address)],
        )
    }

    pub fn addresses(&self, player: PlayerId) -> Result<PlayerAddresses> {
        let rows: Vec<AddressOf> =
            Select::rows().and_with("p.id = ?", player).order("a.added_at, a.address_key").all(self)?;
        let mut found = PlayerAddresses::default();
        for AddressOf { secret, mail, paused_until, address } in rows {
            found = PlayerAddresses { secret, mail, paused_until, ..found };
            found.rows.extend(address);
        }
        Ok(found)
    }

    /// The players with this unconfirmed address, oldest account first; last the players for whom it stopped.
    pub fn waiting_at(&self, address: &str) -> Result<Vec<PlayerId>> {
        self.all(
            "SELECT player FROM addresses WHERE address_key = ?1 AND confirmed_at IS NULL
             ORDER BY stopped_at IS NOT NULL, player",
            [address_key(address)],
        )
    }

    /// The oldest confirmed address of a player, if the player shows it to opponents.
    pub fn open_address(&self, userid: &str) -> Result<Option<String>> {
        self.find(
            "SELECT a.address FROM players p JOIN addresses a ON a.player = p.id
             WHERE p.userid_key = ?1 AND EXISTS (SELECT 1 FROM settings WHERE player = p.id AND word = 'openness' AND value = 'on') AND a.confirmed_at IS NOT NULL
             ORDER BY a.added_at, a.address_key LIMIT 1",
            [userid.to_ascii_lowercase()],
        )
    }
}
