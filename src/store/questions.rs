//! What the administrator asks of letters, mails and boards.
//!
//! A list runs along an index, the newest row first, and hands its rows over one by one. Whoever reads it decides where
//! it ends; nobody holds a million rows.

use std::ops::ControlFlow;

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

use super::boards::{BOARD, board};
use super::question_rows::{
    ASIDE, LETTER, LetterRow, MAIL, MailAsideRow, MailRow, StoredMail, letter, mail, mail_aside,
};
use super::records::BoardRow;
use super::{PlayerId, Result, Store, StoreError};
use crate::ids::{BoardId, Which};

/// Whom and what a list is about; by default, all.
#[derive(Debug, Clone, Copy, Default)]
pub struct About {
    pub player: Option<PlayerId>,
    pub board: Option<BoardId>,
}

/// Which boards a list shows, and in which order.
#[derive(Debug, Clone, Copy)]
pub enum BoardOrder {
    /// The newest first.
    Newest(Which),
    /// Those in play; where nobody has done anything for longest, first.
    Waiting,
    /// Those in play whose deadline is before this; the nearest first.
    DueBefore(Timestamp),
}

/// The mails to a player, and to addresses of theirs that nobody has confirmed.
const TO_PLAYER: &str = "id IN (SELECT id FROM outbox WHERE player = ?
    UNION ALL SELECT id FROM outbox WHERE player IS NULL
    AND lower(recipient) IN (SELECT address_key FROM addresses WHERE player = ?))";

/// A statement that is put together from conditions.
struct Query {
    sql: String,
    values: Vec<Value>,
}

impl Query {
    fn new(sql: &str) -> Query {
        Query { sql: sql.to_owned(), values: Vec::new() }
    }

    /// Adds a condition; each `?` in it stands for the value.
    fn and(&mut self, condition: &str, value: impl Into<Value>) {
        let value = value.into();
        self.also(condition);
        self.values.extend(std::iter::repeat_n(value, condition.matches('?').count()));
    }

    fn also(&mut self, condition: &str) {
        self.sql.push_str(if self.sql.contains("\nWHERE ") { " AND " } else { "\nWHERE " });
        self.sql.push_str(condition);
    }

    fn ordered(mut self, by: &str) -> Query {
        self.sql.push_str("\nORDER BY ");
        self.sql.push_str(by);
        self
    }
}

fn letters(about: About) -> Query {
    let mut query = Query::new(LETTER);
    if let Some(player) = about.player {
        query.and("player = ?", player.0);
    }
    if let Some(board) = about.board {
        query.and("id IN (SELECT letter FROM outbox WHERE board = ?)", board.0);
    }
    query.ordered("id DESC")
}

fn mails(about: About) -> Query {
    let mut query = Query::new(MAIL);
    if let Some(player) = about.player {
        query.and(TO_PLAYER, player.0);
    }
    if let Some(board) = about.board {
        query.and("board = ?", board.0);
    }
    query.ordered("id DESC")
}

fn bounces(about: About) -> Query {
    let mut query = Query::new(&format!("{MAIL} INDEXED BY outbox_bounced"));
    query.also("bounced_at IS NOT NULL");
    if let Some(player) = about.player {
        query.and("player = ?", player.0);
    }
    if let Some(board) = about.board {
        query.and("board = ?", board.0);
    }
    query.ordered("bounced_at DESC")
}

fn newest_boards(about: About, which: Which) -> Query {
    let mut query = Query::new(BOARD);
    match which {
        Which::All => {}
        Which::Inactive => query.also("b.state <> 'running'"),
        Which::Active | Which::Next => query.also("b.state = 'running'"),
    }
    if let Some(player) = about.player {
        query.and("b.id IN (SELECT board FROM seats WHERE player = ?)", player.0);
    }
    if let Some(board) = about.board {
        query.and("b.id = ?", board.0);
    }
    query.ordered("b.id DESC")
}

/// The numbers of boards in play, from an index that holds all that this needs.
fn boards_in_play(about: About, due_before: Option<Timestamp>, since: Option<Timestamp>, most: u32) -> Query {
    let mut query = Query::new("SELECT id FROM boards");
    query.also("state = 'running'");
    if let Some(at) = due_before {
        query.and("deadline_at < ?", at.as_second());
    }
    if let Some(at) = since {
        query.and("changed_at >= ?", at.as_second());
    }
    if let Some(board) = about.board {
        query.and("id = ?", board.0);
    }
    if let Some(player) = about.player {
        query.and("id IN (SELECT board FROM seats WHERE player = ?)", player.0);
    }
    let order = if due_before.is_some() { "deadline_at, id" } else { "changed_at, id" };
    query.ordered(&format!("{order} LIMIT {most}"))
}

impl Store {
    fn ask<T, E: From<StoreError>>(
        &self,
        query: Query,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
        visit: impl FnMut(T) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        self.each(&query.sql, params_from_iter(query.values), read, visit)
    }

    /// The letters that a player wrote, or that caused mail about a board; the newest first.
    pub fn each_letter<E: From<StoreError>>(
        &self,
        about: About,
        visit: impl FnMut(LetterRow) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        self.ask(letters(about), letter, visit)
    }

    /// The mails to a player, or about a board; the newest first.
    pub fn each_mail<E: From<StoreError>>(
        &self,
        about: About,
        visit: impl FnMut(MailRow) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        self.ask(mails(about), mail, visit)
    }

    /// The mails that came back for good, the latest first.
    pub fn each_bounce<E: From<StoreError>>(
        &self,
        about: About,
        visit: impl FnMut(MailRow) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        self.ask(bounces(about), mail, visit)
    }

    /// At most so many boards in an order, of a player or all. `since` leaves out of those in play where nothing has
    /// happened since; in the order of their numbers the reader breaks off.
    pub fn each_board<E: From<StoreError>>(
        &self,
        about: About,
        order: BoardOrder,
        since: Option<Timestamp>,
        most: u32,
        mut visit: impl FnMut(BoardRow) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        let due_before = match order {
            BoardOrder::Newest(which) => return self.ask(newest_boards(about, which), board, visit),
            BoardOrder::Waiting => None,
            BoardOrder::DueBefore(at) => Some(at),
        };
        let Query { sql, values } = boards_in_play(about, due_before, since, most);
        let numbers: Vec<BoardId> = self.all(&sql, params_from_iter(values), |row| row.get(0))?;
        for number in numbers {
            if let Some(row) = self.board(number)?
                && visit(row)?.is_break()
            {
                break;
            }
        }
        Ok(())
    }

    /// The mails that can never be written, the newest first.
    pub fn each_mail_aside<E: From<StoreError>>(
        &self,
        about: About,
        visit: impl FnMut(MailAsideRow) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        self.ask(mails_aside(about), mail_aside, visit)
    }

    /// The latest letters, the newest first.
    pub fn letters(&self, limit: u32) -> Result<Vec<LetterRow>> {
        self.all(&format!("{LETTER} ORDER BY id DESC LIMIT ?1"), [limit], letter)
    }

    /// The latest mails, the newest first.
    pub fn outbox(&self, limit: u32) -> Result<Vec<MailRow>> {
        self.all(&format!("{MAIL} ORDER BY id DESC LIMIT ?1"), [limit], mail)
    }

    /// The latest mails that can never be written, the newest first.
    pub fn mails_aside(&self, limit: u32) -> Result<Vec<MailAsideRow>> {
        self.all(&format!("{ASIDE} ORDER BY id DESC LIMIT ?1"), [limit], mail_aside)
    }

    /// The letter of that number.
    pub fn letter(&self, id: i64) -> Result<Option<LetterRow>> {
        self.find(&format!("{LETTER} WHERE id = ?1"), [id], letter)
    }

    /// The letters with that Message-ID, the first first: the same mail may have come with several of our tokens.
    pub fn letters_named(&self, message_id: &str) -> Result<Vec<LetterRow>> {
        self.all(&format!("{LETTER} WHERE message_id = ?1 ORDER BY id"), [message_id], letter)
    }

    /// The mails that a letter caused.
    pub fn mails_of_letter(&self, letter: i64) -> Result<Vec<MailRow>> {
        self.all(&format!("{MAIL} WHERE letter = ?1 ORDER BY id"), [letter], mail)
    }

    /// The mails of a letter that can never be written.
    pub fn mails_aside_of_letter(&self, letter: i64) -> Result<Vec<MailAsideRow>> {
        self.all(&format!("{ASIDE} WHERE letter = ?1 ORDER BY id"), [letter], mail_aside)
    }

    /// A mail with its bytes.
    pub fn stored_mail(&self, id: i64) -> Result<Option<StoredMail>> {
        let Some(row) = self.find(&format!("{MAIL} WHERE id = ?1"), [id], mail)? else { return Ok(None) };
        self.find("SELECT coalesce(b.bytes, x''), secret > 0 FROM outbox LEFT JOIN mail_bytes b ON b.mail = id WHERE id = ?1", [id], |bytes| {
            Ok(StoredMail { row, bytes: bytes.get(0)?, secret: bytes.get(1)? })
        })
    }
}

fn mails_aside(about: About) -> Query {
    let mut query = Query::new(ASIDE);
    if let Some(player) = about.player {
        query.and("player = ?", player.0);
    }
    if let Some(board) = about.board {
        query.and("board = ?", board.0);
    }
    query.ordered("id DESC")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How SQLite carries a statement out, a line a step.
    fn plan(store: &Store, query: &Query) -> String {
        let sql = format!("EXPLAIN QUERY PLAN {}", query.sql);
        let steps: Vec<String> =
            store.all(&sql, params_from_iter(query.values.clone()), |row| row.get(3)).unwrap();
        steps.join("\n")
    }

    /// A list that is read from its beginning may walk its table or its index; nothing else may, and a list of all is
    /// never sorted.
    #[test]
    fn no_question_reads_a_whole_table() {
        let store = Store::in_memory().unwrap();
        let (player, board) = (Some(PlayerId(1)), Some(BoardId(1)));
        let abouts = [
            About::default(),
            About { player, board: None },
            About { player: None, board },
            About { player, board },
        ];
        let soon = Timestamp::from_second(1_800_000_000).unwrap();
        for about in abouts {
            let mut queries = vec![letters(about), mails(about), bounces(about)];
            queries.extend(
                [Which::All, Which::Active, Which::Inactive].map(|which| newest_boards(about, which)),
            );
            for query in queries {
                let plan = plan(&store, &query);
                let is_of_all = about.player.or(about.board.map(|_| PlayerId(0))).is_none();
                let scans = plan.lines().filter(|step| {
                    step.starts_with("SCAN") && !(is_of_all || step.ends_with("USING INDEX outbox_bounced"))
                });
                assert_eq!(scans.collect::<Vec<_>>(), [""; 0], "{about:?} {}\n{plan}", query.sql);
                assert!(!is_of_all || !plan.contains("TEMP B-TREE"), "{}\n{plan}", query.sql);
            }
        }
        for due_before in [None, Some(soon)] {
            let of_all = plan(&store, &boards_in_play(About::default(), due_before, Some(soon), 51));
            assert!(of_all.starts_with("SCAN boards USING COVERING INDEX boards_running\n"), "{of_all}");
            let of_one = plan(&store, &boards_in_play(About { player, board: None }, due_before, None, 51));
            assert!(!of_one.contains("SCAN"), "{of_one}");
        }
        for sql in [
            format!("{LETTER} WHERE id = 1"),
            format!("{LETTER} WHERE message_id = 'x' ORDER BY id"),
            format!("{MAIL} WHERE letter = 1 ORDER BY id"),
            format!("{ASIDE} WHERE letter = 1 ORDER BY id"),
            format!("{MAIL} WHERE id = 1"),
        ] {
            let plan = plan(&store, &Query::new(&sql));
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP"), "{sql}\n{plan}");
        }
    }
}
