//! Players and their addresses.

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, Row, params};

use super::{Result, Store, StoreError, instant};
use crate::ids::Userid;

/// The store's number of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub i64);

impl ToSql for PlayerId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for PlayerId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<PlayerId> {
        i64::column_result(value).map(PlayerId)
    }
}

/// An account.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its number.
    pub id: PlayerId,
    /// Its name.
    pub userid: Userid,
    /// A PHC string of argon2id; `None` lets no password in.
    pub password_hash: Option<String>,
    /// `active`, `signed-off` or `deleted`.
    pub state: String,
    /// IANA name of the zone its days are counted in.
    pub zone: String,
    /// When it signed up.
    pub created_at: Timestamp,
}

const ACCOUNT: &str = "SELECT id, userid, password_hash, state, zone, created_at FROM players";

impl Store {
    /// The account of that name.
    pub fn player(&self, userid: &Userid) -> Result<Option<Account>> {
        let mut statement = self.conn.prepare_cached(&format!("{ACCOUNT} WHERE userid_key = ?1"))?;
        statement.query_row([userid.key()], |row| Ok(account(row))).optional()?.transpose()
    }

    /// The account of that number.
    pub fn player_by_id(&self, id: PlayerId) -> Result<Account> {
        let mut statement = self.conn.prepare_cached(&format!("{ACCOUNT} WHERE id = ?1"))?;
        statement.query_row([id], |row| Ok(account(row)))?
    }

    /// The accounts of people, oldest first: the robot's are not among them.
    pub fn players(&self) -> Result<Vec<Account>> {
        let mut statement = self.conn.prepare_cached(&format!("{ACCOUNT} WHERE id > 0 ORDER BY id"))?;
        statement.query_map([], |row| Ok(account(row)))?.map(|row| row?).collect()
    }

    /// The accounts whose confirmed address it is, oldest first.
    pub fn players_at(&self, address: &str) -> Result<Vec<Account>> {
        let mut statement = self.conn.prepare_cached(&format!(
            "{ACCOUNT} WHERE state <> 'deleted' AND id IN (SELECT player FROM addresses WHERE address_key = ?1 AND confirmed_at IS NOT NULL) ORDER BY id"
        ))?;
        statement.query_map([address.to_lowercase()], |row| Ok(account(row)))?.map(|row| row?).collect()
    }

    /// Adds an account.
    pub fn add_player(
        &self,
        userid: &Userid,
        password_hash: &str,
        secret: &[u8; 32],
        at: Timestamp,
    ) -> Result<PlayerId> {
        self.conn
            .prepare_cached(
                // The numbers below 1 are the robot's.
                "INSERT INTO players (id, userid, userid_key, password_hash, secret, created_at)
                 VALUES ((SELECT max(coalesce(max(id), 0), 0) + 1 FROM players), ?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![userid.as_str(), userid.key(), password_hash, secret, at.as_second()])?;
        Ok(PlayerId(self.conn.last_insert_rowid()))
    }

    /// The secret that keys a player's reply tokens.
    pub fn secret(&self, player: PlayerId) -> Result<[u8; 32]> {
        let mut statement = self.conn.prepare_cached("SELECT secret FROM players WHERE id = ?1")?;
        Ok(statement.query_row([player], |row| row.get(0))?)
    }
}

fn account(row: &Row<'_>) -> Result<Account> {
    let userid: String = row.get(1)?;
    Ok(Account {
        id: row.get(0)?,
        userid: userid.parse().map_err(|_| StoreError::Damaged(format!("{userid:?} is no userid")))?,
        password_hash: row.get(2)?,
        state: row.get(3)?,
        zone: row.get(4)?,
        created_at: instant(row.get(5)?)?,
    })
}
