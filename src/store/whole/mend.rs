//! Makes what an export of a damaged database holds fit together again.

use super::tables::Link;
use crate::ids::BoardId;
use crate::store::{BoardRow, Result, Store};

impl Store {
    /// Gives players whose accounts are lost a new one without a password, called `lost-17` by their number; returns
    /// how many.
    pub fn make_lost_players(&self) -> Result<usize> {
        self.execute(
            "INSERT OR IGNORE INTO players (id, userid, userid_key, secret, created_at)
             SELECT player, 'lost-' || player, 'lost-' || player, randomblob(32), 0 FROM
                (SELECT player FROM seats UNION SELECT player FROM events UNION SELECT player FROM addresses)
             WHERE player > 0 AND player NOT IN (SELECT id FROM players)",
            [],
        )
    }

    /// Boards by their rows, seats or events.
    pub fn boards_by_any_row(&self) -> Result<Vec<BoardId>> {
        self.all(
            "SELECT id FROM boards UNION SELECT board FROM seats UNION SELECT board FROM events",
            [],
            |row| row.get(0),
        )
    }

    /// Puts a board's row, seats and place among the finished games back as its events make them.
    pub fn put_board_back(&self, row: &BoardRow) -> Result<()> {
        for sql in [
            "DELETE FROM seats WHERE board = ?1",
            "DELETE FROM robot_turns WHERE board = ?1",
            "DELETE FROM boards WHERE id = ?1",
        ] {
            self.execute(sql, [row.id])?;
        }
        self.add_board(row)?;
        self.update_board(row)
    }

    /// Removes all that is stored of a board.
    pub fn remove_board(&self, board: BoardId) -> Result<()> {
        for table in self.tables()? {
            for Link { column, may_be_null, .. } in table.links.iter().filter(|link| link.parent == "boards")
            {
                let name = &table.name;
                let sql = if *may_be_null {
                    format!("UPDATE {name} SET {column} = NULL WHERE {column} = ?1")
                } else {
                    format!("DELETE FROM {name} WHERE {column} = ?1")
                };
                self.execute(&sql, [board])?;
            }
        }
        self.execute("DELETE FROM boards WHERE id = ?1", [board])?;
        Ok(())
    }

    /// Removes the rows that point at nothing, or the pointing where a row makes sense without it; gives the tables,
    /// with how many rows went.
    pub fn remove_dangling(&self) -> Result<Vec<(String, usize)>> {
        let tables = self.tables()?;
        let mut removed: Vec<(String, usize)> = Vec::new();
        loop {
            let mut changed = 0;
            for table in &tables {
                for Link { column, parent, parent_column, may_be_null } in &table.links {
                    let name = &table.name;
                    let dangles = format!(
                        "{column} IS NOT NULL AND NOT EXISTS
                            (SELECT 1 FROM {parent} p WHERE p.{parent_column} = {name}.{column})"
                    );
                    let count = if *may_be_null {
                        self.execute(&format!("UPDATE {name} SET {column} = NULL WHERE {dangles}"), [])?
                    } else {
                        self.execute(&format!("DELETE FROM {name} WHERE {dangles}"), [])?
                    };
                    changed += count;
                    if count > 0 && !may_be_null {
                        match removed.iter_mut().find(|(other, _)| other == name) {
                            Some((_, rows)) => *rows += count,
                            None => removed.push((name.clone(), count)),
                        }
                    }
                }
            }
            if changed == 0 {
                return Ok(removed);
            }
        }
    }

    /// Forgets queues and drafts of boards that are over, gives finished games without a place the last places in the
    /// order, and forgets the ratings, which follow from the games.
    pub fn begin_ratings_anew(&self) -> Result<()> {
        for sql in [
            "DELETE FROM queues WHERE board IN (SELECT id FROM boards WHERE state <> 'running')",
            "DELETE FROM drafts WHERE board IN (SELECT id FROM boards WHERE state <> 'running')",
            "DELETE FROM finishes WHERE board NOT IN (SELECT id FROM boards WHERE state = 'finished')",
            "INSERT INTO finishes (board) SELECT id FROM boards
             WHERE state = 'finished' AND id NOT IN (SELECT board FROM finishes) ORDER BY changed_at, id",
        ] {
            self.execute(sql, [])?;
        }
        self.forget_ratings()
    }
}
