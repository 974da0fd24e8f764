//! Browsers that are told of turns, and the turns of which they have not been told yet.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sessions::UNUSED_SECONDS;
use super::sql::Select;
use super::{PlayerId, Result, SessionRow, Store};
use crate::ids::BoardId;

/// The most browsers of a player that are told.
const BROWSERS: u32 = 5;

/// How many times a push is tried, with pauses from a minute to an hour.
const TRIES: u32 = 5;

stored_row! {
    /// A browser that is to hear of a board.
    #[derive(Debug)]
    pub struct PushRow from "pushes p JOIN sessions s ON s.id = p.session JOIN boards b ON b.id = p.board
            AND b.state = 'running' JOIN seats t ON t.board = b.id AND t.seat = b.to_move AND t.player = s.player
            JOIN seats u ON u.board = b.id AND u.seat <> t.seat JOIN players o ON o.id = u.player" {
        pub session: i64 = "p.session",
        pub board: BoardId = "p.board",
        /// The key of the game.
        pub game: String = "b.game",
        /// The userid of the other player.
        pub opponent: String = "o.userid",
        /// The address of a browser that takes pushes: `ENDPOINT KEY SECRET`.
        pub to: String = "ifnull(s.push, '')",
    }
}

impl Store {
    /// The key of pushes; `fresh` becomes it if there is none.
    pub fn push_key(&mut self, fresh: &[u8]) -> Result<Vec<u8>> {
        const KEY: &str = "SELECT key FROM server_keys WHERE name = 'push'";
        if let Some(key) = self.find(KEY, [])? {
            return Ok(key);
        }
        self.write(|store| {
            store.execute("INSERT OR IGNORE INTO server_keys (name, key) VALUES ('push', ?1)", [fresh])?;
            store.one(KEY, [])
        })
    }

    /// Notes where a browser takes pushes; `None` ends them. The latest browsers of a player keep theirs.
    pub fn set_push(&self, session: &SessionRow, to: Option<&str>, at: Timestamp) -> Result<()> {
        self.end_push(session.id)?;
        let Some(to) = to else { return Ok(()) };
        self.execute(
            "UPDATE sessions SET push = NULL, push_at = NULL WHERE push = ?1 OR id IN (SELECT id FROM sessions
             WHERE player = ?2 AND push IS NOT NULL ORDER BY push_at DESC LIMIT -1 OFFSET ?3)",
            params![to, session.player, BROWSERS - 1],
        )?;
        let values = params![session.id, to, at.as_second()];
        self.run("UPDATE sessions SET push = ?2, push_at = ?3 WHERE id = ?1", values)
    }

    /// Forgets where a browser takes pushes.
    pub fn end_push(&self, session: i64) -> Result<()> {
        self.execute("DELETE FROM pushes WHERE session = ?1", [session])?;
        self.run("UPDATE sessions SET push = NULL, push_at = NULL WHERE id = ?1", [session])
    }

    /// Tells the player's browsers that a board waits, unless the player pauses mails.
    pub fn add_pushes(&self, player: PlayerId, board: BoardId, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO pushes (session, board, due_at) SELECT id, ?2, ?3 FROM sessions
             WHERE player = ?1 AND push IS NOT NULL AND used_at > ?3 - ?4
             AND NOT EXISTS (SELECT 1 FROM players WHERE id = ?1 AND paused_until > ?3)
             ON CONFLICT (session, board) DO UPDATE SET due_at = excluded.due_at, tries = 0",
            params![player, board, at.as_second(), UNUSED_SECONDS],
        )
    }

    /// The push that is due first, whose board waits for the player. Unless it is dropped, it is due again after a pause.
    pub fn take_push(&mut self, at: Timestamp) -> Result<Option<PushRow>> {
        let now = at.as_second();
        // Reading blocks no writer.
        let is_due = self.exists("SELECT 1 FROM pushes WHERE due_at <= ?1", [now])?;
        if !is_due || self.served_elsewhere(at)?.is_some() {
            return Ok(None);
        }
        self.write_unforced(|store| {
            let due = Select::<PushRow>::rows().and_with("p.due_at <= ?", now).and_with("p.tries < ?", TRIES);
            let next = due.order("p.due_at").limit(1).first(store)?;
            match &next {
                Some(next) => store.run(
                    "UPDATE pushes SET tries = tries + 1, due_at = ?3 + (60 << (2 * tries))
                     WHERE session = ?1 AND board = ?2",
                    params![next.session, next.board, now],
                )?,
                // The rest has been tried often enough, or does not wait any more.
                None => store.run("DELETE FROM pushes WHERE due_at <= ?1", [now])?,
            }
            Ok(next)
        })
    }

    /// Deletes a push.
    pub fn drop_push(&self, push: &PushRow) -> Result<()> {
        self.run("DELETE FROM pushes WHERE session = ?1 AND board = ?2", params![push.session, push.board])
    }
}
