//! The tables of a database and their keys, as SQLite describes them.

use crate::store::{Result, Store};

/// A table: a row's values are in the order of `columns`.
pub(super) struct Table {
    pub name: String,
    pub columns: Vec<String>,
    /// The columns of the primary key, in its order; empty: the rows have none.
    pub key: Vec<String>,
    /// True when the first column of the key is a number.
    pub is_numbered: bool,
    /// Columns that name a row of another table.
    pub links: Vec<Link>,
}

/// A column that names a row of another table.
pub(super) struct Link {
    pub column: String,
    pub parent: String,
    pub parent_column: String,
    /// True when the row makes sense without what it names.
    pub may_be_null: bool,
}

struct Column {
    name: String,
    is_number: bool,
    not_null: bool,
    key: usize,
}

impl Store {
    /// All tables, with the counters of numbers that are never used again.
    pub(super) fn tables(&self) -> Result<Vec<Table>> {
        let sql = "SELECT name FROM sqlite_schema
                   WHERE type = 'table' AND (name NOT LIKE 'sqlite%' OR name = 'sqlite_sequence') ORDER BY name";
        let names: Vec<String> = self.all(sql, [], |row| row.get(0))?;
        names.into_iter().map(|name| self.table(name)).collect()
    }

    fn table(&self, name: String) -> Result<Table> {
        let sql = "SELECT name, type = 'INTEGER', \"notnull\", pk FROM pragma_table_info(?1) ORDER BY cid";
        let columns = self.all(sql, [&name], |row| {
            let key: i64 = row.get(3)?;
            Ok(Column {
                name: row.get(0)?,
                is_number: row.get(1)?,
                not_null: row.get(2)?,
                key: usize::try_from(key).unwrap_or_default(),
            })
        })?;
        let mut key: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
        key.sort_by_key(|column| column.key);
        let is_numbered = key.first().is_some_and(|column| column.is_number);
        let key = key.into_iter().map(|column| column.name.clone()).collect();
        let sql = "SELECT \"from\", \"table\", coalesce(\"to\", 'id') FROM pragma_foreign_key_list(?1)";
        let links = self.all(sql, [&name], |row| {
            let column: String = row.get(0)?;
            let of = columns.iter().find(|other| other.name == column);
            let may_be_null = of.is_some_and(|column| !column.not_null && column.key == 0);
            Ok(Link { column, parent: row.get(1)?, parent_column: row.get(2)?, may_be_null })
        })?;
        Ok(Table { name, key, is_numbered, links, columns: columns.into_iter().map(|c| c.name).collect() })
    }
}
