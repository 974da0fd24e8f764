//! Searches the stored texts for the words by which an erased person is known.

use std::cmp::Reverse;
use std::ops::Range;

use rusqlite::params;
use rusqlite::types::Value;

use super::columns::stored_row;
use super::holds::StoredColumn;
use super::sql::Select;
use super::{Result, Store};

/// Signs that join a word to the letters and digits next to it: `ann-lee` and `ann@example.org` are not `ann`.
const JOINS: &str = "-_.+@";

/// The text that replaces an erased word.
const ERASED: &str = "***";

/// The words by which a person is known: userids, addresses, names of their events.
#[derive(Debug)]
pub struct PersonWords(Vec<String>);

impl PersonWords {
    pub fn new(words: impl IntoIterator<Item = String>) -> PersonWords {
        PersonWords(words.into_iter().map(|word| word.to_ascii_lowercase()).collect())
    }

    /// `text` with these words replaced; `None` if it contains none of them. Finds only whole words, in any
    /// case.
    pub fn without(&self, text: &str) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        let all = self.0.iter().flat_map(|word| lower.match_indices(word.as_str()));
        let ranges = all.map(|(at, word)| at..at + word.len());
        let mut found: Vec<Range<usize>> = ranges.filter(|range| is_whole(&lower, range)).collect();
        found.sort_by_key(|range| (range.start, Reverse(range.end)));
        let (mut without, mut from) = (String::new(), 0);
        for range in found {
            // Skips a word inside the previous one: an address can contain a userid.
            if range.start >= from {
                without += text.get(from..range.start)?;
                without += ERASED;
                from = range.end;
            }
        }
        (from > 0).then(|| without + text.get(from..).unwrap_or_default())
    }
}

fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let goes_on = |next: Option<char>, further: Option<char>| {
        let c = if next.is_some_and(|c| JOINS.contains(c)) { further } else { next };
        c.is_some_and(char::is_alphanumeric)
    };
    let mut before = text.get(..range.start).unwrap_or_default().chars().rev();
    let mut after = text.get(range.end..).unwrap_or_default().chars();
    !goes_on(before.next(), before.next()) && !goes_on(after.next(), after.next())
}

stored_row! {
    struct TextColumn from "pragma_table_list t JOIN pragma_table_info(t.name) c" {
        table: String = "t.name",
        name: String = "c.name",
        /// The column that identifies a row: its number, or the text itself.
        row: String = "iif(t.wr, c.name, 'rowid')",
        is_key: bool = "c.pk > 0",
    }
}

impl Store {
    /// Removes the words of a person from every text of the database that can contain them. This includes tables of
    /// later versions. Deletes rows with such a word in their key.
    pub(super) fn erase_words(&self, words: &PersonWords) -> Result<()> {
        let mut columns: Vec<TextColumn> = Select::rows()
            .and("t.schema = 'main' AND t.type = 'table' AND c.type = 'TEXT'")
            .and("t.name NOT LIKE 'sqlite!_%' ESCAPE '!'")
            .all(self)?;
        columns.retain(|found| {
            let known =
                StoredColumn::all().find(|column| column.table == found.table && column.name == found.name);
            known.is_none_or(|column| column.is_searched())
        });
        // This trigger forbids changes to the log of acts.
        let guard: String =
            self.one("SELECT sql FROM sqlite_schema WHERE name = 'acts_are_not_changed'", [])?;
        self.conn.execute_batch("DROP TRIGGER acts_are_not_changed")?;
        for TextColumn { table, name, row, is_key } in columns {
            let mut found: Vec<(Value, String)> = Vec::new();
            let sql = format!("SELECT {row}, {name} FROM {table} WHERE {name} <> ''");
            let mut statement = self.conn.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(without) = words.without(&row.get::<_, String>(1)?) {
                    found.push((row.get(0)?, without));
                }
            }
            for (key, without) in found {
                match is_key {
                    true => self.run(&format!("DELETE FROM {table} WHERE {row} = ?1"), [key])?,
                    false => self.run(
                        &format!("UPDATE {table} SET {name} = ?2 WHERE {row} = ?1"),
                        params![key, without],
                    )?,
                }
            }
        }
        Ok(self.conn.execute_batch(&guard)?)
    }
}

#[cfg(test)]
mod tests {
    use super::PersonWords;

    #[test]
    fn whole_words_go_and_others_stay() {
        let words = PersonWords::new(["Ann", "ann@club.example", "Spring-Cup"].map(str::to_owned));
        for (text, expected) in [
            ("You wrote to Ann.", "You wrote to ***."),
            ("ann's move, (ANN) -ann- @ann ...ann", "***'s move, (***) -***- @*** ...***"),
            ("Reply-To: <Ann@Club.Example>, ann+x@club.example", "Reply-To: <***>, ann+x@club.example"),
            ("dvonn move 1 ann D1-E1 in spring-cup", "dvonn move 1 *** D1-E1 in ***"),
        ] {
            assert_eq!(words.without(text).as_deref(), Some(expected));
        }
        let others = "annual anna joann ann-lee lee_ann ann@other.example joe.ann@club.example x@ann.example \
            ann@club.example.org pre-spring-cup éann";
        assert_eq!(words.without(others), None);
    }
}
