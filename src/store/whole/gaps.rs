//! Reads a table around its damaged pages.
//!
//! SQLite ends a query at the first page it cannot read. So a table is read from its beginning up to the damage and from
//! its end down to it; what lies between, where its rows are numbered, is halved again and again.

use std::io;

use rusqlite::types::Value;
use rusqlite::{ErrorCode, Row, params_from_iter};

use super::tables::Table;
use crate::store::{Store, StoreError};

/// Rows of one table between two that could be read; `None`: the end of the table.
#[derive(Clone, PartialEq)]
pub(super) struct Gap {
    pub after: Option<Vec<Value>>,
    pub before: Option<Vec<Value>>,
}

/// After so many queries that met damage the rest of a table is given up.
const TRIES: u32 = 100_000;

/// The lowest number in use: the robots' accounts have negative ones.
const LOWEST: i64 = -9;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The reader of the export.
    #[error("{0}")]
    Out(#[from] io::Error),
}

impl From<rusqlite::Error> for ExportError {
    fn from(why: rusqlite::Error) -> ExportError {
        ExportError::Store(why.into())
    }
}

/// What is done with each row.
pub(super) type Visit<'a> = dyn FnMut(&Row<'_>) -> Result<(), ExportError> + 'a;

pub(super) struct Reader<'a> {
    store: &'a Store,
    table: &'a Table,
    visit: &'a mut Visit<'a>,
    tries: u32,
    gaps: Vec<Gap>,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

/// How a reading ended: the key of the last row it gave.
struct Ended {
    last: Option<Vec<Value>>,
    is_whole: bool,
}

/// Gives every row of a table that can be read; returns where others were.
pub(super) fn read(store: &Store, table: &Table, visit: &mut Visit<'_>) -> Result<Vec<Gap>, ExportError> {
    let mut reader = Reader { store, table, visit: &mut |row| visit(row), tries: TRIES, gaps: Vec::new() };
    reader.range(None, &Gap { after: None, before: None })?;
    Ok(reader.gaps)
}

impl Reader<'_> {
    /// The rows whose first key lies between two numbers, both included; `within`: the rows around them.
    fn range(&mut self, numbers: Option<(i64, i64)>, within: &Gap) -> Result<(), ExportError> {
        let up = self.run(numbers, None, Direction::Up)?;
        if up.is_whole {
            return Ok(());
        }
        let mut down = Ended { last: None, is_whole: false };
        if !self.table.key.is_empty() {
            down = self.run(numbers, up.last.as_deref(), Direction::Down)?;
        }
        let first = number(&up.last).map(|number| number.saturating_add(1));
        let last = number(&down.last).map(|number| number.saturating_sub(1));
        let gap = Gap {
            after: up.last.or_else(|| within.after.clone()),
            before: down.last.or_else(|| within.before.clone()),
        };
        let (low, high) = match numbers {
            Some(numbers) => numbers,
            None => (LOWEST, self.highest()?),
        };
        let (first, last) = (first.unwrap_or(low), last.unwrap_or(high));
        let is_one = first == last && numbers == Some((first, last));
        if down.is_whole || !self.table.is_numbered || first > last || is_one || self.tries == 0 {
            if self.gaps.last() != Some(&gap) {
                self.gaps.push(gap);
            }
            return Ok(());
        }
        let middle = first + (last - first) / 2;
        self.range(Some((first, middle)), &gap)?;
        self.range(Some((middle + 1, last)), &gap)
    }

    /// No table has more rows than this: each takes eight bytes at least.
    fn highest(&self) -> Result<i64, ExportError> {
        let sql = "SELECT page_count * page_size / 8 FROM pragma_page_count, pragma_page_size";
        Ok(self.store.one(sql, [], |row| row.get(0))?)
    }

    fn run(
        &mut self,
        numbers: Option<(i64, i64)>,
        beyond: Option<&[Value]>,
        direction: Direction,
    ) -> Result<Ended, ExportError> {
        let Table { name, columns, key, .. } = self.table;
        let mut bounds: Vec<String> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        if let (Some(first), Some((low, high))) = (key.first(), numbers) {
            bounds.push(format!("{first} BETWEEN ? AND ?"));
            values.extend([low.into(), high.into()]);
        }
        if let Some(beyond) = beyond {
            let places = vec!["?"; key.len()].join(", ");
            bounds.push(format!("({}) > ({places})", key.join(", ")));
            values.extend(beyond.iter().cloned());
        }
        let condition =
            if bounds.is_empty() { String::new() } else { format!("WHERE {}", bounds.join(" AND ")) };
        let turn = match direction {
            Direction::Up => "",
            Direction::Down => " DESC",
        };
        let order: Vec<String> = key.iter().map(|column| format!("{column}{turn}")).collect();
        let order = if order.is_empty() { String::new() } else { format!("ORDER BY {}", order.join(", ")) };
        let sql = format!("SELECT {} FROM {name} {condition} {order}", columns.join(", "));
        let mut last = None;
        let done = self.rows(&sql, &values, &mut last);
        match done {
            Ok(()) => Ok(Ended { last, is_whole: true }),
            Err(ExportError::Store(why)) if why.is_damage() => {
                self.tries = self.tries.saturating_sub(1);
                Ok(Ended { last, is_whole: false })
            }
            Err(why) => Err(why),
        }
    }

    fn rows(
        &mut self,
        sql: &str,
        values: &[Value],
        last: &mut Option<Vec<Value>>,
    ) -> Result<(), ExportError> {
        let mut statement = self.store.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            (self.visit)(row)?;
            let key = self.table.key.iter().map(|column| row.get(column.as_str()));
            *last = Some(key.collect::<rusqlite::Result<_>>()?);
        }
        Ok(())
    }
}

/// The first part of a key, where that is a number.
fn number(key: &Option<Vec<Value>>) -> Option<i64> {
    match key.as_ref()?.first()? {
        Value::Integer(number) => Some(*number),
        _ => None,
    }
}

/// True when a query ended because of what stands in the file, or because the disk does not give it back.
pub fn is_damage(why: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType, Utf8Error};
    let code = why.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure))
        || matches!(why, FromSqlConversionFailure(..) | InvalidColumnType(..) | Utf8Error(..))
}
