//! Writes a database as lines of JSON.

use std::collections::BTreeSet;
use std::io::{self, Write};

use data_encoding::BASE64;
use rusqlite::Row;
use rusqlite::types::{Value as Stored, ValueRef};
use serde_json::{Map, Value, json};

use super::FORM;
use super::gaps::{self, ExportError, Gap};
use super::tables::Table;
use crate::ids::BoardId;
use crate::store::{LATEST, Store};

/// What an export holds.
#[derive(Debug, Default)]
pub struct Exported {
    pub rows: u64,
    /// What could not be read, a sentence each.
    pub left_out: Vec<String>,
}

/// The tables a board is in, by its number.
const OF_BOARDS: [&str; 3] = ["boards", "seats", "events"];

impl Store {
    /// Writes every row that can be read, as all of them stood at one instant. What belongs together and was not read
    /// whole is for the caller to find, who then ends the export.
    pub fn export(&mut self, out: &mut dyn Write) -> Result<Exported, ExportError> {
        self.conn.execute_batch("BEGIN")?;
        let done = self.write_lines(out);
        // Nothing was written.
        self.conn.execute_batch("ROLLBACK")?;
        done
    }

    fn write_lines(&self, out: &mut dyn Write) -> Result<Exported, ExportError> {
        // In this order, for the first words tell what it is.
        writeln!(out, r#"{{"turnpost_export":{FORM},"schema":{LATEST}}}"#)?;
        let mut exported = Exported::default();
        for table in self.tables()? {
            let mut unreadable = 0;
            let rows = &mut exported.rows;
            let gaps = gaps::read(self, &table, &mut |row| {
                match line(&table, row)? {
                    Some(line) => {
                        *rows += 1;
                        writeln!(out, "{line}")?;
                    }
                    None => unreadable += 1,
                }
                Ok(())
            })?;
            exported.left_out.extend(gaps.iter().map(|gap| sentence(&table, gap)));
            if unreadable > 0 {
                exported.left_out.push(format!("{unreadable} rows of {} that hold no text", table.name));
            }
        }
        if exported.left_out.is_empty() {
            exported.left_out = self.rows_out_of_sight()?;
        }
        Ok(exported)
    }

    /// A damaged page can hide a row from a query that ends well. An index holds nothing that its table does not.
    fn rows_out_of_sight(&self) -> Result<Vec<String>, ExportError> {
        let findings = self.integrity()?.into_iter().filter(|finding| !finding.contains("index "));
        Ok(findings.map(|finding| format!("rows that may have been here: {finding}")).collect())
    }

    /// The numbers of all boards of which anything can be read, and those below them of which nothing can.
    pub fn boards_in_sight(&self) -> Result<Vec<BoardId>, ExportError> {
        let mut boards = BTreeSet::new();
        for table in self.tables()?.iter().filter(|table| OF_BOARDS.contains(&table.name.as_str())) {
            let first = table.key.first().map_or("", String::as_str);
            gaps::read(self, table, &mut |row| {
                boards.insert(row.get::<_, BoardId>(first)?);
                Ok(())
            })?;
        }
        let highest = boards.last().map_or(0, |board| board.0);
        Ok((1..=highest).map(BoardId).collect())
    }
}

/// The last line of an export.
pub fn write_end(out: &mut dyn Write, exported: &Exported) -> io::Result<()> {
    writeln!(out, "{}", json!({ "end": { "rows": exported.rows, "left_out": exported.left_out } }))?;
    out.flush()
}

/// A row as a line; `None` when a text in it is none.
fn line(table: &Table, row: &Row<'_>) -> rusqlite::Result<Option<Value>> {
    let mut fields = Map::new();
    for (number, name) in table.columns.iter().enumerate() {
        let value = match row.get_ref(number)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Blob(bytes) => json!({ "base64": BASE64.encode(bytes) }),
            ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => text.into(),
                Err(_) => return Ok(None),
            },
        };
        fields.insert(name.clone(), value);
    }
    Ok(Some(json!({ "table": table.name, "row": fields })))
}

/// `rows of events after board 3, number 7 and before board 5, number 1`
fn sentence(table: &Table, gap: &Gap) -> String {
    let place = |key: &[Stored]| {
        let named = table.key.iter().zip(key).map(|(column, value)| match value {
            Stored::Integer(number) => format!("{column} {number}"),
            Stored::Text(text) => format!("{column} {text:?}"),
            _ => column.clone(),
        });
        named.collect::<Vec<_>>().join(", ")
    };
    match (&gap.after, &gap.before) {
        (None, None) => format!("rows of {}", table.name),
        (Some(after), None) => format!("rows of {} after {}", table.name, place(after)),
        (None, Some(before)) => format!("rows of {} before {}", table.name, place(before)),
        (Some(after), Some(before)) => {
            format!("rows of {} after {} and before {}", table.name, place(after), place(before))
        }
    }
}
