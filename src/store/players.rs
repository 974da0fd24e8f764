//! Accounts.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::sql::{Columns, stored_enum};
use super::{Result, Store};
use crate::ids::Userid;

/// The key of a player. The robot's levels have negative numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub i64);

stored_enum! {
    AccountState {
        Active = "active",
        /// The player takes a break: no new games.
        SignedOff = "signed-off",
        /// Only the userid and finished games remain.
        Deleted = "deleted",
    }
}

#[derive(Debug, Clone)]
pub struct Account {
    pub id: PlayerId,
    pub userid: Userid,
    /// A PHC string of argon2id; `None` accepts no password.
    pub password_hash: Option<String>,
    pub state: AccountState,
    /// The IANA name of the zone that the player's days are counted in.
    pub zone: String,
    pub created_at: Timestamp,
    /// Why the host has suspended the account, if he has.
    pub suspended: Option<String>,
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

const ACCOUNT: &str = "SELECT id, userid, password_hash, state, zone, created_at, suspended FROM players";

impl Store {
    pub fn player(&self, userid: &Userid) -> Result<Option<Account>> {
        self.find(&format!("{ACCOUNT} WHERE userid_key = ?1"), [userid.key()], account)
    }

    pub fn player_by_id(&self, id: PlayerId) -> Result<Account> {
        self.one(&format!("{ACCOUNT} WHERE id = ?1"), [id], account)
    }

    /// Hands over the accounts of people, the newest first.
    pub fn each_player<E: From<super::StoreError>>(
        &self,
        visit: impl FnMut(Account) -> std::result::Result<std::ops::ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        self.each(&format!("{ACCOUNT} WHERE id > 0 ORDER BY id DESC"), [], account, visit)
    }

    /// The accounts of people, oldest first.
    pub fn players(&self) -> Result<Vec<Account>> {
        self.all(&format!("{ACCOUNT} WHERE id > 0 ORDER BY id"), [], account)
    }

    /// Up to `limit` accounts of people, the newest first.
    pub fn newest_players(&self, limit: u32) -> Result<Vec<Account>> {
        self.all(
            &format!("{ACCOUNT} WHERE id > 0 AND state <> 'deleted' ORDER BY id DESC LIMIT ?1"),
            [limit],
            account,
        )
    }

    /// Those of these userids, in lower case, that people have.
    pub fn userids_among(&self, keys: &[String]) -> Result<Vec<Userid>> {
        let keys = serde_json::to_string(keys).unwrap_or_default();
        self.all(
            "SELECT userid FROM players WHERE userid_key IN (SELECT value FROM json_each(?1))
             AND id > 0 AND state <> 'deleted'",
            [keys],
            |row| row.parsed(0),
        )
    }

    /// The userids of people next to one in the alphabet, up to `limit` before it and behind it.
    pub fn userids_around(&self, key: &str, limit: u32) -> Result<Vec<Userid>> {
        let mut around = Vec::new();
        for (side, order) in [("<", "DESC"), (">", "ASC")] {
            let sql = format!(
                "SELECT userid FROM players WHERE userid_key {side} ?1 AND id > 0 AND state <> 'deleted'
                 ORDER BY userid_key {order} LIMIT ?2"
            );
            around.extend(self.all(&sql, params![key, limit], |row| row.parsed(0))?);
        }
        Ok(around)
    }

    /// The accounts with this confirmed address, oldest first.
    pub fn players_at(&self, address: &str) -> Result<Vec<Account>> {
        self.all(
            &format!(
                "{ACCOUNT} WHERE state <> 'deleted' AND id IN
                 (SELECT player FROM addresses WHERE address_key = ?1 AND confirmed_at IS NOT NULL)
                 ORDER BY id"
            ),
            [address.to_lowercase()],
            account,
        )
    }

    pub fn add_player(
        &self,
        userid: &Userid,
        password_hash: &str,
        secret: &[u8; 32],
        at: Timestamp,
    ) -> Result<PlayerId> {
        // Numbers below 1 belong to the robot.
        self.execute(
            "INSERT INTO players (id, userid, userid_key, password_hash, secret, created_at)
             VALUES ((SELECT max(coalesce(max(id), 0), 0) + 1 FROM players), ?1, ?2, ?3, ?4, ?5)",
            params![userid.as_str(), userid.key(), password_hash, secret, at.as_second()],
        )?;
        Ok(PlayerId(self.conn.last_insert_rowid()))
    }

    /// True for an account that has never had a confirmed address in `seconds`, and has never played.
    pub fn is_lapsed(&self, account: &Account, now: Timestamp, seconds: i64) -> Result<bool> {
        let is_old = account.created_at.as_second() <= now.as_second() - seconds;
        Ok(is_old
            && account.is_active()
            && account.id.0 > 0
            && !self.exists(
                "SELECT 1 FROM addresses WHERE player = ?1 AND (confirmed_at IS NOT NULL OR stopped_at IS NOT NULL)
                 UNION ALL SELECT 1 FROM seats WHERE player = ?1
                 UNION ALL SELECT 1 FROM seeks WHERE player = ?1",
                [account.id],
            )?)
    }

    /// Frees the userid of an account that nobody ever confirmed: the account is erased and loses its name.
    pub fn release_userid(&self, player: PlayerId, secret: &[u8; 32]) -> Result<()> {
        self.erase_player(player, secret)?;
        self.execute(
            "UPDATE players SET (userid, userid_key) = (SELECT name, name FROM
             (SELECT 'x-' || lower(hex(randomblob(8))) AS name)) WHERE id = ?1",
            [player],
        )?;
        Ok(())
    }

    /// The key of a player's reply tokens.
    pub fn secret(&self, player: PlayerId) -> Result<[u8; 32]> {
        self.one("SELECT secret FROM players WHERE id = ?1", [player], |row| row.get(0))
    }
}

fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: row.get(0)?,
        userid: row.parsed(1)?,
        password_hash: row.get(2)?,
        state: row.get(3)?,
        zone: row.get(4)?,
        created_at: row.instant(5)?,
        suspended: row.get(6)?,
    })
}
