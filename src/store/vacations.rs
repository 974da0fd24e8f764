//! Vacations, as the clocks read them.

use jiff::civil::Date;
use rusqlite::params;

use super::{PlayerId, Result, Store, StoreError};

/// Days of a player's zone, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vacation {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
}

impl Store {
    /// A player's vacations, in order.
    ///
    /// # Errors
    /// When SQLite fails or a row is damaged.
    pub fn vacations(&self, player: PlayerId) -> Result<Vec<Vacation>> {
        let mut statement = self.conn.prepare_cached(
            "SELECT first_day, last_day FROM vacations WHERE player = ?1 ORDER BY first_day, last_day",
        )?;
        let rows = statement.query_map([player], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.map(|row| {
            let (first, last): (String, String) = row?;
            Ok(Vacation { first: day(&first)?, last: day(&last)? })
        })
        .collect()
    }

    /// The players with a vacation that ends on `day` or later.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn players_on_vacation(&self, day: Date) -> Result<Vec<PlayerId>> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT DISTINCT player FROM vacations WHERE last_day >= ?1 ORDER BY player")?;
        let rows = statement.query_map(params![day.to_string()], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn day(text: &str) -> Result<Date> {
    text.parse().map_err(|_| StoreError::Damaged(format!("{text:?} is no day")))
}
