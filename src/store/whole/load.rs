//! Reads an export into a new database.

use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::path::Path;

use data_encoding::BASE64;
use rusqlite::params_from_iter;
use rusqlite::types::Value as Stored;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::tables::Table;
use super::{FORM, LINE_AT_MOST};
use crate::store::{LATEST, Replacement, Result, Store, StoreError};

/// What was read.
#[derive(Debug, Default)]
pub struct Loaded {
    pub rows: u64,
    /// What the export itself left out, for it could not be read; empty: it is whole.
    pub left_out: Vec<String>,
}

#[derive(Deserialize)]
struct First {
    turnpost_export: u32,
    schema: u32,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Row { table: String, row: Map<String, Value> },
    End { end: End },
}

#[derive(Deserialize)]
struct End {
    rows: u64,
    left_out: Vec<String>,
}

impl Replacement {
    /// Reads an export into a file beside a database that is not there yet.
    pub fn load(lines: &mut dyn BufRead, database: &Path) -> Result<(Replacement, Loaded)> {
        let mut replacement = Replacement::empty(database)?;
        let loaded = replacement.store_mut().load(lines)?;
        Ok((replacement, loaded))
    }
}

impl Store {
    fn load(&mut self, lines: &mut dyn BufRead) -> Result<Loaded> {
        // Rows come in any order, and the file is forced to the disk when it gets its name.
        self.conn.pragma_update(None, "foreign_keys", false)?;
        self.conn.pragma_update(None, "synchronous", "off")?;
        let loaded = self.write(|store| store.load_lines(lines))?;
        if loaded.left_out.is_empty()
            && let Some(finding) = self.integrity()?.first()
        {
            return Err(StoreError::NotAnExport(
                loaded.rows,
                format!("not the whole of a server: {finding}"),
            ));
        }
        Ok(loaded)
    }

    fn load_lines(&self, lines: &mut dyn BufRead) -> Result<Loaded> {
        let tables: HashMap<String, Table> =
            self.tables()?.into_iter().map(|table| (table.name.clone(), table)).collect();
        let mut number = 1;
        let first: First = parse(&next(lines, number)?, number)?;
        if first.turnpost_export != FORM {
            return Err(wrong(
                number,
                "it is of a form that this Turnpost does not know: use a later Turnpost",
            ));
        }
        if first.schema != LATEST {
            return Err(StoreError::OtherSchema(first.schema));
        }
        let mut rows = 0;
        loop {
            number += 1;
            let line = next(lines, number)?;
            if line.is_empty() {
                return Err(wrong(number, "the end of the export is missing"));
            }
            match parse(&line, number)? {
                Line::Row { table, row } => {
                    let Some(table) = tables.get(&table) else {
                        return Err(wrong(number, &format!("there is no table {table:?}")));
                    };
                    self.load_row(table, row, number)?;
                    rows += 1;
                }
                Line::End { end } if end.rows == rows => {
                    return Ok(Loaded { rows, left_out: end.left_out });
                }
                Line::End { end } => {
                    return Err(wrong(number, &format!("{rows} rows came of {}", end.rows)));
                }
            }
        }
    }

    fn load_row(&self, table: &Table, mut row: Map<String, Value>, number: u64) -> Result<()> {
        let mut values = Vec::with_capacity(table.columns.len());
        for column in &table.columns {
            let Some(value) = row.remove(column) else {
                return Err(wrong(number, &format!("a row of {} has no {column:?}", table.name)));
            };
            let Some(value) = stored(value) else {
                return Err(wrong(number, &format!("{column:?} of {} cannot be stored", table.name)));
            };
            values.push(value);
        }
        if let Some(column) = row.keys().next() {
            return Err(wrong(number, &format!("{} has no column {column:?}", table.name)));
        }
        if table.key.is_empty() {
            // The counters have no key, and may have counted already.
            let first = table.columns.first().map_or("", String::as_str);
            let sql = format!("DELETE FROM {} WHERE {first} = ?1", table.name);
            self.execute(&sql, params_from_iter(values.first()))?;
        }
        let places = vec!["?"; values.len()].join(", ");
        // A new database has accounts of robots and a key, which give way.
        let sql =
            format!("INSERT OR REPLACE INTO {} ({}) VALUES ({places})", table.name, table.columns.join(", "));
        self.execute(&sql, params_from_iter(values))
            .map_err(|why| wrong(number, &format!("a row of {} cannot be stored: {why}", table.name)))?;
        Ok(())
    }
}

/// The next line; empty: there is none.
fn next(lines: &mut dyn BufRead, number: u64) -> Result<Vec<u8>> {
    let mut line = Vec::new();
    lines.take(LINE_AT_MOST).read_until(b'\n', &mut line).map_err(|why| wrong(number, &why.to_string()))?;
    Ok(line)
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8], number: u64) -> Result<T> {
    serde_json::from_slice(line).map_err(|_| wrong(number, "this is no line of an export, or it was cut off"))
}

fn stored(value: Value) -> Option<Stored> {
    Some(match value {
        Value::Null => Stored::Null,
        Value::Number(number) => Stored::Integer(number.as_i64()?),
        Value::String(text) => Stored::Text(text),
        Value::Object(fields) => match fields.get("base64") {
            Some(Value::String(bytes)) => Stored::Blob(BASE64.decode(bytes.as_bytes()).ok()?),
            _ => return None,
        },
        Value::Bool(_) | Value::Array(_) => return None,
    })
}

fn wrong(line: u64, why: &str) -> StoreError {
    StoreError::NotAnExport(line, why.to_owned())
}
