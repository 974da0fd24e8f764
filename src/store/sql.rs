//! Runs statements, and builds those that select or write rows.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use rusqlite::{OptionalExtension, Params, Row, ToSql, params_from_iter};

use super::columns::{Columns, StoredRow, Values};
use super::{Result, Store, StoreError};

impl Store {
    /// Runs a statement; gives the number of changed rows.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        Ok(self.conn.prepare_cached(sql)?.execute(params)?)
    }

    /// Runs a statement and ignores the number of changed rows.
    pub(super) fn run(&self, sql: &str, params: impl Params) -> Result<()> {
        self.execute(sql, params).map(drop)
    }

    pub(super) fn exists(&self, sql: &str, params: impl Params) -> Result<bool> {
        Ok(self.conn.prepare_cached(sql)?.exists(params)?)
    }

    /// The row of a query that always has one.
    pub(super) fn one<T: Columns>(&self, sql: &str, params: impl Params) -> Result<T> {
        Ok(self.conn.prepare_cached(sql)?.query_row(params, read)?)
    }

    /// The first row of a query, if there is one.
    pub(super) fn find<T: Columns>(&self, sql: &str, params: impl Params) -> Result<Option<T>> {
        Ok(self.conn.prepare_cached(sql)?.query_row(params, read).optional()?)
    }

    pub(super) fn all<T: Columns>(&self, sql: &str, params: impl Params) -> Result<Vec<T>> {
        Ok(self.conn.prepare_cached(sql)?.query_map(params, read)?.collect::<rusqlite::Result<_>>()?)
    }

    /// SQLite's plan of a statement, a line a step.
    #[cfg(test)]
    pub(super) fn plan(&self, sql: &str, params: impl Params) -> String {
        let mut explained = self.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = explained.query_map(params, |row| row.get::<_, String>(3)).unwrap();
        steps.map(rusqlite::Result::unwrap).collect::<Vec<_>>().join("\n")
    }

    /// The work of a statement in steps of SQLite's machine. Fails if it scans a table or sorts.
    #[cfg(test)]
    pub(super) fn steps(&self, sql: &str, values: &[i64]) -> i32 {
        use rusqlite::StatementStatus::{AutoIndex, FullscanStep, Sort, VmStep};
        let mut statement = self.conn.prepare(sql).unwrap();
        let mut rows = statement.query(params_from_iter(values)).unwrap();
        while rows.next().unwrap().is_some() {}
        drop(rows);
        for wasted in [FullscanStep, Sort, AutoIndex] {
            assert_eq!(statement.get_status(wasted), 0, "{sql}");
        }
        statement.get_status(VmStep)
    }
}

fn read<T: Columns>(row: &Row<'_>) -> rusqlite::Result<T> {
    T::read(row, 0)
}

/// A query for rows of one type, built from conditions.
pub(crate) struct Select<'a, T> {
    sql: String,
    values: Values<'a>,
    /// The keyword before the next condition: ` WHERE ` or ` AND `.
    joint: &'static str,
    rows: PhantomData<T>,
}

impl<T: StoredRow> Select<'_, T> {
    /// All rows of the type.
    pub(super) fn rows() -> Self {
        Select::from(T::FROM)
    }

    /// Selects the columns of the type from another FROM clause, such as one with an index hint.
    pub(super) fn from(table: &str) -> Self {
        Select::columns(T::COLUMNS, table)
    }
}

impl<'a, T: Columns> Select<'a, T> {
    pub(super) fn columns(columns: &str, table: &str) -> Self {
        let sql = format!("SELECT {columns} FROM {table}");
        Select { sql, values: Vec::new(), joint: " WHERE ", rows: PhantomData }
    }

    pub(super) fn and(mut self, condition: &str) -> Self {
        self.sql.push_str(self.joint);
        self.sql.push_str(condition);
        self.joint = " AND ";
        self
    }

    /// Adds a condition; each `?` in it is the value.
    pub(super) fn and_with(self, condition: &str, value: impl ToSql + 'a) -> Self {
        let mut select = self;
        let place = select.bind(value);
        select.and(&condition.replace('?', &place))
    }

    pub(super) fn and_if(self, condition: &str, value: Option<impl ToSql + 'a>) -> Self {
        match value {
            Some(value) => self.and_with(condition, value),
            None => self,
        }
    }

    pub(super) fn group(mut self, by: &str) -> Self {
        self.sql.push_str(" GROUP BY ");
        self.sql.push_str(by);
        self
    }

    pub(super) fn order(mut self, by: &str) -> Self {
        self.sql.push_str(" ORDER BY ");
        self.sql.push_str(by);
        self
    }

    pub(crate) fn limit(mut self, most: u32) -> Self {
        let place = self.bind(most);
        self.sql.push_str(" LIMIT ");
        self.sql.push_str(&place);
        self
    }

    /// Skips the first rows.
    pub(super) fn after(mut self, rows: u32) -> Self {
        let place = self.bind(rows);
        self.sql.push_str(" OFFSET ");
        self.sql.push_str(&place);
        self
    }

    /// Adds a value; gives its placeholder.
    fn bind(&mut self, value: impl ToSql + 'a) -> String {
        self.values.push(Box::new(value));
        format!("?{}", self.values.len())
    }

    /// The row of a query that always has one.
    pub(super) fn one(self, store: &Store) -> Result<T> {
        store.one(&self.sql, params_from_iter(self.values))
    }

    pub(super) fn first(self, store: &Store) -> Result<Option<T>> {
        store.find(&self.sql, params_from_iter(self.values))
    }

    pub(crate) fn all(self, store: &Store) -> Result<Vec<T>> {
        store.all(&self.sql, params_from_iter(self.values))
    }

    /// Visits the rows one by one, until `visit` breaks.
    pub(crate) fn each<E: From<StoreError>>(
        self,
        store: &Store,
        mut visit: impl FnMut(T) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        let mut statement = store.conn.prepare_cached(&self.sql).map_err(StoreError::from)?;
        let mut rows = statement.query(params_from_iter(self.values)).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            if visit(read(row).map_err(StoreError::from)?)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn plan(self, store: &Store) -> String {
        store.plan(&self.sql, params_from_iter(self.values))
    }
}

/// A statement that writes one row, put together from columns and their values.
pub(super) struct Write<'a> {
    table: &'static str,
    columns: Vec<&'static str>,
    values: Values<'a>,
}

impl<'a> Write<'a> {
    /// Takes the columns of a row that belong to the first table of its FROM, without joined or computed
    /// columns.
    pub(super) fn row<T: StoredRow>(row: &'a T) -> Write<'a> {
        let (table, joined) = T::FROM.split_once(' ').unwrap_or((T::FROM, ""));
        let alias = joined.split(' ').next().unwrap_or_default();
        let mut values = Vec::new();
        row.write(&mut values);
        debug_assert_eq!(
            T::COLUMNS.split(", ").count(),
            values.len(),
            "a comma in a column of {}",
            T::COLUMNS
        );
        let own = |column: &'static str| match column.split_once('.') {
            Some((of, column)) => (of == alias).then_some(column),
            None => column.chars().all(|c| c.is_ascii_lowercase() || c == '_').then_some(column),
        };
        let all = T::COLUMNS.split(", ").zip(values);
        let (columns, values) = all.filter_map(|(column, value)| Some((own(column)?, value))).unzip();
        Write { table, columns, values }
    }

    /// Writes to another table, which has the same columns.
    pub(super) fn to(self, table: &'static str) -> Self {
        Write { table, ..self }
    }

    pub(super) fn with(mut self, column: &'static str, value: impl ToSql + 'a) -> Self {
        self.columns.push(column);
        self.values.push(Box::new(value));
        self
    }

    /// Keeps only these columns.
    pub(super) fn only(self, columns: &str) -> Self {
        let is_named = |column: &str| columns.split(", ").any(|named| named == column);
        let all = self.columns.into_iter().zip(self.values);
        let (columns, values) = all.filter(|(column, _)| is_named(column)).unzip();
        Write { columns, values, ..self }
    }

    /// Gives the number of the new row.
    pub(super) fn insert(self, store: &Store) -> Result<i64> {
        self.run(store, "INSERT", "")?;
        Ok(store.conn.last_insert_rowid())
    }

    /// Inserts the row, and gives its number. `None` if a row with the same key exists, which stays as it is.
    pub(super) fn insert_new(self, key: &str, store: &Store) -> Result<Option<i64>> {
        let added = self.run(store, "INSERT", &format!(" ON CONFLICT ({key}) DO NOTHING"))?;
        Ok((added == 1).then(|| store.conn.last_insert_rowid()))
    }

    /// Inserts the row in place of any with the same key.
    pub(super) fn replace(self, store: &Store) -> Result<()> {
        self.run(store, "INSERT OR REPLACE", "").map(drop)
    }

    /// Inserts the row, or changes the one with the same key.
    pub(super) fn upsert(self, key: &str, store: &Store) -> Result<()> {
        let others = self.columns.iter().filter(|column| !key.split(", ").any(|key| key == **column));
        let set: Vec<String> = others.map(|column| format!("{column} = excluded.{column}")).collect();
        self.run(store, "INSERT", &format!(" ON CONFLICT ({key}) DO UPDATE SET {}", set.join(", "))).map(drop)
    }

    /// Changes the row that has the value of the column `id`.
    pub(super) fn update(self, store: &Store) -> Result<()> {
        let all =
            self.columns.iter().zip(1..).map(|(column, n)| (*column == "id", format!("{column} = ?{n}")));
        let (id, set): (Vec<_>, Vec<_>) = all.partition(|(is_id, _)| *is_id);
        let joined = |parts: Vec<(bool, String)>| {
            parts.into_iter().map(|(_, part)| part).collect::<Vec<_>>().join(", ")
        };
        let sql = format!("UPDATE {} SET {} WHERE {}", self.table, joined(set), joined(id));
        store.run(&sql, params_from_iter(self.values))
    }

    fn run(self, store: &Store, verb: &str, end: &str) -> Result<usize> {
        let Write { table, columns, values } = self;
        let places = vec!["?"; values.len()].join(", ");
        let sql = format!("{verb} INTO {table} ({}) VALUES ({places}){end}", columns.join(", "));
        store.execute(&sql, params_from_iter(values))
    }
}
