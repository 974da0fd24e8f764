//! Runs statements, and converts ids, times and states to columns and back.

use std::error::Error;
use std::ops::ControlFlow;
use std::str::FromStr;

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, ValueRef};
use rusqlite::{OptionalExtension, Params, Row};

use super::{CodeHash, LetterId, PlayerId, Result, Store, StoreError};
use crate::ids::{BoardId, Identity, Ply, Seat};

impl Store {
    /// Runs a statement; gives the number of changed rows.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        Ok(self.conn.prepare_cached(sql)?.execute(params)?)
    }

    pub(super) fn exists(&self, sql: &str, params: impl Params) -> Result<bool> {
        Ok(self.conn.prepare_cached(sql)?.exists(params)?)
    }

    /// The row of a query that always has one.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        Ok(self.conn.prepare_cached(sql)?.query_row(params, read)?)
    }

    /// The first row of a query, if there is one.
    pub(super) fn find<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        Ok(self.conn.prepare_cached(sql)?.query_row(params, read).optional()?)
    }

    pub(super) fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        Ok(self.conn.prepare_cached(sql)?.query_map(params, read)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Hands the rows of a query over one by one, until `visit` breaks off.
    pub(super) fn each<T, E: From<StoreError>>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
        mut visit: impl FnMut(T) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        let mut statement = self.conn.prepare(sql).map_err(StoreError::from)?;
        let mut rows = statement.query(params).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            if visit(read(row).map_err(StoreError::from)?)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Columns of types from other crates.
pub(super) trait Columns {
    fn instant(&self, column: usize) -> rusqlite::Result<Timestamp>;
    fn optional_instant(&self, column: usize) -> rusqlite::Result<Option<Timestamp>>;
    fn seat(&self, column: usize) -> rusqlite::Result<Seat>;
    fn optional_seat(&self, column: usize) -> rusqlite::Result<Option<Seat>>;
    /// A text column of a type that parses itself.
    fn parsed<T: FromStr>(&self, column: usize) -> rusqlite::Result<T>;
}

impl Columns for Row<'_> {
    fn instant(&self, column: usize) -> rusqlite::Result<Timestamp> {
        instant(self.get(column)?).ok_or_else(|| damaged(column, Type::Integer, "an instant out of range"))
    }

    fn optional_instant(&self, column: usize) -> rusqlite::Result<Option<Timestamp>> {
        let seconds: Option<i64> = self.get(column)?;
        seconds.map(|_| self.instant(column)).transpose()
    }

    fn seat(&self, column: usize) -> rusqlite::Result<Seat> {
        match self.get(column)? {
            0_i64 => Ok(Seat::First),
            1 => Ok(Seat::Second),
            other => Err(damaged(column, Type::Integer, &format!("{other} in place of a seat"))),
        }
    }

    fn optional_seat(&self, column: usize) -> rusqlite::Result<Option<Seat>> {
        let number: Option<i64> = self.get(column)?;
        number.map(|_| self.seat(column)).transpose()
    }

    fn parsed<T: FromStr>(&self, column: usize) -> rusqlite::Result<T> {
        let text: String = self.get(column)?;
        let kind = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
        text.parse().map_err(|_| damaged(column, Type::Text, &format!("{text:?} in place of a {kind}")))
    }
}

fn instant(seconds: i64) -> Option<Timestamp> {
    Timestamp::from_second(seconds).ok()
}

fn damaged(column: usize, kind: Type, why: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, Box::<dyn Error + Send + Sync>::from(why))
}

pub(super) fn seat_number(seat: Seat) -> i64 {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

/// Stores a newtype as its inner value.
macro_rules! stored_newtype {
    ($($name:ident($inner:ty)),+ $(,)?) => { $(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                <$inner>::column_result(value).map($name)
            }
        }
    )+ };
}

stored_newtype!(BoardId(u32), Ply(u32), Identity([u8; 32]), PlayerId(i64), LetterId(i64), CodeHash([u8; 32]),);

/// Defines an enum that is stored as one word for each variant.
macro_rules! stored_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            #[cfg(test)]
            pub(super) const ALL: &[$name] = &[$($name::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::store::UnknownWord;

            fn from_str(word: &str) -> std::result::Result<$name, $crate::store::UnknownWord> {
                match word {
                    $($word => Ok($name::$variant),)+
                    other => Err($crate::store::UnknownWord(other.to_owned(), stringify!($name))),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<$name> {
                value.as_str()?.parse().map_err($crate::store::sql::unknown_word)
            }
        }
    };
}
pub(super) use stored_enum;

pub(super) fn unknown_word(why: UnknownWord) -> FromSqlError {
    FromSqlError::Other(Box::new(why))
}

/// A word that no variant of a stored enum has.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} in place of a {1}")]
pub struct UnknownWord(pub(super) String, pub(super) &'static str);

#[cfg(test)]
mod tests {
    use std::fmt::Debug;
    use std::str::FromStr;

    use rusqlite::Connection;
    use rusqlite::types::{FromSql, ToSql};

    use crate::store::{
        AccountState, ActKind, Ending, Entrance, EventKind, MailState, Proposal, ProvenBy, Role, Ruling,
        SeekState, State, Store, StoreError,
    };

    fn returns<T>(variants: &[T])
    where
        T: FromSql + ToSql + FromStr + ToString + PartialEq + Copy + Debug,
        T::Err: Debug,
    {
        let conn = Connection::open_in_memory().unwrap();
        for variant in variants {
            let read: T = conn.query_row("SELECT ?1", [variant], |row| row.get(0)).unwrap();
            assert_eq!((read, variant.to_string().parse().unwrap()), (*variant, *variant));
        }
    }

    #[test]
    fn every_stored_word_is_read_back() {
        returns(AccountState::ALL);
        returns(ActKind::ALL);
        returns(Ending::ALL);
        returns(Entrance::ALL);
        returns(EventKind::ALL);
        returns(MailState::ALL);
        returns(Proposal::ALL);
        returns(ProvenBy::ALL);
        returns(Role::ALL);
        returns(Ruling::ALL);
        returns(SeekState::ALL);
        returns(State::ALL);
    }

    #[test]
    fn an_unknown_word_is_damage() {
        let store = Store::in_memory().unwrap();
        let read = store.one("SELECT 'gone'", [], |row| row.get::<_, AccountState>(0));
        let why = read.unwrap_err();
        assert!(matches!(why, StoreError::Damaged(_)), "{why:?}");
        assert_eq!(
            why.to_string(),
            "the database holds something damaged: \"gone\" in place of a AccountState"
        );
    }
}
