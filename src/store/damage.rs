//! What SQLite finds wrong with a file, in words that name the table.

use rusqlite::ErrorCode;

use super::{Result, Store};

impl Store {
    /// The findings of SQLite's own checks; empty when the file is sound.
    pub fn integrity(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let checked = self.conn.pragma_query(None, "integrity_check", |row| {
            found.push(row.get::<_, String>(0)?);
            Ok(())
        });
        // SQLite first looks at every page, and then fails at a row that it cannot read.
        match checked {
            Err(why) if found.is_empty() || !is_damage(&why) => return Err(why.into()),
            _ => {}
        }
        let places = found.iter().flat_map(|found| found.lines());
        let mut findings: Vec<String> = places
            .filter(|finding| *finding != "ok" && !finding.starts_with("***"))
            .map(|finding| self.in_words(finding))
            .collect();
        if !findings.is_empty() {
            return Ok(findings);
        }
        self.conn.pragma_query(None, "foreign_key_check", |row| {
            findings.push(format!("{}: a row points at nothing", row.get::<_, String>(0)?));
            Ok(())
        })?;
        Ok(findings)
    }

    /// `Tree 12 page 340 cell 3: ...`: page 12 is the root of a table or an index, in which page 340 is wrong.
    fn in_words(&self, finding: &str) -> String {
        let parts = || {
            let (place, says) = finding.split_once(": ")?;
            let mut words = place.strip_prefix("Tree ")?.split(' ');
            let root: i64 = words.next()?.parse().ok()?;
            let page = words.nth(1).map_or_else(|| root.to_string(), str::to_owned);
            let sql = "SELECT iif(type = 'table', 'rows of ' || name || ' are', 'the index ' || name || ' is') FROM sqlite_schema
                       WHERE rootpage = ?1";
            let holds: String = self.find(sql, [root]).ok()??;
            Some(format!("page {page} of the file, where {holds}, cannot be read ({says})"))
        };
        parts().unwrap_or_else(|| finding.to_owned())
    }
}

/// True when a query ended because of what stands in the file, or because the disk does not give it back.
pub(super) fn is_damage(why: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType, Utf8Error};
    let code = why.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure))
        || matches!(why, FromSqlConversionFailure(..) | InvalidColumnType(..) | Utf8Error(..))
}
